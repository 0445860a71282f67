package daemon

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/atomicfile"
)

const (
	undoKept = 200 // changes that can be taken back
	undoForm = "20060102T150405.000000000"
	opUndo   = "undo"
)

// FileChange is one that an agent made, or an undo, and that can be taken back.
type FileChange struct {
	ID    string    `json:"id"`
	Path  string    `json:"path"`
	When  time.Time `json:"when"`
	Made  bool      `json:"made"`  // there was no such file before
	Bytes int64     `json:"bytes"` // that it had
}

// undos are the changes of a home, each by its time. TIME-NAME is what the file
// held and TIME.path where it lies; TIME.made is where one lies that was not there
// before. Content comes before its path and goes after it, so that a change whose
// keeping was broken off is none, and never one that made a file.
type undos string

func undosOf(h Home) undos { return undos(filepath.Join(h.State, "undo")) }

// undoName is a file of one change.
var undoName = regexp.MustCompile(`^(\d{8}T\d{6}\.\d{9})(?:-.*|\.path|\.made)$`)

// keep takes down what a file holds before it is changed; nil: there is none.
func (u undos) keep(path string, old []byte) error {
	id := time.Now().UTC().Format(undoForm)
	if err := os.MkdirAll(string(u), 0o700); err != nil {
		return err
	}
	where := id + ".made"
	if old != nil {
		where = id + ".path"
		if err := atomicfile.Write(u.file(id+"-"+filepath.Base(path)), old, 0o600); err != nil {
			return err
		}
	}
	if err := atomicfile.Write(u.file(where), []byte(path), 0o600); err != nil {
		return err
	}
	return u.prune()
}

func (u undos) file(name string) string { return filepath.Join(string(u), name) }

// prune forgets the oldest changes.
func (u undos) prune() error {
	entries, err := os.ReadDir(string(u)) // sorted by name, so by time
	if err != nil {
		return err
	}
	var ids []string
	for _, e := range entries {
		if m := undoName.FindStringSubmatch(e.Name()); m != nil {
			ids = append(ids, m[1])
		}
	}
	if ids = slices.Compact(ids); len(ids) <= undoKept {
		return nil
	}
	oldest := ids[len(ids)-undoKept]
	for _, e := range slices.Backward(entries) { // TIME.path before TIME-NAME
		if m := undoName.FindStringSubmatch(e.Name()); m != nil && m[1] < oldest {
			err = errors.Join(err, os.Remove(u.file(e.Name())))
		}
	}
	return err
}

// keepUndo keeps what a file held before an agent replaced it, so that the
// person can have it back.
func (h *Hall) keepUndo(path string, old []byte) {
	if err := undosOf(h.home).keep(path, old); err != nil {
		h.log.Warn("what a file held before could not be kept", "path", path, "err", err)
	}
}

// FileChanges lists what can be taken back, newest first. Changes of before it
// was kept where a file lies are left out.
func FileChanges(h Home) ([]FileChange, error) {
	u := undosOf(h)
	entries, err := os.ReadDir(string(u))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeUnavailable, Op: opUndo, Message: "the kept files cannot be read", Err: err}
	}
	var out []FileChange
	for _, e := range slices.Backward(entries) {
		id, made := strings.CutSuffix(e.Name(), ".made")
		id, ok := strings.CutSuffix(id, ".path")
		when, err := time.Parse(undoForm, id)
		if !made && !ok || err != nil {
			continue
		}
		path, err := os.ReadFile(u.file(e.Name()))
		if err != nil || !filepath.IsAbs(string(path)) {
			continue // just forgotten, or of nobody here
		}
		c := FileChange{ID: id, Path: string(path), When: when, Made: made}
		if info, err := os.Stat(u.file(id + "-" + filepath.Base(c.Path))); err == nil {
			c.Bytes = info.Size()
		} else if !made {
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// UndoFile puts back what a file held before a change; one that was not there
// goes away. What it holds now is kept first, so that this can be taken back as
// well. CodeConflict says that there is nothing to do, or that something else is
// in the way.
func UndoFile(h Home, c FileChange) error {
	u := undosOf(h)
	fail := func(code moothall.Code, message string, err error) error {
		return &moothall.Error{Code: code, Op: opUndo, Message: message, Err: err}
	}
	var old []byte
	if !c.Made {
		var err error
		if old, err = os.ReadFile(u.file(c.ID + "-" + filepath.Base(c.Path))); err != nil {
			return fail(moothall.CodeNotFound, "what "+c.Path+" held is no longer kept", err)
		}
	}
	mode := fs.FileMode(0o644)
	var now []byte
	info, err := os.Lstat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Made:
		return fail(moothall.CodeConflict, c.Path+" is not there, as it was before", nil)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fail(moothall.CodeUnavailable, c.Path+" cannot be read", err)
	case !info.Mode().IsRegular():
		return fail(moothall.CodeConflict, c.Path+" is no longer a file", nil)
	default:
		mode = info.Mode().Perm()
		if now, err = os.ReadFile(c.Path); err != nil {
			return fail(moothall.CodeUnavailable, c.Path+" cannot be read", err)
		}
		if !c.Made && bytes.Equal(now, old) {
			return fail(moothall.CodeConflict, c.Path+" holds that already", nil)
		}
	}
	if err := u.keep(c.Path, now); err != nil {
		return fail(moothall.CodeUnavailable, "what "+c.Path+" holds cannot be kept, so it is left alone", err)
	}
	if c.Made {
		err = os.Remove(c.Path)
	} else {
		err = atomicfile.Write(c.Path, old, mode)
	}
	if err != nil {
		return fail(moothall.CodeUnavailable, c.Path+" cannot be changed", err)
	}
	return nil
}
