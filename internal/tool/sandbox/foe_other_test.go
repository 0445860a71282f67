//go:build !linux || !(amd64 || arm64)

package sandbox_test

func attack(string) int { return 125 }
