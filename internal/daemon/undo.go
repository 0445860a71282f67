package daemon

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"moothall"
	"moothall/internal/atomicfile"
	filetool "moothall/internal/tool/fs"
)

const (
	undoKept = 200 // changes that can be taken back
	undoForm = "20060102T150405.000000000"
	nameMax  = 255 // bytes of a file's name
	opUndo   = "undo"
)

// FileChange is one that an agent made, or an undo, and that can be taken back.
type FileChange struct {
	ID    string    `json:"id"`
	Path  string    `json:"path"`
	When  time.Time `json:"when"`
	Made  bool      `json:"made"`  // there was no such file before
	Bytes int64     `json:"bytes"` // that it had

	folder string      // the real one of Path
	mode   fs.FileMode // that it had
}

// undos are the changes of a home, each by its time, or by the next one after
// the last change when the clock was set back. TIME-NAME is what the file
// held and TIME.path where it lies; TIME.made is where one lies that was not there
// before: its path, its folder without links and its mode, with NULs between.
// Content comes before its path and goes after it, so that a change whose keeping
// was broken off is none, and never one that made a file.
type undos string

func undosOf(h Home) undos { return undos(filepath.Join(h.State, "undo")) }

// undoName is a file of one change.
var undoName = regexp.MustCompile(`(?s)^(\d{8}T\d{6}\.\d{9})(?:-.*|\.path|\.made)$`)

// keep takes down what a file is before it is changed, and returns how to forget
// that when it was not changed after all.
func (u undos) keep(was filetool.Before) (forget func() error, err error) {
	if err := os.MkdirAll(string(u), 0o700); err != nil {
		return nil, err
	}
	dir, err := os.Open(string(u))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	// The hall and moothall undo must not take the same time; where there are no
	// locks, that hardly happens.
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX); err == nil {
		defer unlock(dir)
	}
	id, err := u.next()
	if err != nil {
		return nil, err
	}
	where := id + ".made"
	if was.Data != nil {
		where = id + ".path"
		if err := atomicfile.Write(u.content(id, was.Path), was.Data, 0o600); err != nil {
			return nil, err
		}
	}
	if err := atomicfile.Write(u.file(where), fmt.Appendf(nil, "%s\x00%s\x00%o", was.Path, was.Folder, was.Mode.Perm()), 0o600); err != nil {
		return nil, err
	}
	forget = func() error { return errors.Join(u.remove(where), u.remove(filepath.Base(u.content(id, was.Path)))) }
	return forget, u.prune()
}

// next is the time of a new change.
func (u undos) next() (string, error) {
	entries, err := os.ReadDir(string(u)) // sorted by name, so by time
	if err != nil {
		return "", err
	}
	now := time.Now().UTC()
	for _, e := range slices.Backward(entries) {
		if m := undoName.FindStringSubmatch(e.Name()); m != nil {
			if last, err := time.Parse(undoForm, m[1]); err == nil && !now.After(last) {
				now = last.Add(1)
			}
			break
		}
	}
	return now.Format(undoForm), nil
}

func (u undos) file(name string) string { return filepath.Join(string(u), name) }

// remove deletes a file that may be gone already: others prune as well.
func (u undos) remove(name string) error {
	if err := os.Remove(u.file(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// content is where it is kept what a file held. The end of a long name is left
// out.
func (u undos) content(id, path string) string {
	name := id + "-" + filepath.Base(path)
	if len(name) > nameMax {
		name = strings.ToValidUTF8(name[:nameMax], "")
	}
	return u.file(name)
}

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
			err = errors.Join(err, u.remove(e.Name()))
		}
	}
	return err
}

// keepUndo keeps what a file was before an agent changed it, so that the
// person can have it back; a file that cannot be had back is left alone.
func (h *Hall) keepUndo(was filetool.Before) (forget func(), err error) {
	remove, err := undosOf(h.home).keep(was)
	if remove == nil {
		return nil, notKept(h.home, was.Path, err)
	}
	if err != nil {
		h.log.Warn("older changes could not be forgotten", "err", err)
	}
	return func() {
		if err := remove(); err != nil {
			h.log.Warn("a change that was not made could not be forgotten", "path", was.Path, "err", err)
		}
	}, nil
}

