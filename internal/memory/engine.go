package memory

import (
	"context"
	"iter"
	"time"

	"moothall"
)

// Record is an entry as an engine keeps it.
type Record struct {
	// N is the record's place: given by the engine, rising, never used
	// again. It is 0 in a record that was not stored yet.
	N        uint64
	Entry    moothall.MemoryEntry
	From     []moothall.MemoryID // entries that it was made from
	Whole    moothall.MemoryID   // the entry that it is a part of, if it is one
	Proposed bool                // a candidate that waits for its review
	Merged   int64               // how many near-duplicates it has taken up
	Print    uint64              // of its words, to find the same text again

	// Text and Vectors only go in: no engine returns them in a record.
	Text    Text
	Vectors []Vectors // their N is that of the record
}

// Text is what the full-text index holds of a record: words divided by
// spaces, in small letters, without any sign.
type Text struct {
	Name, Description, Corpus string
	Who                       string // speaker, date, tags
	Context                   string // what was said just before
	Scope                     string // one word a thread; found, never weighed
}

// Vectors are what one embedder made of a record.
type Vectors struct {
	N                         uint64
	Embedder                  string
	Name, Description, Corpus []float32
}

// Head is what is known in memory of each record.
type Head struct {
	N             uint64
	Kind          moothall.MemoryKind
	Trust         moothall.Trust
	Created       time.Time
	Source        string
	Thread        string
	Place         int64
	Tags          []string
	Score, Reward *float64
	Part          bool // of a longer entry
	Unseen        bool // an answer in the shadow that did not win; not recalled
	Print         uint64
}

// Touch says that a record was recalled.
type Touch struct {
	N     uint64
	Count int64
	At    time.Time
}

// Held is an annotation that came before its engram.
type Held struct {
	Event      moothall.EventID
	Query      moothall.QueryID
	Respondent moothall.RespondentID
	Notes      moothall.TurnNotes
}

// Change is what [Engine.Apply] does at once.
type Change struct {
	// Once names an effect: when a change of this name was made before,
	// nothing is done. Empty: always.
	Once string
	// Put stores records, each in place of the one with its id, whose
	// place it keeps and whose vectors are dropped. N is set.
	Put []*Record
	// Notes replaces the entries of records whose words stay as they
	// were: vectors and index are kept.
	Notes  []*Record
	Delete []moothall.MemoryID
	// Vectors are added to records that are still there.
	Vectors []Vectors
	Touch   []Touch
	Hold    []Held
	// HoldMost, above 0, drops what has been held longest beyond so many.
	HoldMost int
	Release  []moothall.QueryID // what was held for these turns is dropped
	State    map[string][]byte  // nil deletes
}

// TextQuery asks the full-text index for any of the words. Words are letters
// and digits only.
type TextQuery struct {
	Words []string
	Scope string // when set, only records of this scope
	Limit int
}

// Match is a record that the full-text index found; a higher score is better.
type Match struct {
	N     uint64
	Score float64
}

// Engine keeps entries, their words and their vectors. It does not decide
// anything, keeps nothing in memory that has to be kept in step, and is safe
// for concurrent use. What it returns belongs to the caller.
//
// Errors have the codes of the store behind it: CodeExhausted when the disk
// is full, CodeUnavailable when a server does not answer, CodeCorrupt.
type Engine interface {
	// Apply makes a change as a whole or not at all, and durable before it
	// returns. False: it was made before, see [Change.Once].
	Apply(ctx context.Context, c *Change) (bool, error)
	// Get returns the records with these ids that are there, in this order.
	Get(ctx context.Context, ids []moothall.MemoryID) ([]Record, error)
	// At returns the records at these places that are there, in this
	// order; without their corpus unless whole.
	At(ctx context.Context, ns []uint64, whole bool) ([]Record, error)
	// List streams records by property, newest first. Nothing of it may be
	// called again from inside the loop over a write.
	List(ctx context.Context, l moothall.MemoryList) iter.Seq2[Record, error]
	// Scan streams records by place, from the one after the given place on.
	Scan(ctx context.Context, after uint64) iter.Seq2[Record, error]
	// Heads streams what is known of all records that are no candidates.
	Heads(ctx context.Context) iter.Seq2[Head, error]
	// Turn returns the engrams of a turn, of one respondent if one is named.
	Turn(ctx context.Context, q moothall.QueryID, r moothall.RespondentID) ([]Record, error)
	// Derived returns the ids and all that was made from them or is a part
	// of them, directly or not.
	Derived(ctx context.Context, ids []moothall.MemoryID) ([]moothall.MemoryID, error)
	// Held returns the annotations that wait for a turn, or all when none is
	// named, oldest first.
	Held(ctx context.Context, q moothall.QueryID) ([]Held, error)
	// Search asks the full-text index, best first.
	Search(ctx context.Context, q TextQuery) ([]Match, error)
	// Vectors streams all that an embedder made, by place.
	Vectors(ctx context.Context, embedder string) iter.Seq2[Vectors, error]
	// VectorsAt returns what an embedder made of the records at these
	// places, in this order, without those that have none.
	VectorsAt(ctx context.Context, embedder string, ns []uint64) ([]Vectors, error)
	// Lacking returns the first places after the given one of records that
	// are no candidates and have no vectors of the embedder.
	Lacking(ctx context.Context, embedder string, after uint64, limit int) ([]uint64, error)
	// Drop deletes all that an embedder made.
	Drop(ctx context.Context, embedder string) error
	// Embedders names those that vectors were kept of, oldest first.
	Embedders(ctx context.Context) ([]string, error)
	// State returns a value that Apply stored, or nil.
	State(ctx context.Context, key string) ([]byte, error)
	// Version changes with every change of records or vectors.
	Version(ctx context.Context) (uint64, error)
	// Count returns how many records and candidates there are.
	Count(ctx context.Context) (records, candidates int64, err error)
}
