//go:build !amd64 || purego

package vector

// kernels lists what this machine can run, best first.
func kernels() []kernel { return []kernel{plainKernel()} }
