package chroma

import (
	"encoding/json"
	"strconv"
	"time"

	"moothall"
	"moothall/internal/memory"
)

// stored is a record without what stands beside it.
type stored struct {
	Entry    moothall.MemoryEntry `json:"entry"`
	From     []moothall.MemoryID  `json:"from,omitempty"`
	Whole    moothall.MemoryID    `json:"whole,omitempty"`
	Proposed bool                 `json:"proposed,omitempty"`
	Merged   int64                `json:"merged,omitempty"`
	Print    uint64               `json:"print"`
}

func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// encodeRecord writes a record's metadata and document. Everything is text:
// numbers would be kept as floats by some versions.
func encodeRecord(r *memory.Record) (meta map[string]any, document string, err error) {
	s := stored{Entry: r.Entry, From: r.From, Whole: r.Whole, Proposed: r.Proposed, Merged: r.Merged, Print: r.Print}
	s.Entry.Corpus, s.Entry.Accesses, s.Entry.Accessed = "", 0, time.Time{}
	s.Entry.Created = moment(micro(r.Entry.Created))
	text, err := json.Marshal(s)
	if err != nil {
		return nil, "", &moothall.Error{Code: moothall.CodeInvalid, Op: "keep entry", Message: "an entry cannot be written", Err: err}
	}
	return map[string]any{
		"id": string(r.Entry.ID), "record": string(text),
		"accesses": strconv.FormatInt(r.Entry.Accesses, 10), "accessed": strconv.FormatInt(micro(r.Entry.Accessed), 10),
	}, r.Entry.Corpus, nil
}

// decodeRecord is the inverse; without a document there is no corpus.
func decodeRecord(n uint64, meta map[string]string, document *string) (memory.Record, error) {
	var s stored
	if err := unmarshal(meta["record"], &s); err != nil {
		return memory.Record{}, err
	}
	accesses, err := strconv.ParseInt(meta["accesses"], 10, 64)
	if err != nil {
		return memory.Record{}, damaged(err)
	}
	accessed, err := strconv.ParseInt(meta["accessed"], 10, 64)
	if err != nil {
		return memory.Record{}, damaged(err)
	}
	s.Entry.Accesses, s.Entry.Accessed = accesses, moment(accessed)
	if document != nil {
		s.Entry.Corpus = *document
	}
	return memory.Record{N: n, Entry: s.Entry, From: s.From, Whole: s.Whole, Proposed: s.Proposed, Merged: s.Merged, Print: s.Print}, nil
}
