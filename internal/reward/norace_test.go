//go:build !race

package reward_test

const raceEnabled = false
