package broker

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"
	"sync"
	"unicode"

	"moothall/internal/store"
)

const (
	maxHeld   = 1 << 16 // marks of a session; beyond it every query counts as a quotation
	runLength = 3       // words in a row that make a quotation
	longWord  = 16      // bytes of a word that is a quotation by itself
	leastWord = 4       // bytes; shorter words are everybody's
)

type mark uint64

// held remembers what private results said, so that a query which repeats it
// is recognised: as keyed hashes, enough to recognise a text, not to read one.
type held struct {
	key []byte

	mu    sync.Mutex
	marks map[mark]bool
}

// piece is a word of a text in its plainest form.
type piece struct {
	text  string
	known bool // the person typed it or a search found it
}

// pieces splits a text where its letters and digits end, and leaves short
// words out: they would break runs up, or be put between to do so.
func pieces(text string, known func(string) bool) []piece {
	var out []piece
	for field := range strings.FieldsSeq(text) {
		is := known != nil && known(field)
		for w := range strings.FieldsFuncSeq(strings.ToLower(field), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		}) {
			if len(w) >= leastWord || strings.ContainsFunc(w, unicode.IsDigit) {
				out = append(out, piece{w, is})
			}
		}
	}
	return out
}

// alone reports whether a word gives something away by itself: a number or a
// code that is not just a year, or a very long word.
func alone(w string) bool {
	return len(w) >= longWord || len(w) > 2 && strings.ContainsFunc(w, unicode.IsDigit) && !year(w)
}

// each calls f with every mark of a text and how many of its words nobody
// typed, until f says that it is enough.
func (h *held) each(list []piece, f func(m mark, unknown, words int) bool) {
	mac := hmac.New(sha256.New, h.key)
	for i, p := range list {
		if alone(p.text) && !f(sumMark(mac, p.text), count(list[i:i+1]), 1) {
			return
		}
		if i+runLength > len(list) {
			continue
		}
		run := list[i : i+runLength]
		if !f(sumMark(mac, run[0].text+" "+run[1].text+" "+run[2].text), count(run), runLength) {
			return
		}
	}
}

func count(list []piece) (unknown int) {
	for _, p := range list {
		if !p.known {
			unknown++
		}
	}
	return unknown
}

func sumMark(mac hash.Hash, s string) mark {
	var sum [sha256.Size]byte
	mac.Reset()
	mac.Write([]byte("held " + s))
	return mark(binary.BigEndian.Uint64(mac.Sum(sum[:0])))
}

// kept is what a private result adds.
type kept struct {
	place int
	marks []mark
}

// learn takes a private text in and returns the row that keeps it, or nil.
func (h *held) learn(text string) *kept {
	list := pieces(text, nil)
	h.mu.Lock()
	defer h.mu.Unlock()
	out := &kept{place: len(h.marks)}
	h.each(list, func(m mark, _, _ int) bool {
		if !h.marks[m] && len(h.marks) < maxHeld {
			h.marks[m] = true
			out.marks = append(out.marks, m)
		}
		return len(h.marks) < maxHeld
	})
	if len(out.marks) == 0 {
		return nil
	}
	return out
}

// quotes reports whether a text repeats private text. Of a run at least two
// words must be new: one word among the person's own is not a quotation.
func (h *held) quotes(text string, known func(string) bool) bool {
	list := pieces(text, known)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.marks) >= maxHeld {
		return true
	}
	found := false
	h.each(list, func(m mark, unknown, words int) bool {
		found = unknown >= min(2, words) && h.marks[m]
		return !found
	})
	return found
}

func (k *kept) save(tx *store.Tx, session string) error {
	raw := make([]byte, 0, 8*len(k.marks))
	for _, m := range k.marks {
		raw = binary.BigEndian.AppendUint64(raw, uint64(m))
	}
	_, err := tx.Exec(context.Background(), `INSERT INTO broker_held (session, n, marks) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, session, k.place, raw)
	return err
}

func (h *held) load(ctx context.Context, tx *store.Tx, session string) error {
	rows, err := tx.Query(ctx, `SELECT marks FROM broker_held WHERE session = ?`, session)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return err
		}
		for ; len(raw) >= 8; raw = raw[8:] {
			h.marks[mark(binary.BigEndian.Uint64(raw))] = true
		}
	}
	return rows.Err()
}
