package vector

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Load reads what [Index.Save] wrote, for the same dim and fingerprint. It
// returns [moothall.CodeCorrupt] for a file of another version, dimension or
// fingerprint, which is then also [ErrStale], and for a damaged one: the
// caller builds the index from the store. It returns [moothall.CodeUnavailable] when the reader fails, and
// what [New] returns for dim.
func Load(r io.Reader, dim int, fingerprint string, o Options) (*Index, error) {
	x, err := New(dim, o)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(r, bufferSize)
	rows, err := readHeader(in, dim, fingerprint)
	if err != nil {
		return nil, err
	}
	l := &loader{x: x, in: in, left: rows}
	if err := l.run(); err != nil {
		return nil, err
	}
	return x, nil
}

// readHeader checks the header and returns the number of rows.
func readHeader(in io.Reader, dim int, fingerprint string) (uint64, error) {
	head := make([]byte, headSize)
	if _, err := io.ReadFull(in, head); err != nil {
		return 0, readError(err)
	}
	if !bytes.HasPrefix(head, []byte(magic)) {
		return 0, corrupt("this is not a vector segment")
	}
	length := binary.LittleEndian.Uint32(head[24:])
	if length > maxFingerprint {
		return 0, corrupt("the header is damaged")
	}
	rest := make([]byte, length+4)
	if _, err := io.ReadFull(in, rest); err != nil {
		return 0, readError(err)
	}
	sum := newSum()
	sum.Write(head)
	sum.Write(rest[:length])
	if sum.Sum32() != binary.LittleEndian.Uint32(rest[length:]) {
		return 0, corrupt("the header is damaged")
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != version {
		return 0, stale(fmt.Sprintf("the file has version %d, not %d", v, version))
	}
	if d := binary.LittleEndian.Uint32(head[12:]); d != uint32(dim) {
		return 0, stale(fmt.Sprintf("the file's vectors have %d dimensions, not %d", d, dim))
	}
	if string(rest[:length]) != fingerprint {
		return 0, stale("the file belongs to another state of the store")
	}
	return binary.LittleEndian.Uint64(head[16:]), nil
}

// loader reads chunks on one goroutine and checks and encodes them on others.
type loader struct {
	x    *Index
	in   io.Reader
	left uint64 // rows still to come

	mu  sync.Mutex
	err error // the first failure of a chunk
}

// chunk is a block that has been read and not yet checked.
type chunk struct {
	number int
	b      *block
	sum    uint32
}

func (l *loader) run() error {
	work := make(chan chunk, 2)
	var wg sync.WaitGroup
	for range l.x.workers(maxDim) {
		wg.Go(func() {
			for c := range work {
				l.fail(l.check(c))
			}
		})
	}
	s, err := l.read(work)
	close(work)
	wg.Wait()
	if err == nil {
		err = l.failed()
	}
	if err == nil {
		err = l.register(s)
	}
	return err
}

// read takes the chunks off the file. The memory it asks for follows what
// has been read, not what the header promises.
func (l *loader) read(work chan<- chunk) (*snapshot, error) {
	s := &snapshot{}
	for number := 0; l.left > 0; number++ {
		c, err := l.readChunk(number)
		if err != nil {
			return nil, err
		}
		if err := l.failed(); err != nil {
			return nil, err // do not read on behind damage
		}
		rows := len(c.b.ids)
		c.b.pos = len(s.full)
		s.full = append(s.full, segment{b: c.b, n: rows})
		s.live += rows
		l.left -= uint64(rows)
		work <- c
	}
	switch _, err := io.ReadFull(l.in, make([]byte, 1)); err {
	case io.EOF:
		return s, nil
	case nil:
		return nil, corrupt("the file goes on after its end")
	default:
		return nil, readError(err)
	}
}

func (l *loader) readChunk(number int) (chunk, error) {
	var n uint32
	if err := binary.Read(l.in, binary.LittleEndian, &n); err != nil {
		return chunk{}, readError(err)
	}
	if n == 0 || n > blockRows || uint64(n) > l.left {
		return chunk{}, corrupt("the length of a chunk is damaged")
	}
	c := chunk{number: number, b: newBlock(l.x.shape, int(n))}
	if err := readNumbers(l.in, c.b.ids); err != nil {
		return chunk{}, readError(err)
	}
	for part := range c.b.written() {
		if err := readNumbers(l.in, part); err != nil {
			return chunk{}, readError(err)
		}
	}
	if err := binary.Read(l.in, binary.LittleEndian, &c.sum); err != nil {
		return chunk{}, readError(err)
	}
	return c, nil
}

// check compares a chunk's sum and computes its codes.
func (l *loader) check(c chunk) error {
	sum := chunkSum(c.number)
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(c.b.ids)))
	sum.Write(n[:])
	sum.Write(bytesOf(c.b.ids))
	for part := range c.b.written() {
		sum.Write(bytesOf(part))
	}
	if sum.Sum32() != c.sum {
		return corrupt("a chunk is damaged")
	}
	toMachine(c.b.ids)
	for i := range c.b.ids {
		toMachine(c.b.row(i)[:l.x.shape.dim])
		if !c.b.encode(i, &l.x.kernel) {
			return corrupt("a vector has a number in it that is not finite")
		}
	}
	return nil
}

// register notes where every id stands, and publishes.
func (l *loader) register(s *snapshot) error {
	l.x.where = make(map[uint64]place, s.live)
	for i := range s.full {
		b := s.full[i].b
		for j, id := range b.ids {
			l.x.where[id] = place{b, j}
		}
	}
	if len(l.x.where) != s.live {
		return corrupt("an id is there twice")
	}
	l.x.state.Store(s)
	return nil
}

func (l *loader) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
	}
}

func (l *loader) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
