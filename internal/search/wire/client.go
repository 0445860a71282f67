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
	maxReply     = 8 << 20
	maxErrorBody = 16 << 10
)

// Config says where an engine is and how it is spoken to.
type Config struct {
	Name    string // of the provider, for errors
	BaseURL string // paths are added to it
	// Key is asked before each request; nil sends none.
	Key func(context.Context) (moothall.Secret, error)
	// Sign puts the key into a request's header.
	Sign func(h http.Header, key string)
	// Hint is the remedy when the engine does not answer.
	Hint string
	// Now is what a date in Retry-After counts from; nil means time.Now.
	Now func() time.Time
}

// Client speaks to one engine.
type Client struct {
	config Config
	base   *url.URL
	http   *http.Client
}

// New checks the configuration. It does no I/O.
func New(c Config) (*Client, error) {
	invalid := func(message, remedy string) error {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: "search provider " + c.Name, Message: message, Remedy: remedy}
	}
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, invalid("the address of the server is not an http or https URL", "")
	case base.User != nil, base.RawQuery != "", base.Fragment != "":
		return nil, invalid("the address of the server holds more than host and path", "give keys by their name in the keyring")
	case c.Key != nil && base.Scheme == "http" && !loopback(base.Hostname()):
		return nil, invalid("the key would cross the network in the clear", "use https")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	base.Path = strings.TrimRight(base.Path, "/")
	return &Client{config: c, base: base, http: newHTTP()}, nil
}

func newHTTP() *http.Client {
	return &http.Client{
		Transport: egress.New(&http.Transport{
			DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		}, egress.Options{}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// Close ends the idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Request is what is asked of an engine.
type Request struct {
	Path string // after the base, query included
	Body any    // posted as JSON; nil means GET
	// Sent is told what the engine was sent, measured below TLS, also when
	// the exchange fails. An engine on this machine counts too: it passes
	// queries on, and what it was given stands for what it sends.
	Sent func(host string, bytes int64)
}

// JSON makes one exchange and fills out from the answer.
func (c *Client) JSON(ctx context.Context, r Request, out any) error {
	if err := ctx.Err(); err != nil { // spares the keyring
		return c.broken(ctx, err)
	}
	var sent egress.Tally
	sent.Through(c.base.Hostname())
	defer func() {
		for _, e := range sent.Take() {
			r.Sent(e.Host, e.Bytes)
		}
	}()
	req, err := c.request(egress.With(ctx, &sent), r)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return c.broken(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return c.refused(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return c.broken(ctx, err)
	}
	if len(body) > maxReply {
		return c.fail(moothall.CodeTooLarge, c.config.Name+" sends more than is read of an answer")
	}
	if err := json.Unmarshal(body, out); err != nil {
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Op: c.op(), Message: c.config.Name + " does not answer in its protocol", Remedy: c.config.Hint, Err: err,
		}
	}
	return nil
}

func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	method, body := http.MethodGet, []byte(nil)
	if r.Body != nil {
		var err error
		if body, err = json.Marshal(r.Body); err != nil {
			return nil, c.fail(moothall.CodeInvalid, "the query cannot be written")
		}
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+r.Path, bytes.NewReader(body))
	if err != nil {
		return nil, c.fail(moothall.CodeInvalid, "the query cannot be written")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Moothall")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if err := c.sign(ctx, req.Header); err != nil {
		return nil, err
	}
	return req, nil
}

func (c *Client) sign(ctx context.Context, h http.Header) error {
	if c.config.Key == nil {
		return nil
	}
	secret, err := c.config.Key(ctx)
	if err != nil {
		return &moothall.Error{Code: moothall.ErrorCode(err), Op: c.op(), Message: "the key cannot be had", Remedy: moothall.ErrorRemedy(err), Err: err}
	}
	key := strings.TrimSpace(string(secret.Reveal()))
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return &moothall.Error{
			Code: moothall.CodeDenied, Op: c.op(), Message: "the key in the keyring is empty or not plain text",
			Remedy: "store it again with: moothall secrets set",
		}
	}
	c.config.Sign(h, key)
	return nil
}

func (c *Client) op() string { return "search with " + c.config.Name }

func (c *Client) fail(code moothall.Code, message string) error {
	return moothall.Fail(code, c.op(), message)
}

// broken classifies an error of the connection.
func (c *Client) broken(ctx context.Context, err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the address holds the query, which is nobody's business
	}
	switch n, isNet := errors.AsType[net.Error](err); {
	case errors.Is(ctx.Err(), context.Canceled):
		return &moothall.Error{Code: moothall.CodeCanceled, Op: c.op(), Message: "the caller gave up", Err: context.Canceled}
	case ctx.Err() != nil, isNet && n.Timeout():
		return &moothall.Error{Code: moothall.CodeTimeout, Op: c.op(), Message: c.config.Name + " did not answer in time", Remedy: c.config.Hint, Err: err}
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: c.op(), Message: c.config.Name + " does not answer", Remedy: c.config.Hint, Err: err}
}
