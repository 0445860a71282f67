package fs_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/tool/fs"
)

func TestWriteModes(t *testing.T) {
	t.Parallel()
	var kept []string
	b := setUp(t, &fs.Options{Undo: func(was fs.Before) (func(), error) {
		kept = append(kept, fmt.Sprintf("%s %v %q %o", filepath.Base(was.Path), was.Data == nil, was.Data, was.Mode))
		return func() { kept = append(kept, "forgotten") }, nil
	}})
	f := filepath.Join(b.work, "a.txt")
	b.fails(t, "fs_write", args{"path": "sub/deep/x", "content": "x"}, "create_folders")
	r := b.ok(t, "fs_write", args{"path": "a.txt", "mode": "create", "content": "one\ntwo\n"})
	if d := data[fs.WriteData](t, r); d.Change != "created" || d.Bytes != 8 || d.Lines != 2 {
		t.Errorf("%+v", d)
	}
	b.fails(t, "fs_write", args{"path": "a.txt", "mode": "create", "content": "x"}, "exists already")
	if err := os.Chmod(f, 0o640); err != nil {
		t.Fatal(err)
	}
	b.ok(t, "fs_write", args{"path": "a.txt", "mode": "append", "content": "three\n"})
	r = b.ok(t, "fs_write", args{"path": "a.txt", "mode": "replace-text", "old_text": "two", "new_text": "2"})
	if d := data[fs.WriteData](t, r); !strings.Contains(d.Diff, "-two\n+2\n") || d.Change != "replaced" || d.Before != 14 {
		t.Errorf("%+v", d)
	}
	if got := get(t, f); got != "one\n2\nthree\n" {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if d := data[fs.WriteData](t, b.ok(t, "fs_write", args{"path": "a.txt", "content": "one\n2\nthree\n"})); d.Change != "unchanged" {
		t.Errorf("%+v", d)
	}
	b.fails(t, "fs_write", args{"path": "a.txt", "mode": "replace-text", "old_text": "e", "new_text": "x"}, "times")
	b.fails(t, "fs_write", args{"path": "a.txt", "mode": "replace-text", "old_text": "absent", "new_text": "x"}, "does not stand")
	b.fails(t, "fs_write", args{"path": "a.txt", "mode": "append"}, "needs content")
	b.fails(t, "fs_write", args{"path": ".", "content": "x"}, "folder")
	r = b.ok(t, "fs_write", args{"path": "sub/deep/x", "content": "x", "create_folders": true})
	if d := data[fs.WriteData](t, r); len(d.Folders) != 2 {
		t.Errorf("%+v", d)
	}
	want := []string{`a.txt true "" 0`, `a.txt false "one\ntwo\n" 640`, `a.txt false "one\ntwo\nthree\n" 640`, `x true "" 0`}
	if fmt.Sprint(kept) != fmt.Sprint(want) {
		t.Errorf("undo got %q, want %q", kept, want)
	}
	if m, err := filepath.Glob(filepath.Join(b.work, ".moothall*")); err != nil || len(m) > 0 {
		t.Errorf("left behind: %v, %v", m, err)
	}
}

// TestUndoKnowsTheFolder: a link in the path does not hide where a file lies.
func TestUndoKnowsTheFolder(t *testing.T) {
	t.Parallel()
	var was fs.Before
	b := setUp(t, &fs.Options{Undo: func(w fs.Before) (func(), error) { was = w; return nil, nil }})
	put(t, filepath.Join(b.work, "real", "a.txt"), "one")
	if err := os.Symlink("real", filepath.Join(b.work, "link")); err != nil {
		t.Fatal(err)
	}
	b.ok(t, "fs_write", args{"path": "link/a.txt", "content": "two"})
	folder, err := filepath.EvalSymlinks(filepath.Join(b.work, "real"))
	if err != nil {
		t.Fatal(err)
	}
	if was.Path != filepath.Join(b.work, "link", "a.txt") || was.Folder != folder || string(was.Data) != "one" {
		t.Errorf("%+v", was)
	}
}

// TestUndoForgets: a change that is refused at the last moment was none.
func TestUndoForgets(t *testing.T) {
	t.Parallel()
	var f string
	kept := 0
	b := setUp(t, &fs.Options{Undo: func(fs.Before) (func(), error) {
		kept++
		put(t, f, "the person's own words") // saved in between
		return func() { kept-- }, nil
	}})
	f = filepath.Join(b.work, "a.txt")
	for range 2 { // a new file, and one that was there
		b.fails(t, "fs_write", args{"path": "a.txt", "content": "x"}, "")
	}
	if got := get(t, f); kept != 0 || got != "the person's own words" {
		t.Errorf("%d are kept, and the file holds %q", kept, got)
	}
}

func TestAppendBeginsALine(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for name, c := range map[string]struct{ old, added, want string }{
		"ended":    {"milk\n", "bread", "milk\nbread"},
		"open":     {"milk", "bread", "milk\nbread"},
		"own":      {"milk", "\nbread", "milk\nbread"},
		"crlf":     {"milk\r\neggs", "bread", "milk\r\neggs\r\nbread"},
		"own crlf": {"milk\r\neggs", "\r\nbread", "milk\r\neggs\r\nbread"},
		"empty":    {"", "bread", "bread"},
		"nothing":  {"milk", "", "milk"},
	} {
		put(t, filepath.Join(b.work, name), c.old)
		b.ok(t, "fs_write", args{"path": name, "mode": "append", "content": c.added})
		if got := get(t, filepath.Join(b.work, name)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWriteKeepsEncodings(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for name, c := range map[string]struct{ old, want string }{
		"utf16":   {"\xff\xfea\x00\n\x00", "\xff\xfea\x00\n\x00\xe9\x00"},
		"bom":     {"\xef\xbb\xbfa\n", "\xef\xbb\xbfa\né"},
		"windows": {"caf\xe9\n", "caf\xe9\n\xe9"},
		"crlf":    {"a\r\nb\r\n", "a\r\nb\r\né"},
	} {
		put(t, filepath.Join(b.work, name), c.old)
		b.ok(t, "fs_write", args{"path": name, "mode": "append", "content": "é"})
		if got := get(t, filepath.Join(b.work, name)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	b.fails(t, "fs_write", args{"path": "windows", "mode": "append", "content": "日本"}, "lacks a character")
	b.ok(t, "fs_write", args{"path": "crlf", "mode": "replace-text", "old_text": "a\nb", "new_text": "a\nc"})
	if got := get(t, filepath.Join(b.work, "crlf")); got != "a\r\nc\r\né" {
		t.Errorf("%q", got)
	}
}

// A new file shows the model nothing; what was there before does, and so may
// the reason why a file was not written.
func TestWriteLabels(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for _, step := range []struct {
		args args
		want moothall.Label
	}{
		{args{"path": "n", "content": "a"}, 0},
		{args{"path": "n", "content": "a"}, moothall.Private}, // it holds that already
		{args{"path": "n", "content": "b"}, moothall.Private},
		{args{"path": "n", "mode": "create", "content": "c"}, moothall.Private},
		{args{"path": "n", "mode": "replace-text", "old_text": "z", "new_text": "y"}, moothall.Private},
	} {
		if r := b.call(t, "fs_write", step.args); r.Labels != step.want {
			t.Errorf("%v: %s, want %s (%s)", step.args, r.Labels, step.want, r.Text)
		}
	}
}

func TestWriteLimits(t *testing.T) {
	t.Parallel()
	b := setUp(t, &fs.Options{MaxWrite: 10, MaxRead: 20})
	b.fails(t, "fs_write", args{"path": "f", "content": "12345678901"}, "at most")
	put(t, filepath.Join(b.work, "big"), strings.Repeat("x", 21))
	b.fails(t, "fs_write", args{"path": "big", "content": "x"}, "at most")
	b.fails(t, "fs_read", args{"path": "big"}, "at most")
	put(t, filepath.Join(b.work, "locked"), "x")
	if err := os.Chmod(filepath.Join(b.work, "locked"), 0o400); err != nil {
		t.Fatal(err)
	}
	b.fails(t, "fs_write", args{"path": "locked", "content": "y"}, "read-only")
	if err := os.Symlink("big", filepath.Join(b.work, "link")); err != nil {
		t.Fatal(err)
	}
	b.fails(t, "fs_write", args{"path": "link", "content": "y"}, "symbolic link")
}

func TestAppendsAllArrive(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { b.ok(t, "fs_write", args{"path": "log", "mode": "append", "content": "line\n"}) })
	}
	wg.Wait()
	if got := get(t, filepath.Join(b.work, "log")); got != strings.Repeat("line\n", 20) {
		t.Errorf("%q", got)
	}
}

func TestOnlyOneCreates(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	other := fs.New(b.roots, nil).All()[1] // does not share the lock
	var wg sync.WaitGroup
	made := make(chan string, 40)
	for i := range 20 {
		for j, tool := range []moothall.Tool{b.tools["fs_write"], other} {
			wg.Go(func() {
				text := fmt.Sprint(i, j)
				run := moothall.ToolRun{Call: moothall.ToolCall{Arguments: []byte(`{"path":"one","mode":"create","content":"` + text + `"}`)}, Writes: []string{b.work}}
				if r, err := tool.Run(t.Context(), run); err == nil && r.Status == moothall.CallOK {
					made <- text
				}
			})
		}
	}
	wg.Wait()
	if len(made) != 1 || get(t, filepath.Join(b.work, "one")) != <-made {
		t.Errorf("%d made the file", len(made))
	}
}

func TestReadersSeeWholeFiles(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	long, short := strings.Repeat("a", 1<<17), strings.Repeat("b", 1<<16)
	put(t, filepath.Join(b.work, "f"), long)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 40 {
			b.ok(t, "fs_write", args{"path": "f", "content": []string{short, long}[i%2]})
		}
	})
	for range 400 {
		if got := get(t, filepath.Join(b.work, "f")); got != long && got != short {
			t.Fatalf("%d bytes that are neither", len(got))
		}
	}
	wg.Wait()
}

func TestKilledWriterLeavesAWholeFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for round := range 12 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), writerFolder+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It speaks before each write, and the first one must be over.
		said := bufio.NewReader(out)
		for range 2 + rand.IntN(3) {
			if _, err := said.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed, and says so
		got := get(t, filepath.Join(dir, "f"))
		if got != strings.Repeat("a", wholeSize) && got != strings.Repeat("b", wholeSize) {
			t.Fatalf("round %d: %d bytes that are neither", round, len(got))
		}
	}
}

// TestUndoThatCannotBeKept: a file that could not be had back is left alone.
func TestUndoThatCannotBeKept(t *testing.T) {
	t.Parallel()
	b := setUp(t, &fs.Options{Undo: func(fs.Before) (func(), error) {
		return nil, moothall.Fail(moothall.CodeExhausted, "keep", "no room is left")
	}})
	f := filepath.Join(b.work, "a.txt")
	put(t, f, "the only copy")
	b.fails(t, "fs_write", args{"path": "a.txt", "content": "x"}, "no room is left")
	b.fails(t, "fs_write", args{"path": "new.txt", "content": "x"}, "no room is left")
	if got := get(t, f); got != "the only copy" {
		t.Errorf("it holds %q", got)
	}
}
