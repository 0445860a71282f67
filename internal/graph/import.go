package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"moothall"
)

const (
	opImport  = "import graph"
	maxImport = 1 << 30 // bytes
)

// Imported says what an import brought.
type Imported struct {
	Entities   int // that were not there
	Statements int // that were not there
}

// document is the JSON form without its facts, which are derived anew.
type document struct {
	Version    int            `json:"version"`
	Entities   []entityRow    `json:"entities"`
	Statements []statementRow `json:"statements"`
	Merges     []mergeRow     `json:"merges"`
}

// Import adds what [Service.Export] wrote as JSON, in one transaction. Into an
// empty graph it brings back the same graph. Otherwise entities that share a
// name become one, and statements that are there already, by what they say or
// by their id, are passed over, so an import that is repeated adds nothing.
// What the file says was observed later than now stays so: it is the clock here
// that is behind. Errors: CodeInvalid for anything
// but such a document, CodeTooLarge, CodeUnsupported for a newer form.
func (s *Service) Import(ctx context.Context, r io.Reader) (Imported, error) {
	doc, err := parse(r)
	if err != nil {
		return Imported{}, err
	}
	var out Imported
	err = s.engine.Write(ctx, func(tx Tx) error {
		im := importer{s: s, tx: tx, ids: map[EntityID]EntityID{}, there: map[string]bool{}}
		err := im.all(ctx, doc)
		out = im.done
		return err
	})
	if err != nil {
		return Imported{}, err
	}
	return out, nil
}

// parse reads a document without looking at its rows.
func parse(r io.Reader) (document, error) {
	var doc document
	limited := &io.LimitedReader{R: r, N: maxImport}
	if err := json.NewDecoder(limited).Decode(&doc); err != nil {
		return doc, decodeError(err, limited.N)
	}
	if doc.Version > version {
		return doc, moothall.Fail(moothall.CodeUnsupported, opImport, "the file was written by a newer program")
	}
	if doc.Version < 1 {
		return doc, moothall.Fail(moothall.CodeInvalid, opImport, "this is no exported graph")
	}
	return doc, nil
}

func decodeError(err error, left int64) error {
	syntax, _ := errors.AsType[*json.SyntaxError](err)
	kind, _ := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case left <= 0:
		return moothall.Fail(moothall.CodeTooLarge, opImport, "the file is too large")
	case syntax != nil, kind != nil, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &moothall.Error{Code: moothall.CodeInvalid, Op: opImport, Message: "this is no exported graph", Err: err}
	}
	if _, ok := errors.AsType[*moothall.Error](err); ok {
		return err
	}
	// Also what a field's own parser said, such as a time's.
	return &moothall.Error{Code: moothall.CodeInvalid, Op: opImport, Message: "the file cannot be read as an exported graph", Err: err}
}

// importer puts a document's rows into the graph.
type importer struct {
	s     *Service
	tx    Tx
	ids   map[EntityID]EntityID // of the document, to those here
	there map[string]bool       // ids of the statements here
	done  Imported
}

func (im *importer) all(ctx context.Context, doc document) error {
	note := func(st Statement) error { im.there[st.ID] = true; return nil }
	if err := eachStatement(ctx, im.tx, note); err != nil {
		return err
	}
	for _, row := range doc.Entities {
		if err := im.entity(ctx, row); err != nil {
			return err
		}
	}
	for _, row := range doc.Statements {
		if err := im.statement(ctx, row); err != nil {
			return err
		}
	}
	return im.merges(ctx, doc.Merges)
}

// entity finds who shares a name with the row, or makes it.
func (im *importer) entity(ctx context.Context, row entityRow) error {
	e, keys, err := checkEntity(row)
	if err != nil {
		return err
	}
	known, err := im.tx.Named(ctx, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if id, ok := known[key]; ok {
			im.ids[row.ID] = id
			return im.extend(ctx, id, e, known)
		}
	}
	if here, err := im.tx.Entities(ctx, []EntityID{e.ID}); err != nil {
		return err
	} else if _, taken := here[e.ID]; taken || e.ID == "" {
		e.ID = EntityID(moothall.NewID())
	}
	im.ids[row.ID] = e.ID
	im.done.Entities++
	return im.tx.PutEntity(ctx, e)
}

