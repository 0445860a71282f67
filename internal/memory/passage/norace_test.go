//go:build !race

package passage_test

const raceEnabled = false
