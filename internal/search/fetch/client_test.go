package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/search/fetch"
)

func TestGet(t *testing.T) {
	t.Parallel()
	var got http.Header
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
			http.Redirect(w, r, "/page?q=secret", http.StatusMovedPermanently)
			return
		}
		got = r.Header
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Language", "de, en")
		w.Write([]byte("<p>Grüße</p>"))
	})
	doc, err := s.client(fetch.Options{}).Get(t.Context(), s.URL)
	wantCode(t, err, "")
	if doc.URL != s.URL+"/page?q=secret" || doc.Kind != fetch.HTML || string(doc.Body) != "<p>Grüße</p>" || doc.Language != "de" || doc.Cut {
		t.Errorf("got %+v", doc)
	}
	if got.Get("Cookie") != "" || got.Get("Referer") != "" || got.Get("Authorization") != "" {
		t.Errorf("the site was told %v", got)
	}
	if !strings.Contains(got.Get("User-Agent"), "Moothall") {
		t.Errorf("the agent is %q", got.Get("User-Agent"))
	}
	if len(doc.Sent) != 1 || doc.Sent[0].Host != "127.0.0.1" || doc.Sent[0].Bytes < 200 {
		t.Errorf("sent %v", doc.Sent)
	}
}

func TestNoProxyFromTheEnvironment(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("direct")) })
	s.names.answers["pages.example.com"] = []string{"127.0.0.1"}
	doc, err := s.client(fetch.Options{}).Get(t.Context(), "http://pages.example.com:"+strconv.Itoa(int(s.at.Port()))+"/")
	wantCode(t, err, "")
	if string(doc.Body) != "direct" {
		t.Errorf("got %q", doc.Body)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		if n == 0 {
			w.Write([]byte("here"))
			return
		}
		http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
	})
	c := s.client(fetch.Options{})
	_, err := c.Get(t.Context(), s.URL+"/5")
	wantCode(t, err, "")
	_, err = c.Get(t.Context(), s.URL+"/6")
	wantCode(t, err, moothall.CodeUnavailable)
	for _, to := range []string{"ftp://example.org/", "file:///etc/passwd", "http://user:pw@example.org/", "gopher://x/"} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Location", to); w.WriteHeader(302) })
		_, err := s.client(fetch.Options{}).Get(t.Context(), s.URL)
		wantCode(t, err, moothall.CodeInvalid)
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]moothall.Code{
		204: moothall.CodeUnavailable, 304: moothall.CodeUnavailable, 400: moothall.CodeUnavailable, 401: moothall.CodeUnavailable, 403: moothall.CodeUnavailable,
		404: moothall.CodeNotFound, 410: moothall.CodeNotFound, 429: moothall.CodeExhausted, 500: moothall.CodeUnavailable, 503: moothall.CodeUnavailable,
	} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) })
		doc, err := s.client(fetch.Options{}).Get(t.Context(), s.URL)
		wantCode(t, err, want)
		if !strings.Contains(err.Error(), strconv.Itoa(status)) {
			t.Errorf("status %d: the error does not say so: %v", status, err)
		}
		if len(doc.Sent) != 1 || doc.Sent[0].Bytes == 0 {
			t.Errorf("status %d: what was sent is not counted: %v", status, doc.Sent)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	late := "<script>" + strings.Repeat("// first\n", 200) + "</script>" // browsers look for a charset further down as well
	for _, test := range []struct {
		header, body string
		kind         fetch.Kind
		text         string
	}{
		{"text/html; charset=iso-8859-1", "<p>Gr\xfc\xdfe", fetch.HTML, "<p>Grüße"},
		{"text/html", "<meta charset=windows-1251><p>\xcc\xe8\xf0", fetch.HTML, "<meta charset=windows-1251><p>Мир"},
		{"text/html", late + "<meta charset=utf-8><p>Grüße", fetch.HTML, late + "<meta charset=utf-8><p>Grüße"},
		{"text/html", late + "<p>Мир", fetch.HTML, late + "<p>Мир"},
		{"text/html", late + "<p>Gr\xfc\xdfe", fetch.HTML, late + "<p>Grüße"},
		{"", "<!DOCTYPE html><meta charset=windows-1251><p>\xcc\xe8\xf0", fetch.HTML, "<!DOCTYPE html><meta charset=windows-1251><p>Мир"},
		{"text/html charset=utf-8", "<!DOCTYPE html><p>Мир", fetch.HTML, "<!DOCTYPE html><p>Мир"},
		{"text/html; charset=utf-8; charset=iso-8859-1", "<!DOCTYPE html><p>Мир", fetch.HTML, "<!DOCTYPE html><p>Мир"},
		{"application/rss+xml", `<?xml version="1.0" encoding="iso-8859-1"?><a>Gr` + "\xfc\xdfe</a>", fetch.XML, `<?xml version="1.0" encoding="iso-8859-1"?><a>Grüße</a>`},
		{"text/xml", "<?xml version='1.0'\nencoding = 'Shift_JIS' ?><a>\x93\xfa\x96\x7b</a>", fetch.XML, "<?xml version='1.0'\nencoding = 'Shift_JIS' ?><a>日本</a>"},
		{"text/xml", `<?xml version="1.0" encoding="x-none"?><a>ü</a>`, fetch.XML, `<?xml version="1.0" encoding="x-none"?><a>ü</a>`},
		{"text/plain; charset=shift_jis", "\x93\xfa\x96\x7b", fetch.Text, "日本"},
		{"text/plain", "a\x00b\xff", fetch.Text, "ab\uFFFD"},
		{"application/json", `{"a":"ü"}`, fetch.JSON, `{"a":"ü"}`},
		{"application/ld+json", `{}`, fetch.JSON, `{}`},
		{"application/rss+xml", "<rss/>", fetch.XML, "<rss/>"},
		{"text/xml", "\xef\xbb\xbf<a/>", fetch.XML, "<a/>"},
		{"text/markdown", "# x", fetch.Text, "# x"},
		{"", "<!DOCTYPE html><p>x", fetch.HTML, "<!DOCTYPE html><p>x"},
		{"application/pdf", "%PDF-1.7", "", ""},
		{"image/png", "x", "", ""},
		{"image/svg+xml", "<svg/>", "", ""},
		{"application/octet-stream", "MZ", "", ""},
		{"", "%PDF-1.7", "", ""},
	} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			if test.header != "" {
				w.Header().Set("Content-Type", test.header)
			}
			w.Write([]byte(test.body))
		})
		doc, err := s.client(fetch.Options{}).Get(t.Context(), s.URL)
		if test.kind == "" {
			wantCode(t, err, moothall.CodeUnsupported)
			continue
		}
		wantCode(t, err, "")
		if doc.Kind != test.kind || string(doc.Body) != test.text {
			t.Errorf("%q %q: got %s %q", test.header, test.body, doc.Kind, doc.Body)
		}
	}
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestCompression(t *testing.T) {
	t.Parallel()
	bomb := gzipped(make([]byte, 16<<20)) // 16 MiB of nothing in 16 KiB
	for name, test := range map[string]struct {
		encoding string
		body     []byte
		code     moothall.Code
		length   int
		cut      bool
	}{
		"small":     {"gzip", gzipped([]byte("hello")), "", 5, false},
		"bomb":      {"gzip", bomb, "", 0, true}, // NUL bytes are dropped
		"twice":     {"gzip, gzip", gzipped(gzipped([]byte("hello"))), moothall.CodeUnsupported, 0, false},
		"unasked":   {"br", []byte("xyz"), moothall.CodeUnsupported, 0, false},
		"not gzip":  {"gzip", []byte("plain text"), moothall.CodeUnavailable, 0, false},
		"truncated": {"gzip", gzipped(bytes.Repeat([]byte("abcdefg "), 100000))[:200], "", -1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				w.Header().Set("Content-Encoding", test.encoding)
				w.Write(test.body)
			})
			doc, err := s.client(fetch.Options{MaxBytes: 1 << 20}).Get(t.Context(), s.URL)
			wantCode(t, err, test.code)
			if err == nil && (test.length >= 0 && len(doc.Body) != test.length || doc.Cut != test.cut) {
				t.Errorf("%d bytes, cut %v", len(doc.Body), doc.Cut)
			}
		})
	}
}

func TestLongPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write(bytes.Repeat([]byte("x"), 5000))
	})
	doc, err := s.client(fetch.Options{MaxBytes: 1000}).Get(t.Context(), s.URL)
	wantCode(t, err, "")
	if len(doc.Body) != 1000 || !doc.Cut {
		t.Errorf("%d bytes, cut %v", len(doc.Body), doc.Cut)
	}
}

func TestTooSlow(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte("begin"))
		w.(http.Flusher).Flush()
		<-r.Context().Done() // drips until the client is gone
	})
	_, err := s.client(fetch.Options{Timeout: 50 * time.Millisecond}).Get(t.Context(), s.URL)
	wantCode(t, err, moothall.CodeTimeout)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.client(fetch.Options{}).Get(ctx, s.URL)
	wantCode(t, err, moothall.CodeCanceled)
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	s.Close()
	_, err := s.client(fetch.Options{}).Get(t.Context(), s.URL)
	wantCode(t, err, moothall.CodeUnavailable)
	_, err = s.client(fetch.Options{}).Get(t.Context(), "http://nowhere.example.com/")
	wantCode(t, err, moothall.CodeUnavailable)
}
