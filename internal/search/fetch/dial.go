package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"moothall"
)

// Resolver looks names up; *[net.Resolver] is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

const (
	lookupTimeout = 5 * time.Second
	dialTimeout   = 5 * time.Second
	maxAddresses  = 4 // of one name that are tried
)

// dialer connects to hosts for one call of Get, and counts what it sends.
type dialer struct {
	rules    rules
	resolver Resolver
	tally    *tally
}

// dial looks the host up and tries its addresses in order. The check stands
// in the dialer's control function: it sees what is dialed, not what was
// asked for.
func (d *dialer) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	addrs, err := d.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	out := net.Dialer{Timeout: dialTimeout, ControlContext: d.control}
	var last error
	for _, a := range addrs[:min(len(addrs), maxAddresses)] {
		// The same check as at the socket, for machines that have no socket
		// of this family and would fail before it.
		if err := d.checkAddress(hostPortOf(a, port)); err != nil {
			return nil, err
		}
		conn, err := out.DialContext(ctx, "tcp", net.JoinHostPort(a.Unmap().String(), port))
		if err == nil {
			return &countedConn{Conn: conn, sent: d.tally.host(host)}, nil
		}
		if last = err; moothall.ErrorCode(err) == moothall.CodeDenied {
			break // a name that also points inside is not worth a second try
		}
	}
	return nil, last
}

func (d *dialer) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := d.resolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addrs) == 0 {
		err = errors.New("no address")
	}
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeUnavailable, Op: "fetch", Message: "no host " + host + " can be found", Err: err}
	}
	return addrs, nil
}

// control is called with the address of the socket before it connects.
func (d *dialer) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return moothall.Fail(moothall.CodeDenied, "fetch", "the dialed address "+strconv.Quote(address)+" cannot be read")
	}
	return d.checkAddress(at)
}

func (d *dialer) checkAddress(at netip.AddrPort) error {
	if slices.Contains(d.rules.test, at) {
		return nil
	}
	return Public(at.Addr())
}

// hostPortOf has port 0, which no test server has, for a port that is none.
func hostPortOf(a netip.Addr, port string) netip.AddrPort {
	n, _ := strconv.ParseUint(port, 10, 16)
	return netip.AddrPortFrom(a.Unmap(), uint16(n))
}

// countedConn counts what leaves the machine, TLS included.
type countedConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c *countedConn) Write(b []byte) (int, error) {
	// Before the write, since the answer may be there before it returns.
	c.sent.Add(int64(len(b)))
	n, err := c.Conn.Write(b)
	c.sent.Add(int64(n - len(b)))
	return n, err
}
