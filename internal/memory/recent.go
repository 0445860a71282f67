package memory

import (
	"container/list"
	"context"
	"strings"
	"sync"

	"moothall"
)

const (
	recentSessions  = 512
	recentSentences = 256 // of a session
	minSentence     = 4   // words; shorter ones are nobody's
)

// recent remembers which sentences were recalled in a session, by their
// prints, so that they are not stored again as if somebody had said them.
type recent struct {
	mu       sync.Mutex
	order    *list.List // of *recalls, the one used last in front
	sessions map[moothall.SessionID]*list.Element
}

type recalls struct {
	session moothall.SessionID
	from    map[uint64]uint64 // print of a sentence: place of its entry
	ring    []uint64
	next    int
}

func newRecent() *recent {
	return &recent{order: list.New(), sessions: map[moothall.SessionID]*list.Element{}}
}

// add remembers what was recalled.
func (r *recent) add(session moothall.SessionID, n uint64, text string) {
	if session == "" {
		return
	}
	sums := []uint64{saidPrint(text)}
	for _, s := range sentences(text) {
		if p, ok := sentencePrint(s); ok {
			sums = append(sums, p)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rc := r.of(session)
	for _, p := range sums {
		rc.put(p, n)
	}
}

func (r *recent) of(session moothall.SessionID) *recalls {
	if el := r.sessions[session]; el != nil {
		r.order.MoveToFront(el)
		return el.Value.(*recalls)
	}
	rc := &recalls{session: session, from: map[uint64]uint64{}}
	r.sessions[session] = r.order.PushFront(rc)
	if r.order.Len() > recentSessions {
		last := r.order.Back()
		delete(r.sessions, r.order.Remove(last).(*recalls).session)
	}
	return rc
}

func (rc *recalls) put(p, n uint64) {
	if _, ok := rc.from[p]; ok {
		return
	}
	if len(rc.ring) < recentSentences {
		rc.ring = append(rc.ring, p)
	} else {
		delete(rc.from, rc.ring[rc.next])
		rc.ring[rc.next] = p
		rc.next = (rc.next + 1) % recentSentences
	}
	rc.from[p] = n
}

// whence returns the entry that a text was recalled from.
func (r *recent) whence(session moothall.SessionID, p uint64) (uint64, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	el := r.sessions[session]
	if el == nil {
		return 0, false
	}
	n, ok := el.Value.(*recalls).from[p]
	return n, ok
}

// strip takes the sentences out of a text that were recalled in the session.
func (r *recent) strip(session moothall.SessionID, text string) (left string, took int) {
	var b strings.Builder
	for _, s := range sentences(text) {
		if p, ok := sentencePrint(s); ok {
			if _, known := r.whence(session, p); known {
				took++
				continue
			}
		}
		b.WriteString(s)
	}
	return strings.TrimSpace(b.String()), took
}

// sentences divides a text at its full stops and lines, with what divides
// them at the end of each.
func sentences(text string) []string {
	var out []string
	from := 0
	for i, r := range text {
		switch r {
		case '.', '!', '?', '\n', '。', '！', '？':
			end := i + len(string(r))
			out = append(out, text[from:end])
			from = end
		}
	}
	return append(out, text[from:])
}

// sentencePrint is the print of a sentence long enough to be told apart.
func sentencePrint(s string) (uint64, bool) {
	words := 0
	eachWord(s, func(string) bool { words++; return words < minSentence })
	return saidPrint(s), words >= minSentence
}

// recalledBefore reports whether a text to be stored is one that was recalled
// in the session just now, and returns the entry that it came from.
func (s *Service) recalledBefore(ctx context.Context, session moothall.SessionID, rec *Record) (moothall.MemoryEntry, bool, error) {
	if session == "" || rec.Entry.Trust == moothall.TrustPerson {
		return moothall.MemoryEntry{}, false, nil // a person may say again what he was told
	}
	n, ok := s.recent.whence(session, saidPrint(rec.Entry.Corpus))
	if !ok {
		return moothall.MemoryEntry{}, false, nil
	}
	found, err := s.o.Engine.At(ctx, []uint64{n}, true)
	if err != nil || len(found) == 0 {
		return moothall.MemoryEntry{}, false, wrap(opWrite, err)
	}
	s.stats.refused.Add(1)
	return found[0].Entry, true, nil
}
