package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"

	"google.golang.org/grpc/credentials"
)

// userInfo is the proof of a unix socket: whose process is at the other end.
type userInfo struct {
	credentials.CommonAuthInfo
	uid int
}

// AuthType names the proof.
func (userInfo) AuthType() string { return "peercred" }

// peerCreds are transport credentials that ask the kernel about the peer.
type peerCreds struct {
	// servers are the users that a client accepts as its server; empty
	// accepts any. A host leaves it empty: its proof checks each claim.
	servers []int
}

var _ credentials.TransportCredentials = peerCreds{}

// ClientHandshake checks that the server is run by an accepted user.
func (p peerCreds) ClientHandshake(_ context.Context, _ string, c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	info, err := userOf(c)
	if err != nil {
		return nil, nil, err
	}
	if len(p.servers) > 0 && !slices.Contains(p.servers, info.uid) {
		return nil, nil, fmt.Errorf("the socket belongs to user %d", info.uid)
	}
	return c, info, nil
}

// ServerHandshake notes the client's user.
func (p peerCreds) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	info, err := userOf(c)
	if err != nil {
		return nil, nil, err
	}
	return c, info, nil
}

// Info describes the credentials.
func (peerCreds) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: "peercred"}
}

// Clone copies the credentials.
func (p peerCreds) Clone() credentials.TransportCredentials { return p }

// OverrideServerName does nothing: a socket has no server name.
func (peerCreds) OverrideServerName(string) error { return nil }

func userOf(c net.Conn) (userInfo, error) {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return userInfo{}, errors.New("the connection is no socket")
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return userInfo{}, fmt.Errorf("socket: %w", err)
	}
	info := userInfo{CommonAuthInfo: credentials.CommonAuthInfo{SecurityLevel: credentials.PrivacyAndIntegrity}}
	var inner error
	if err := raw.Control(func(fd uintptr) { info.uid, inner = peerUID(int(fd)) }); err != nil {
		return userInfo{}, fmt.Errorf("socket: %w", err)
	}
	return info, inner
}
