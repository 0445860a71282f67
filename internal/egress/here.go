package egress

import (
	"net"
	"net/netip"
)

// onThisMachine reports whether the other end of a connection is this
// machine. What cannot be told counts as somewhere else.
func onThisMachine(c net.Conn) bool {
	switch c.RemoteAddr().Network() {
	case "unix", "pipe":
		return true
	}
	to := remote(c)
	if !to.IsValid() {
		return false
	}
	return to.IsLoopback() || to == address(c.LocalAddr()) || ours(to)
}

// ours reports whether an address is one of this machine's interfaces'. They
// are asked for anew each time, since networks come and go; connections are
// made rarely.
func ours(a netip.Addr) bool {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, i := range list {
		n, ok := i.(*net.IPNet)
		if !ok {
			continue
		}
		if own, ok := netip.AddrFromSlice(n.IP); ok && own.Unmap() == a {
			return true
		}
	}
	return false
}

func remote(c net.Conn) netip.Addr { return address(c.RemoteAddr()) }

func address(a net.Addr) netip.Addr {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return t.AddrPort().Addr().Unmap().WithZone("")
}
