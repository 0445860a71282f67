package fetch_test

import (
	"strings"
	"testing"

	"moothall"
	"moothall/internal/search/fetch"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://example.org":                  "https://example.org",
		"http://Example.ORG:80/A?b=c#d":        "http://example.org:80/A?b=c",
		"https://example.org./x":               "https://example.org/x",
		" https://example.org/ ":               "https://example.org/",
		"https://bücher.example/":              "https://xn--bcher-kva.example/",
		"https://8.8.8.8/":                     "https://8.8.8.8/",
		"https://[2606:4700:4700::1111]/":      "https://[2606:4700:4700::1111]/",
		"HTTPS://example.org/":                 "https://example.org/",
		"https://example.org/%00?x=%20":        "https://example.org/%00?x=%20", // the path is the site's business
		"https://ｅｘａｍｐｌｅ.org/":                 "https://example.org/",
		"https://a-b.c0.example.co.uk:443/x/y": "https://a-b.c0.example.co.uk:443/x/y",
	} {
		u, err := fetch.Check(raw)
		if err != nil {
			t.Errorf("%q: %v", raw, err)
		} else if u.String() != want {
			t.Errorf("%q: got %s, want %s", raw, u, want)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]moothall.Code{
		"":                                                   moothall.CodeInvalid,
		"example.org":                                        moothall.CodeInvalid,
		"ftp://example.org/":                                 moothall.CodeInvalid,
		"file:///etc/passwd":                                 moothall.CodeInvalid,
		"javascript:alert(1)":                                moothall.CodeInvalid,
		"data:text/html,x":                                   moothall.CodeInvalid,
		"http:///x":                                          moothall.CodeInvalid,
		"http:example.org":                                   moothall.CodeInvalid,
		"http://user@example.org/":                           moothall.CodeInvalid,
		"http://user:pass@example.org/":                      moothall.CodeInvalid,
		"http://example.org\x00.evil.test/":                  moothall.CodeInvalid,
		"http://exa\x00mple.org/":                            moothall.CodeInvalid,
		"http://example.org%00.evil.test/":                   moothall.CodeInvalid,
		"http://%31%32%37.0.0.1/":                            moothall.CodeInvalid,
		"http://[fe80::1%25eth0]/":                           moothall.CodeDenied,
		"http://exa mple.org/":                               moothall.CodeInvalid,
		"http://example.org\\@127.0.0.1/":                    moothall.CodeInvalid,
		"http://under_score.example.org/":                    moothall.CodeInvalid,
		"http://-x.example.org/":                             moothall.CodeInvalid,
		"http://a..example.org/":                             moothall.CodeInvalid,
		"http://" + strings.Repeat("a", 64) + ".org/":        moothall.CodeInvalid,
		"http://" + strings.Repeat("abcdefgh.", 30) + "org/": moothall.CodeInvalid,
		"http://example.org/" + strings.Repeat("a", 9000):    moothall.CodeTooLarge,
		"http://example.org:0/":                              moothall.CodeInvalid,
		"http://example.org:99999/":                          moothall.CodeInvalid,
		"http://example.org:22/":                             moothall.CodeDenied,
		"http://example.org:8080/":                           moothall.CodeDenied,
		"http://localhost/":                                  moothall.CodeDenied,
		"http://LOCALHOST./":                                 moothall.CodeDenied,
		"http://x.localhost/":                                moothall.CodeDenied,
		"http://printer.local/":                              moothall.CodeDenied,
		"http://metadata.google.internal/":                   moothall.CodeDenied,
		"http://router.home.arpa/":                           moothall.CodeDenied,
		"http://intranet/":                                   moothall.CodeDenied,
		"http://2130706433/":                                 moothall.CodeDenied,
		"http://0x7f000001/":                                 moothall.CodeDenied,
		"http://0x7f.1/":                                     moothall.CodeDenied,
		"http://0177.0.0.1/":                                 moothall.CodeDenied,
		"http://127.1/":                                      moothall.CodeDenied,
		"http://127.0.0.1./":                                 moothall.CodeDenied,
		"http://１２７.０.０.１/":                                  moothall.CodeDenied,
		"http://127。0。0。1/":                                  moothall.CodeDenied,
		"http://[::ffff:127.0.0.1]/":                         moothall.CodeDenied,
		"http://[0:0:0:0:0:ffff:7f00:1]/":                    moothall.CodeDenied,
	} {
		_, err := fetch.Check(raw)
		if got := moothall.ErrorCode(err); got != want {
			t.Errorf("%.60q: code %q, want %q (%v)", raw, got, want, err)
		}
	}
}

func TestMorePorts(t *testing.T) {
	t.Parallel()
	c := fetch.New(fetch.Options{Ports: []uint16{8443}, Resolver: &names{}})
	_, err := c.Get(t.Context(), "https://pages.example.com:8443/")
	wantCode(t, err, moothall.CodeUnavailable) // past the rules, and not found
	_, err = c.Get(t.Context(), "https://pages.example.com:8444/")
	wantCode(t, err, moothall.CodeDenied)
}

// Whatever passes has a host that every parser reads in the same way, and
// passes again.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"https://example.org/a?b", "http://[::1]/", "http://0x7f.1", "http://a%00b/", "http://１.1.1.1", "//x", "http://xn--a/", "http://x:80:80/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := fetch.Check(raw)
		if err != nil {
			return
		}
		if strings.ContainsAny(u.Host, "\x00% @/\\?#") || u.User != nil {
			t.Fatalf("%q passed with host %q", raw, u.Host)
		}
		again, err := fetch.Check(u.String())
		if err != nil || again.Host != u.Host {
			t.Fatalf("%q became %q, which does not pass or differs: %v", raw, u, err)
		}
	})
}
