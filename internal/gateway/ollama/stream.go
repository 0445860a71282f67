package ollama

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// lineReader reads lines of any length up to a limit.
type lineReader struct {
	r   *bufio.Reader
	buf []byte // of a line that did not fit the reader's own buffer
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 4<<10)}
}

var errLongLine = errors.New("a line is longer than 64 MiB")

// next returns the next line that is not empty, without its end. The bytes
// are good until the next call. io.EOF means a proper end; a last line
// without a newline counts.
func (l *lineReader) next() ([]byte, error) {
	for {
		b, err := l.read()
		b = bytes.TrimSpace(b)
		if len(b) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (l *lineReader) read() ([]byte, error) {
	b, err := l.r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return b, err
	}
	l.buf = append(l.buf[:0], b...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(l.buf) > maxLine {
			return nil, errLongLine
		}
		b, err = l.r.ReadSlice('\n')
		l.buf = append(l.buf, b...)
	}
	return l.buf, err
}

// repeats follows the output for what makes the server end a stream early:
// one token over and over.
type repeats struct {
	last string
	n    int
}

// repeatLimit is below the server's own 30, since whitespace in between is
// counted differently by versions.
const repeatLimit = 25

func (r *repeats) add(piece string) {
	if piece == "" {
		return
	}
	if piece != r.last {
		r.last, r.n = piece, 0
	}
	r.n++
}

// longestUnit is the most bytes of a token that is looked for in a whole output.
const longestUnit = 64

// whole takes an output that came at once, by what it ends with.
func (r *repeats) whole(text string) {
	for n := 1; n <= longestUnit && n*repeatLimit <= len(text); n++ {
		if strings.HasSuffix(text, strings.Repeat(text[len(text)-n:], repeatLimit)) {
			r.n = repeatLimit
			return
		}
	}
}

func (r *repeats) looping() bool { return r.n >= repeatLimit }
