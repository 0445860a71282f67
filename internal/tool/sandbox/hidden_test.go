package sandbox_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/sandbox"
)

// house is a home folder with things that are kept from agents.
type house struct{ top, home string }

func newHouse(t testing.TB) house {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := house{top, filepath.Join(top, "home")}
	for name, text := range map[string]string{
		".ssh/key": "SECRET", ".netrc": "SECRET", ".config/gh/token": "SECRET", ".config/app/settings": "plain",
		".share/hall/db": "SECRET", ".share/hall/workspace/work": "work", ".share/hall/workspace/inner/kept": "SECRET", "doc": "plain",
		".share/deep/kept/f": "SECRET",
	} {
		p := filepath.Join(h.home, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"to-ssh": ".ssh", "to-key": ".ssh/key", "chain": "to-ssh", "up": "../home/.ssh"} {
		if err := os.Symlink(to, filepath.Join(h.home, name)); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func (h house) places(names ...string) []string {
	var out []string
	for _, n := range names {
		out = append(out, filepath.Join(h.home, n))
	}
	return out
}

// box opens a level with hidden places.
func (h house) box(t testing.TB, l sandbox.Level) *sandbox.Sandbox {
	t.Helper()
	cage(t, l) // skips where the level is missing
	o := options(l)
	o.Hidden = h.places(".ssh", ".netrc", ".config/gh", ".share/hall", ".share/hall/workspace/inner", ".share/deep/kept", ".missing")
	o.Shown = h.places(".share/hall/workspace")
	s, err := sandbox.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// theft tries to read, write and move what is hidden.
const theft = `cd %[1]s
for f in .ssh/key .netrc .config/gh/token .share/hall/db .share/hall/workspace/inner/kept to-ssh/key to-key chain/key up/key \
	doc/../.ssh/key ./.ssh/./key; do cat $f; cat %[1]s/$f; cat /proc/self/cwd/$f; cat /proc/1/root%[1]s/$f; done
cat .ssh/* .config/gh/* .share/hall/*; ls -A .share/hall
cat .config/app/settings doc .share/hall/workspace/work; echo new > .share/hall/workspace/new
for d in .ssh .config/gh .share/hall .share/hall/workspace/inner; do
	echo x > $d/planted; mkdir $d/made; ln doc $d/linked; cp doc $d/; rmdir $d; mv -T $d moved; rm -rf moved; done
echo x > .netrc; rm -f .netrc; mv -T .netrc moved; ln .netrc linked; ln .ssh/key linked
mv -T .config moved1; mv -T .share moved2; mv -T .share/hall moved3`

func TestHidden(t *testing.T) {
	t.Parallel()
	for _, writes := range []bool{false, true} {
		t.Run(fmt.Sprint("writes=", writes), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			s := h.box(t, sandbox.Bubblewrap)
			c := script(fmt.Sprintf(theft, h.home), h.places(".share/hall/workspace")...)
			if c.Reads = []string{h.home}; writes {
				c.Writes = append(c.Writes, h.home)
			}
			res := run(t, s, c)
			if out := string(res.Stdout); strings.Contains(out, "SECRET") || out != "workspace\nplainplainwork" {
				t.Errorf("out %q\nerr %s", res.Stdout, res.Stderr)
			}
			for _, name := range []string{".ssh/key", ".netrc", ".config/gh/token", ".share/hall/db", ".share/hall/workspace/inner/kept"} {
				if b, err := os.ReadFile(filepath.Join(h.home, name)); err != nil || string(b) != "SECRET" {
					t.Errorf("%s: %q, %v", name, b, err)
				}
			}
			for dir, want := range map[string]int{".ssh": 1, ".config/gh": 1, ".share/hall": 2, ".share/hall/workspace/inner": 1} {
				if names, err := os.ReadDir(filepath.Join(h.home, dir)); err != nil || len(names) != want {
					t.Errorf("%s: %v, %v", dir, names, err)
				}
			}
		})
	}
}

// TestHiddenByAnotherName binds a folder under the name of a link to it.
func TestHiddenByAnotherName(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.box(t, sandbox.Bubblewrap)
	link := filepath.Join(h.top, "alias")
	if err := os.Symlink(h.home, link); err != nil {
		t.Fatal(err)
	}
	c := script(fmt.Sprintf("cat %[1]s/.ssh/key %[1]s/.config/gh/token %[2]s/.ssh/key; cat %[1]s/doc %[2]s/doc", link, h.home))
	c.Reads = []string{link, filepath.Join(h.home, ".config")}
	if res := run(t, s, c); string(res.Stdout) != "plainplain" {
		t.Errorf("out %q, err %s", res.Stdout, res.Stderr)
	}
}

// TestHiddenKeepsReadOnly makes nothing writable that was not.
func TestHiddenKeepsReadOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.box(t, sandbox.Bubblewrap)
	c := script("echo x > .config/app/new; echo x > .share/deep/new; echo x > .share/hall/workspace/new; echo x > new; cat new", h.home)
	c.Reads = h.places(".config", ".share")
	if res := run(t, s, c); string(res.Stdout) != "x\n" {
		t.Errorf("out %q, err %s", res.Stdout, res.Stderr)
	}
	for _, p := range h.places(".config/app/new", ".share/deep/new", ".share/hall/workspace/new") {
		if _, err := os.Stat(p); err == nil {
			t.Errorf("%s was written", p)
		}
	}
}

func TestHiddenRefused(t *testing.T) {
	eachLevel(t, func(t *testing.T, plain *sandbox.Sandbox) {
		h := newHouse(t)
		s := h.box(t, plain.Level())
		for _, name := range []string{".ssh", ".ssh/key", "to-ssh", "chain", ".netrc", ".share/hall", ".share/hall/db", ".share/hall/workspace/inner"} {
			for i, c := range []sandbox.Command{{Reads: h.places(name)}, {Writes: h.places(name)}} {
				c.Argv = []string{"true"}
				_, err := s.Run(t.Context(), c)
				if moothall.ErrorCode(err) != moothall.CodeDenied || moothall.ErrorRemedy(err) == "" || !strings.Contains(err.Error(), "kept from agents") {
					t.Errorf("%s (%d): %v", name, i, err)
				}
			}
		}
		res := run(t, s, script("cat settings; echo x > settings", h.places(".config/app")...))
		if string(res.Stdout) != "plain" || res.Exit != 0 {
			t.Errorf("a folder beside hidden ones: %q, %s", res.Stdout, res.Stderr)
		}
	})
}

func TestHiddenLandlock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := h.box(t, sandbox.Landlock)
	for i, c := range []sandbox.Command{{Reads: []string{h.home}}, {Writes: h.places(".config")}, {Writes: h.places(".share/hall/workspace")}} {
		c.Argv = []string{"true"}
		_, err := s.Run(t.Context(), c)
		if moothall.ErrorCode(err) != moothall.CodeDenied || !strings.Contains(moothall.ErrorRemedy(err), "install bubblewrap") {
			t.Errorf("%d: %v", i, err)
		}
	}
	c := script(fmt.Sprintf("cat settings; cd %s; cat .ssh/key .netrc .share/hall/db to-key", h.home), h.places(".config/app")...)
	if res := run(t, s, c); string(res.Stdout) != "plain" {
		t.Errorf("out %q", res.Stdout)
	}
}

// TestHiddenLink hides what a link leads to, and lets nobody turn the link.
func TestHiddenLink(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	cage(t, sandbox.Bubblewrap)
	o := options(sandbox.Bubblewrap)
	o.Hidden = h.places("chain")
	s, err := sandbox.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := script("cat "+h.home+"/.ssh/key "+h.home+"/chain/key; cat "+h.home+"/doc", t.TempDir())
	c.Reads = []string{h.home}
	if res := run(t, s, c); string(res.Stdout) != "plain" {
		t.Errorf("out %q, err %s", res.Stdout, res.Stderr)
	}
	c.Writes = []string{h.home}
	if _, err := s.Run(t.Context(), c); moothall.ErrorCode(err) != moothall.CodeDenied || !strings.Contains(err.Error(), "link") {
		t.Errorf("got %v", err)
	}
}

func TestHiddenMustBeAbsolute(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"", "~/.ssh", "relative", "/a\x00b"} {
		o := options()
		o.Hidden = []string{p}
		if _, err := sandbox.Open(t.Context(), o); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: %v", p, err)
		}
	}
}
