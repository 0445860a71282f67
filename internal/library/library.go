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

// shelf is a library that has been read.
type shelf struct {
	entries []Entry
	index   *index
	byID    map[string]int
	err     error
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
	return &Library{load: sync.OnceValue(func() shelf {
		list, err := readAll(files)
		if err != nil {
			return shelf{index: newIndex(nil), err: err}
		}
		s := shelf{entries: list, index: newIndex(list), byID: make(map[string]int, len(list))}
		for i := range list {
			s.byID[list[i].ID] = i
		}
		return s
	})}
}

// Err says why the entries cannot be read; nil when they can.
func (l *Library) Err() error { return l.load().err }

// Len is how many entries there are.
func (l *Library) Len() int { return len(l.load().entries) }

// Get returns an entry by its id.
func (l *Library) Get(id string) (Entry, bool) {
	s := l.load()
	i, ok := s.byID[id]
	if !ok {
		return Entry{}, false
	}
	return s.entries[i], true
}

// All returns every entry. The slices inside are shared: do not change them.
func (l *Library) All() []Entry {
	s := l.load()
	return append([]Entry(nil), s.entries...)
}
