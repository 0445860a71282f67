//go:build linux

package kernel

// KeyError reaches the translation of the kernel's errors.
var KeyError = keyError
