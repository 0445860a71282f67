package daemon

import "golang.org/x/sys/unix"

// machineMemory is how many bytes of memory this machine has; 0 is not known.
func machineMemory() int64 {
	var i unix.Sysinfo_t
	if unix.Sysinfo(&i) != nil {
		return 0
	}
	return int64(i.Totalram) * int64(i.Unit)
}
