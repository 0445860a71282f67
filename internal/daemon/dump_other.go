//go:build !linux

package daemon

// forbidDumps knows only Linux.
func forbidDumps() {}
