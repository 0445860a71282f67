package gateway

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"moothall"
)

// writeJSON replaces a file so that a reader sees the old or the new content
// whole, also after a power cut.
func writeJSON(op, path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: op, Err: err}
	}
	if err := replace(path, append(b, '\n')); err != nil {
		return fileError(op, path, err)
	}
	return nil
}

func replace(path string, b []byte) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func fileError(op, path string, err error) error {
	e := &moothall.Error{Code: moothall.CodeInternal, Op: op, Message: "cannot write " + path, Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Code, e.Message, e.Remedy = moothall.CodeExhausted, "the disk is full", "free some space on the disk of "+path
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Code, e.Remedy = moothall.CodeDenied, "allow yourself to write in "+filepath.Dir(path)
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Remedy = moothall.CodeNotFound, "make the folder "+filepath.Dir(path)
	}
	return e
}
