//go:build race

package reward_test

// raceEnabled leaves out repetition that the race detector only makes slow:
// it starts no goroutine.
const raceEnabled = true
