package library

import (
	"strings"
	"time"

	"moothall"
)

// Source is where an entry of the library comes from, as a memory says it.
const Source = "library"

// edition is the day that the entries were written by: what they say in
// figures is of that time.
var edition = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// Recall is [Library.FindAfter] in the words of the memory: documents with
// their whole text, of a model's trust, since nobody of this hall said it. What
// is asked about a text at hand is no business of the library's.
func (l *Library) Recall(question, before, text string, most int) []moothall.Recall {
	var out []moothall.Recall
	for _, e := range rather(question, before, text, l.FindAfter(question, before, most)) {
		m := e.memory()
		out = append(out, moothall.Recall{Stage: Source, Entry: &m, Segment: e.told(), Score: e.Score})
	}
	return out
}

// told is what is recalled of an entry: the answer first, where it has one, so
// that the smallest reader finds it. A dash after it says that it is the answer,
// a long one that it is the answer to this very question.
func (e Entry) told() string {
	switch {
	case e.Answer == "":
		return e.Text
	case e.Asked:
		return e.Answer + " —— " + e.Text
	case e.Vouched:
		return e.Answer + " — " + e.Text
	}
	return e.Answer + " " + e.Text
}

// Entry returns one entry as a memory.
func (l *Library) Entry(id moothall.MemoryID) (moothall.MemoryEntry, bool) {
	e, ok := l.Get(string(id))
	if !ok {
		return moothall.MemoryEntry{}, false
	}
	return e.memory(), true
}

func (e Entry) memory() moothall.MemoryEntry {
	return moothall.MemoryEntry{
		ID: moothall.MemoryID(e.ID), Kind: moothall.Document, Name: e.Name, Description: strings.TrimSuffix(opening(e.Text), ".") + ".",
		Tags: append([]string{}, e.Tags...), Corpus: e.Text, Created: edition, Source: Source, Trust: moothall.TrustModel,
	}
}
