//go:build race

package library_test

// raceEnabled leaves out repetition that the race detector only makes slow.
const raceEnabled = true
