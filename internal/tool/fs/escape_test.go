package fs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"moothall"
)

// payloads are paths to the secret, in every way to write one.
func payloads(b *bench) []string {
	target := strings.TrimPrefix(filepath.Join(b.out, "secret.txt"), "/")
	ups := []string{
		"../", "..//", ".././", "./../", "..\\", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..%c0%af", "..%252f", "....//", ".../", "..;/",
		"．．/", "‥/", "..\u2215", "..\u2044", "\u202e../", "a/../../", "dir/../../", "in/../../", ".. /", "../\t",
		"./././../", "//../", "dir//..//..//",
	}
	var out []string
	for _, up := range ups {
		for depth := range 13 {
			lead := strings.Repeat(up, depth)
			for _, tail := range []string{"out/secret.txt", target, "/" + target} {
				for _, end := range []string{"", "/", "/.", ".", " ", "\x00", "\x00.txt", "//"} {
					out = append(out, lead+tail+end)
				}
			}
		}
	}
	for _, via := range []string{
		"/proc/self/root", "/proc/self/cwd/../../../../../../../../..", "/proc/1/root", "/proc/thread-self/root", "/dev/fd/../../../..", "/./", "//", "/../",
		"link-root", "link-up", "chain", "dir/link-up", "in/link-up", "~/..", "~/../../../../../../..",
	} {
		for _, tail := range []string{"/" + target, "/out/secret.txt", "/secret.txt", "/../out/secret.txt"} {
			out = append(out, via+tail)
		}
	}
	out = append(out, "link-file", "link-file/", "link-file/.", "dir/link-file", "link-dir/secret.txt", "link-dir", "dangling-out/x", "dangling-out",
		filepath.Join(b.out, "secret.txt"), b.work+"/../out/secret.txt", b.work+"-other/x", b.out, "/", "..", "../out", "/etc/passwd", "~root/.bashrc",
		strings.Repeat("a", 300), strings.Repeat("a/", 3000), strings.Repeat("../", 2000)+target, "", "\x00", "file:///etc/passwd", "/proc/self/environ", "/dev/zero")
	return out
}

// traps fills the work folder with ways out of it.
func traps(t testing.TB, b *bench) {
	t.Helper()
	put(t, filepath.Join(b.work, "dir", "inner.txt"), "inner")
	for name, target := range map[string]string{
		"link-file": b.out + "/secret.txt", "link-dir": b.out, "link-root": "/", "link-up": "..", "chain": "link-up",
		"in": "dir", "dir/link-up": "../..", "dir/link-file": "../../out/secret.txt", "dangling-out": b.out + "/new", "dangling-in": "dir/none",
		"loop-a": "loop-b", "loop-b": "loop-a", "inside": "dir/inner.txt",
	} {
		if err := os.Symlink(target, filepath.Join(b.work, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNothingOutsideIsReached(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	traps(t, b)
	list := payloads(b)
	if len(list) < 5742 {
		t.Fatalf("only %d payloads", len(list))
	}
	others := []moothall.ToolName{"fs_search", "fs_list"}
	for i, p := range list {
		other := args{"path": p}
		if i%2 == 0 {
			other["pattern"] = "SECRET"
		}
		for _, r := range []moothall.ToolResult{b.call(t, "fs_read", args{"path": p}), b.call(t, others[i%2], other)} {
			if strings.Contains(r.Text+string(r.Data), secret) || strings.Contains(r.Text, "secret.txt (18") {
				t.Fatalf("%q: %s reached %s", p, r.Name, r.Text)
			}
		}
		// An existing target inside the folder may be written, so that only
		// what happens outside counts.
		b.call(t, "fs_write", args{"path": p, "content": "broken out"})
		if inside, shown := b.roots.Inside([]string{b.work}, p); inside && !strings.HasPrefix(shown, b.work) {
			t.Fatalf("%q counts as inside: %s", p, shown)
		}
	}
	if got := get(t, filepath.Join(b.out, "secret.txt")); got != secret {
		t.Fatalf("the file outside holds %q", got)
	}
	entries, err := os.ReadDir(b.out)
	if err != nil || len(entries) != 1 {
		t.Fatalf("outside: %v, %v", entries, err)
	}
	t.Logf("%d payloads, %d calls", len(list), 3*len(list))
}

func TestInside(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	traps(t, b)
	for path, want := range map[string]bool{
		".": true, "new.txt": true, "dir/new/deeper.txt": true, "inside": true, "in/inner.txt": true, "~/x": true, b.work: true,
		filepath.Join(b.work, "dir"): true, "dir/../new": true,
		"link-file": false, "link-dir/new": false, "link-up/x": false, "chain/out/x": false, "dangling-out": false, "dangling-in": false, "loop-a": false, "loop-a/x": false,
		"..": false, "../work-other": false, b.out: false, "/": false, "": false, "a\x00b": false, "dir/inner.txt/x": false, "/proc/self/cwd": false,
	} {
		if got, shown := b.roots.Inside([]string{b.work}, path); got != want {
			t.Errorf("Inside(%q) = %v (%s)", path, got, shown)
		}
	}
	if in, _ := b.roots.Inside(nil, "x"); in {
		t.Error("inside of no folder")
	}
	// A link may leave an inner folder and stay in an outer one.
	if in, _ := b.roots.Inside([]string{filepath.Join(b.work, "dir"), filepath.Dir(b.work)}, filepath.Join(b.work, "dir", "link-up", "work")); !in {
		t.Error("the outer folder was not tried")
	}
}

// Root.Open("../") of Go before 1.23.8 opened the parent (CVE-2025-22873),
// and a final slash made later versions follow a link (CVE-2026-39822).
func TestPastRootEscapes(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	traps(t, b)
	root, err := os.OpenRoot(b.work)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, p := range []string{"../", "..", "../.", "../out", "../out/", "dir/../../", "link-dir/", "link-dir/.", "link-file/", "link-up/", "chain/", "link-root/"} {
		if f, err := root.Open(p); err == nil {
			t.Errorf("os.Root opens %q as %s: this Go is not safe", p, f.Name())
		}
		b.fails(t, "fs_list", args{"path": p}, "")
		b.fails(t, "fs_write", args{"path": p + "/x", "content": "x"}, "")
	}
}

// TestSwappedLinks races a link that points in and out against the tools.
func TestSwappedLinks(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	put(t, filepath.Join(b.work, "real", "secret.txt"), "harmless")
	// real -> swapped between a folder inside and a link that leads out.
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		swap := filepath.Join(b.work, "d")
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			target := []string{"real", b.out, "../out"}[i%3]
			tmp := filepath.Join(b.work, fmt.Sprint("t", i%7))
			if os.Symlink(target, tmp) == nil {
				if os.Rename(tmp, swap) != nil {
					os.Remove(tmp)
				}
			}
			runtime.Gosched()
		}
	})
	reads, inside := 0, 0
	for i := range 6000 {
		r := b.call(t, "fs_read", args{"path": "d/secret.txt"})
		if strings.Contains(r.Text, secret) {
			t.Fatal("the file outside was read")
		}
		reads++
		if r.Status == moothall.CallOK {
			inside++
		}
		if i%6 == 0 {
			b.call(t, "fs_write", args{"path": "d/written.txt", "content": "x"})
			b.call(t, "fs_search", args{"path": "d", "pattern": secret})
		}
	}
	close(stop)
	wg.Wait()
	entries, err := os.ReadDir(b.out)
	if err != nil || len(entries) != 1 || get(t, filepath.Join(b.out, "secret.txt")) != secret {
		t.Fatalf("written outside: %v, %v", entries, err)
	}
	if inside == 0 {
		t.Error("no read ever succeeded: the race proves nothing")
	}
	t.Logf("%d reads, %d of them inside, 0 escapes", reads, inside)
}

func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	if err := unix.Mkfifo(filepath.Join(b.work, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: filepath.Join(b.work, "sock")}); err != nil {
		t.Fatal(err)
	}
	for name, words := range map[string]string{"pipe": "named pipe", "sock": "socket"} {
		b.fails(t, "fs_read", args{"path": name}, words)
		b.fails(t, "fs_write", args{"path": name, "content": "x"}, words)
		b.fails(t, "fs_search", args{"path": name, "pattern": "x"}, words)
	}
	b.ok(t, "fs_search", args{"pattern": "x"}) // walks past them
}

