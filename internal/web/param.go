package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// list reads a parameter that may be given several times, or with commas.
func list[T ~string](r *http.Request, name string) []T {
	var out []T
	for _, v := range r.URL.Query()[name] {
		for s := range strings.SplitSeq(v, ",") {
			if s != "" {
				out = append(out, T(s))
			}
		}
	}
	return out
}

// moment reads a time such as 2026-01-31T10:00:00Z, or a day in UTC.
func moment(r *http.Request, name string) (time.Time, error) {
	v := r.FormValue(name)
	if v == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, v); err == nil {
			return t, nil
		}
	}
	return time.Time{}, &moothall.Error{
		Code: moothall.CodeInvalid, Op: "request", Message: name + " is not a time", Remedy: "write 2026-01-31 or 2026-01-31T10:00:00Z",
	}
}

func number(r *http.Request, name string, otherwise int) (int, error) {
	v := r.FormValue(name)
	if v == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, moothall.Fail(moothall.CodeInvalid, "request", name+" is not a number")
	}
	return n, nil
}

// pageSize reads a limit that must be from 1 to the most that one answer holds.
func pageSize(r *http.Request, otherwise int) (int, error) {
	n, err := number(r, "limit", otherwise)
	if err == nil && (n == 0 || n > maxPage) {
		err = moothall.Fail(moothall.CodeInvalid, "request", fmt.Sprintf("limit is from 1 to %d", maxPage))
	}
	return n, err
}

// maxPage is how much of a list one answer holds.
const maxPage = 1000
