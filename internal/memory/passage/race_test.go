//go:build race

package passage_test

// raceEnabled leaves out what the race detector only makes slow: these tests
// start no goroutine.
const raceEnabled = true
