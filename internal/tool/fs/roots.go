package fs

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"moothall"
)

// RootsOptions are the settings of [Roots].
type RootsOptions struct {
	// Home is what "~" stands for; without it a path with "~" is refused.
	Home string
	// Limit is how many roots stay open while nobody uses them; 0 means 64.
	Limit int
	// Hidden are folders and files, absolute, that no call reaches, whatever
	// folder holds them and whatever link leads there.
	Hidden []string
	// Shown are places inside hidden ones that can be used all the same.
	Shown []string
}

// Roots keeps folders open: one root a folder and session.
type Roots struct {
	home  string
	limit int
	kept  *hiding

	mu     sync.Mutex
	open   map[rootKey]*root
	clock  uint64 // counts uses; the least recent goes first
	closed bool
}

type rootKey struct {
	session moothall.SessionID
	folder  string
}

// root is one open folder. Roots.mu guards refs, used and gone.
type root struct {
	*os.Root
	folder string
	info   os.FileInfo
	system system
	kept   *hiding
	name   string // the real one, of a folder that is about to be changed
	refs   int
	used   uint64
	gone   bool // left the cache: the last user closes it
}

// NewRoots returns an empty set of roots.
func NewRoots(o *RootsOptions) *Roots {
	if o == nil {
		o = &RootsOptions{}
	}
	return &Roots{home: o.Home, limit: cmp.Or(o.Limit, 64), kept: newHiding(o.Hidden, o.Shown), open: map[rootKey]*root{}}
}

// Close closes every root; those in use are closed by their last user.
func (r *Roots) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	var errs []error
	for k := range r.open {
		errs = append(errs, r.drop(k))
	}
	return errors.Join(errs...)
}

// EndSession closes the roots of one session.
func (r *Roots) EndSession(s moothall.SessionID) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for k := range r.open {
		if k.session == s {
			errs = append(errs, r.drop(k))
		}
	}
	return errors.Join(errs...)
}

// drop takes a root out of the cache. The caller holds mu.
func (r *Roots) drop(k rootKey) error {
	h := r.open[k]
	delete(r.open, k)
	h.gone = true
	if h.refs > 0 {
		return nil
	}
	return h.Close()
}

// acquire returns the root of a folder, which the caller releases.
func (r *Roots) acquire(s moothall.SessionID, folder string) (*root, error) {
	info, err := checkFolder(folder)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, moothall.Fail(moothall.CodeUnavailable, "open folder", "the file tools are shutting down")
	}
	key := rootKey{s, folder}
	h := r.open[key]
	if h != nil && !os.SameFile(h.info, info) {
		// The folder was replaced: the handle names what used to be there.
		if err := r.drop(key); err != nil {
			return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "close folder", Message: "the folder could not be closed", Err: err}
		}
		h = nil
	}
	if h == nil {
		if h, err = r.openRoot(folder, info); err != nil {
			return nil, err
		}
		r.open[key] = h
	}
	r.clock++
	h.refs, h.used = h.refs+1, r.clock
	r.evict()
	return h, nil
}

// evict closes the least recently used idle roots over the limit. The caller
// holds mu.
func (r *Roots) evict() {
	for len(r.open) > r.limit {
		var oldest rootKey
		var found *root
		for k, h := range r.open {
			if h.refs == 0 && (found == nil || h.used < found.used) {
				oldest, found = k, h
			}
		}
		if found == nil {
			return // all in use
		}
		// A handle that was only read through loses nothing when closing fails.
		_ = r.drop(oldest)
	}
}

// release gives back what acquire returned.
func (r *Roots) release(h *root) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h.refs--
	if h.refs == 0 && h.gone {
		_ = h.Close() // as in evict
	}
}

func (r *Roots) openRoot(folder string, info os.FileInfo) (*root, error) {
	opened, err := os.OpenRoot(folder)
	if err != nil {
		return nil, pathError("open folder", folder, err)
	}
	h := &root{Root: opened, folder: folder, info: info, kept: r.kept}
	if err := h.settle(); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return h, nil
}

// settle checks that what was opened is what was looked at.
func (h *root) settle() error {
	d, err := h.Open(".")
	if err != nil {
		return pathError("open folder", h.folder, err)
	}
	defer d.Close()
	info, err := d.Stat()
	if err != nil {
		return pathError("open folder", h.folder, err)
	}
	if !os.SameFile(info, h.info) {
		return moothall.Fail(moothall.CodeConflict, "open folder", h.folder+" was replaced while it was opened")
	}
	if h.system, err = systemOf(d); err != nil {
		return pathError("open folder", h.folder, err)
	}
	if h.system.made {
		return moothall.Fail(moothall.CodeDenied, "open folder", h.folder+" is a window into the system, not a folder of files")
	}
	return nil
}

// checkFolder looks at a folder before it is opened or used again: somebody
// else must not be able to decide what lies in it.
func checkFolder(folder string) (os.FileInfo, error) {
	if !filepath.IsAbs(folder) {
		return nil, moothall.Fail(moothall.CodeInvalid, "open folder", folder+" is not an absolute path")
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return nil, pathError("open folder", folder, err)
	}
	deny := func(why, remedy string) (os.FileInfo, error) {
		return nil, &moothall.Error{Code: moothall.CodeDenied, Op: "open folder", Message: folder + " " + why, Remedy: remedy}
	}
	uid, known := owner(info)
	mine := !known || uid == os.Geteuid()
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return deny("is a symbolic link", "allow the folder that it leads to instead")
	case !mode.IsDir():
		return deny("is not a folder", "")
	case mode.Perm()&0o002 != 0:
		return deny("can be written to by everybody on this machine", "take that right away with chmod o-w, or use another folder")
	case !mine && uid != 0:
		return deny("belongs to another account", "use a folder of your own")
	case !mine && mode.Perm()&0o020 != 0:
		return deny("can be written to by another group", "use a folder of your own")
	}
	return info, nil
}
