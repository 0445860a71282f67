//go:build duckdb

package duckdb

import (
	"database/sql/driver"
	"encoding/json"
	"time"

	"moothall"
	"moothall/internal/memory"
)

const entryColumns = `n, id, kind, trust, created, accessed, accesses, source, thread, place, speaker, session, query, respondent,
	whole, proposed, merged, print, tags, correlates, sources, turn, name, description, corpus`

// rowOf returns the values of entryColumns.
func rowOf(r *memory.Record) ([]driver.Value, error) {
	e := r.Entry
	var turn, session, query, respondent string
	if e.Turn != nil {
		text, err := json.Marshal(e.Turn)
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "keep turn", Message: "the notes of a turn cannot be written", Err: err}
		}
		turn, session, query, respondent = string(text), string(e.Turn.Session), string(e.Turn.Query), string(e.Turn.Respondent)
	}
	return []driver.Value{
		int64(r.N), string(e.ID), string(e.Kind), string(e.Trust), micro(e.Created), micro(e.Accessed), e.Accesses, e.Source, e.Thread, e.Place,
		e.Speaker, session, query, respondent, string(r.Whole), r.Proposed, r.Merged, int64(r.Print),
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
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings always can be
	}
	return string(text)
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

// scanRecord reads entryColumns.
func scanRecord(row scanner) (memory.Record, error) {
	var r memory.Record
	e := &r.Entry
	var n, created, accessed, sum int64
	var session, query, respondent, tags, correlates, sources, turn string
	if err := row.Scan(&n, &e.ID, &e.Kind, &e.Trust, &created, &accessed, &e.Accesses, &e.Source, &e.Thread, &e.Place, &e.Speaker,
		&session, &query, &respondent, &r.Whole, &r.Proposed, &r.Merged, &sum, &tags, &correlates, &sources, &turn,
		&e.Name, &e.Description, &e.Corpus); err != nil {
		return r, err
	}
	r.N, r.Print, e.Created, e.Accessed = uint64(n), uint64(sum), moment(created), moment(accessed)
	if turn != "" {
		e.Turn = &moothall.TurnNotes{}
		if err := decode(turn, e.Turn); err != nil {
			return r, err
		}
	}
	for _, list := range []struct {
		text string
		into any
	}{{tags, &e.Tags}, {correlates, &e.Correlates}, {sources, &r.From}} {
		if err := decode(list.text, list.into); err != nil {
			return r, err
		}
	}
	return r, nil
}
