package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"moothall"
)

const (
	defaultTimeout  = 20 * time.Second
	defaultMaxBytes = 4 << 20
	maxRedirects    = 5
	defaultAgent    = "Moothall (reads single pages for the person who runs it)"
	acceptTypes     = "text/html, application/xhtml+xml, text/plain, application/json, application/xml;q=0.9, */*;q=0.1"
)

// Options for [New]. The zero value is for use on the public web.
type Options struct {
	// Timeout bounds one call as a whole; 0 means 20 seconds.
	Timeout time.Duration
	// MaxBytes bounds a page, on the wire and after decompression; 0 means
	// 4 MiB. What is longer is cut, and the document says so.
	MaxBytes int
	// Ports are allowed in addition to 80 and 443.
	Ports []uint16
	// UserAgent is what sites are told; "" means an honest default.
	UserAgent string
	// Resolver looks names up; nil means the system's.
	Resolver Resolver

	// AllowForTest are addresses that may be dialed although they are not
	// public: servers that a test has started. Nothing else may set it.
	AllowForTest []netip.AddrPort
	// RootsForTest are trusted in place of the system's certificates.
	RootsForTest *x509.CertPool
}

// Client reads pages. See the package's comment for what it refuses.
type Client struct {
	options Options
	rules   rules
}

// New returns a client. It does no I/O.
func New(o Options) *Client {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.UserAgent == "" {
		o.UserAgent = defaultAgent
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	return &Client{o, rules{o.Ports, o.AllowForTest}}
}

// Get reads one page. The document's Sent is filled in also when there is an
// error, since a page that failed was asked for nevertheless.
func (c *Client) Get(ctx context.Context, address string) (Document, error) {
	if err := ctx.Err(); err != nil {
		return Document{}, fault(ctx, ctx, err)
	}
	u, err := c.rules.check(address)
	if err != nil {
		return Document{}, err
	}
	limited, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	sent := &tally{}
	doc, err := c.get(limited, u, sent)
	doc.Sent = sent.egress()
	if err != nil {
		return Document{Sent: doc.Sent}, fault(ctx, limited, err)
	}
	return doc, nil
}

func (c *Client) get(ctx context.Context, u *url.URL, sent *tally) (Document, error) {
	client := c.client(sent)
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return Document{}, moothall.Fail(moothall.CodeInvalid, "fetch", "this is not an address of a page")
	}
	req.Header.Set("User-Agent", c.options.UserAgent)
	req.Header.Set("Accept", acceptTypes)
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err := client.Do(req)
	if err != nil {
		return Document{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Document{}, refused(resp)
	}
	return read(resp, c.options.MaxBytes)
}

// client is new for every call: nothing of one page's connection, neither its
// address nor its counts, can be taken for another's.
func (c *Client) client(sent *tally) *http.Client {
	d := &dialer{c.rules, c.options.Resolver, sent}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // the environment has no say
			DialContext:            d.dial,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.options.RootsForTest},
			TLSHandshakeTimeout:    dialTimeout,
			ResponseHeaderTimeout:  c.options.Timeout,
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			DisableCompression:     true, // done in read, where it is bounded
		},
		CheckRedirect: c.redirect,
	}
}

// redirect holds each next address to the rules of the first.
func (c *Client) redirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return moothall.Fail(moothall.CodeUnavailable, "fetch", "the site redirects more than "+strconv.Itoa(maxRedirects)+" times")
	}
	req.Header.Del("Referer") // the query of one site is not another's business
	return c.rules.checkURL(req.URL)
}

// fault gives every error a code and words. outer is the caller's context,
// inner the one with our own limit.
func fault(outer, inner context.Context, err error) error {
	if e, ok := errors.AsType[*moothall.Error](err); ok && inner.Err() == nil {
		return e
	}
	switch {
	case errors.Is(outer.Err(), context.Canceled):
		return &moothall.Error{Code: moothall.CodeCanceled, Op: "fetch", Message: "the caller gave up", Err: context.Canceled}
	case inner.Err() != nil || isTimeout(err):
		return &moothall.Error{Code: moothall.CodeTimeout, Op: "fetch", Message: "the site did not answer in time", Err: err}
	case tlsFault(err):
		return &moothall.Error{Code: moothall.CodeUnavailable, Op: "fetch", Message: "the site's certificate cannot be trusted", Err: err}
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: "fetch", Message: "the site does not answer", Err: err}
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}

func tlsFault(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}
