package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"moothall"
	"moothall/internal/atomicfile"
)

// A restore that is cut off in the middle leaves half a home, on which a hall would
// begin anew. So a note beside the data says how far it is until it is finished, and
// who takes the home next puts back what was there before.
const (
	movingAside = "aside" // of what was there, a part is in its old place
	movingIn    = "in"    // all of it is aside, and what is in place is the backup's
)

const asidePrefix = "before-restore-"

func (h Home) restoring() string { return filepath.Join(h.Data, ".restoring") }

// noteRestoring notes how far a restore is that moves things into folders called name.
func noteRestoring(h Home, far, name string) error {
	return writeFile(h.restoring(), []byte(far+" "+name))
}

// undoRestore makes the home what it was before a restore that was not finished, and
// reports whether there was one. It may itself be cut off.
func undoRestore(h Home) (undone bool, err error) {
	note, err := os.ReadFile(h.restoring())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, homeError("undo restore", h.restoring(), err)
	}
	far, name, _ := strings.Cut(string(note), " ")
	if !strings.HasPrefix(name, asidePrefix) || name != filepath.Base(name) {
		return false, &moothall.Error{
			Code: moothall.CodeCorrupt, Op: "undo restore", Message: h.restoring() + " cannot be read",
			Remedy: "move what is in " + asidePrefix + "… back to where it was, and that file away",
		}
	}
	if far == movingIn {
		if err := clearOut(h, name); err != nil {
			return true, err
		}
		if err := noteRestoring(h, movingAside, name); err != nil { // what comes back now must not be cleared out
			return true, err
		}
	}
	if err := errors.Join(putBack(h, name), syncFolders(h)); err != nil {
		return true, err
	}
	return true, endRestoring(h)
}

// endRestoring takes the note away: the home is whole, be it the old or the new one.
func endRestoring(h Home) error {
	if err := os.Remove(h.restoring()); err != nil {
		return homeError("restore", h.restoring(), err)
	}
	return atomicfile.SyncDir(h.Data)
}

func syncFolders(h Home) error {
	return errors.Join(atomicfile.SyncDir(h.Config), atomicfile.SyncDir(h.Data), atomicfile.SyncDir(h.State))
}

// tidy removes what a backup or restore left that was cut off, which holds a copy of
// everything, and undoes the restore. It is for who has just locked the home, and
// fails where the home is another one now than a moment ago.
func (h Home) tidy() error {
	if err := errors.Join(removeFrom(h.State, backupStage), removeFrom(h.Data, restoreStage)); err != nil {
		return err
	}
	undone, err := undoRestore(h)
	if undone && err == nil {
		err = &moothall.Error{ // with a code at which nobody tries again by himself: the configuration was read before
			Code: moothall.CodeInterrupted, Op: "lock home",
			Message: "a restore of " + h.Data + " was cut off; what was there before it is in its place again", Remedy: "do this once more",
		}
	}
	return err
}

// removeFrom deletes the folders whose names begin so.
func removeFrom(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	if err != nil {
		return homeError("tidy home", dir, err)
	}
	return nil
}

// clearOut removes what was moved in; all that was there before is aside.
func clearOut(h Home, name string) (err error) {
	for _, f := range folders(h) {
		for _, part := range homeParts[f.name] {
			path := filepath.Join(f.dir, part)
			if !holds(path) {
				continue
			}
			if gone := os.RemoveAll(path); holds(path) { // a mounted folder stays, and is empty
				err = errors.Join(err, asideError(filepath.Join(f.dir, name), gone))
			}
		}
	}
	return err
}

// putBack undoes [moveAside].
func putBack(h Home, name string) (err error) {
	for _, f := range folders(h) {
		aside := filepath.Join(f.dir, name)
		for _, part := range homeParts[f.name] {
			src := filepath.Join(aside, part)
			if !holds(src) {
				continue
			}
			dst := filepath.Join(f.dir, part)
			_ = syscall.Rmdir(dst) // an empty folder that was moved in would be in the way
			if back := rename(src, dst); back != nil {
				err = errors.Join(err, asideError(aside, back))
			}
		}
		_ = os.Remove(aside) // goes when it is empty
	}
	return err
}

func asideError(aside string, err error) error {
	return &moothall.Error{
		Code: moothall.CodeInternal, Op: "restore", Message: "what was there before could not be put back and is in " + aside, Err: err,
		Remedy: "move it back from there before you start a hall",
	}
}
