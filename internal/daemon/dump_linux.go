package daemon

import "golang.org/x/sys/unix"

// forbidDumps takes both ways: the limit is what a handler of core files
// looks at, the flag is what the kernel looks at, also before it lets others
// read the memory. Neither can fail for a process that asks for less.
func forbidDumps() {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}
