package library

import (
	"embed"
	"io/fs"
	"sync"
)

// entries are kept as they are written: packed they would be a third as long,
// which is little beside the program, and would have to be made at each change.
//
//go:embed entries/*.jsonl
var entries embed.FS

// Library finds entries. Make one with [Open] or [New].
type Library struct {
	load func() shelf
}

// Open returns the program's own library. Nothing is read before it is used.
func Open() *Library {
	own, err := fs.Sub(entries, "entries")
	if err != nil {
		panic(err) // the name above is wrong
	}
	return New(own)
}

// New returns a library of the files *.jsonl, one entry a line.
func New(files fs.FS) *Library {
	return &Library{load: sync.OnceValue(func() shelf { return read(files) })}
}

// Err says why the entries cannot be read; nil when they can.
func (l *Library) Err() error { return l.load().err }

// Len is how many entries there are.
func (l *Library) Len() int { return len(l.load().cards) }

// Get returns an entry by its id.
func (l *Library) Get(id string) (Entry, bool) {
	s := l.load()
	i, ok := s.byID[id]
	if !ok {
		return Entry{}, false
	}
	return s.entry(i)
}

// All returns every entry.
func (l *Library) All() []Entry {
	s := l.load()
	out := make([]Entry, 0, len(s.cards))
	for i := range s.cards {
		if e, ok := s.entry(i); ok {
			out = append(out, e)
		}
	}
	return out
}