// extend adds the names that nobody has to an entity that is here.
func (im *importer) extend(ctx context.Context, id EntityID, e Entity, known map[string]EntityID) error {
	here, err := byID(ctx, im.tx, opImport, id)
	if err != nil {
		return err
	}
	grown := false
	for _, name := range e.Names {
		if _, taken := known[Key(name)]; !taken {
			here.Names, grown = names(here.Names, []string{name}), true
		}
	}
	if !grown {
		return nil
	}
	return im.tx.PutEntity(ctx, here)
}

func checkEntity(row entityRow) (Entity, []string, error) {
	e := Entity(row)
	e.Name = Clean(e.Name)
	for i := range e.Names {
		e.Names[i] = Clean(e.Names[i])
	}
	e.Names = names([]string{e.Name}, e.Names)
	var keys []string
	for _, name := range e.Names {
		key, err := checkName(opImport, "name", name)
		if err != nil {
			return e, nil, err
		}
		keys = append(keys, key)
	}
	switch e.Kind {
	case Person, Place, Organisation, Thing, Value:
	default:
		e.Kind = Thing
	}
	return e, keys, nil
}

func (im *importer) statement(ctx context.Context, row statementRow) error {
	st, err := im.s.statement(row.fact())
	if err != nil {
		return err
	}
	if st.Subject, err = im.owner(ctx, row.SubjectName, row.Subject); err != nil {
		return err
	}
	if st.Object, err = im.owner(ctx, row.ObjectName, row.Object); err != nil {
		return err
	}
	if twin, err := im.tx.Twin(ctx, st); err != nil || twin != "" {
		return err
	}
	if row.ID != "" && len(row.ID) <= MaxName {
		st.ID = row.ID
	}
	if im.there[st.ID] {
		return nil
	}
	im.there[st.ID] = true
	im.done.Statements++
	if err := im.tx.PutStatement(ctx, st); err != nil {
		return err
	}
	_, err = im.s.apply(ctx, im.tx, st)
	return err
}

// fact is a row as a request, which is checked like any other.
func (row statementRow) fact() moothall.GraphFact {
	return moothall.GraphFact{
		Subject: row.SubjectName, Relation: row.Relation, Object: row.ObjectName, From: row.From, To: row.To,
		Observed: row.Observed, Source: row.Source, Confidence: row.Confidence, Trust: row.Trust,
	}
}

// owner is whose the name is here: what is merged or parted here stays so.
func (im *importer) owner(ctx context.Context, name string, id EntityID) (EntityID, error) {
	key := Key(name)
	known, err := im.tx.Named(ctx, []string{key})
	if err != nil {
		return "", err
	}
	if here, ok := known[key]; ok {
		return here, nil
	}
	if here, ok := im.ids[id]; ok {
		return here, nil
	}
	return "", moothall.Fail(moothall.CodeInvalid, opImport, "a statement is about an entity that the file does not have")
}

// merges brings back the records whose kept entity is known.
func (im *importer) merges(ctx context.Context, rows []mergeRow) error {
	have, err := im.tx.Merges(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, m := range have {
		seen[m.ID] = true
	}
	for _, row := range rows { // what was merged may itself have been merged into
		if _, known := im.ids[row.Gone.ID]; !known {
			im.ids[row.Gone.ID] = row.Gone.ID
		}
	}
	for _, row := range rows {
		keep, known := im.ids[row.Keep]
		gone, _, err := checkEntity(row.Gone)
		if err != nil {
			return err
		}
		if !known || seen[row.ID] || row.ID == "" {
			continue
		}
		if y := row.At.UTC().Year(); y < 1 || y > 9999 {
			return moothall.Fail(moothall.CodeInvalid, opImport, "the time of a merge lies outside the years 1 to 9999")
		}
		seen[row.ID] = true
		if err := im.tx.PutMerge(ctx, Merge{ID: row.ID, At: instant(row.At, 0), Keep: keep, Gone: gone}); err != nil {
			return err
		}
	}
	return nil
}
