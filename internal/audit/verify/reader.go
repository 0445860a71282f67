package verify

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"moothall"
)

// reader reads a log from its start. After io.EOF it may be asked again: it
// goes on where it was when the file has grown.
type reader struct {
	in    *bufio.Reader
	line  []byte // beginning of an unfinished line
	ended bool   // line was returned and is to be forgotten
	next  uint64 // index due
	batch uint64 // of the last record
	at    int64  // byte where the record due begins
	json  []byte // of the last record; valid until the next is read
}

// badRecord says what is wrong with the record due.
type badRecord struct {
	index  uint64
	at     int64
	what   string
	intact bool // whole, but not the one due: no crash does that
}

func (b *badRecord) Error() string {
	return fmt.Sprintf("entry %d at byte %d: %s", b.index, b.at, b.what)
}

func newReader(r io.Reader) *reader { return &reader{in: bufio.NewReaderSize(r, 64<<10)} }

// openLog opens a file of the directory for reading.
func openLog(dir string) (*os.File, error) {
	f, err := os.Open(filepath.Join(dir, "log"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "open audit log", Message: "there is no audit log in this directory",
			Remedy: "start the hall once, or name the right directory", Err: err,
		}
	}
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "open audit log", Err: err}
	}
	return f, nil
}

// asOfNow reads what the file holds at this moment: a busy writer could keep
// a reader that looks for the end running for ever.
func asOfNow(f *os.File) (io.Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "read audit log", Err: err}
	}
	return io.LimitReader(f, info.Size()), nil
}

// entry reads the next record. The errors are io.EOF, a *badRecord, or one of
// reading.
func (r *reader) entry() (Entry, error) {
	line, err := r.readLine()
	if err != nil {
		return Entry{}, err
	}
	bad := func(what string, intact bool) (Entry, error) {
		return Entry{}, &badRecord{index: r.next, at: r.at, what: what, intact: intact}
	}
	rec, err := parseRecord(line)
	if err != nil {
		return bad(err.Error(), false)
	}
	if rec.index != r.next {
		return bad(fmt.Sprintf("found the record of entry %d", rec.index), true)
	}
	if rec.batch != rec.index && (r.next == 0 || rec.batch != r.batch) {
		return bad(fmt.Sprintf("belongs to batch %d after batch %d", rec.batch, r.batch), true)
	}
	e, err := parseEntry(rec)
	if err != nil {
		return bad(err.Error(), true)
	}
	r.next++
	r.batch, r.json = rec.batch, rec.json
	r.at += int64(len(line)) + 1
	return e, nil
}

// readLine returns a line without its newline, valid until the next call.
func (r *reader) readLine() ([]byte, error) {
	if r.ended {
		r.line, r.ended = r.line[:0], false
	}
	b, err := r.in.ReadSlice('\n')
	if err == nil && len(r.line) == 0 {
		return b[:len(b)-1], nil
	}
	r.line = append(r.line, b...)
	switch {
	case err == nil:
		r.ended = true
		return r.line[:len(r.line)-1], nil
	case errors.Is(err, bufio.ErrBufferFull) || len(r.line) > maxLength:
		return nil, &badRecord{index: r.next, at: r.at, what: "line too long"}
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	}
	return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "read audit log", Err: err}
}

// unfinished returns the beginning of a record at the end of the file.
func (r *reader) unfinished() []byte {
	if r.ended {
		return nil
	}
	return r.line
}
