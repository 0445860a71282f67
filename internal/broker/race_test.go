//go:build race

package broker_test

// raceEnabled makes long tests shorter.
const raceEnabled = true
