package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/gateway/wire"
)

// trip is a transport made of a function.
type trip func(*http.Request) (*http.Response, error)

func (t trip) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func newClient(t testing.TB, c wire.Config) *wire.Client {
	t.Helper()
	c.Name = "test"
	client, err := wire.NewClient(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func wantCode(t testing.TB, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Errorf("code %q, want %q (error: %v)", got, code, err)
	}
}

// silent is a body of which some comes, and then nothing until the request
// ends.
type silent struct {
	ctx  context.Context
	some *strings.Reader
}

func (s silent) Read(p []byte) (int, error) {
	if s.some.Len() > 0 {
		return s.some.Read(p)
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func (silent) Close() error { return nil }

func TestSilenceEndsAnExchange(t *testing.T) {
	t.Parallel()
	for name, some := range map[string]string{"at once": "", "after an event": "data: {}\n\n"} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t, wire.Config{BaseURL: "https://example.com", Idle: time.Minute, HTTP: &http.Client{
				Transport: trip(func(r *http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: 200, Header: http.Header{}, Body: silent{r.Context(), strings.NewReader(some)}}, nil
				}),
			}})
			begun := time.Now()
			s, err := c.Send(t.Context(), wire.Request{Path: "/x"})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			want := moothall.CodeUnavailable
			if some != "" {
				if _, err := s.Next(); err != nil {
					t.Fatal(err)
				}
				s.Started()
				want = moothall.CodeInterrupted
			}
			_, err = s.Next()
			wantCode(t, err, want)
			if took := time.Since(begun); took != time.Minute {
				t.Errorf("%s: it took %v, want a minute", name, took)
			}
		})
	}
}

func TestSilenceBeforeHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, wire.Config{BaseURL: "https://example.com", HTTP: &http.Client{
			Transport: trip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}),
		}})
		_, err := c.Send(t.Context(), wire.Request{Path: "/x"})
		wantCode(t, err, moothall.CodeUnavailable)
	})
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	for _, client := range []*http.Client{nil, {Transport: &http.Transport{}}} {
		c := newClient(t, wire.Config{BaseURL: server.URL, HTTP: client})
		err := c.JSON(t.Context(), wire.Request{Path: "/x", Body: 1}, nil)
		wantCode(t, err, moothall.CodeUnavailable)
		if client != nil {
			client.CloseIdleConnections()
		}
	}
}

func TestKeyring(t *testing.T) {
	t.Parallel()
	locked := &moothall.Error{Code: moothall.CodeUnavailable, Op: "keyring", Message: "locked", Remedy: "unlock it"}
	for name, test := range map[string]struct {
		key  string
		err  error
		code moothall.Code
	}{
		"locked": {err: locked, code: moothall.CodeUnavailable},
		"empty":  {key: " \n", code: moothall.CodeDenied},
		"lines":  {key: "a\nb", code: moothall.CodeDenied},
		"fine":   {key: "abc\n"},
	} {
		c := newClient(t, wire.Config{
			BaseURL: "https://example.com",
			Key: func(context.Context) (moothall.Secret, error) {
				return moothall.NewSecret([]byte(test.key)), test.err
			},
			Sign: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
			HTTP: &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
				if got := r.Header.Get("Authorization"); got != "Bearer abc" {
					t.Errorf("%s: sent %q", name, got)
				}
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
			})},
		})
		var out struct{}
		err := c.JSON(t.Context(), wire.Request{Path: "/x"}, &out)
		wantCode(t, err, test.code)
		if test.err != nil && (!errors.Is(err, test.err) || moothall.ErrorRemedy(err) != "unlock it") {
			t.Errorf("%s: the keyring's own error is lost: %v", name, err)
		}
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	c := newClient(t, wire.Config{BaseURL: server.URL})
	_, err := c.Send(t.Context(), wire.Request{Path: "/x"})
	wantCode(t, err, moothall.CodeUnavailable)
	if moothall.ErrorRemedy(err) == "" {
		t.Error("no word about what to do")
	}
}
