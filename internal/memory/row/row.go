// Package row is the form in which the engines that keep tables write down a
// record: which columns there are, in which order, and how values that a table
// has no type for stand in them. A memory can be moved from one such engine to
// another because both write the same.
//
//	values, err := row.Of(r)            // for row.Columns
//	r, err := row.Record(scanner)       // from n and row.Columns
//
// Times are microseconds, 0 for none; lists and notes are JSON; vectors are
// blobs (see [Pack]). What cannot be read back is CodeCorrupt.
//
// There is no state: everything may be used by several goroutines at once.
package row

import (
	"encoding/json"
	"strings"
	"time"

	"moothall"
	"moothall/internal/memory"
)

// Columns are those of memory_entries after n, the place.
const Columns = `id, kind, trust, created, accessed, accesses, source, thread, place, speaker, session, query, respondent,
	whole, proposed, merged, print, tags, correlates, sources, turn, name, description, corpus`

// Light are Columns with nothing for the corpus, which is most of a row.
var Light = strings.Replace(Columns, "description, corpus", "description, ''", 1)

// Of returns the values of Columns.
func Of(r *memory.Record) ([]any, error) {
	e := r.Entry
	var turn, session, query, respondent string
	if e.Turn != nil {
		text, err := json.Marshal(e.Turn)
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "keep turn", Message: "the notes of a turn cannot be written", Err: err}
		}
		turn, session, query, respondent = string(text), string(e.Turn.Session), string(e.Turn.Query), string(e.Turn.Respondent)
	}
	return []any{
		string(e.ID), string(e.Kind), string(e.Trust), micro(e.Created), micro(e.Accessed), e.Accesses, e.Source, e.Thread, e.Place, e.Speaker,
		session, query, respondent, string(r.Whole), r.Proposed, r.Merged, int64(r.Print),
		encode(e.Tags), encode(e.Correlates), encode(r.From), turn, e.Name, e.Description, e.Corpus,
	}, nil
}

// Scanner is a row being read.
type Scanner interface{ Scan(dest ...any) error }

// Record reads n and Columns.
func Record(s Scanner) (memory.Record, error) {
	var r memory.Record
	e := &r.Entry
	var n, created, accessed, sum int64
	var session, query, respondent, tags, correlates, sources, turn string
	var id, kind, trust, whole string
	if err := s.Scan(&n, &id, &kind, &trust, &created, &accessed, &e.Accesses, &e.Source, &e.Thread, &e.Place, &e.Speaker,
		&session, &query, &respondent, &whole, &r.Proposed, &r.Merged, &sum, &tags, &correlates, &sources, &turn,
		&e.Name, &e.Description, &e.Corpus); err != nil {
		return r, err
	}
	r.N, r.Print, r.Whole = uint64(n), uint64(sum), moothall.MemoryID(whole)
	e.ID, e.Kind, e.Trust = moothall.MemoryID(id), moothall.MemoryKind(kind), moothall.Trust(trust)
	e.Created, e.Accessed = moment(created), moment(accessed)
	if turn != "" {
		e.Turn = &moothall.TurnNotes{}
		if err := Decode(turn, e.Turn); err != nil {
			return r, err
		}
	}
	for _, list := range []struct {
		text string
		into any
	}{{tags, &e.Tags}, {correlates, &e.Correlates}, {sources, &r.From}} {
		if err := Decode(list.text, list.into); err != nil {
			return r, err
		}
	}
	return r, nil
}

// HeadColumns are what [Head] reads.
const HeadColumns = `n, kind, trust, created, source, thread, place, tags, turn, whole <> '', print`

// Head reads HeadColumns.
func Head(s Scanner) (memory.Head, error) {
	var h memory.Head
	var n, created, sum int64
	var kind, trust, tags, turn string
	if err := s.Scan(&n, &kind, &trust, &created, &h.Source, &h.Thread, &h.Place, &tags, &turn, &h.Part, &sum); err != nil {
		return h, err
	}
	h.N, h.Kind, h.Trust, h.Created, h.Print = uint64(n), moothall.MemoryKind(kind), moothall.Trust(trust), moment(created), uint64(sum)
	if turn != "" {
		var t moothall.TurnNotes
		if err := Decode(turn, &t); err != nil {
			return h, err
		}
		h.Score, h.Reward, h.Unseen = t.Score, t.Reward, t.Unseen()
	}
	return h, Decode(tags, &h.Tags)
}

// HeldColumns are what [Held] reads, of memory_held.
const HeldColumns = `event, query, respondent, notes`

// Held reads HeldColumns.
func Held(s Scanner) (memory.Held, error) {
	var h memory.Held
	var event, query, respondent, notes string
	if err := s.Scan(&event, &query, &respondent, &notes); err != nil {
		return h, err
	}
	h.Event, h.Query, h.Respondent = moothall.EventID(event), moothall.QueryID(query), moothall.RespondentID(respondent)
	return h, Decode(notes, &h.Notes)
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

// encode writes a list of words; none is an empty list.
func encode[S ~string](list []S) string {
	if len(list) == 0 {
		return "[]"
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings always can be
	}
	return string(text)
}

// Decode reads a column of JSON. An empty one or an empty list leaves into as
// it is.
func Decode(text string, into any) error {
	if text == "" || text == "[]" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read entry", Message: "a column of an entry cannot be read", Err: err}
	}
	return nil
}
