package graph

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moothall"
)

// FuzzDocument reads a file and checks its rows as an import does, without a
// store: whatever passes is fit to be kept.
func FuzzDocument(f *testing.F) {
	f.Add(`{"version":1}`)
	f.Add(`{"version":1,"entities":[{"id":"a","name":"Ana","kind":"person","names":["Ana","A"]},{"id":"b","name":"Bo"}],"statements":[{"id":"1","subject":"a","subject_name":"Ana","relation":"knows","object":"b","object_name":"Bo","observed":"2020-01-01T00:00:00Z","confidence":0.5,"trust":"person"}],"merges":[{"id":"m","keep":"a","gone":{"id":"c","name":"Cy"}}]}`)
	f.Add(`{"version":1,"entities":[{"id":"a","name":"Ana"},{"id":"a","name":"Bo","names":["ana"]}]}`)
	f.Add(`{"version":1,"statements":[{"from":"9999-12-31T23:59:59-12:00","subject_name":"a","object_name":"b","relation":"r"}]}`)
	s := New(nil, &Options{Now: func() time.Time { return time.Unix(1_900_000_000, 0) }})
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := parse(strings.NewReader(text))
		if err != nil {
			wantRefusal(t, err)
			return
		}
		for _, row := range doc.Entities {
			e, keys, err := checkEntity(row)
			if err != nil {
				wantRefusal(t, err)
			} else if len(keys) != len(e.Names) || !utf8.ValidString(e.Name) {
				t.Errorf("%q: kept as %+v with the keys %q", text, e, keys)
			}
		}
		for _, row := range doc.Statements {
			st, err := s.statement(row.fact())
			if err != nil {
				wantRefusal(t, err)
			} else if again, err := s.statement(rowOf(st).fact()); err != nil || again.From != st.From || again.To != st.To || again.Relation != st.Relation {
				t.Errorf("%q: %+v written out and read again is %+v, %v", text, st, again, err)
			}
		}
	})
}

func wantRefusal(t *testing.T, err error) {
	t.Helper()
	switch moothall.ErrorCode(err) {
	case moothall.CodeInvalid, moothall.CodeTooLarge, moothall.CodeUnsupported:
	default:
		t.Errorf("refused with %v", err)
	}
}
