//go:build !race

package moottest

// Race says that the race detector watches. A test then leaves out repetition
// that the detector only makes slow: all of it runs without the detector too.
const Race = false
