//go:build race

package daemon_test

// raceEnabled leaves out repetition that the race detector only makes slow.
const raceEnabled = true
