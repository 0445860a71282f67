package rpc

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/credentials"
)

// watchedTLS reports refused handshakes and lets clients know of them.
type watchedTLS struct {
	credentials.TransportCredentials
	door *door
}

// ServerHandshake verifies the client's certificate.
func (w *watchedTLS) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return w.TransportCredentials.ServerHandshake(c)
	}
	held := &heldConn{TCPConn: tcp}
	held.hold.Store(true)
	conn, info, err := w.TransportCredentials.ServerHandshake(held)
	held.hold.Store(false)
	if err == nil {
		return conn, info, nil
	}
	var netErr net.Error
	if !errors.Is(err, io.EOF) && !(errors.As(err, &netErr) && netErr.Timeout()) {
		w.door.denied(context.Background(), "", "", "connection refused: "+err.Error())
		linger(tcp)
	}
	return nil, nil, err
}

// Clone copies the credentials.
func (w *watchedTLS) Clone() credentials.TransportCredentials {
	return &watchedTLS{w.TransportCredentials.Clone(), w.door}
}

// heldConn stays open while held: a failed handshake would close it at once.
type heldConn struct {
	*net.TCPConn
	hold atomic.Bool
}

// Close closes the connection unless it is held; then the server does so.
func (h *heldConn) Close() error {
	if h.hold.Load() {
		return nil
	}
	return h.TCPConn.Close()
}

// linger lets the client read why it was refused: closing at once, with its
// first bytes unread, would reset the connection and lose the reason.
func linger(c *net.TCPConn) {
	if c.CloseWrite() != nil || c.SetReadDeadline(time.Now().Add(time.Second/2)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, c, 64<<10) // how it ends does not matter: it is closed next
}
