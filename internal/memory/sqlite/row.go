package sqlite

import (
	"encoding/json"
	"time"

	"moothall"
	"moothall/internal/memory"
)

// rowOf returns the values of entryColumns.
func rowOf(r *memory.Record) ([]any, error) {
	e := r.Entry
	var turn string
	var session, query, respondent string
	if e.Turn != nil {
		b, err := json.Marshal(e.Turn)
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "keep turn", Err: err}
		}
		turn, session, query, respondent = string(b), string(e.Turn.Session), string(e.Turn.Query), string(e.Turn.Respondent)
	}
	return []any{
		string(e.ID), string(e.Kind), string(e.Trust), micro(e.Created), micro(e.Accessed), e.Accesses, e.Source, e.Thread, e.Place, e.Speaker,
		session, query, respondent, string(r.Whole), r.Proposed, r.Merged, int64(r.Print),
		encode(e.Tags), encode(e.Correlates), encode(r.From), turn, e.Name, e.Description, e.Corpus,
	}, nil
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
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings always can be
	}
	return string(b)
}

func decode(text string, into any) error {
	if text == "" || text == "[]" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read entry", Message: "a column of an entry cannot be read", Err: err}
	}
	return nil
}

// scanner is a row being read.
type scanner interface{ Scan(dest ...any) error }

// scanRecord reads n and entryColumns.
func scanRecord(row scanner) (memory.Record, error) {
	var r memory.Record
	e := &r.Entry
	var n, created, accessed, sum int64
	var session, query, respondent, tags, correlates, sources, turn string
	var id, kind, trust, whole string
	if err := row.Scan(&n, &id, &kind, &trust, &created, &accessed, &e.Accesses, &e.Source, &e.Thread, &e.Place, &e.Speaker,
		&session, &query, &respondent, &whole, &r.Proposed, &r.Merged, &sum, &tags, &correlates, &sources, &turn,
		&e.Name, &e.Description, &e.Corpus); err != nil {
		return r, err
	}
	r.N, r.Print, r.Whole = uint64(n), uint64(sum), moothall.MemoryID(whole)
	e.ID, e.Kind, e.Trust = moothall.MemoryID(id), moothall.MemoryKind(kind), moothall.Trust(trust)
	e.Created, e.Accessed = moment(created), moment(accessed)
	if turn != "" {
		e.Turn = &moothall.TurnNotes{}
		if err := decode(turn, e.Turn); err != nil {
			return r, err
		}
	}
	return r, decodeLists(&r, tags, correlates, sources)
}

func decodeLists(r *memory.Record, tags, correlates, sources string) error {
	if err := decode(tags, &r.Entry.Tags); err != nil {
		return err
	}
	if err := decode(correlates, &r.Entry.Correlates); err != nil {
		return err
	}
	return decode(sources, &r.From)
}
