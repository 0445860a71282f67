//go:build !race

package audit_test

// Sweeps look at every byte.
const sweepStride = 1
