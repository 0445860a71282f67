// Package atomicfile replaces small files as a whole.
//
// A reader sees the old content or the new one, never a part, and after
// [Write] has returned a power cut changes nothing about that. Files that
// grow, or that several processes write, need something else.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data in place of the file: a new file beside it, flushed, then
// renamed over it, then the folder flushed. The error is the system's own.
func Write(path string, data []byte, mode fs.FileMode) (err error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return WriteIn(dir, filepath.Base(path), data, mode)
}

// WriteIn is [Write] for a file of an open folder, which stays that one
// whatever happens to its name meanwhile.
func WriteIn(dir *os.Root, name string, data []byte, mode fs.FileMode) (err error) {
	temp := ".new-" + rand.Text()
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // private from the start
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removed(dir, temp))
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = dir.Rename(temp, name); err != nil {
		return err
	}
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// removed deletes a file that may be gone already.
func removed(dir *os.Root, name string) error {
	if err := dir.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir makes what was created, renamed or removed in a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
