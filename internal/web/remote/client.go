package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"moothall"
)

// Options configure a [Client].
type Options struct {
	// Token is sent as a bearer token when not empty.
	Token string
	// HTTP makes the requests; nil means a client of its own without a limit
	// on time, since answers take as long as a model does.
	HTTP *http.Client
}

// maxReply bounds what is read of one answer that is no stream.
const maxReply = 64 << 20

// Client is a hall at an address.
type Client struct {
	base  string
	token string
	http  *http.Client
}

var _ moothall.Client = (*Client)(nil)

// New returns a client of the hall at an address such as
// http://127.0.0.1:8765. It connects with the first call.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "address of the hall", Message: "this is no address of a hall: " + address,
			Remedy: "write it as http://127.0.0.1:8765",
		}
	}
	c := &Client{base: strings.TrimSuffix(u.String(), "/"), token: o.Token, http: o.HTTP}
	if c.http == nil {
		c.http = &http.Client{
			Transport:     http.DefaultTransport.(*http.Transport).Clone(),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return c, nil
}

// Close lets idle connections go.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// send makes one request and returns the answer when it is a success.
func (c *Client) send(ctx context.Context, method, path string, body any, accept string) (*http.Response, error) {
	resp, err := c.exchange(ctx, method, path, body, accept)
	if err == nil && resp.StatusCode >= 300 {
		defer resp.Body.Close()
		return nil, refusal(resp)
	}
	return resp, err
}

// exchange makes one request and returns the answer, whatever it is.
func (c *Client) exchange(ctx context.Context, method, path string, body any, accept string) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "encode", Err: err}
		}
		content = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "request", Err: err}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", accept)
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, c.away(ctx, err)
	}
	return resp, nil
}

// away says that the hall cannot be reached, or that the caller gave up.
func (c *Client) away(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var dial *net.OpError
	if !errors.As(err, &dial) || dial.Op != "dial" {
		return broken(ctx, errors.Unwrap(err))
	}
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: "reach the hall", Message: "nobody answers at " + c.base,
		Remedy: "start the hall there with moothall up", Err: errors.Unwrap(err), // the address stands above already
	}
}

// refusal reads the body of an answer that is no success.
func refusal(resp *http.Response) error {
	var f struct {
		Error struct {
			Code    moothall.Code `json:"code"`
			Message string        `json:"message"`
			Remedy  string        `json:"remedy"`
		} `json:"error"`
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err != nil || f.Error.Code == "" {
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Op: "reach the hall", Message: "what answers there is no hall: " + resp.Status,
			Remedy: "check the address",
		}
	}
	return &moothall.Error{Code: f.Error.Code, Message: f.Error.Message, Remedy: f.Error.Remedy}
}

// call makes a request whose answer is one JSON value, or none for T = none.
func call[T any](ctx context.Context, c *Client, method, path string, body any) (v T, err error) {
	resp, err := c.send(ctx, method, path, body, "application/json")
	if err != nil {
		return v, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return v, nil
	}
	return decode[T](ctx, resp)
}

// decode reads one JSON value.
func decode[T any](ctx context.Context, resp *http.Response) (v T, err error) {
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxReply)).Decode(&v); err != nil {
		if ctx.Err() != nil {
			return v, ctx.Err()
		}
		return v, &moothall.Error{Code: moothall.CodeCorrupt, Op: "answer of the hall", Message: "it cannot be read", Err: err}
	}
	return v, nil
}

// none is the answer of a call that has no body.
type none struct{}

func do(ctx context.Context, c *Client, method, path string, body any) error {
	_, err := call[none](ctx, c, method, path, body)
	return err
}

// at joins a path of parts that may hold anything.
func at(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(p))
	}
	return b.String()
}

// with adds what is not empty as a query.
func with(path string, values url.Values) string {
	for name, list := range values {
		if len(list) == 1 && list[0] == "" {
			delete(values, name)
		}
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}
