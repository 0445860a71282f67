package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moothall"
)

// Line is an entry in an import or export file: one JSON object a line. Only
// Text, or Name, must be there.
type Line struct {
	ID          moothall.MemoryID   `json:"id,omitempty"`
	Text        string              `json:"text"`
	Name        string              `json:"name,omitempty"`
	Description string              `json:"description,omitempty"`
	Tags        []string            `json:"tags,omitempty"`
	Speaker     string              `json:"speaker,omitempty"`
	Time        LineTime            `json:"time,omitzero"`
	Thread      string              `json:"thread,omitempty"`
	Seq         *int64              `json:"seq,omitempty"` // in order of lines when left out
	Source      string              `json:"source,omitempty"`
	Kind        moothall.MemoryKind `json:"kind,omitempty"`
	Trust       moothall.Trust      `json:"trust,omitempty"`
	Correlates  []moothall.MemoryID `json:"correlating_ids,omitempty"`
	From        []moothall.MemoryID `json:"from,omitempty"`
	Turn        *moothall.TurnNotes `json:"turn,omitempty"`
}

// LineTime is a time as people and programs write it.
type LineTime struct{ time.Time }

var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
	"3:04 pm on 2 January, 2006", "2 January 2006", "2 January, 2006", "January 2, 2006", time.RFC1123Z, time.RFC1123,
}

// UnmarshalJSON reads a date in one of several layouts, or seconds since 1970.
// Null is no time.
func (t *LineTime) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var seconds float64
	if err := json.Unmarshal(b, &seconds); err == nil {
		if seconds < -1e11 || seconds > 1e12 {
			return moothall.Fail(moothall.CodeInvalid, "time", "the seconds are out of range")
		}
		t.Time = time.UnixMicro(int64(seconds * 1e6)).UTC()
		return nil
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	for _, l := range layouts {
		if v, err := time.Parse(l, text); err == nil {
			t.Time = v.UTC()
			return nil
		}
	}
	return moothall.Fail(moothall.CodeInvalid, "time", "the time "+short(text, 40)+" is in no known form")
}

// parseLine reads one line. What it does not know it leaves alone.
func parseLine(b []byte) (Line, error) {
	var l Line
	b = unmarked(b)
	if len(b) == 0 || b[0] != '{' {
		return l, moothall.Fail(moothall.CodeInvalid, "read line", "it is no JSON object")
	}
	if err := json.Unmarshal(b, &l); err != nil {
		return l, &moothall.Error{Code: moothall.CodeInvalid, Op: "read line", Message: "it cannot be read: " + short(err.Error(), 200), Err: err}
	}
	if strings.TrimSpace(l.Text) == "" && strings.TrimSpace(l.Name) == "" {
		return l, moothall.Fail(moothall.CodeInvalid, "read line", "it has no text")
	}
	return l, nil
}

// unmarked is a line without the mark that some editors put before the first.
func unmarked(line []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF"))) }

// entry makes an entry of a line. Without an id it gets one made of what it
// says, so that the same line is the same entry when it comes again.
func (l *Line) entry() moothall.MemoryEntry {
	e := moothall.MemoryEntry{
		ID: l.ID, Kind: l.Kind, Name: l.Name, Description: l.Description, Tags: l.Tags, Correlates: l.Correlates, Corpus: l.Text,
		Created: l.Time.Time, Source: l.Source, Trust: l.Trust, Thread: l.Thread, Speaker: l.Speaker, Turn: l.Turn,
	}
	if l.Seq != nil {
		e.Place = *l.Seq
	}
	if e.Kind == "" {
		e.Kind = moothall.Fact
		if e.Thread == "" && len(e.Corpus) > 600 {
			e.Kind = moothall.Document
		}
	}
	if e.ID == "" {
		key := fmt.Sprintf("%q %q %q %d %d", e.Thread, e.Speaker, e.Name, e.Place, micros(e.Created))
		e.ID = moothall.MemoryID(fmt.Sprintf("import-%016x%016x", printOf(e.Corpus), printOf(key, e.Corpus)))
	}
	return e
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// lineOf is the line of a record.
func lineOf(r *Record) Line {
	e := &r.Entry
	l := Line{
		ID: e.ID, Text: e.Corpus, Name: e.Name, Description: e.Description, Tags: e.Tags, Speaker: e.Speaker, Time: LineTime{e.Created},
		Thread: e.Thread, Source: e.Source, Kind: e.Kind, Trust: e.Trust, Correlates: e.Correlates, From: r.From, Turn: e.Turn,
	}
	if e.Thread != "" {
		seq := e.Place
		l.Seq = &seq
	}
	return l
}
