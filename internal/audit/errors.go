package audit

import (
	"errors"
	"fmt"
	"syscall"

	"moothall"
)

const remedyTampered = "run \"moothall audit verify\" and keep the directory as it is; " +
	"move it away to begin a new log, or put it back from a backup."

// tampered says where the record and its proof part ways.
func tampered(op, format string, args ...any) *moothall.Error {
	return &moothall.Error{
		Code: moothall.CodeTampered, Op: op, Message: fmt.Sprintf(format, args...), Remedy: remedyTampered,
	}
}

// ioFailure wraps an error of the file system; a full disk has its own code.
func ioFailure(op string, err error) *moothall.Error {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
	if full {
		return &moothall.Error{
			Code: moothall.CodeExhausted, Op: op, Message: "no space left for the audit log",
			Remedy: "free some disk space; no tool runs without its record", Err: err,
		}
	}
	return &moothall.Error{Code: moothall.CodeInternal, Op: op, Err: err}
}
