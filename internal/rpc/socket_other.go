//go:build !linux && !darwin

package rpc

import "moothall"

func shorten(path string) (short string, release func(), err error) { return onlyShort(path) }

// peerUID refuses: without the kernel's word there is no proof of identity.
func peerUID(int) (int, error) {
	return 0, moothall.Fail(moothall.CodeUnsupported, "peer credentials", "this system does not say whose process is at the other end of a socket")
}
