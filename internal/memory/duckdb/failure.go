//go:build duckdb

package duckdb

import (
	"context"
	"errors"
	"strings"

	driverlib "github.com/duckdb/duckdb-go/v2"

	"moothall"
)

// failure gives an error of DuckDB a code. Errors that have one keep it.
func failure(op string, err error) error {
	var known *moothall.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	e := &moothall.Error{Code: moothall.CodeInternal, Op: op, Err: err}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Code = moothall.ErrorCode(err)
		return e
	}
	text := err.Error()
	var foreign *driverlib.Error
	errors.As(err, &foreign)
	switch {
	case strings.Contains(text, "Could not set lock"):
		e.Code, e.Message, e.Remedy = moothall.CodeConflict, "another process is using the memory's DuckDB file", "stop the other process, or let it do the work"
	case strings.Contains(text, "No space left"), foreign != nil && foreign.Type == driverlib.ErrorTypeOutOfMemory:
		e.Code, e.Message, e.Remedy = moothall.CodeExhausted, "there is no room left for the memory", "free some space on the disk"
	case strings.Contains(text, "not a valid DuckDB database"), strings.Contains(text, "checksum"), foreign != nil && foreign.Type == driverlib.ErrorTypeSerialization:
		e.Code, e.Message, e.Remedy = moothall.CodeCorrupt, "the memory's DuckDB file is damaged", "restore it from a backup"
	case foreign != nil && foreign.Type == driverlib.ErrorTypeInterrupt:
		e.Code = moothall.CodeCanceled
	case foreign != nil && foreign.Type == driverlib.ErrorTypeFatal:
		e.Code, e.Message, e.Remedy = moothall.CodeUnavailable, "DuckDB has stopped working on this file", "start the hall again"
	}
	return e
}