// notKept says why a file is left alone, and what to do about it.
func notKept(h Home, path string, err error) error {
	why := homeError("keep for undo", string(undosOf(h)), err)
	return &moothall.Error{
		Code: moothall.ErrorCode(why), Op: "write file", Message: path + " was not changed, since what it holds now cannot be kept for moothall undo",
		Remedy: moothall.ErrorRemedy(why), Err: why,
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
		mark, err := os.ReadFile(u.file(e.Name()))
		path, rest, _ := strings.Cut(string(mark), "\x00")
		if err != nil || !filepath.IsAbs(path) {
			continue // just forgotten, or of nobody here
		}
		folder, mode, _ := strings.Cut(rest, "\x00")
		// Of before these were kept: the path must have no links, the file is private.
		c := FileChange{ID: id, Path: path, When: when, Made: made, folder: cmp.Or(folder, filepath.Dir(path)), mode: 0o600}
		if bits, err := strconv.ParseUint(mode, 8, 9); err == nil {
			c.mode = fs.FileMode(bits)
		}
		if info, err := os.Stat(u.content(id, path)); err == nil {
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
	var old []byte
	if !c.Made {
		var err error
		if old, err = os.ReadFile(u.content(c.ID, c.Path)); err != nil {
			return undoError(moothall.CodeNotFound, "what "+c.Path+" held is no longer kept", err)
		}
	}
	dir, err := u.open(c)
	if err != nil {
		return err
	}
	defer dir.Close()
	now, mode, err := current(dir, c)
	if err != nil {
		return err
	}
	if !c.Made && now != nil && bytes.Equal(now, old) {
		return undoError(moothall.CodeConflict, c.Path+" holds that already", nil)
	}
	forget, err := u.keep(filetool.Before{Path: c.Path, Folder: c.folder, Data: now, Mode: mode})
	if err != nil {
		return undoError(moothall.CodeUnavailable, "what "+c.Path+" holds cannot be kept, so it is left alone", err)
	}
	if c.Made {
		err = dir.Remove(filepath.Base(c.Path))
	} else {
		err = atomicfile.WriteIn(dir, filepath.Base(c.Path), old, mode)
	}
	if err != nil {
		return undoError(moothall.CodeUnavailable, c.Path+" cannot be changed", errors.Join(err, forget()))
	}
	return nil
}

func undoError(code moothall.Code, message string, err error) error {
	return &moothall.Error{Code: code, Op: opUndo, Message: message, Err: err}
}

// open opens the folder of a change, if it is still the one that the file lay
// in: an agent may have put a link in its place, to where only the person may
// write.
func (u undos) open(c FileChange) (*os.Root, error) {
	dir, err := os.OpenRoot(filepath.Dir(c.Path))
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Made:
		return nil, undoError(moothall.CodeConflict, c.Path+" is not there, as it was before", nil)
	case err != nil:
		return nil, undoError(moothall.CodeUnavailable, "the folder of "+c.Path+" cannot be opened", err)
	}
	name, err := filetool.RealName(dir)
	if err == nil && name == c.folder {
		return dir, nil
	}
	e := &moothall.Error{
		Code: moothall.CodeConflict, Op: opUndo, Message: fmt.Sprintf("%s now leads to %s, so that is left alone", filepath.Dir(c.Path), name),
		Remedy: "put the folder back in its place, or remove the file yourself", Err: err,
	}
	if !c.Made {
		e.Remedy = "put the folder back in its place, or take what the file held from " + u.content(c.ID, c.Path)
	}
	return nil, errors.Join(e, dir.Close())
}

// current is what a file holds now, nil when it is not there, and the mode that
// it is to have.
func current(dir *os.Root, c FileChange) ([]byte, fs.FileMode, error) {
	name := filepath.Base(c.Path)
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Made:
		return nil, 0, undoError(moothall.CodeConflict, c.Path+" is not there, as it was before", nil)
	case errors.Is(err, fs.ErrNotExist):
		return nil, c.mode, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, 0, undoError(moothall.CodeConflict, c.Path+" is no longer a file", nil)
	}
	var now []byte
	if err == nil {
		now, err = dir.ReadFile(name)
	}
	if err != nil {
		return nil, 0, undoError(moothall.CodeUnavailable, c.Path+" cannot be read", err)
	}
	return now, info.Mode().Perm(), nil
}
