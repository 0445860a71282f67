package moottest

import (
	"os"
	"testing"
)

// Cannot ends a test that lacks a program or a right. It says what was not
// tested, and fails where everything must be there.
func Cannot(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal("NOT TESTED: " + why)
	}
	t.Skip("NOT TESTED: " + why)
}
