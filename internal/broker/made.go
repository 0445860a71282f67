package broker

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"moothall/internal/store"
)

// maxMade bounds the files that a session remembers to have made. Changing
// one that came after is asked about.
const maxMade = 4096

// exists asks the file system. What cannot be looked at counts as there.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// free reports whether writing to a place inside the agent's folders loses
// nothing of the person's. A new file is noted, to be remembered once it is
// made.
func (b *Broker) free(c *call, asked, at string) bool {
	if !b.opt.Exists(at) {
		c.fresh = append(c.fresh, at)
		return true
	}
	return c.agent.session.hasMade(b.files.hash(at)) || c.agent.session.known.names(asked, at)
}

func (s *session) hasMade(h pathHash) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made[h]
}

// remember notes files that were made and returns what is new.
func (s *session) remember(hashes []pathHash) []pathHash {
	s.mu.Lock()
	defer s.mu.Unlock()
	var fresh []pathHash
	for _, h := range hashes {
		if !s.made[h] && len(s.made) < maxMade {
			s.made[h] = true
			fresh = append(fresh, h)
		}
	}
	return fresh
}

// names reports whether the person typed a file's name: as it was asked for,
// or its path, or any end of that. A name without a dot is a word like others,
// and names nothing.
func (l *literals) names(asked, at string) bool {
	if l.typedWord(asked) && strings.ContainsAny(asked, "./") {
		return true
	}
	for rest := at; rest != ""; {
		if strings.ContainsAny(rest, "./") && l.typedWord(rest) {
			return true
		}
		_, after, ok := strings.Cut(rest, "/")
		if !ok {
			return false
		}
		rest = after
	}
	return false
}

func saveMade(tx *store.Tx, session string, hashes []pathHash) error {
	for _, h := range hashes {
		if _, err := tx.Exec(context.Background(), `INSERT INTO broker_made (session, hash) VALUES (?, ?) ON CONFLICT DO NOTHING`, session, h[:]); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) loadMade(ctx context.Context, tx *store.Tx) error {
	rows, err := tx.Query(ctx, `SELECT hash FROM broker_made WHERE session = ? LIMIT ?`, s.id, maxMade)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return err
		}
		if len(raw) == len(pathHash{}) {
			s.made[pathHash(raw)] = true
		}
	}
	return rows.Err()
}
