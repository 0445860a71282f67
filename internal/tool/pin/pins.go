package pin

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"sync"

	"moothall"
	"moothall/internal/atomicfile"
)

// Pins remembers which definitions a person has approved. Implementations are
// safe for concurrent use and call nothing back.
type Pins interface {
	// Get returns the approved hash, "" when there is none.
	Get(owner, tool string) (string, error)
	// Put approves a hash in place of what was approved before. It is
	// durable when Put returns.
	Put(owner, tool, hash string) error
}

// key is one tool of one owner.
type key struct{ owner, tool string }

// Memory keeps pins for as long as the process lives.
type Memory struct {
	mu   sync.Mutex
	pins map[key]string
}

var _ Pins = (*Memory)(nil)

// NewMemory returns an empty list.
func NewMemory() *Memory { return &Memory{pins: map[key]string{}} }

// Get returns the approved hash, "" when there is none.
func (m *Memory) Get(owner, tool string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pins[key{owner, tool}], nil
}

// Put approves a hash.
func (m *Memory) Put(owner, tool, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pins[key{owner, tool}] = hash
	return nil
}

// File keeps pins in a file, which it alone writes.
type File struct {
	path string

	mu   sync.Mutex
	pins map[string]map[string]string // by owner, by tool
}

var _ Pins = (*File)(nil)

// content is the file as it is written.
type content struct {
	Version int                          `json:"version"`
	Pins    map[string]map[string]string `json:"pins"`
}

// Open reads the file; one that is not there has no pins. CodeCorrupt when
// it cannot be understood, CodeInternal when it cannot be read.
func Open(path string) (*File, error) {
	f := &File{path: path, pins: map[string]map[string]string{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, &moothall.Error{
			Code: moothall.CodeInternal, Op: "open tool pins", Message: "cannot read " + path, Err: err,
			Remedy: "let this user read it, or move it away and approve the tools again",
		}
	}
	c, err := decode(data)
	if err != nil {
		return nil, &moothall.Error{
			Code: moothall.CodeCorrupt, Op: "open tool pins", Message: path + " is not readable", Err: err,
			Remedy: "move the file away and approve the tools again",
		}
	}
	if c.Pins != nil {
		f.pins = c.Pins
	}
	return f, nil
}

func decode(data []byte) (content, error) {
	var c content
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return c, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return c, errors.New("there is more behind its end")
	}
	if c.Version != 1 {
		return c, errors.New("its version is not 1")
	}
	return c, nil
}

// Get returns the approved hash, "" when there is none.
func (f *File) Get(owner, tool string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pins[owner][tool], nil
}

// Put approves a hash and writes the file before it counts.
func (f *File) Put(owner, tool, hash string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := maps.Clone(f.pins)
	next[owner] = maps.Clone(next[owner])
	if next[owner] == nil {
		next[owner] = map[string]string{}
	}
	next[owner][tool] = hash
	data, err := json.MarshalIndent(content{1, next}, "", "  ")
	if err == nil {
		err = atomicfile.Write(f.path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return &moothall.Error{
			Code: moothall.CodeInternal, Op: "write tool pins", Message: "the approval could not be kept", Err: err,
			Remedy: "see that the folder of the hall's data can be written",
		}
	}
	f.pins = next
	return nil
}
