//go:build race

package orchestrator_test

// raceEnabled makes long tests shorter.
const raceEnabled = true
