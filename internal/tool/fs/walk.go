package fs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// Entry is one thing that a walk comes by. Its path is slash separated and
// starts at the folder where the walk began.
type Entry struct {
	Path string
	Info os.FileInfo
}

// errStop ends a walk early without being an error.
var errStop = errors.New("stop")

// walk visits a tree of folders in order of names, through the root and
// never through a symbolic link.
type walk struct {
	root   *root
	rel    string // where it begins
	depth  int    // 0 means without limit
	hidden bool
	ignore bool // honour ignore files
	left   int  // how many entries it may still look at
	cut    bool // it had to stop
	visit  func(Entry) error
}

func (w *walk) run(ctx context.Context, shown string) error {
	err := w.folder(ctx, ".", shown, 1, w.inherited())
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

func (w *walk) folder(ctx context.Context, dir, shown string, depth int, above *ignores) error {
	entries, err := w.entries(dir, shown)
	if err != nil {
		if dir == "." {
			return err
		}
		return nil // one folder that cannot be read does not end a search
	}
	rules := w.rules(w.from(dir), above)
	for _, info := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := Entry{Path: path.Join(dir, info.Name()), Info: info}
		if w.skips(e, rules) {
			continue
		}
		if err := w.visit(e); err != nil {
			return err
		}
		if info.IsDir() && (w.depth == 0 || depth < w.depth) {
			if err := w.folder(ctx, e.Path, shown, depth+1, rules); err != nil {
				return err
			}
		}
	}
	return nil
}

// inherited are the rules of the folders above the one where the walk begins.
func (w *walk) inherited() *ignores {
	if !w.ignore || w.rel == "." {
		return nil
	}
	var rules *ignores
	dir := "."
	for name := range strings.SplitSeq(filepath.ToSlash(w.rel), "/") {
		rules = w.rules(dir, rules)
		dir = path.Join(dir, name)
	}
	return rules
}

// from returns where an entry of the walk lies in the root, slash separated.
func (w *walk) from(dir string) string { return path.Join(filepath.ToSlash(w.rel), dir) }

func (w *walk) skips(e Entry, rules *ignores) bool {
	name := e.Info.Name()
	if !w.hidden && strings.HasPrefix(name, ".") || name == ".git" && w.ignore {
		return true
	}
	return w.ignore && rules.match(w.from(e.Path), e.Info.IsDir())
}

// entries reads one folder, sorted by name.
func (w *walk) entries(dir, shown string) ([]os.FileInfo, error) {
	rel := filepath.Join(w.rel, filepath.FromSlash(dir))
	before, err := w.root.Stat(rel)
	if err == nil && !before.IsDir() {
		return nil, moothall.Fail(moothall.CodeInvalid, "open folder", shown+" is not a folder")
	}
	if err != nil {
		return nil, pathError("open folder", shown, err)
	}
	d, err := w.root.OpenFile(rel, openFlags, 0)
	if err != nil {
		return nil, pathError("open folder", shown, err)
	}
	defer d.Close()
	name, err := w.root.holds(d, shown)
	if err != nil {
		return nil, err
	}
	infos, err := w.list(d)
	if err != nil {
		return nil, pathError("open folder", shown, err)
	}
	infos = slices.DeleteFunc(infos, func(i os.FileInfo) bool { return w.root.kept.covers(filepath.Join(name, i.Name())) })
	slices.SortFunc(infos, func(a, b os.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return infos, nil
}

func (w *walk) list(d *os.File) ([]os.FileInfo, error) {
	var out []os.FileInfo
	for w.left > 0 {
		batch, err := d.ReadDir(min(256, w.left))
		w.left -= len(batch)
		for _, e := range batch {
			if info, err := e.Info(); err == nil { // gone meanwhile otherwise
				out = append(out, info)
			}
		}
		if errors.Is(err, io.EOF) || len(batch) == 0 {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
	w.cut = true
	return out, nil
}

// rules reads the ignore files of a folder of the root.
func (w *walk) rules(dir string, above *ignores) *ignores {
	if !w.ignore {
		return nil
	}
	var rules []ignoreRule
	for _, name := range ignoreFiles {
		b, _, err := w.root.readFile(filepath.Join(filepath.FromSlash(dir), name), name, maxIgnore)
		if err != nil {
			continue // most folders have none, and one that cannot be read hides nothing
		}
		rules = append(rules, parseIgnore(string(b))...)
	}
	if len(rules) == 0 {
		return above
	}
	return &ignores{above: above, base: dir, rules: rules}
}

// isLink reports whether an entry is a symbolic link.
func isLink(i os.FileInfo) bool { return i.Mode()&fs.ModeSymlink != 0 }
