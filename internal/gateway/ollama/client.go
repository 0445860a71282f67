package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/egress"
	"moothall/internal/gateway"
)

// Name is the provider's when it is given no other.
const Name = "ollama"

// Options configure a provider.
type Options struct {
	Name string // default [Name]
	URL  string // default http://127.0.0.1:11434; a bare host:port will do
	// Local says that the server is on a machine of the person's. It need
	// not be set for loopback and private addresses and for names without a
	// dot or under .local, .lan, .internal and .home.arpa.
	Local bool
	// Window is the num_ctx to ask for when neither the request nor the
	// model's own settings name one; default 32000.
	Window int
	// KeepAlive is how long the server keeps a model in memory after a call;
	// 0 leaves it to the server, negative means for ever.
	KeepAlive time.Duration
	// Batch is how many texts go into one request for embeddings; default 64.
	Batch int
	// Key returns the bearer token for a proxy before the server; nil means
	// that there is none.
	Key func(ctx context.Context) (moothall.Secret, error)
	// Transport replaces the connection, for tests and unix sockets.
	Transport http.RoundTripper
}

const (
	defaultURL    = "http://127.0.0.1:11434"
	defaultWindow = 32000
	defaultBatch  = 64
	maxLine       = 64 << 20 // of one line, or of one whole reply
	maxErrorBody  = 64 << 10
)

// Provider speaks to one server.
type Provider struct {
	o      Options
	base   string
	host   string
	http   *http.Client
	offers offers

	mu      sync.Mutex
	details map[string]details // by model
	version string
	oldBed  bool // the server has no /api/embed
}

var (
	_ gateway.Provider  = (*Provider)(nil)
	_ gateway.Local     = (*Provider)(nil)
	_ gateway.Patient   = (*Provider)(nil)
	_ gateway.Outsider  = (*Provider)(nil)
	_ gateway.Puller    = (*Provider)(nil)
	_ gateway.Residents = (*Provider)(nil)
	_ gateway.Versioner = (*Provider)(nil)
)

// New returns a provider. It does no I/O. CodeInvalid for an address that is
// none.
func New(o Options) (*Provider, error) {
	o.Name = orDefault(o.Name, Name)
	o.Window = orDefault(o.Window, defaultWindow)
	o.Batch = orDefault(o.Batch, defaultBatch)
	base, err := address(orDefault(o.URL, defaultURL))
	if err != nil {
		return nil, err
	}
	if o.Transport == nil {
		o.Transport = transport()
	}
	o.Transport, _ = egress.Wrap(o.Transport)
	return &Provider{
		o: o, base: strings.TrimSuffix(base.String(), "/"), host: base.Hostname(), details: map[string]details{},
		http: &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a prompt goes where the person said, and nowhere else
		}},
	}, nil
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// address reads an address in the forms that people write.
func address(s string) (*url.URL, error) {
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "ollama address", Message: "the address of the Ollama server is not one",
			Remedy: "write it as http://HOST:PORT",
		}
	}
	if u.Port() == "" && u.Scheme == "http" {
		u.Host = net.JoinHostPort(u.Hostname(), "11434")
	}
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && a.IsUnspecified() {
		// What a server listens on is no place to call.
		u.Host = net.JoinHostPort("127.0.0.1", u.Port())
	}
	return u, nil
}

// transport has no time-out on headers: a server sends none until the model
// is loaded. Proxies of the environment are not used.
func transport() *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 128,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true,
		WriteBufferSize:     32 << 10, // most requests leave in one piece
	}
}

// Close ends idle connections.
func (p *Provider) Close() { p.http.CloseIdleConnections() }

// Name is the name from the options.
func (p *Provider) Name() string { return p.o.Name }

