package fs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/tool/fs"
)

const inner = "THE-SECRET-INSIDE"

// kept are the hidden places of these tests; one of them does not exist.
var kept = []string{".ssh", ".netrc", "deep/data", ".none"}

// keeping is a work folder with hidden places and ways to them.
func keeping(t testing.TB) *bench {
	t.Helper()
	b := setUp(t, nil, kept...)
	for _, p := range []string{".ssh/key", ".ssh/sub/key", ".netrc", "deep/data/moothall.db", "deep/data/audit/0"} {
		put(t, filepath.Join(b.work, p), inner)
	}
	put(t, filepath.Join(b.work, "deep", "data", "shown", "f"), "shown text")
	put(t, filepath.Join(b.work, "dir", "f"), "plain text")
	put(t, filepath.Join(b.work, ".sshx", "f"), "plain text")
	for name, target := range map[string]string{
		"to-dir": ".ssh", "to-file": ".ssh/key", "to-netrc": ".netrc", "chain1": "chain2", "chain2": "dir/back", "dir/back": "../.ssh",
		"dots": "dir/../.ssh/../.ssh", "to-deep": "deep", "to-new": ".none", "to-shown": "deep/data/shown", "self": ".",
		"deep/data/shown/out": "../audit",
	} {
		if err := os.Symlink(target, filepath.Join(b.work, name)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// secrets are paths to hidden places, in every way to write one.
func secrets(b *bench) []string {
	out := []string{
		".ssh", ".ssh/", ".ssh/.", ".ssh/key", ".ssh/sub", ".ssh/sub/key", ".ssh/../.ssh/key", "./.ssh/key", "dir/../.ssh/key", ".netrc",
		".SSH/key", ".Netrc", "deep/data", "deep/data/moothall.db", "deep/data/audit/0", "deep/data/shown/../audit/0", "deep/data/shown/out/0",
		"to-dir", "to-dir/key", "to-dir/sub/key", "to-file", "to-netrc", "chain1", "chain1/key", "chain2/sub/key", "dir/back/key", "dots/key",
		"to-deep/data/audit/0", "self/.ssh/key", "self/self/chain1/key", "to-shown/out/0",
		// what is not there yet
		".none", ".none/new", ".ssh/new", ".ssh/new/deeper", "to-dir/new", "chain1/new/deeper", "deep/data/new", "self/.none/x", "deep/data/shownx",
	}
	for _, p := range out[:len(out):len(out)] {
		out = append(out, filepath.Join(b.work, p))
	}
	return append(out, "~/.ssh/key", "~/.none", "~/dir/../chain1/key", "/proc/self/cwd/.ssh/key", "/proc/self/root"+filepath.Join(b.work, ".ssh/key"))
}

func TestHidden(t *testing.T) {
	t.Parallel()
	b := keeping(t)
	for _, p := range secrets(b) {
		if in, shown := b.roots.Inside([]string{b.work}, p); in {
			t.Errorf("Inside(%q) says %s may be used", p, shown)
		}
		words := "kept from agents"
		if strings.HasPrefix(p, "/proc") {
			words = "" // outside of the folder in any case
		}
		b.fails(t, "fs_read", args{"path": p}, words)
		b.fails(t, "fs_list", args{"path": p, "hidden": true}, words)
		b.fails(t, "fs_search", args{"path": p, "pattern": "SECRET", "hidden": true, "ignored": true}, words)
		for _, mode := range []string{"overwrite", "append", "create"} {
			b.fails(t, "fs_write", args{"path": p, "content": "planted", "mode": mode, "create_folders": true}, words)
		}
		if _, _, err := b.roots.ReadFile("s", []string{b.work}, filepath.Join(b.work, p), 1<<20); err == nil {
			t.Errorf("ReadFile(%q) read it", p)
		}
	}
	untouched(t, b)
}

// untouched checks that nothing was made, changed or removed in hidden places.
func untouched(t *testing.T, b *bench) {
	t.Helper()
	for _, p := range []string{".ssh/key", ".ssh/sub/key", ".netrc", "deep/data/moothall.db", "deep/data/audit/0"} {
		if got := get(t, filepath.Join(b.work, p)); got != inner {
			t.Errorf("%s holds %q", p, got)
		}
	}
	for dir, want := range map[string]int{".ssh": 2, "deep/data": 3, "deep/data/audit": 1} {
		if entries, err := os.ReadDir(filepath.Join(b.work, dir)); err != nil || len(entries) != want {
			t.Errorf("%s: %v, %v", dir, entries, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(b.work, ".none")); err == nil {
		t.Error("a hidden place was made")
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	b := keeping(t)
	if in, _ := b.roots.Inside([]string{b.work}, "deep/data/shown"); !in {
		t.Error("the shown folder itself is hidden")
	}
	for _, p := range []string{"deep/data/shown/f", "to-shown/f", "to-deep/data/shown/f", "dir/f", ".sshx/f", "self/dir/f"} {
		if in, _ := b.roots.Inside([]string{b.work}, p); !in {
			t.Errorf("Inside(%q) is false", p)
		}
		if r := b.ok(t, "fs_read", args{"path": p}); !strings.Contains(r.Text, " text") {
			t.Errorf("%s: %s", p, r.Text)
		}
	}
	b.ok(t, "fs_write", args{"path": "deep/data/shown/a/b/new", "content": "x", "create_folders": true})
	b.ok(t, "fs_write", args{"path": "to-shown/f", "content": "again"})
	b.ok(t, "fs_write", args{"path": ".nonex", "content": "x"})
	if r := b.ok(t, "fs_list", args{"path": "deep/data/shown"}); !strings.Contains(r.Text, "a/") {
		t.Error(r.Text)
	}
}

// TestHiddenIsNotSeen walks over everything.
func TestHiddenIsNotSeen(t *testing.T) {
	t.Parallel()
	b := keeping(t)
	r := b.ok(t, "fs_list", args{"path": ".", "hidden": true, "depth": 8})
	for _, e := range data[fs.ListData](t, r).Entries {
		if e.Path == ".ssh" || e.Path == ".netrc" || e.Path == "deep/data" || strings.HasPrefix(e.Path, ".ssh/") || strings.HasPrefix(e.Path, "deep/data/") {
			t.Errorf("fs_list shows %s", e.Path)
		}
	}
	if !strings.Contains(r.Text, ".sshx/f") || !strings.Contains(r.Text, "deep/\n") {
		t.Error(r.Text)
	}
	r = b.ok(t, "fs_search", args{"pattern": "SECRET", "hidden": true, "ignored": true})
	if d := data[fs.SearchData](t, r); len(d.Matches) != 0 || d.Skipped != 0 || d.Files == 0 {
		t.Errorf("%+v", d)
	}
	seen := 0
	_, err := b.roots.Files(t.Context(), "s", []string{b.work}, b.work, fs.FilesOptions{MaxFile: 1 << 20, MaxFiles: 1000}, func(e fs.Entry, text []byte) error {
		if seen++; strings.Contains(string(text), inner) {
			t.Errorf("Files visits %s", e.Path)
		}
		return nil
	})
	if err != nil || seen == 0 {
		t.Errorf("%d files, %v", seen, err)
	}
}

// TestHiddenFolderGiven opens a hidden folder, and one inside, as a root.
func TestHiddenFolderGiven(t *testing.T) {
	t.Parallel()
	b := keeping(t)
	for _, folder := range []string{".ssh", ".ssh/sub", "deep/data", "deep/data/audit"} {
		dir := filepath.Join(b.work, folder)
		if in, _ := b.roots.Inside([]string{dir}, dir); in {
			t.Errorf("%s may be used", folder)
		}
		if _, err := b.roots.Files(t.Context(), "s", []string{dir}, dir, fs.FilesOptions{MaxFile: 1, MaxFiles: 1}, nil); moothall.ErrorCode(err) != moothall.CodeDenied {
			t.Errorf("%s: %v", folder, err)
		}
	}
	dir := filepath.Join(b.work, "deep/data/shown")
	if in, _ := b.roots.Inside([]string{dir}, "f"); !in {
		t.Error("the shown folder may not be used")
	}
	if in, _ := b.roots.Inside([]string{dir}, "out/0"); in {
		t.Error("a link leads out of the shown folder")
	}
}

// TestHiddenRace swaps a file, and a folder, for links to hidden ones while
// the tools use them.
func TestHiddenRace(t *testing.T) {
	t.Parallel()
	b := keeping(t)
	put(t, filepath.Join(b.work, "real", "key"), "harmless")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for name, targets := range map[string][]string{"f": {"real/key", ".ssh/key", ".netrc"}, "d": {"real", ".ssh", "chain1"}, "g": {"real", "."}} {
		wg.Go(func() { swap(b.work, name, targets, stop) })
	}
	good := 0
	for i := range 3000 {
		for _, p := range []string{"f", "d/key"} {
			r := b.call(t, "fs_read", args{"path": p})
			if strings.Contains(r.Text+string(r.Data), inner) {
				t.Fatal("a hidden file was read")
			}
			if r.Status == moothall.CallOK {
				good++
			}
		}
		if i%10 == 0 {
			b.call(t, "fs_write", args{"path": "d/planted", "content": "x"})
			b.call(t, "fs_write", args{"path": "g/.none", "content": "x"}) // a name that is hidden in one of the two
			b.call(t, "fs_write", args{"path": fmt.Sprintf("d/new%d/planted", i%70), "content": "x", "create_folders": true})
			for _, r := range []moothall.ToolResult{b.call(t, "fs_search", args{"path": "d", "pattern": "SECRET"}), b.call(t, "fs_list", args{"path": "d"})} {
				if strings.Contains(r.Text+string(r.Data), inner) || strings.Contains(r.Text, "sub/") {
					t.Fatalf("a hidden folder was seen: %s", r.Text)
				}
			}
		}
	}
	close(stop)
	wg.Wait()
	untouched(t, b)
	if good == 0 {
		t.Error("no read ever succeeded: the race proves nothing")
	}
	t.Logf("6000 reads, %d of the harmless file, 0 leaks", good)
}

// swap points a link at one target after the other until it is stopped.
func swap(dir, name string, targets []string, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		tmp := filepath.Join(dir, fmt.Sprint("tmp-", name, i%7))
		if os.Symlink(targets[i%len(targets)], tmp) == nil && os.Rename(tmp, filepath.Join(dir, name)) != nil {
			os.Remove(tmp)
		}
		runtime.Gosched()
	}
}

// TestHiddenLink hides what a hidden place leads to, also when it becomes a
// link later.
func TestHiddenLink(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(top, "dot", "ssh", "key"), inner)
	put(t, filepath.Join(top, "other", "key"), inner)
	link := func(to string) {
		tmp := filepath.Join(top, "tmp")
		if err := os.Symlink(to, tmp); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(top, ".ssh")); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		link("dot/ssh")
		roots := fs.NewRoots(&fs.RootsOptions{Hidden: []string{filepath.Join(top, ".ssh")}})
		defer roots.Close()
		for _, p := range []string{".ssh/key", "dot/ssh/key", "dot/ssh"} {
			if in, _ := roots.Inside([]string{top}, p); in {
				t.Errorf("%s may be used", p)
			}
		}
		link("other")
		time.Sleep(2 * time.Second) // of the test's own time
		if in, _ := roots.Inside([]string{top}, "other/key"); in {
			t.Error("what the link leads to now may be used")
		}
	})
}

// TestHiddenHardLink writes down a limit: a second name that the person gave
// a hidden file themselves is a file like any other to read. No tool and no
// command can give one, and none writes through it.
func TestHiddenHardLink(t *testing.T) {
	t.Parallel()
	b := keeping(t)
	if err := os.Link(filepath.Join(b.work, ".ssh", "key"), filepath.Join(b.work, "second")); err != nil {
		t.Fatal(err)
	}
	b.ok(t, "fs_read", args{"path": "second"})
	b.fails(t, "fs_write", args{"path": "second", "content": "x"}, "hard link")
	untouched(t, b)
}

func TestHiddenMustBeAbsolute(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, p := range []string{"", "relative", "~/.ssh"} {
		roots := fs.NewRoots(&fs.RootsOptions{Hidden: []string{p}})
		if in, _ := roots.Inside([]string{dir}, dir); in {
			t.Errorf("with %q hidden, everything may be used", p)
		}
		if err := roots.Close(); err != nil {
			t.Error(err)
		}
	}
	all := fs.NewRoots(&fs.RootsOptions{Hidden: []string{"/"}})
	defer all.Close()
	if in, _ := all.Inside([]string{dir}, dir); in {
		t.Error("everything is hidden, and something may be used")
	}
}
