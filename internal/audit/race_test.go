//go:build race

package audit_test

// Sweeps look at every byte; under the race detector at every 23rd.
const sweepStride = 23
