//go:build !linux

package store_test

// systemScenarios are those that need Linux.
func systemScenarios() map[string]func([]string) error { return nil }
