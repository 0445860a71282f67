//go:build !linux && !darwin

package daemon

// machineMemory is not known on this system.
func machineMemory() int64 { return 0 }
