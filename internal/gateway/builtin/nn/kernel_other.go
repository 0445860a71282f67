//go:build !amd64 || purego

package nn

// kernels lists what this machine can run, best first.
func kernels() []kernel { return []kernel{plainKernel()} }
