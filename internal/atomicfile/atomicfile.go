// Package atomicfile replaces small files as a whole.
//
// A reader sees the old content or the new one, never a part, and after
// [Write] has returned a power cut changes nothing about that. Files that
// grow, or that several processes write, need something else.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data in place of the file: a new file beside it, flushed, then
// renamed over it, then the folder flushed. The error is the system's own.
func Write(path string, data []byte, mode fs.FileMode) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".new-*") // 0600 from the start
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removed(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	return SyncDir(dir)
}

// removed deletes a file that may be gone already.
func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
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
