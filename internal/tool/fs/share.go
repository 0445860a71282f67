package fs

import (
	"context"
	"os"
	"path/filepath"

	"moothall"
)

// ReadFile reads a regular file that lies in one of the folders, for tools
// beside these. CodeDenied outside of them, CodeTooLarge over the limit.
func (r *Roots) ReadFile(s moothall.SessionID, folders []string, path string, limit int64) ([]byte, os.FileInfo, error) {
	h, rel, err := r.pick(s, folders, filepath.Clean(path))
	if err != nil {
		return nil, nil, err
	}
	defer r.release(h)
	return h.readFile(rel, path, limit)
}

// FilesOptions say which files [Roots.Files] visits.
type FilesOptions struct {
	Glob     string // of names; "" means all
	MaxFile  int64  // bytes of one file; larger ones are handed to Skip
	MaxFiles int    // entries looked at; the rest is left out
	// Skip hears of files that could not be read; it may be nil.
	Skip func(path string, err error)
}

// Files visits the regular files below a folder that lies in one of the
// folders, in order of names, with their bytes. Hidden and ignored ones are
// left out. It reports whether there were more than MaxFiles.
func (r *Roots) Files(ctx context.Context, s moothall.SessionID, folders []string, dir string, o FilesOptions, visit func(Entry, []byte) error) (more bool, err error) {
	g, err := compileGlob(o.Glob)
	if err != nil {
		return false, err
	}
	h, rel, err := r.pick(s, folders, filepath.Clean(dir))
	if err != nil {
		return false, err
	}
	defer r.release(h)
	w := walk{root: h, rel: rel, ignore: true, left: o.MaxFiles}
	w.visit = func(e Entry) error {
		if !e.Info.Mode().IsRegular() || !g.match(e.Path) {
			return nil
		}
		b, _, err := h.readFile(filepath.Join(rel, filepath.FromSlash(e.Path)), e.Path, o.MaxFile)
		if err != nil {
			if o.Skip != nil {
				o.Skip(e.Path, err)
			}
			return nil
		}
		return visit(e, b)
	}
	err = w.run(ctx, dir)
	return w.cut, err
}
