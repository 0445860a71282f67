package main

import (
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// enders are the signals that end the program in order: Ctrl-C, a service manager's,
// and that of a terminal which is closed, unless nohup took that one away.
func enders() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// unheard keeps a program that others use from ending in the middle where nobody
// reads what it says any more, as when Ctrl-C reaches "moothall up | tee log" or
// three lines were all that "moothall tools list | head -3" wanted; by default the
// next word to a closed pipe kills it. The function returned undoes that.
func unheard() (undo func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return func() { signal.Stop(c) }
}

// unread reports whether an error says that nobody reads the output any more, and
// nothing else.
func unread(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(all.Unwrap(), func(e error) bool { return !unread(e) })
	}
	return errors.Is(err, syscall.EPIPE)
}
