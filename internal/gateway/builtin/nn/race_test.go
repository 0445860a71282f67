//go:build race

package nn_test

// raceEnabled leaves out long prompts, which the race detector only makes slow:
// how a network is divided among cores shows in short ones.
const raceEnabled = true
