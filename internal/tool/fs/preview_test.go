package fs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
)

// preview asks what a write would change.
func (b *bench) preview(t *testing.T, a args) moothall.Preview {
	t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.tools["fs_write"].(moothall.Previewer).Preview(t.Context(), moothall.ToolRun{
		Call: moothall.ToolCall{Name: "fs_write", Arguments: raw}, Reads: []string{b.work}, Writes: []string{b.work}, Note: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPreview(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil, "kept")
	put(t, filepath.Join(b.work, "a.txt"), "one\ntwo\n")
	put(t, filepath.Join(b.work, "bin"), "\x00\x01\xff\x00")
	put(t, filepath.Join(b.work, "kept", "x"), secret)
	if err := os.Symlink(filepath.Join(b.out, "secret.txt"), filepath.Join(b.work, "link")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		a       args
		want    moothall.Preview // but for its path
		problem string
	}{
		"overwrite":    {args{"path": "a.txt", "content": "three\n"}, moothall.Preview{Exists: true, Before: "one\ntwo\n", After: "three\n"}, ""},
		"append":       {args{"path": "a.txt", "mode": "append", "content": "three\n"}, moothall.Preview{Exists: true, Before: "one\ntwo\n", After: "one\ntwo\nthree\n"}, ""},
		"replace":      {args{"path": "a.txt", "mode": "replace-text", "old_text": "two", "new_text": "2"}, moothall.Preview{Exists: true, Before: "one\ntwo\n", After: "one\n2\n"}, ""},
		"new":          {args{"path": "b.txt", "content": "x"}, moothall.Preview{After: "x"}, ""},
		"new folder":   {args{"path": "deep/er/b.txt", "content": "x", "create_folders": true}, moothall.Preview{After: "x"}, ""},
		"no folder":    {args{"path": "deep/er/b.txt", "content": "x"}, moothall.Preview{}, "folder"},
		"absent words": {args{"path": "a.txt", "mode": "replace-text", "old_text": "absent", "new_text": "2"}, moothall.Preview{Exists: true, Before: "one\ntwo\n"}, "does not stand"},
		"binary":       {args{"path": "bin", "content": "x"}, moothall.Preview{Exists: true}, "binary"},
		"large":        {args{"path": "b.txt", "content": strings.Repeat("x", 600<<10)}, moothall.Preview{}, "too long"},
		"a link":       {args{"path": "link", "content": "x"}, moothall.Preview{}, "link"},
		"outside":      {args{"path": filepath.Join(b.out, "secret.txt"), "content": "x"}, moothall.Preview{}, "outside of the folders"},
		"hidden":       {args{"path": "kept/x", "content": "x"}, moothall.Preview{}, "kept"},
		"no arguments": {args{"path": "a.txt"}, moothall.Preview{}, "needs content"},
	} {
		got := b.preview(t, c.a)
		if c.problem == "" != (got.Problem == "") || !strings.Contains(got.Problem, c.problem) {
			t.Errorf("%s: the problem is %q, want %q", name, got.Problem, c.problem)
		}
		if strings.Contains(got.Before+got.After+got.Problem, strings.TrimSpace(secret)) {
			t.Errorf("%s shows what no agent may see", name)
		}
		got.Path, got.Problem = "", ""
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := get(t, filepath.Join(b.work, "a.txt")); got != "one\ntwo\n" {
		t.Errorf("a preview changed the file: %q", got)
	}
	if _, err := os.Stat(filepath.Join(b.work, "deep")); err == nil {
		t.Error("a preview made a folder")
	}
}
