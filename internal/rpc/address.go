package rpc

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"moothall"
)

// Transport is a way to reach a service.
type Transport string

// The transports.
const (
	Here Transport = "here" // in the same process
	Unix Transport = "unix" // a unix socket
	H2C  Transport = "h2c"  // TCP, not encrypted
	MTLS Transport = "mtls" // TCP, both sides with certificates
)

// Address says where a service is. The zero value is nowhere.
type Address struct {
	Transport Transport
	Where     string // the path of a socket, or host:port; empty for Here
}

// String writes the address as [ParseAddress] reads it.
func (a Address) String() string {
	switch a.Transport {
	case Unix:
		return "unix:" + a.Where
	case H2C, MTLS:
		return string(a.Transport) + "://" + a.Where
	}
	return string(a.Transport)
}

// ParseAddress reads "here", "unix:/path", "h2c://host:port" or
// "mtls://host:port". Anything else is [moothall.CodeInvalid].
func ParseAddress(s string) (Address, error) {
	if s == string(Here) {
		return Address{Transport: Here}, nil
	}
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		return unixAddress(path)
	}
	if hostport, ok := strings.CutPrefix(s, "h2c://"); ok {
		return netAddress(H2C, hostport)
	}
	if hostport, ok := strings.CutPrefix(s, "mtls://"); ok {
		return netAddress(MTLS, hostport)
	}
	return Address{}, badAddress(s, "it starts with none of here, unix:, h2c:// and mtls://")
}

func unixAddress(path string) (Address, error) {
	switch {
	case !strings.HasPrefix(path, "/"):
		return Address{}, badAddress("unix:"+path, "the path of a socket must be absolute")
	case strings.ContainsRune(path, 0):
		return Address{}, badAddress("unix:"+path, "the path contains a zero byte")
	case strings.HasSuffix(path, "/"), filepath.Clean(path) == "/":
		return Address{}, badAddress("unix:"+path, "the path names a folder")
	}
	return Address{Transport: Unix, Where: filepath.Clean(path)}, nil
}

func netAddress(t Transport, hostport string) (Address, error) {
	whole := string(t) + "://" + hostport
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return Address{}, badAddress(whole, "it needs a host and a port")
	}
	if host == "" {
		return Address{}, badAddress(whole, "it has no host; 0.0.0.0 stands for all of this machine's addresses")
	}
	if strings.IndexFunc(host, notInHost) >= 0 {
		return Address{}, badAddress(whole, "the host contains a character that no host has")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return Address{}, badAddress(whole, "the port is no number from 0 to 65535")
	}
	return Address{Transport: t, Where: net.JoinHostPort(host, strconv.FormatUint(n, 10))}, nil
}

// notInHost is wide: names are resolved later, this keeps out only what would
// make an address mean something else than it says.
func notInHost(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("-._:%", r)
}

func badAddress(s, why string) error {
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: "address", Message: strconv.Quote(s) + ": " + why,
		Remedy: "write here, unix:/path/of/socket, h2c://host:port or mtls://host:port",
	}
}
