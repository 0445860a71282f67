package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"moothall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// wrap gives an error of SQLite or the file system its code, a message and a
// remedy. It is the one place that knows them. What has a code already, and
// what neither of the two said, stays as it is.
func wrap(op, path string, err error) error {
	if _, known := errors.AsType[*moothall.Error](err); known || err == nil {
		return err
	}
	e := diagnose(path, err)
	if e == nil {
		return err
	}
	e.Op, e.Err = op, err
	return e
}

func diagnose(path string, err error) *moothall.Error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		// A cancelled statement is an interrupted one to SQLite; the
		// context says which of its two endings it was.
		if c := diagnoseContext(err); c != nil {
			return c
		}
		return diagnoseSQLite(path, e.Code())
	}
	if errors.Is(err, sql.ErrNoRows) {
		return &moothall.Error{Code: moothall.CodeNotFound, Message: "there is no such row"}
	}
	if c := diagnoseContext(err); c != nil {
		return c
	}
	return diagnoseFile(path, err)
}

func diagnoseContext(err error) *moothall.Error {
	switch {
	case errors.Is(err, context.Canceled):
		return &moothall.Error{Code: moothall.CodeCanceled, Message: "the caller gave up"}
	case errors.Is(err, context.DeadlineExceeded):
		return &moothall.Error{Code: moothall.CodeTimeout, Message: "it took longer than the caller allowed"}
	}
	return nil
}

// diagnoseSQLite goes by the extended code where that says more, then by the
// primary one.
func diagnoseSQLite(path string, code int) *moothall.Error {
	switch code {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE:
		return full(path)
	case sqlite3.SQLITE_IOERR_WRITE:
		// SQLite says FULL for ENOSPC alone. A quota and a limit on file
		// sizes come as a failed write, and so does a disk that broke.
		e := full(path)
		e.Message = "the disk refused a write: a quota or limit is reached, or the disk is failing"
		return e
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return &moothall.Error{Code: moothall.CodeConflict, Message: "such a row is there already"}
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &moothall.Error{
			Code: moothall.CodeConflict, Message: "another process is using " + path,
			Remedy: "end the other process, or try again",
		}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return denied(path)
	case sqlite3.SQLITE_CANTOPEN:
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Message: "cannot open " + path,
			Remedy: fmt.Sprintf("make sure that %s is there and that you may write in %s", path, filepath.Dir(path)),
		}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return damaged(path, "is damaged, or is no database")
	case sqlite3.SQLITE_IOERR:
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Message: "the disk of " + path + " does not answer as it should",
			Remedy: "check the disk and its connection, then start again",
		}
	case sqlite3.SQLITE_INTERRUPT:
		return &moothall.Error{Code: moothall.CodeCanceled, Message: "the caller gave up"}
	case sqlite3.SQLITE_CONSTRAINT:
		return &moothall.Error{Code: moothall.CodeInvalid, Message: "the row breaks a rule of its table"}
	case sqlite3.SQLITE_TOOBIG:
		return &moothall.Error{Code: moothall.CodeTooLarge, Message: "the value is larger than a row can hold"}
	case sqlite3.SQLITE_NOMEM:
		return &moothall.Error{Code: moothall.CodeExhausted, Message: "out of memory"}
	}
	return &moothall.Error{Code: moothall.CodeInternal, Message: "the database refused a statement"}
}

// diagnoseFile knows the errors of files; nil for all others.
func diagnoseFile(path string, err error) *moothall.Error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return full(path)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return denied(path)
	case errors.Is(err, fs.ErrNotExist):
		return &moothall.Error{
			Code: moothall.CodeNotFound, Message: path + " is not there, or its folder is not",
			Remedy: "make the folder " + filepath.Dir(path) + ", or name another file",
		}
	case errors.Is(err, fs.ErrExist):
		return &moothall.Error{
			Code: moothall.CodeConflict, Message: path + " is there already",
			Remedy: "name a file that is not there yet",
		}
	}
	return nil
}

func full(path string) *moothall.Error {
	return &moothall.Error{
		Code: moothall.CodeExhausted, Message: "the disk is full",
		Remedy: "free some space on the disk of " + path + "; writing then works again",
	}
}

func denied(path string) *moothall.Error {
	return &moothall.Error{
		Code: moothall.CodeDenied, Message: path + " cannot be written",
		Remedy: fmt.Sprintf("allow yourself to write %s and its folder, and make sure that the disk is not mounted read-only", path),
	}
}

func damaged(path, how string) *moothall.Error {
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Message: path + " " + how,
		Remedy: "keep a copy of the file, then restore a backup in its place",
	}
}

// isReadOnly reports whether SQLite refused a change for lack of permission.
func isReadOnly(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_READONLY
}

// errLost is why writes that shared a transaction are not there: the
// connection had to be given up before the flush.
var errLost = moothall.Fail(moothall.CodeUnavailable, "write store", "the transaction that it shared was lost; nothing of it was kept")
