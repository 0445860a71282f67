//go:build race

package graph_test

// raceEnabled makes long tests shorter.
const raceEnabled = true
