package broker

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"iter"
	"path/filepath"
	"slices"
	"sync"

	"moothall"
	"moothall/internal/store"
)

// maxWritten bounds what is remembered of files. Beyond it every file counts
// as written from outside: a long memory must not become a short one.
const maxWritten = 1 << 16

type pathHash [16]byte

// written remembers the files that came from runs with outside content in
// them. Without it a page that is saved in one session would be the person's
// own words in the next.
type written struct {
	key []byte

	mu    sync.Mutex
	paths map[pathHash]bool
}

func (w *written) hash(path string) pathHash { return w.sum("path ", path) }

// below is the mark of a folder in which any file may be from outside.
func (w *written) below(folder string) pathHash { return w.sum("below ", folder) }

func (w *written) sum(kind, path string) pathHash {
	m := hmac.New(sha256.New, w.key)
	m.Write([]byte(kind + filepath.Clean(path)))
	return pathHash(m.Sum(nil)[:16])
}

func (w *written) hashes(paths []string) []pathHash {
	out := make([]pathHash, len(paths))
	for i, p := range paths {
		out[i] = w.hash(p)
	}
	return out
}

func (w *written) load(ctx context.Context, db *store.DB) error {
	w.paths = map[pathHash]bool{}
	return db.Read(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, `SELECT hash FROM broker_written LIMIT ?`, maxWritten)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var h []byte
			if err := rows.Scan(&h); err != nil {
				return err
			}
			if len(h) == len(pathHash{}) {
				w.paths[pathHash(h)] = true
			}
		}
		return rows.Err()
	})
}

// from reports whether anything at or below one of the paths came from
// outside, or may have. A path counts as it was given too: older versions
// remembered those.
func (w *written) from(paths []string) bool {
	var marks []pathHash
	for _, p := range paths {
		given := filepath.Clean(p)
		for _, p := range slices.Compact([]string{given, realPath(given)}) {
			marks = append(marks, w.hash(p))
			for at := range upwards(p) {
				marks = append(marks, w.below(at))
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(paths) > 0 && len(w.paths) >= maxWritten {
		return true
	}
	return slices.ContainsFunc(marks, func(h pathHash) bool { return w.paths[h] })
}

// add remembers files, the folders that they are in, and folders any file of
// which may have been changed. It returns what is new, and whether there is room
// for no more.
func (w *written) add(files, folders []string) (fresh []pathHash, full bool) {
	var marks []pathHash
	for _, p := range files {
		if p = realPath(p); !w.covers(p) {
			marks = w.along(marks, p)
		}
	}
	for _, f := range folders {
		if f = realPath(f); !w.covers(f) {
			marks = append(w.along(marks, f), w.below(f))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range marks {
		if !w.paths[h] && len(w.paths) < maxWritten {
			w.paths[h] = true
			fresh = append(fresh, h)
		}
	}
	return fresh, len(w.paths) >= maxWritten
}

// along adds the marks of a path and of the folders that it is in.
func (w *written) along(marks []pathHash, path string) []pathHash {
	for at := range upwards(path) {
		marks = append(marks, w.hash(at))
	}
	return marks
}

// covers reports whether a folder is marked in which a path lies, so that it needs
// no mark of its own.
func (w *written) covers(path string) bool {
	for at := range upwards(path) {
		h := w.below(at)
		w.mu.Lock()
		marked := w.paths[h]
		w.mu.Unlock()
		if marked {
			return true
		}
	}
	return false
}

// realPath is a path without links, as far as it is there.
func realPath(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for at := range upwards(path) {
		if at, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(at, rest)
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
	return path
}

// upwards yields a path and the folders that it is in.
func upwards(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		at := filepath.Clean(path)
		for yield(at) && at != filepath.Dir(at) {
			at = filepath.Dir(at)
		}
	}
}

func saveWritten(tx *store.Tx, hashes []pathHash) error {
	for _, h := range hashes {
		if _, err := tx.Exec(context.Background(), `INSERT INTO broker_written (hash) VALUES (?) ON CONFLICT DO NOTHING`, h[:]); err != nil {
			return err
		}
	}
	return nil
}

// read is what a call has read: its paths, or all its folders when it names
// none and still can open files.
func (c *call) read() []string {
	if paths := c.paths[moothall.PathRead]; len(paths) > 0 {
		return paths
	}
	if !c.opensFiles() {
		return nil
	}
	return append(append([]string{}, c.reads...), c.writes...)
}

// lookFirst looks at what a program might change, before it runs.
func (c *call) lookFirst() {
	for _, f := range c.writes {
		c.earlier = append(c.earlier, lookAt(f, maxLooked))
	}
}

// anywhere reports whether a call may change anything in its folders: it runs
// programs and names no path.
func (c *call) anywhere() bool {
	return len(c.paths[moothall.PathWrite]) == 0 && c.entry.spec.Risk == moothall.RiskHigh
}

// changes reports whether a call may change files at all.
func (c *call) changes() bool { return len(c.paths[moothall.PathWrite]) > 0 || c.anywhere() }

// wrote is what a call may have changed: its paths; where it might have changed
// any file, those that are others now, and the folders of which that cannot be told.
func (c *call) wrote() (files, folders []string) {
	if !c.anywhere() {
		return c.paths[moothall.PathWrite], nil
	}
	for i, f := range c.writes {
		if i >= len(c.earlier) || c.earlier[i] == nil {
			folders = append(folders, f)
			continue
		}
		now := lookAt(f, maxLooked)
		some, whole, ok := now.since(c.earlier[i], realPath(f))
		if now == nil || !ok {
			some, whole = nil, []string{f}
		}
		files, folders = append(files, some...), append(folders, whole...)
	}
	return files, folders
}

// opensFiles reports whether a tool reaches files: it takes paths to read, has
// folders of its own, or runs programs in the agent's.
func (c *call) opensFiles() bool {
	for _, p := range c.entry.spec.Paths {
		if p.Access == moothall.PathRead {
			return true
		}
	}
	return c.entry.spec.Risk == moothall.RiskHigh || c.rules.Listed(c.entry.spec.Name)
}

// outside reports whether what a call wrote may hold content from outside: of
// its run, of the tool, or of a file that it could open. A tool that ended
// without a result has no labels, and may have copied such a file all the same.
func (b *Broker) outside(c *call, out *outcome) bool {
	labels := c.facts.Labels | c.entry.spec.Taints
	if out != nil {
		labels |= out.res.Labels
	}
	return labels.Has(moothall.Untrusted) || b.files.from(c.read())
}
