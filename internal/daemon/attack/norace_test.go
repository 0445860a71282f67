//go:build !race

package attack_test

// slow says that the race detector watches.
const slow = false
