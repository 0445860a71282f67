package fetch

import (
	"context"
	"net/netip"
	"syscall"
)

// Control calls the function that stands before every connection.
func Control(address string, allowed ...netip.AddrPort) error {
	d := &dialer{rules: rules{test: allowed}}
	return d.control(context.Background(), "tcp", address, syscall.RawConn(nil))
}
