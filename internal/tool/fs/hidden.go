package fs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"moothall"
)

// settled is how long the real names of hidden places are believed: a person
// may turn one of them into a link while the hall runs.
const settled = time.Second

// hiding knows which places are kept from agents. nil hides nothing.
type hiding struct {
	hidden, shown []string // clean, as given

	mu    sync.Mutex
	when  time.Time
	names *names
}

// names are the forms under which places are recognised.
type names struct{ hidden, shown []form }

// form is one name of a place. What lies deeper wins over what holds it.
type form struct {
	path  string
	depth int
}

func newHiding(hidden, shown []string) *hiding {
	if len(hidden) == 0 {
		return nil
	}
	return &hiding{hidden: cleaned(hidden), shown: cleaned(shown)}
}

func cleaned(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = filepath.Clean(p)
	}
	return out
}

// check refuses names that would hide nothing.
func (k *hiding) check() error {
	if k == nil {
		return nil
	}
	for _, p := range slices.Concat(k.hidden, k.shown) {
		if !filepath.IsAbs(p) {
			return moothall.Fail(moothall.CodeInvalid, "hidden place", p+" is not an absolute path, so it cannot be kept from agents")
		}
	}
	return nil
}

// now returns the names of the places as they are on the disk.
func (k *hiding) now() *names {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.names == nil || time.Since(k.when) > settled {
		k.names, k.when = &names{forms(k.hidden, strings.ToLower), forms(k.shown, strings.Clone)}, time.Now()
	}
	return k.names
}

// forms returns each path as it was written and as it is when its links are
// followed.
func forms(paths []string, spell func(string) string) []form {
	var out []form
	for _, p := range paths {
		for _, s := range []string{p, resolved(p)} {
			f := form{path: spell(s), depth: len(strings.FieldsFunc(s, func(c rune) bool { return c == filepath.Separator }))}
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// resolved follows the links of a path as far as it exists.
func resolved(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	if _, err := os.Lstat(p); err == nil || p == filepath.Dir(p) {
		return p // a link to nowhere, or what may not be looked at
	}
	return filepath.Join(resolved(filepath.Dir(p)), filepath.Base(p))
}

// covers reports whether a name, links followed, lies in a hidden place and
// in no shown one inside it. Capital letters make no difference for what is
// hidden, since on some file systems they make none either.
func (k *hiding) covers(name string) bool {
	if k == nil {
		return false
	}
	n := k.now()
	hidden := deepest(n.hidden, strings.ToLower(name))
	return hidden >= 0 && deepest(n.shown, name) <= hidden
}

// deepest finds the innermost place that holds a name; -1 is none.
func deepest(list []form, name string) int {
	depth := -1
	for _, f := range list {
		if f.depth > depth && holdsName(f.path, name) {
			depth = f.depth
		}
	}
	return depth
}

func holdsName(place, name string) bool {
	if !strings.HasPrefix(name, place) {
		return false
	}
	return len(name) == len(place) || name[len(place)] == filepath.Separator || place[len(place)-1] == filepath.Separator
}

// where returns the name of something in an open file or folder, or the
// file's own for "", and refuses what lies in a hidden place. It returns ""
// where nothing is hidden.
func (k *hiding) where(f *os.File, below, shown string) (string, error) {
	if k == nil {
		return "", nil
	}
	name, err := nameOf(f)
	if err != nil || !filepath.IsAbs(name) {
		return "", &moothall.Error{Code: moothall.CodeDenied, Op: "path", Message: "where " + shown + " really lies cannot be found out", Err: err}
	}
	before, deleted := strings.CutSuffix(name, " (deleted)") // since it was opened, as Linux puts it
	full := filepath.Join(name, below)
	if k.covers(full) || deleted && k.covers(filepath.Join(before, below)) {
		return "", keptError(shown)
	}
	return full, nil
}

// keptError says no without saying what is there.
func keptError(shown string) error {
	return &moothall.Error{Code: moothall.CodeDenied, Op: "path", Message: shown + " lies in a place that is kept from agents",
		Remedy: "use another path; only the person can open such a place, with their own programs"}
}

// passes refuses a path as [reaches] and judge do, and is quicker: it knows
// about what exists and is no link. The rest is up to them.
func (h *root) passes(rel, shown string) (known bool, err error) {
	if h.kept == nil || rel == "." {
		return false, nil
	}
	dir, base := filepath.Split(rel)
	d, err := h.OpenFile(filepath.Clean(dir), openFlags|syscall.O_DIRECTORY, 0)
	if err != nil {
		return false, nil
	}
	defer d.Close()
	if !plainly(d, base) {
		return false, nil
	}
	_, err = h.kept.where(d, base, shown)
	return true, err
}

// judge refuses a path that leads to a hidden place. at is its deepest part
// that exists; the rest counts as lying there.
func (h *root) judge(rel, at, shown string) error {
	if h.kept == nil {
		return nil
	}
	rest, err := filepath.Rel(at, rel)
	if err != nil {
		return pathError("path", shown, err)
	}
	f, base, err := h.nearest(at, shown)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = h.kept.where(f, filepath.Join(base, rest), shown)
	return err
}

// nearest opens something that exists, or the folder that it lies in. Only
// folders and what a link leads to are opened: opening a device may do
// something.
func (h *root) nearest(at, shown string) (f *os.File, base string, err error) {
	info, err := h.Lstat(at)
	if err != nil {
		return nil, "", pathError("path", shown, err)
	}
	open := at
	switch {
	case isLink(info):
		if info, err = h.Stat(at); err != nil {
			return nil, "", pathError("path", shown, err)
		}
		if err := regular(info, shown); err != nil && !info.IsDir() {
			return nil, "", err
		}
	case at != ".":
		open, base = filepath.Split(at)
	}
	if f, err = h.OpenFile(filepath.Clean(open), openFlags, 0); err != nil {
		return nil, "", pathError("path", shown, err)
	}
	return f, base, nil
}
