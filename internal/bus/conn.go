package bus

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

// conn is one user's connection. It comes back by itself for as long as the
// bus is open.
type conn struct {
	nc *nats.Conn

	mu     sync.Mutex
	back   chan struct{} // closed, and replaced, when the connection came back
	denied error         // the last thing that the server forbade
}

// restored returns a channel that is closed when the connection next comes
// back. Ask for it before looking at what may be missing.
func (c *conn) restored() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.back
}

func (c *conn) onReconnect(*nats.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.back)
	c.back = make(chan struct{})
}

// refusal returns the last permission that the server refused, for telling
// "not allowed" from "no answer".
func (c *conn) refusal() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.denied
}

// request asks the server one thing. A context without a deadline gets one.
func (c *conn) request(ctx context.Context, msg *nats.Msg, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reply, err := c.nc.RequestMsgWithContext(ctx, msg)
	if err != nil {
		return nil, err
	}
	return reply.Data, nil
}

// flushPatience is how long a server may take to say that it has everything. What
// it has not would come again only after AckWait, and a busy machine needs its time.
const flushPatience = 5 * time.Second

// close sends what is still in the buffer, acknowledgements above all.
func (c *conn) close() {
	if c.nc.IsConnected() {
		c.nc.FlushTimeout(flushPatience)
	}
	c.nc.Close()
}

// dial connects as one user.
func (b *Bus) dial(id moothall.Identity) (*conn, error) {
	c := &conn{back: make(chan struct{})}
	opts := []nats.Option{
		nats.Name("moothall " + string(id)),
		nats.CustomInboxPrefix(inboxPrefix(string(id))),
		nats.Timeout(5 * time.Second),
		nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(50*time.Millisecond, 100*time.Millisecond),
		// Publish decides itself what to repeat; nothing waits unseen.
		nats.ReconnectBufSize(-1),
		nats.IgnoreAuthErrorAbort(), nats.NoCallbacksAfterClientClose(),
		nats.PermissionErrOnSubscribe(true),
		nats.ReconnectHandler(c.onReconnect),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			b.log.Warn("bus connection lost", "identity", id, "err", err)
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.onError(c, id, err) }),
	}
	auth, err := b.authOptions(id)
	if err != nil {
		return nil, err
	}
	if c.nc, err = nats.Connect(b.opts.URL, append(opts, auth...)...); err != nil {
		return nil, connectFault(b.opts.URL, id, err)
	}
	return c, nil
}

func (b *Bus) onError(c *conn, id moothall.Identity, err error) {
	if errors.Is(err, nats.ErrSlowConsumer) {
		return // a full buffer is part of the plan, and counted where it is read
	}
	if errors.Is(err, nats.ErrPermissionViolation) {
		c.mu.Lock()
		c.denied = err
		c.mu.Unlock()
	}
	b.log.Warn("bus connection", "identity", id, "err", err)
}

func connectFault(at string, id moothall.Identity, err error) error {
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) {
		return fault("connect "+string(id)+" to the bus", err)
	}
	var misspelt *url.Error
	if errors.As(err, &misspelt) {
		err = misspelt.Err // it repeats the whole address
	}
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: "connect " + string(id) + " to the bus",
		Message: "no connection to " + orDefault(Where(at), "the server in this process"),
		Remedy:  "check that the NATS server runs and that its address is right", Err: err,
	}
}

// authOptions say who we are.
func (b *Bus) authOptions(id moothall.Identity) ([]nats.Option, error) {
	if b.emb != nil {
		return []nats.Option{
			nats.InProcessServer(b.emb.srv),
			nats.UserInfo(string(id), b.emb.passwords[string(id)]),
		}, nil
	}
	var opts []nats.Option
	if b.opts.TLS != nil {
		opts = append(opts, nats.Secure(b.opts.TLS))
	}
	file := orDefault(b.opts.Credentials[id], b.opts.DefaultCredentials)
	if file == "" {
		return opts, nil
	}
	secret, kind, err := readCredentials(file)
	if err != nil {
		return nil, err
	}
	switch kind {
	case jwtAndSeed:
		return append(opts, nats.UserCredentials(file)), nil
	case seed:
		nkey, err := nats.NkeyOptionFromSeed(file)
		if err != nil {
			return nil, badCredentials(file, err)
		}
		return append(opts, nkey), nil
	}
	return append(opts, nats.UserInfo(string(id), secret)), nil
}

// credentialKind is what a credentials file holds.
type credentialKind int

const (
	password credentialKind = iota
	seed
	jwtAndSeed
)

// readCredentials returns a file's password, or that NATS reads the file.
func readCredentials(file string) (string, credentialKind, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", 0, badCredentials(file, err)
	}
	text := bytes.TrimSpace(b)
	switch {
	case bytes.Contains(text, []byte("NATS USER JWT")):
		return "", jwtAndSeed, nil
	case bytes.HasPrefix(text, []byte("SU")) && len(text) == 58:
		return "", seed, nil
	case len(text) == 0 || bytes.ContainsAny(text, "\r\n"):
		return "", 0, badCredentials(file, errors.New("not one line with a password"))
	}
	return string(text), password, nil
}

func badCredentials(file string, err error) error {
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: "read bus credentials", Message: file + " cannot be used",
		Remedy: "it holds one line with a password, an nkey seed, or is a .creds file", Err: err,
	}
}
