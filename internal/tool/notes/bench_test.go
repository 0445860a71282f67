package notes_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/tool/fs"
	"moothall/internal/tool/notes"
)

func BenchmarkSearchThousandNotes(b *testing.B) {
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprint("n", i, ".md")] = fmt.Sprint("# Note ", i, "\n", strings.Repeat("some words of a note\n", 50))
	}
	dir := folder(b, files)
	roots := fs.NewRoots(nil)
	defer roots.Close()
	tool := notes.New(roots, &notes.Options{Folders: []string{dir}})
	for b.Loop() {
		search(b, tool, dir, `{"query":"note 77"}`)
	}
}
