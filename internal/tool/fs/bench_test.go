package fs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// everyday are as many hidden places as a hall has when nobody asked for more.
var everyday = []string{
	".config/hall", ".local/share/hall", ".local/state/hall", ".cache/hall", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc",
	".git-credentials", ".password-store", ".local/share/keyrings", ".config/gcloud", ".config/gh", ".mozilla", ".config/google-chrome",
	".config/chromium", ".thunderbird", ".bash_history", ".zsh_history",
}

func BenchmarkInside(b *testing.B) {
	w := setUp(b, nil, everyday...)
	put(b, filepath.Join(w.work, "a", "b", "c.txt"), "x")
	for b.Loop() {
		if in, _ := w.roots.Inside([]string{w.work}, "a/b/c.txt"); !in {
			b.Fatal("outside")
		}
	}
}

func BenchmarkRead(b *testing.B) {
	w := setUp(b, nil, everyday...)
	put(b, filepath.Join(w.work, "f"), strings.Repeat("a line of text\n", 100))
	for b.Loop() {
		w.ok(b, "fs_read", args{"path": "f"})
	}
}

func BenchmarkWrite(b *testing.B) {
	w := setUp(b, nil, everyday...)
	i := 0
	for b.Loop() {
		i++
		w.ok(b, "fs_write", args{"path": "f", "content": fmt.Sprint(i)})
	}
}

func BenchmarkSearchThousandFiles(b *testing.B) {
	w := setUp(b, nil, everyday...)
	for i := range 1000 {
		put(b, filepath.Join(w.work, fmt.Sprint("d", i%20), fmt.Sprint(i, ".md")), strings.Repeat("words of a note\n", 100))
	}
	for b.Loop() {
		w.ok(b, "fs_search", args{"pattern": "absent"})
	}
}
