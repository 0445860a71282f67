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
	if err == nil {
		err = errors.Join(h.holds(d, shown), d.Close())
	}
	if err != nil {
		return nil, errors.Join(err, sub.Close())
	}
	return &root{Root: sub, folder: filepath.Join(h.folder, rel), system: h.system}, nil
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
	for i, dir := range missing {
		if err := h.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, pathError("make folder", shown, err)
		}
		missing[i] = filepath.Join(h.folder, dir)
	}
	return missing, nil
}
