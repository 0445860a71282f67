package fs

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"

	"moothall"
)

// temporary is how the names of unfinished files begin.
const temporary = ".moothall-new-"

// replace puts data in place of a file of a folder: a new file beside it,
// flushed, renamed; the caller flushes the folder. was is the file that it replaces, nil
// for a new one; when that is no longer what has the name, nothing is changed.
func replace(dir *os.Root, name, shown string, data []byte, was os.FileInfo) (err error) {
	mode := fs.FileMode(0o644)
	if was != nil {
		mode = was.Mode().Perm()
	}
	temp := temporary + rand.Text()
	if err := writeNew(dir, temp, data, mode, was != nil); err != nil {
		return errors.Join(pathError("write file", shown, err), removed(dir, temp))
	}
	if err := named(dir, temp, name, shown, was); err != nil {
		return errors.Join(err, removed(dir, temp))
	}
	return nil
}

// writeNew writes a file that was not there. keep sets the mode whatever the
// account's mask says.
func writeNew(dir *os.Root, name string, data []byte, mode fs.FileMode, keep bool) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if keep {
		err = errors.Join(err, f.Chmod(mode))
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// named gives the new file its name.
func named(dir *os.Root, temp, name, shown string, was os.FileInfo) error {
	if was == nil {
		if err := renameNew(dir, temp, name); err != nil {
			return pathError("write file", shown, err)
		}
		return nil
	}
	now, err := dir.Lstat(name)
	if err != nil || !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) {
		return moothall.Fail(moothall.CodeConflict, "write file", shown+" was changed by somebody else meanwhile; read it again")
	}
	if err := dir.Rename(temp, name); err != nil {
		return pathError("write file", shown, err)
	}
	return nil
}

// linkNew is renameNew for systems that cannot do it in one step.
func linkNew(dir *os.Root, from, to string) error {
	if err := dir.Link(from, to); err != nil {
		return err
	}
	return dir.Remove(from)
}

// removed deletes a file that may be gone already.
func removed(dir *os.Root, name string) error {
	if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func syncDir(dir *os.Root, shown string) error {
	d, err := dir.Open(".")
	if err != nil {
		return pathError("write file", shown, err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return pathError("write file", shown, err)
	}
	return nil
}