func TestHardLinks(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	if err := os.Link(filepath.Join(b.out, "secret.txt"), filepath.Join(b.work, "second")); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"overwrite", "append"} {
		b.fails(t, "fs_write", args{"path": "second", "mode": mode, "content": "x"}, "hard link")
	}
	if got := get(t, filepath.Join(b.out, "secret.txt")); got != secret {
		t.Errorf("outside: %q", got)
	}
}

func TestRefusedFolders(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	link := filepath.Join(filepath.Dir(b.work), "link")
	open := filepath.Join(filepath.Dir(b.work), "open")
	file := filepath.Join(b.work, "f")
	put(t, file, "x")
	if err := os.Symlink(b.work, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{link, open, file, "relative", "/proc", "/proc/self", "/sys", filepath.Join(b.out, "none")} {
		if in, _ := b.roots.Inside([]string{folder}, folder); in {
			t.Errorf("%s was taken", folder)
		}
	}
	if os.Geteuid() != 0 {
		return // giving a folder away takes root
	}
	theirs := filepath.Join(filepath.Dir(b.work), "theirs")
	if err := os.Mkdir(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(theirs, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if in, _ := b.roots.Inside([]string{theirs}, theirs); in {
		t.Error("a folder of another account was taken")
	}
}

func TestReplacedFolder(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	put(t, filepath.Join(b.work, "f"), "old")
	b.ok(t, "fs_read", args{"path": "f"})
	if err := os.Rename(b.work, b.work+"-moved"); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(b.work, "f"), "new")
	if r := b.ok(t, "fs_read", args{"path": "f"}); !strings.Contains(r.Text, "new") {
		t.Errorf("the folder that used to be there was read: %s", r.Text)
	}
}

// TestRelativePathsStart says where: at the root of the file system only for
// who has nothing else.
func TestRelativePathsStart(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	none := filepath.Join(b.work, "none")
	for _, c := range []struct {
		reads, writes []string
		want          string
	}{
		{[]string{b.out}, []string{b.work}, b.work},
		{[]string{b.out}, []string{none, b.work}, b.work},
		{[]string{b.out}, nil, b.out},
		{[]string{b.out, "/"}, []string{"/", b.work}, b.work},
		{[]string{b.out, "/"}, []string{none, "/"}, none},
		{nil, []string{"/"}, "/"},
	} {
		if got, err := b.roots.Path(c.reads, c.writes, "x"); err != nil || got != filepath.Join(c.want, "x") {
			t.Errorf("%v %v: %s, %v", c.reads, c.writes, got, err)
		}
	}
}
