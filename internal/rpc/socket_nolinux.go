//go:build !linux

package rpc

import "moothall"

// onlyShort passes paths that fit and refuses the rest: only Linux has a way
// around the limit.
func onlyShort(path string) (short string, release func(), err error) {
	if len(path) <= shortPath {
		return path, func() {}, nil
	}
	return "", nil, &moothall.Error{
		Code: moothall.CodeInvalid, Op: "socket", Message: "the path " + path + " is too long for a socket",
		Remedy: "choose a shorter path",
	}
}
