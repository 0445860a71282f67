package wire_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moothall"
	"moothall/internal/egress/egresstest"
	"moothall/internal/search/wire"
)

func client(t *testing.T, handler http.HandlerFunc) *wire.Client {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	c, err := wire.New(wire.Config{Name: "engine", BaseURL: s.URL, Hint: "look"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func nothing(string, int64) {}

func TestLimits(t *testing.T) {
	t.Parallel()
	huge := client(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`"`))
		for range 9 {
			w.Write([]byte(strings.Repeat("x", 1<<20)))
		}
	})
	var out any
	if err := huge.JSON(t.Context(), wire.Request{Path: "/", Sent: nothing}, &out); moothall.ErrorCode(err) != moothall.CodeTooLarge {
		t.Errorf("huge: %v", err)
	}
	slow := client(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := slow.JSON(ctx, wire.Request{Path: "/?q=private", Sent: nothing}, &out); moothall.ErrorCode(err) != moothall.CodeTimeout || strings.Contains(err.Error(), "private") {
		t.Errorf("slow: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if err := slow.JSON(ctx, wire.Request{Path: "/", Sent: nothing}, &out); moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
}

// TestSentIsWhatTheServerReceived over a connection that is used again, for
// answers and refusals.
func TestSentIsWhatTheServerReceived(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "no") {
			http.Error(w, "no", http.StatusTeapot)
			return
		}
		w.Write([]byte("{}"))
	}))
	got := egresstest.Count(&s.Listener)
	s.Start()
	t.Cleanup(s.Close)
	c, err := wire.New(wire.Config{Name: "engine", BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var sum int64
	for _, path := range []string{"/yes?q=one", "/no", "/yes?q=" + strings.Repeat("long", 100)} {
		var out any
		err := c.JSON(t.Context(), wire.Request{Path: path, Body: map[string]string{"a": "b"}, Sent: func(host string, n int64) {
			if host != "127.0.0.1" || n < 100 {
				t.Errorf("%d bytes to %s", n, host)
			}
			sum += n
		}}, &out)
		if (err != nil) != (path == "/no") {
			t.Error(err)
		}
		if sum != got.Load() {
			t.Errorf("%s: counted %d, the server received %d", path, sum, got.Load())
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	visits := 0
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		visits++
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	var out any
	if err := c.JSON(t.Context(), wire.Request{Path: "/", Sent: nothing}, &out); moothall.ErrorCode(err) != moothall.CodeUnavailable || visits != 1 {
		t.Errorf("%d visits: %v", visits, err)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a  b\n c": "a b c", "<b>bold</b> &amp; &lt;x&gt;": "bold & <x>", "1 < 2": "1 < 2", "<script>x</script>y": "xy", "": "", "a<br>b": "ab",
	} {
		if got := wire.Plain(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("<b>x</b>&amp;")
	f.Add("<!--")
	f.Fuzz(func(t *testing.T, s string) {
		got := wire.Plain(s)
		if utf8.ValidString(s) && !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t") {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
