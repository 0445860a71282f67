package rpc

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"

	"moothall"
)

// shortPath is the longest path that every system's socket address holds.
const shortPath = 100

// dialUnix connects to a socket whose path may be longer than the kernel's
// limit.
func dialUnix(ctx context.Context, path string) (net.Conn, error) {
	short, release, err := shorten(path)
	if err != nil {
		return nil, err
	}
	defer release()
	var d net.Dialer
	return d.DialContext(ctx, "unix", short)
}

// listenUnix listens on a socket with the given mode, replacing a file that
// a dead process left behind. The returned function removes the file if it is
// still the one made here.
func listenUnix(path string, mode fs.FileMode) (net.Listener, func(), error) {
	if err := clearStale(path); err != nil {
		return nil, nil, err
	}
	short, release, err := shorten(path)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	lis, err := net.Listen("unix", short)
	if err != nil {
		return nil, nil, listenError("unix:"+path, err)
	}
	lis.(*net.UnixListener).SetUnlinkOnClose(false) // short is void after release
	// Between Listen and Chmod the mode is the umask's; who connects in that
	// moment still has to prove who it is.
	if err := os.Chmod(path, mode); err != nil {
		lis.Close()
		os.Remove(path)
		return nil, nil, listenError("unix:"+path, err)
	}
	made, err := os.Lstat(path)
	if err != nil {
		lis.Close()
		return nil, nil, listenError("unix:"+path, err)
	}
	return lis, func() { removeSame(path, made) }, nil
}

// clearStale removes a socket on which nobody answers. Anything else at the
// path stays and is a conflict.
func clearStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return listenError("unix:"+path, err)
	case info.Mode().Type() != fs.ModeSocket:
		return &moothall.Error{Code: moothall.CodeConflict, Op: "listen", Message: path + " is there and is no socket", Remedy: "move it away"}
	}
	conn, err := dialUnix(context.Background(), path)
	if err == nil {
		conn.Close()
		return inUse("unix:" + path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return listenError("unix:"+path, err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return listenError("unix:"+path, err)
	}
	return nil
}

func removeSame(path string, made fs.FileInfo) {
	if now, err := os.Lstat(path); err == nil && os.SameFile(made, now) {
		os.Remove(path)
	}
}

func inUse(where string) error {
	return &moothall.Error{
		Code: moothall.CodeConflict, Op: "listen", Message: "somebody answers at " + where + " already",
		Remedy: "stop the other process, or choose another address",
	}
}

func listenError(where string, err error) error {
	var ours *moothall.Error
	switch {
	case errors.As(err, &ours):
		return err
	case errors.Is(err, syscall.EADDRINUSE):
		return inUse(where)
	case errors.Is(err, fs.ErrPermission):
		return &moothall.Error{Code: moothall.CodeDenied, Op: "listen", Message: "no permission to listen at " + where, Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return &moothall.Error{Code: moothall.CodeNotFound, Op: "listen", Message: "the folder of " + where + " is not there", Err: err}
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: "listen", Message: "cannot listen at " + where, Err: err}
}
