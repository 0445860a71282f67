package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"moothall"
	"moothall/internal/egress"
)

const (
	maxReply     = 64 << 20 // of a whole reply
	maxErrorBody = 64 << 10
	defaultIdle  = 10 * time.Minute
)

// Config says where a server is and how it is spoken to.
type Config struct {
	Name    string // of the provider, for errors
	BaseURL string // paths are added to it
	// Key is asked before each request; nil sends none.
	Key func(context.Context) (moothall.Secret, error)
	// Sign puts the key into a request's header.
	Sign func(h http.Header, key string)
	// Header is sent with every request.
	Header http.Header
	// HTTP is the client to use; nil means one without a proxy. What it sends
	// is measured where its transport is HTTP's own or counts already.
	HTTP *http.Client
	// PlainHTTP lets a key travel to another machine without TLS.
	PlainHTTP bool
	// Idle is the silence after which a server counts as gone: 10 minutes
	// when 0, since a large prompt may take a small machine long to read.
	Idle time.Duration
}

// Client speaks to one server.
type Client struct {
	Config
	base *url.URL
	own  bool // the connections are this client's
}

// NewClient checks the configuration. It does no I/O.
func NewClient(c Config) (*Client, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, c.invalid("the address of the server is not an http or https URL", "")
	case base.User != nil, base.RawQuery != "", base.Fragment != "":
		return nil, c.invalid("the address of the server holds more than host and path", "give keys by their name in the keyring")
	case c.Key != nil && base.Scheme == "http" && !loopback(base.Hostname()) && !c.PlainHTTP:
		return nil, c.invalid("the key would cross the network in the clear", "use https")
	}
	if c.Idle == 0 {
		c.Idle = defaultIdle
	}
	if c.HTTP == nil {
		c.HTTP = newHTTP()
	}
	client := *c.HTTP
	counting, own := egress.Wrap(client.Transport)
	client.Transport = counting
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.HTTP = &client
	base.Path = strings.TrimRight(base.Path, "/")
	return &Client{Config: c, base: base, own: own}, nil
}

func (c Config) invalid(message, remedy string) error {
	return &moothall.Error{Code: moothall.CodeInvalid, Op: "model provider " + c.Name, Message: message, Remedy: remedy}
}

// newHTTP returns a client without a limit on the whole exchange, since a
// stream may go on for long; [Config.Idle] bounds silence instead.
func newHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConns:        100,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
	}}
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// Host is the server's name, without its path.
func (c *Client) Host() string { return c.base.Hostname() }

// Local reports whether the server is on this machine.
func (c *Client) Local() bool { return loopback(c.base.Hostname()) }

// Close ends the idle connections.
func (c *Client) Close() error {
	if c.own {
		c.HTTP.CloseIdleConnections()
	}
	return nil
}

// Request is what is asked of a server.
type Request struct {
	Path  string // after the base, query included
	Model string // that the request is about, for errors
	Body  any    // posted as JSON; nil means GET
}

// JSON makes one exchange and fills out from the reply.
func (c *Client) JSON(ctx context.Context, r Request, out any) error {
	s, err := c.Send(ctx, r)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.JSON(out)
}

// Send makes a request and returns the reply, to be read and closed. A
// refusal is an error.
func (c *Client) Send(ctx context.Context, r Request) (*Stream, error) {
	s := newStream(ctx, c)
	if err := ctx.Err(); err != nil { // spares the keyring
		s.Close()
		return nil, s.fault(err)
	}
	if err := s.send(r); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Stream) send(r Request) error {
	req, err := s.request(r)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: s.op(), Message: "the request cannot be written", Err: err}
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if err := s.sign(req.Header); err != nil {
		return err
	}
	if s.resp, err = s.client.HTTP.Do(req); err != nil {
		return s.fault(err)
	}
	if s.resp.StatusCode < 200 || s.resp.StatusCode > 299 {
		return s.refused(r.Model)
	}
	return nil
}

func (s *Stream) request(r Request) (*http.Request, error) {
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if r.Body != nil {
		b, err := json.Marshal(r.Body)
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(s.ctx, method, s.client.base.String()+r.Path, body)
	if err != nil {
		return nil, err
	}
	for name, values := range s.client.Header {
		req.Header[name] = values
	}
	if r.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// sign asks for the key and puts it into the header.
func (s *Stream) sign(h http.Header) error {
	if s.client.Key == nil {
		return nil
	}
	secret, err := s.client.Key(s.ctx)
	if err != nil {
		return &moothall.Error{Code: moothall.ErrorCode(err), Op: s.op(), Message: "the key cannot be had", Err: err}
	}
	s.key = strings.TrimSpace(string(secret.Reveal()))
	if s.key == "" || strings.ContainsFunc(s.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return &moothall.Error{
			Code: moothall.CodeDenied, Op: s.op(), Message: "the key in the keyring is empty or not plain text",
			Remedy: "store it again with: moothall secrets set",
		}
	}
	s.client.Sign(h, s.key)
	return nil
}

// errIdle is the cause of a context that silence ended.
var errIdle = errors.New("the server fell silent")
