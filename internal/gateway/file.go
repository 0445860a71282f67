package gateway

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"moothall"
	"moothall/internal/atomicfile"
)

// writeJSON replaces a file so that a reader sees the old or the new content
// whole, also after a power cut.
func writeJSON(op, path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: op, Err: err}
	}
	if err := atomicfile.Write(path, append(b, '\n'), 0o600); err != nil {
		return fileError(op, path, err)
	}
	return nil
}

func fileError(op, path string, err error) error {
	e := &moothall.Error{Code: moothall.CodeInternal, Op: op, Message: "cannot write " + path, Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Code, e.Message, e.Remedy = moothall.CodeExhausted, "the disk is full", "free some space on the disk of "+path
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Code, e.Remedy = moothall.CodeDenied, "allow yourself to write in "+filepath.Dir(path)
	case errors.Is(err, syscall.ENOTDIR):
		e.Code, e.Message, e.Remedy = moothall.CodeConflict, path+" is not in a folder, or is none", "move away what is there in its place"
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Remedy = moothall.CodeNotFound, "make the folder "+filepath.Dir(path)
	}
	return e
}
