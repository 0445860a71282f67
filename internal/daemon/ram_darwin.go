package daemon

import "golang.org/x/sys/unix"

// machineMemory is how many bytes of memory this machine has; 0 is not known.
func machineMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
