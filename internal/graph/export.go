package graph

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"moothall"
)

// Format is how a graph is written out.
type Format string

// The formats.
const (
	JSON    Format = "json"    // everything; [Service.Import] reads it
	GraphML Format = "graphml" // entities and facts, for drawing
)

const (
	opExport = "export graph"
	page     = 500 // rows at a time
)

// Export writes the whole graph as it stands, in a stable order. CodeInvalid
// for another format; errors of w come back as they are.
func (s *Service) Export(ctx context.Context, w io.Writer, format Format) error {
	write := exportJSON
	switch format {
	case JSON:
	case GraphML:
		write = exportGraphML
	default:
		return &moothall.Error{Code: moothall.CodeInvalid, Op: opExport, Message: "there is no such format", Remedy: "use json or graphml"}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := s.engine.Read(ctx, func(v View) error { return write(ctx, v, b) }); err != nil {
		return err
	}
	return b.Flush()
}

// version of the JSON form.
const version = 1

// The rows of the JSON form.
type (
	entityRow struct {
		ID     EntityID `json:"id"`
		Name   string   `json:"name"`
		Kind   Kind     `json:"kind"`
		Names  []string `json:"names"`
		Stated bool     `json:"stated,omitempty"`
	}
	statementRow struct {
		ID          string            `json:"id"`
		Subject     EntityID          `json:"subject"`
		SubjectName string            `json:"subject_name"`
		Relation    string            `json:"relation"`
		Object      EntityID          `json:"object"`
		ObjectName  string            `json:"object_name"`
		From        time.Time         `json:"from,omitzero"`
		To          time.Time         `json:"to,omitzero"`
		Observed    time.Time         `json:"observed"`
		Source      moothall.MemoryID `json:"source,omitempty"`
		Confidence  float64           `json:"confidence"`
		Trust       moothall.Trust    `json:"trust"`
	}
	mergeRow struct {
		ID   string    `json:"id"`
		At   time.Time `json:"at"`
		Keep EntityID  `json:"keep"`
		Gone entityRow `json:"gone"`
	}
)

// exportJSON writes one object whose lists have one row a line: entities,
// statements and merges, which are the graph, and facts, which follow.
func exportJSON(ctx context.Context, v View, w io.Writer) error {
	if _, err := fmt.Fprintf(w, "{\"version\":%d", version); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		rows func(put func(any) error) error
	}{
		{"entities", func(put func(any) error) error {
			return eachEntity(ctx, v, func(e Entity) error { return put(entityRow(e)) })
		}},
		{"statements", func(put func(any) error) error {
			return eachStatement(ctx, v, func(st Statement) error { return put(rowOf(st)) })
		}},
		{"merges", func(put func(any) error) error {
			all, err := v.Merges(ctx)
			for i := len(all) - 1; i >= 0 && err == nil; i-- {
				m := all[i]
				err = put(mergeRow{m.ID, m.At.Time(), m.Keep, entityRow(m.Gone)})
			}
			return err
		}},
		{"facts", func(put func(any) error) error {
			return eachFact(ctx, v, func(f moothall.GraphFact) error { return put(f) })
		}},
	} {
		if err := list(w, part.name, part.rows); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "}\n")
	return err
}

// list writes one list of the object.
func list(w io.Writer, name string, rows func(put func(any) error) error) error {
	if _, err := fmt.Fprintf(w, ",\n%q:[", name); err != nil {
		return err
	}
	comma := "\n"
	err := rows(func(row any) error {
		text, err := json.Marshal(row)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInternal, Op: opExport, Err: err}
		}
		_, err = fmt.Fprintf(w, "%s%s", comma, text)
		comma = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "]")
	return err
}

func rowOf(s Statement) statementRow {
	return statementRow{
		ID: s.ID, Subject: s.Subject, SubjectName: s.SubjectName, Relation: s.Relation, Object: s.Object, ObjectName: s.ObjectName,
		From: s.From.Time(), To: s.To.Time(), Observed: s.Observed.Time(), Source: s.Source, Confidence: s.Confidence, Trust: s.Trust,
	}
}

func eachEntity(ctx context.Context, v View, f func(Entity) error) error {
	for after := EntityID(""); ; {
		rows, err := v.PageEntities(ctx, after, page)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, e := range rows {
			if err := f(e); err != nil {
				return err
			}
			after = e.ID
		}
	}
}

func eachStatement(ctx context.Context, v View, f func(Statement) error) error {
	for after := int64(0); ; {
		rows, err := v.PageStatements(ctx, after, page)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, st := range rows {
			if err := f(st); err != nil {
				return err
			}
			after = st.Seq
		}
	}
}

func eachFact(ctx context.Context, v View, f func(moothall.GraphFact) error) error {
	for after := ""; ; {
		rows, err := v.PageFacts(ctx, after, page)
		if err != nil || len(rows) == 0 {
			return err
		}
		after = rows[len(rows)-1].ID
		facts, err := present(ctx, v, rows)
		if err != nil {
			return err
		}
		for _, one := range facts {
			if err := f(one); err != nil {
				return err
			}
		}
	}
}
