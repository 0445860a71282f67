package tape

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"moothall"
)

const (
	opTape   = "tape"
	maxPlain = 64 << 20 // of a tape that is read, before compression
)

// presses are writers to be used again: one takes a megabyte.
var presses = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // there is such a level
	}
	return w
}}

// Marshal returns the tape as compressed JSON. Text that is not valid UTF-8
// has no place in JSON: a tape with some is written as one that was cut.
func (t *Tape) Marshal() ([]byte, error) {
	plain, err := t.plain()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := presses.Get().(*gzip.Writer)
	defer presses.Put(w)
	w.Reset(&out)
	_, err = w.Write(plain)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: opTape, Message: "the recording cannot be written", Err: err}
	}
	return out.Bytes(), nil
}

func (t *Tape) plain() ([]byte, error) {
	b, err := encode(t)
	if err != nil || !replaced(b) {
		return b, err
	}
	bad := *t
	bad.Cut = append(slices.Clone(t.Cut), "bytes that are no text")
	return encode(&bad)
}

func encode(t *Tape) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(t); err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: opTape, Message: "the recording cannot be written", Err: err}
	}
	return b.Bytes(), nil
}

// replaced reports whether the encoder had to replace bytes: it writes the
// escape of U+FFFD for them, and the character itself where there was one.
func replaced(b []byte) bool {
	mark := []byte(`\ufffd`)
	for {
		i := bytes.Index(b, mark)
		if i < 0 {
			return false
		}
		slashes := 0
		for j := i; j >= 0 && b[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 1 { // an even number is backslashes and a word
			return true
		}
		b = b[i+len(mark):]
	}
}

// Unmarshal reads what Marshal wrote. CodeCorrupt for what is no tape,
// CodeUnsupported for one of another version, CodeTooLarge for one beyond
// reason.
func Unmarshal(data []byte) (*Tape, error) {
	corrupt := func(err error) error {
		return &moothall.Error{Code: moothall.CodeCorrupt, Op: opTape, Message: "the recording cannot be read", Err: err}
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, corrupt(err)
	}
	plain, err := io.ReadAll(io.LimitReader(r, maxPlain+1))
	switch {
	case err != nil:
		return nil, corrupt(err)
	case len(plain) > maxPlain:
		return nil, moothall.Fail(moothall.CodeTooLarge, opTape, "the recording is larger than 64 MiB")
	}
	var head struct{ Version int }
	if err := json.Unmarshal(plain, &head); err != nil {
		return nil, corrupt(err)
	}
	if head.Version != Version {
		return nil, moothall.Fail(moothall.CodeUnsupported, opTape, fmt.Sprintf("the recording is of version %d, and this hall reads version %d", head.Version, Version))
	}
	t := new(Tape)
	if err := json.Unmarshal(plain, t); err != nil {
		return nil, corrupt(err)
	}
	if err := t.validate(); err != nil {
		return nil, corrupt(err)
	}
	return t, nil
}

// validate looks for what playing relies on. What the model said on a tape
// that was cut is not played, and need not fit.
func (t *Tape) validate() error {
	for i := range t.Model {
		if len(t.Cut) > 0 {
			break
		}
		for j := range t.Model[i].Pieces {
			if p := &t.Model[i].Pieces[j]; !p.sound() {
				return errors.New("the sizes of a piece do not fit its text")
			}
		}
	}
	if t.Clock != nil && len(t.Clock.Reads) == 0 && len(t.Model) > 0 {
		return errors.New("a clock that was never read")
	}
	return nil
}

func (p *Piece) sound() bool {
	if p.Chunk != nil {
		return len(p.Sizes) == 0 && p.Text == "" && p.Thinking == ""
	}
	left := len(p.Text) + len(p.Thinking)
	for _, n := range p.Sizes {
		if n <= 0 || n > left {
			return false
		}
		left -= n
	}
	return left == 0 && (p.Text == "" || p.Thinking == "")
}
