package fs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func BenchmarkInside(b *testing.B) {
	w := setUp(b, nil)
	put(b, filepath.Join(w.work, "a", "b", "c.txt"), "x")
	for b.Loop() {
		if in, _ := w.roots.Inside([]string{w.work}, "a/b/c.txt"); !in {
			b.Fatal("outside")
		}
	}
}

func BenchmarkRead(b *testing.B) {
	w := setUp(b, nil)
	put(b, filepath.Join(w.work, "f"), strings.Repeat("a line of text\n", 100))
	for b.Loop() {
		w.ok(b, "fs_read", args{"path": "f"})
	}
}

func BenchmarkWrite(b *testing.B) {
	w := setUp(b, nil)
	i := 0
	for b.Loop() {
		i++
		w.ok(b, "fs_write", args{"path": "f", "content": fmt.Sprint(i)})
	}
}

func BenchmarkSearchThousandFiles(b *testing.B) {
	w := setUp(b, nil)
	for i := range 1000 {
		put(b, filepath.Join(w.work, fmt.Sprint("d", i%20), fmt.Sprint(i, ".md")), strings.Repeat("words of a note\n", 100))
	}
	for b.Loop() {
		w.ok(b, "fs_search", args{"pattern": "absent"})
	}
}
