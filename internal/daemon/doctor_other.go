//go:build !linux

package daemon

import "context"

func (x Examination) space() Finding {
	return info("disk", "free space is not looked at on this system", "")
}

func sandbox(context.Context) []Finding {
	return []Finding{warn("sandbox", "this system has no sandbox that moothall can use", "run it on Linux to let agents run code")}
}

func kernelKeyring() bool { return false }
