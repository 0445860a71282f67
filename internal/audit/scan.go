package audit

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"golang.org/x/mod/sumdb/tlog"

	"moothall"
)

// scanned is what a log was found to hold.
type scanned struct {
	tree  frontier // over the intact records
	bytes int64    // where they end
	torn  int64    // bytes after that, of a write that never became durable
}

// scanner reads a log once, from its start, in constant memory.
type scanner struct {
	in      *bufio.Reader
	heads   []head // still ahead
	signed  uint64 // size of the last head
	genesis string // the note that record 0 must carry
	batch   uint64 // of the last record
	found   scanned
}

// scan checks a log against its heads. A torn end is part of the result; all
// other damage is an error.
func scan(r io.Reader, heads []head, genesis string) (scanned, error) {
	s := &scanner{in: bufio.NewReaderSize(r, 4*maxLine), heads: heads, genesis: genesis}
	if len(heads) > 0 {
		s.signed = heads[len(heads)-1].size
	}
	for {
		b, err := s.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return s.found, ioFailure(opOpen, err)
		}
		if len(b) == 0 {
			break
		}
		l, bad := parseLine(bytes.TrimSuffix(b, []byte("\n")))
		if err != nil || bad != nil {
			if err := s.damaged(b); err != nil {
				return s.found, err
			}
			break
		}
		if err := s.accept(l, len(b)); err != nil {
			return s.found, err
		}
	}
	if n := s.size(); n < s.signed {
		return s.found, tampered(opOpen, "the log holds %d entries, but a signed head covers %d", n, s.signed)
	}
	return s.found, nil
}

func (s *scanner) size() uint64 { return uint64(s.found.tree.size) }

// accept adds a whole record to the tree and compares the heads of this size.
func (s *scanner) accept(l line, length int) error {
	if err := s.misplaced(l); err != nil {
		return err
	}
	if err := s.found.tree.add(tlog.RecordHash(l.json)); err != nil {
		return ioFailure(opOpen, err)
	}
	s.batch = l.batch
	s.found.bytes += int64(length)
	if len(s.heads) == 0 || s.heads[0].size != s.size() {
		return nil
	}
	h, err := s.found.tree.head()
	if err != nil {
		return ioFailure(opOpen, err)
	}
	if h != s.heads[0] {
		return tampered(opOpen, "the first %d entries do not match their signed head", h.size)
	}
	s.heads = s.heads[1:]
	return nil
}

// misplaced refuses a whole record that is not the one due: no crash does
// that. What a head covers is proved by it; a record after the last head
// must also be spelled as this package spells.
func (s *scanner) misplaced(l line) error {
	n := s.size()
	if l.index != n || l.batch != n && (n == 0 || l.batch != s.batch) {
		return tampered(opOpen, "at entry %d, byte %d: found the record of entry %d, batch %d",
			n, s.found.bytes, l.index, l.batch)
	}
	if n == 0 && !isGenesis(l.json, s.genesis) {
		return tampered(opOpen, "entry 0 does not name the keys of this directory")
	}
	if n < s.signed {
		return nil
	}
	if _, ok := decode(l.json); !ok {
		return tampered(opOpen, "entry %d at byte %d is not in canonical form", n, s.found.bytes)
	}
	return nil
}

func isGenesis(json []byte, note string) bool {
	w, ok := decode(json)
	return ok && w.Action == actionGenesis && w.By == moothall.AuditKeeper && w.Note == note
}

// damaged judges a bad line, of which b is the beginning. It is a torn write
// unless a head covers it or a later record shows that it had been durable.
func (s *scanner) damaged(b []byte) error {
	n := s.size()
	if n < s.signed {
		return tampered(opOpen, "entry %d at byte %d is damaged; signed heads cover %d entries",
			n, s.found.bytes, s.signed)
	}
	r := io.MultiReader(bytes.NewReader(bytes.Clone(b)), s.in)
	counter := &counted{r: r}
	later, found, err := proofOfFlush(counter, n)
	if err != nil {
		return ioFailure(opOpen, err)
	}
	if found {
		return tampered(opOpen, "entry %d at byte %d is damaged, though entry %d shows that it had been stored",
			n, s.found.bytes, later)
	}
	s.found.torn = counter.n
	return nil
}

// proofOfFlush looks behind damage at entry n for a record that was written
// after n had been flushed (its batch is above n), or that no crash can put
// there (its index is not above n). A record ends at a newline but may begin
// anywhere in a line, when what stood before it has lost its own newline.
func proofOfFlush(r io.Reader, n uint64) (index uint64, found bool, err error) {
	in := bufio.NewReaderSize(r, 4*maxLine)
	var carry []byte // the last maxLine bytes of a line longer than the buffer
	for {
		b, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			carry = append(carry, b...)
			carry = bytes.Clone(carry[max(0, len(carry)-maxLine):])
			continue
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil // an unfinished line is no record
			}
			return 0, false, err
		}
		whole := append(carry, b[:len(b)-1]...)
		if l, ok := lastRecord(whole); ok && (l.batch > n || l.index <= n) {
			return l.index, true, nil
		}
		carry = nil
	}
}

// lastRecord finds a record that ends where b ends.
func lastRecord(b []byte) (line, bool) {
	b = b[max(0, len(b)-maxLine):]
	for i, c := range b {
		if c < '0' || c > '9' {
			continue
		}
		if l, err := parseLine(b[i:]); err == nil {
			return l, true
		}
	}
	return line{}, false
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
