package fs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"moothall"
)

// within opens a folder of a root as a root of its own.
func (h *root) within(rel, shown string) (*root, error) {
	sub, err := h.OpenRoot(rel)
	if err != nil {
		return nil, folderError(shown, err)
	}
	d, err := sub.Open(".")
	name := ""
	if err == nil {
		name, err = h.holds(d, shown)
		err = errors.Join(err, d.Close())
	}
	if err != nil {
		return nil, errors.Join(err, sub.Close())
	}
	return &root{Root: sub, folder: filepath.Join(h.folder, rel), system: h.system, kept: h.kept, name: name}, nil
}

// RealName says what an open folder is called, whatever path it was opened by.
func RealName(dir *os.Root) (string, error) {
	d, err := dir.Open(".")
	if err != nil {
		return "", err
	}
	defer d.Close()
	return nameOf(d)
}

// offers refuses a name in a folder that [root.within] opened when it is, or
// would become, a hidden place.
func (h *root) offers(name, shown string) error {
	if h.kept.covers(filepath.Join(h.name, name)) {
		return keptError(shown)
	}
	return nil
}

func folderError(shown string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &moothall.Error{Code: moothall.CodeNotFound, Op: "write file", Message: "the folder of " + shown + " does not exist",
			Remedy: "set create_folders to true", Err: err}
	}
	return pathError("write file", shown, err)
}

// makeFolders makes what is missing of a folder's path and returns it.
func makeFolders(h *root, rel, shown string, wanted bool) ([]string, error) {
	var missing []string
	for dir := rel; dir != "."; dir = filepath.Dir(dir) {
		_, err := h.Stat(dir)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, pathError("make folder", shown, err)
		}
		missing = append(missing, dir)
	}
	if len(missing) == 0 {
		return nil, nil
	}
	if !wanted {
		return nil, folderError(shown, fs.ErrNotExist)
	}
	slices.Reverse(missing)
	at, err := h.within(filepath.Dir(missing[0]), shown)
	for i, dir := range missing {
		if err != nil {
			return nil, err
		}
		at, err = at.step(filepath.Base(dir), shown)
		missing[i] = filepath.Join(h.folder, dir)
	}
	if err != nil {
		return nil, err
	}
	return missing, at.Close()
}

// step makes a folder and opens it, in place of the one that it lies in: no
// link that appears meanwhile leads the next one elsewhere.
func (h *root) step(name, shown string) (*root, error) {
	defer h.Close()
	if err := h.offers(name, shown); err != nil {
		return nil, err
	}
	if err := h.Mkdir(name, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, pathError("make folder", shown, err)
	}
	return h.within(name, shown)
}