// Local reports whether the server is on a machine of the person's.
func (p *Provider) Local() bool {
	if p.o.Local {
		return true
	}
	if a, err := netip.ParseAddr(p.host); err == nil {
		return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
	}
	if !strings.Contains(p.host, ".") {
		return true
	}
	for _, end := range []string{".local", ".lan", ".internal", ".home.arpa", ".localhost"} {
		if strings.HasSuffix(p.host, end) {
			return true
		}
	}
	return false
}

// Here reports whether the server is on this very machine.
func (p *Provider) Here() bool {
	a, err := netip.ParseAddr(p.host)
	return err == nil && a.IsLoopback() || p.host == "localhost" || strings.HasSuffix(p.host, ".localhost")
}

// send makes a request. The caller closes the body of a response, which has
// status 200.
func (p *Provider) send(ctx context.Context, op, model, path string, body any) (*http.Response, error) {
	r, err := p.request(ctx, path, body)
	if err != nil {
		return nil, err
	}
	resp, err := p.http.Do(r)
	if err != nil {
		return nil, p.broken(ctx, op, err, false)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && ctx.Err() != nil {
		return nil, p.broken(ctx, op, err, false)
	}
	return nil, p.refusal(op, model, path, resp, text)
}

func (p *Provider) request(ctx context.Context, path string, body any) (*http.Request, error) {
	method, content := http.MethodGet, io.Reader(nil)
	if body != nil {
		b, ok := body.(encoded)
		if !ok {
			var err error
			if b, err = json.Marshal(body); err != nil {
				return nil, unwritable(err)
			}
		}
		method, content = http.MethodPost, bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, p.base+path, content)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "ollama request", Err: err}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.o.Key != nil {
		key, err := p.o.Key(ctx)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+string(key.Reveal()))
	}
	return r, nil
}

// encoded is a body that is JSON already.
type encoded []byte

func unwritable(err error) error {
	return &moothall.Error{Code: moothall.CodeInvalid, Op: "ollama request", Message: "the request cannot be written as JSON", Err: err}
}

// errNoPath marks a path that the server does not know.
var errNoPath = &moothall.Error{Code: moothall.CodeUnsupported, Op: "ollama path"}

func (p *Provider) refusal(op, model, path string, resp *http.Response, body []byte) error {
	kind := resp.Header.Get("Content-Type")
	if resp.StatusCode == http.StatusNotFound && strings.HasPrefix(kind, "text/plain") {
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: op, Message: "the server at " + p.base + " has no " + path,
			Remedy: "update Ollama", Err: errNoPath,
		}
	}
	said := string(body)
	var e struct{ Error string }
	if json.Unmarshal(body, &e) == nil && e.Error != "" {
		said = e.Error
	}
	return gateway.Refusal{
		Provider: p.o.Name, Model: model, Status: resp.StatusCode, Message: said,
		RetryAfter: resp.Header.Get("Retry-After"), Now: time.Now(),
	}.Err(op)
}

func (p *Provider) broken(ctx context.Context, op string, err error, started bool) error {
	return gateway.Broken(ctx, op, "the Ollama server at "+p.base, "start it with 'ollama serve'", err, started)
}

// call makes a request whose reply is one JSON value.
func (p *Provider) call(ctx context.Context, op, model, path string, body, out any) error {
	resp, err := p.send(ctx, op, model, path, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxLine+1))
	switch {
	case err != nil:
		return p.broken(ctx, op, err, false)
	case len(text) > maxLine:
		return moothall.Fail(moothall.CodeTooLarge, op, "the server's reply is larger than 64 MiB")
	}
	if err := json.Unmarshal(text, out); err != nil {
		return p.malformed(op, err, false)
	}
	return nil
}

func (p *Provider) malformed(op string, err error, started bool) error {
	code := moothall.CodeUnavailable
	if started {
		code = moothall.CodeInterrupted
	}
	return &moothall.Error{
		Code: code, Op: op, Message: "what answers at " + p.base + " does not speak Ollama's protocol",
		Remedy: "make sure that an Ollama server is at this address, with no proxy that changes replies", Err: err,
	}
}
