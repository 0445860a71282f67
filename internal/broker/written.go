package broker

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"path/filepath"
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

func (w *written) hash(path string) pathHash {
	m := hmac.New(sha256.New, w.key)
	m.Write([]byte("path " + filepath.Clean(path)))
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
// outside.
func (w *written) from(paths []string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.paths) >= maxWritten {
		return len(paths) > 0
	}
	for _, p := range paths {
		if w.paths[w.hash(p)] {
			return true
		}
	}
	return false
}

// add remembers files and the folders that they are in, and returns what is
// new.
func (w *written) add(paths []string) []pathHash {
	w.mu.Lock()
	defer w.mu.Unlock()
	var fresh []pathHash
	for _, p := range paths {
		for at := filepath.Clean(p); ; at = filepath.Dir(at) {
			if h := w.hash(at); !w.paths[h] && len(w.paths) < maxWritten {
				w.paths[h] = true
				fresh = append(fresh, h)
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return fresh
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

// wrote is what a call may have changed.
func (c *call) wrote() []string {
	if paths := c.paths[moothall.PathWrite]; len(paths) > 0 || c.entry.spec.Risk != moothall.RiskHigh {
		return paths
	}
	return c.writes
}

// opensFiles reports whether a tool reaches files: it takes paths to read, or
// runs programs in the agent's folders.
func (c *call) opensFiles() bool {
	for _, p := range c.entry.spec.Paths {
		if p.Access == moothall.PathRead {
			return true
		}
	}
	return c.entry.spec.Risk == moothall.RiskHigh
}
