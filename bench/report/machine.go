package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for l := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func system() string {
	out, err := exec.Command("uname", "-sr").Output()
	if err != nil {
		return runtime.GOOS
	}
	return strings.TrimSpace(string(out))
}

// loadAverage is how busy the machine was in the last minute. A figure that
// was taken on a busy machine says little.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// availableMemory is how many bytes could be taken without swapping.
func availableMemory() (int64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for l := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(l, "MemAvailable:"); ok {
			var kb int64
			_, err := fmt.Sscan(value, &kb)
			return kb << 10, err
		}
	}
	return 0, errors.New("/proc/meminfo does not say how much memory is available")
}
