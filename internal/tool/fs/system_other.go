//go:build !linux

package fs

import (
	"os"
	"path/filepath"
)

// system is not told apart here.
type system struct{ made bool }

func systemOf(*os.File) (system, error) { return system{}, nil }

// nameOf follows the path by which a file was opened once more, and believes
// it only if it still leads to the same file.
func nameOf(f *os.File) (string, error) {
	name, err := filepath.EvalSymlinks(f.Name())
	if err != nil {
		return "", err
	}
	opened, err := f.Stat()
	if err != nil {
		return "", err
	}
	now, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !os.SameFile(opened, now) {
		return "", os.ErrNotExist
	}
	return name, nil
}

// plainly does not know, which only makes things slower.
func plainly(*os.File, string) bool { return false }

// renameNew gives a file its name only if nothing has that name yet.
func renameNew(dir *os.Root, from, to string) error { return linkNew(dir, from, to) }
