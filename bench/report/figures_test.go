package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A benchmark that was renamed would leave its figure unmeasured for good.
func TestFiguresHaveBenchmarks(t *testing.T) {
	t.Parallel()
	for _, f := range figures {
		if f.pkg == "" {
			continue
		}
		name, _, _ := strings.Cut(f.name, "/")
		if !strings.Contains(tests(t, f.pkg), "func "+name+"(b *testing.B)") {
			t.Errorf("%s: %s has no %s", f.what, f.pkg, name)
		}
	}
}

// tests is the text of a package's test files.
func tests(t *testing.T, pkg string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func TestReached(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    figure
		v    float64
		want string
	}{
		{figure{bound: 5}, 5, "yes"},
		{figure{bound: 5}, -1, "yes"},
		{figure{bound: 5}, 10, "**no** (2.00 times)"},
		{figure{bound: 100, least: true}, 100, "yes"},
		{figure{bound: 100, least: true}, 50, "**no** (0.50 times)"},
	} {
		if got := c.f.reached(c.v); got != c.want {
			t.Errorf("%v of %+v: %s, want %s", c.v, c.f, got, c.want)
		}
	}
}

func TestCollect(t *testing.T) {
	t.Parallel()
	got := map[string][]float64{}
	err := collect("internal/x", "goos: linux\n"+
		"BenchmarkQuery/at-once-2 \t 100 \t 11772540 ns/op \t 7852 added-p50-µs\n"+
		"BenchmarkReplay1000-16 \t 1 \t 1473975524 ns/op\n"+
		"BenchmarkReplay1000-16 \t 1 \t 1703787449 ns/op\nPASS\n", got)
	want := map[string][]float64{
		"internal/x BenchmarkQuery/at-once ns/op": {11772540}, "internal/x BenchmarkQuery/at-once added-p50-µs": {7852},
		"internal/x BenchmarkReplay1000 ns/op": {1473975524, 1703787449},
	}
	if err != nil || !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if err := collect("internal/x", "BenchmarkX-2 \t 1 \t many ns/op\n", got); err == nil {
		t.Error("a word was taken for a figure")
	}
}
