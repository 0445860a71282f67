package embed

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"

	"moothall"
)

// stats counts in how many texts a word occurs. Words are their hashes, so a
// snapshot does not hold the text again.
type stats struct {
	texts int64
	in    map[uint64]uint32
}

func newStats() stats { return stats{in: map[uint64]uint32{}} }

// settled is the number of texts at which the counts weigh as much as the
// prior. With few texts every word is rare.
const settled = 64

// rarity is the weight of a word in a question, in parts of unit: the
// logarithm of its inverse document frequency over that of a word seen
// nowhere, blended with the prior while there are few texts. A word that no
// text has can match nothing, and would add noise only; its n-grams are what
// is left of a misspelt or inflected one, and take its place.
func (s *stats) rarity(f feature) int64 {
	prior := int64(f.prior)
	if s.texts == 0 {
		return prior
	}
	n := int64(s.in[f.word])
	switch {
	case n == 0 && f.gram:
		return 2 * prior
	case n == 0:
		return prior / 8
	}
	idf := log2(1+(2*max(s.texts-n, 0)+1)*16/(2*n+1)) * unit / log2(1+(2*s.texts+1)*16)
	return (prior*settled + idf*s.texts) / (s.texts + settled)
}

// Observe counts the words of a text that has been stored. Statistics change
// what later questions weigh, never a vector already stored.
func (e *Embedder) Observe(text string) {
	words := e.words(text)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.texts++
	for w := range words {
		e.stats.in[w]++
	}
}

// Forget takes back one Observe of the same text.
func (e *Embedder) Forget(text string) {
	words := e.words(text)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.texts = max(e.stats.texts-1, 0)
	for w := range words {
		switch n := e.stats.in[w]; n {
		case 0:
		case 1:
			delete(e.stats.in, w)
		default:
			e.stats.in[w] = n - 1
		}
	}
}

// words is the set of things counted in a text.
func (e *Embedder) words(text string) map[uint64]struct{} {
	out := map[uint64]struct{}{}
	for _, f := range features(e.lex, text) {
		out[f.word] = struct{}{}
	}
	return out
}

// snapshotMagic opens a snapshot; its last byte is the form's version.
const snapshotMagic = "mhst\x01"

// Snapshot returns the statistics as bytes for [Embedder.Restore]: equal
// statistics give equal bytes.
func (e *Embedder) Snapshot() []byte {
	e.mu.RLock()
	defer e.mu.RUnlock()
	out := append([]byte(nil), snapshotMagic...)
	out = binary.AppendUvarint(out, version)
	out = binary.AppendUvarint(out, uint64(e.stats.texts))
	out = binary.AppendUvarint(out, uint64(len(e.stats.in)))
	var last uint64
	for _, w := range slices.Sorted(maps.Keys(e.stats.in)) {
		out = binary.AppendUvarint(out, w-last)
		out = binary.AppendUvarint(out, uint64(e.stats.in[w]))
		last = w
	}
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// Restore replaces the statistics by those of a snapshot. It returns
// CodeCorrupt for damaged bytes and CodeUnsupported for a snapshot of another
// version of the embedder; the statistics are then as before, and the caller
// can observe its texts again.
func (e *Embedder) Restore(data []byte) error {
	s, err := decodeStats(data)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats = s
	return nil
}

func decodeStats(data []byte) (stats, error) {
	end := len(data) - 4
	if end < len(snapshotMagic) || string(data[:len(snapshotMagic)]) != snapshotMagic ||
		crc32.ChecksumIEEE(data[:end]) != binary.BigEndian.Uint32(data[end:]) {
		return stats{}, corrupt("the word statistics are damaged")
	}
	r := reader{rest: data[len(snapshotMagic):end]}
	if v := r.next(); v != version {
		return stats{}, &moothall.Error{Code: moothall.CodeUnsupported, Op: "restore word statistics",
			Message: "the word statistics are of another version", Remedy: "index the memories again"}
	}
	s := newStats()
	s.texts = int64(r.next())
	count, word := r.next(), uint64(0)
	for i := range count {
		step, n := r.next(), r.next()
		if r.bad || n == 0 || n > 1<<32-1 || i > 0 && (step == 0 || word+step < word) {
			return stats{}, corrupt("the word statistics make no sense")
		}
		word += step
		s.in[word] = uint32(n)
	}
	if r.bad || len(r.rest) > 0 || s.texts < 0 || s.texts > 1<<40 {
		return stats{}, corrupt("the word statistics make no sense")
	}
	return s, nil
}

func corrupt(message string) error {
	return &moothall.Error{Code: moothall.CodeCorrupt, Op: "restore word statistics", Message: message,
		Remedy: "index the memories again"}
}

// reader takes varints off a slice and remembers the first failure.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) next() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad = true
		r.rest = nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}
