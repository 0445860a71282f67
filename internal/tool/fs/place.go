package fs

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// maxPath is the longest path that the system takes.
const maxPath = 4096

// place is a path as it lies in a folder.
type place struct{ folder, rel string }

// Path returns the absolute form of a path as the tools understand it:
// relative ones start at the first folder that may be written and is there (the
// root of the file system only where it is the only one),
// else at the first that may be read; "~" is the home folder. It says nothing about
// whether the path may be used. CodeInvalid for what cannot be a path.
func (r *Roots) Path(reads, writes []string, path string) (string, error) {
	base := ""
	for _, folders := range [][]string{reads, writes} {
		if len(folders) > 0 {
			base = first(folders)
		}
	}
	return r.absolute(base, path)
}

// first is the first folder that is there: of those that a manifest names not
// every machine has all. Beside others the root of the file system is none:
// what has no place must not land there.
func first(folders []string) string {
	for _, dir := range folders {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && dir != string(filepath.Separator) {
			return dir
		}
	}
	return folders[0]
}

// Inside reports whether a path lies in one of the folders when every
// symbolic link on its way is followed, and in no hidden place; what does not
// exist yet lies where its deepest existing parent does. A relative path starts at the first
// folder that is there: pass what [Roots.Path] returned where reads and writes differ. The
// second result is the path in its absolute form, for people.
func (r *Roots) Inside(roots []string, path string) (inside bool, shown string) {
	base := ""
	if len(roots) > 0 {
		base = first(roots)
	}
	abs, err := r.absolute(base, path)
	if err != nil {
		return false, path
	}
	h, _, err := r.pick("", roots, abs)
	if err != nil {
		return false, abs
	}
	r.release(h)
	return true, abs
}

// absolute cleans a path and makes it absolute, by text alone.
func (r *Roots) absolute(base, path string) (string, error) {
	invalid := func(why string) (string, error) {
		return "", moothall.Fail(moothall.CodeInvalid, "path", why)
	}
	switch {
	case path == "":
		return invalid("the path is empty")
	case len(path) > maxPath:
		return invalid("the path is too long")
	case strings.ContainsRune(path, 0):
		return invalid("the path holds a NUL character")
	case path == "~" || strings.HasPrefix(path, "~/"):
		if r.home == "" {
			return invalid(`no home folder is known, so "~" has no meaning; give an absolute path`)
		}
		return filepath.Join(r.home, path[1:]), nil
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case base == "":
		return "", noFolder()
	}
	return filepath.Join(base, path), nil
}

func noFolder() error {
	return &moothall.Error{Code: moothall.CodeDenied, Op: "path", Message: "no folder may be used here",
		Remedy: "allow a folder for this agent type and tool in the manifest"}
}

// pick returns the root in which a path lies, and the path in it, and refuses
// what leads to a hidden place. The caller releases the root.
func (r *Roots) pick(s moothall.SessionID, folders []string, abs string) (*root, string, error) {
	if err := r.kept.check(); err != nil {
		return nil, "", err
	}
	if r.kept.covers(abs) { // by name alone: nothing is said about what is there
		return nil, "", keptError(abs)
	}
	return r.find(s, folders, abs, func(h *root, rel string) error {
		if known, err := h.passes(rel, abs); known {
			return err
		}
		at, err := reaches(h, rel, abs)
		if err != nil {
			return err
		}
		return h.judge(rel, at, abs)
	})
}

// find is pick with a check of its own for a path in a root. Nested folders are tried from the innermost, since a
// link may leave the inner one and stay in the outer.
func (r *Roots) find(s moothall.SessionID, folders []string, abs string, check func(h *root, rel string) error) (*root, string, error) {
	if len(folders) == 0 {
		return nil, "", noFolder()
	}
	var first error
	for _, p := range places(folders, abs) {
		h, err := r.acquire(s, p.folder)
		if err == nil {
			if err = check(h, p.rel); err == nil {
				return h, p.rel, nil
			}
			r.release(h)
		}
		first = cmp.Or(first, err)
	}
	if first != nil {
		return nil, "", first
	}
	return nil, "", &moothall.Error{Code: moothall.CodeDenied, Op: "path", Message: abs + " is outside of the folders that may be used here",
		Remedy: "use a path in " + strings.Join(folders, ", ")}
}

// places finds the folders that a path may lie in, the innermost first.
func places(folders []string, abs string) []place {
	var out []place
	for _, f := range folders {
		f = filepath.Clean(f)
		rel, err := filepath.Rel(f, abs)
		if err == nil && filepath.IsLocal(rel) {
			out = append(out, place{f, rel})
		}
	}
	slices.SortStableFunc(out, func(a, b place) int { return cmp.Compare(len(b.folder), len(a.folder)) })
	return out
}

// reaches follows a path through a root and returns its deepest existing part.
func reaches(h *root, rel, shown string) (string, error) {
	for {
		_, err := h.Stat(rel)
		if err == nil {
			return rel, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || rel == "." {
			return "", pathError("path", shown, err)
		}
		if li, lerr := h.Lstat(rel); lerr == nil && li.Mode()&fs.ModeSymlink != 0 {
			return "", moothall.Fail(moothall.CodeDenied, "path", shown+" leads through a symbolic link to nowhere")
		}
		rel = filepath.Dir(rel)
	}
}
