package library

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
)

// shelf is a library that has been read.
type shelf struct {
	files fs.FS
	cards []card
	index *index
	own   questions
	byID  map[string]int
	err   error
}

// card is what is kept in memory of an entry. Its text and its questions stay
// where they are, which is in the program itself, until somebody needs them.
type card struct {
	id, name string
	tags     []string
	file     string
	at       int64
	size     int
}

// read reads every file of entries, in the order of their names.
func read(files fs.FS) shelf {
	s := shelf{files: files, byID: map[string]int{}, own: newQuestions()}
	b := newBuilder()
	names, err := fs.Glob(files, "*.jsonl")
	slices.Sort(names)
	for i := 0; err == nil && i < len(names); i++ {
		err = s.readFile(names[i], b)
	}
	if err != nil {
		return shelf{index: newBuilder().done(), own: newQuestions(), err: err}
	}
	s.index = b.done()
	return s
}

// readFile adds the entries of a file, one a line.
func (s *shelf) readFile(name string, b *builder) error {
	data, err := fs.ReadFile(s.files, name)
	if err != nil {
		return fmt.Errorf("library file %s: %w", path.Base(name), err)
	}
	at, n := int64(0), 0
	for line := range bytes.Lines(data) {
		c := card{file: name, at: at, size: len(line)}
		at += int64(len(line))
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := parse(line)
		if err != nil {
			return fmt.Errorf("library file %s: line %d: %w", path.Base(name), n, err)
		}
		c.name, c.tags, c.id = e.Name, e.Tags, s.freeID(e.Name)
		s.byID[c.id] = len(s.cards)
		b.add(&e)
		for _, a := range e.Asks {
			s.own.add(a[0], len(s.cards))
		}
		s.cards = append(s.cards, c)
	}
	return nil
}

// freeID is the id of an entry. Two of one name are told apart by a number, in
// the order of the files.
func (s *shelf) freeID(name string) string {
	id := idOf(name)
	free := id
	for n := 2; ; n++ {
		if _, taken := s.byID[free]; !taken {
			return free
		}
		free = fmt.Sprintf("%s-%d", id, n)
	}
}

// entry takes an entry from its file; false when that is no longer there.
func (s *shelf) entry(i int) (Entry, bool) {
	c := &s.cards[i]
	line, err := s.line(c)
	if err != nil {
		return Entry{}, false
	}
	e, err := parse(line)
	e.ID = c.id
	return e, err == nil
}

func (s *shelf) line(c *card) ([]byte, error) {
	f, err := s.files.Open(c.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line := make([]byte, c.size)
	if r, ok := f.(io.ReaderAt); ok {
		_, err = r.ReadAt(line, c.at)
	} else if _, err = io.CopyN(io.Discard, f, c.at); err == nil {
		_, err = io.ReadFull(f, line)
	}
	if err == io.EOF { // the last line, read to its end
		err = nil
	}
	return line, err
}
