package memory

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"moothall"
	"moothall/internal/memory/passage"
)

const opWrite = "write memory"

// emptied stands where nothing was left of a text from outside.
const emptied = "(a text from outside that held nothing but instructions, which were left out)"

// external marks the provenance of what came from outside.
const external = "external"

// prepare makes a record of what a caller wants stored. It does not look at
// other entries but those that it was made from.
func (s *Service) prepare(ctx context.Context, who moothall.Identity, r moothall.WriteRequest) (*Record, error) {
	rec := &Record{Entry: cloneEntry(r.Entry), Proposed: r.Propose}
	e := &rec.Entry
	if err := s.check(e); err != nil {
		return nil, err
	}
	if e.Trust == "" {
		e.Trust = most(who)
	}
	e.Trust = least(e.Trust, most(who))
	if strings.HasPrefix(e.Source, external) {
		e.Trust = moothall.TrustExternal
	}
	sources, err := s.sources(ctx, r.From)
	if err != nil {
		return nil, err
	}
	rec.From = origins(sources)
	for _, src := range sources {
		e.Trust = least(e.Trust, src.Entry.Trust)
	}
	declaw(e)
	s.name(ctx, r.Scope, e)
	if e.ID == "" {
		e.ID = moothall.MemoryID(moothall.NewID())
	}
	if e.Created.IsZero() {
		e.Created = s.o.Now()
	}
	e.Created = e.Created.UTC()
	rec.Print = printOf(e.Name, e.Corpus)
	return rec, nil
}

// sources returns what an entry is made from; each must be there.
func (s *Service) sources(ctx context.Context, ids []moothall.MemoryID) ([]Record, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.o.Engine.Get(ctx, ids)
	if err != nil {
		return nil, wrap(opWrite, err)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(found, func(r Record) bool { return r.Entry.ID == id }) {
			return nil, missing(opWrite, id, errForgotten)
		}
	}
	return found, nil
}

// errForgotten is the cause where something was made from an entry that is not
// there, or not any more: whoever forgets one forgets what was made from it, also
// what is still being made.
var errForgotten = errors.New("nothing can be made from it")

// origins are what is made from some entries: they, and the wholes of those that
// are parts. A part goes when its whole is written anew; what was made from it is
// made from the whole all the same.
func origins(found []Record) (out []moothall.MemoryID) {
	for _, r := range found {
		for _, id := range []moothall.MemoryID{r.Entry.ID, r.Whole} {
			if id != "" && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func unknown(op string, id moothall.MemoryID) error { return missing(op, id, nil) }

func missing(op string, id moothall.MemoryID, cause error) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: op, Message: "there is no entry " + short(string(id), 80),
		Remedy: "moothall memory list names those that there are", Err: cause,
	}
}

// check refuses what cannot be stored and cleans what can.
func (s *Service) check(e *moothall.MemoryEntry) error {
	l := s.o.Limits
	for _, text := range []*string{&e.Name, &e.Description, &e.Corpus, &e.Source, &e.Thread, &e.Speaker} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
	e.Name, e.Description = oneLine(e.Name), strings.TrimSpace(e.Description)
	if e.Corpus == "" {
		e.Corpus = e.Description
	}
	if e.Kind == "" {
		e.Kind = moothall.Fact
	}
	switch {
	case e.Name == "" && strings.TrimSpace(e.Corpus) == "":
		return moothall.Fail(moothall.CodeInvalid, opWrite, "an entry needs a name or a text")
	case e.Kind != moothall.Engram && e.Kind != moothall.Fact && e.Kind != moothall.Document:
		return moothall.Fail(moothall.CodeInvalid, opWrite, "there is no kind of memory "+short(string(e.Kind), 40))
	case e.Trust != "" && e.Trust != moothall.TrustExternal && e.Trust != moothall.TrustModel && e.Trust != moothall.TrustPerson:
		return moothall.Fail(moothall.CodeInvalid, opWrite, "there is no trust "+short(string(e.Trust), 40))
	case len(e.ID) > 200 || strings.ContainsFunc(string(e.ID), func(r rune) bool { return r < ' ' || r == utf8.RuneError }):
		return moothall.Fail(moothall.CodeInvalid, opWrite, "the id is too long or holds control characters")
	case len(e.Corpus) > l.Corpus:
		return tooLarge("the text", l.Corpus)
	case len(e.Name) > l.Name:
		return tooLarge("the name", l.Name)
	case len(e.Description) > l.About:
		return tooLarge("the description", l.About)
	case len(strings.TrimPrefix(e.Source, external+": ")) > 2000:
		return tooLarge("the source", 2000)
	case len(e.Thread) > 300 || len(e.Speaker) > 300:
		return tooLarge("thread or speaker", 300)
	case !e.Created.IsZero() && (e.Created.UTC().Year() < 1 || e.Created.UTC().Year() > 9999): // no export could hold it
		return moothall.Fail(moothall.CodeInvalid, opWrite, "the time lies outside the years 1 to 9999")
	case len(e.Correlates) > 4096:
		return tooLarge("the list of correlated entries", 4096)
	}
	return s.checkTags(e)
}

func (s *Service) checkTags(e *moothall.MemoryEntry) error {
	var tags []string
	most := s.o.Limits.Tags
	if slices.Contains(e.Tags, contestedTag) {
		most++ // the memory's own, which it adds to any entry
	}
	for _, t := range e.Tags {
		if t = oneLine(strings.ToValidUTF8(t, "\uFFFD")); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
		if len(t) > 200 || len(tags) > most {
			return moothall.Fail(moothall.CodeTooLarge, opWrite, "there are too many tags, or one is too long")
		}
	}
	e.Tags = tags
	return nil
}

func tooLarge(what string, limit int) error {
	return &moothall.Error{
		Code: moothall.CodeTooLarge, Op: opWrite, Message: what + " is longer than " + bytesWord(limit), Remedy: "shorten or divide it",
	}
}

// declaw takes the orders out of what came from outside, and marks it, so that
// it stays recognisable whatever is made of it.
func declaw(e *moothall.MemoryEntry) {
	if e.Trust != moothall.TrustExternal {
		return
	}
	had := e.Corpus != ""
	e.Name, e.Description, e.Corpus = oneLine(passage.Declaw(e.Name)), passage.Declaw(e.Description), passage.Declaw(e.Corpus)
	if e.Corpus == "" && had {
		e.Corpus = emptied
	}
	if e.Name == "" && e.Corpus == "" {
		e.Name = emptied
	}
	if e.Source != external && !strings.HasPrefix(e.Source, external+":") {
		e.Source = strings.TrimSuffix(external+": "+e.Source, ": ")
	}
	if t := e.Turn; t != nil {
		t.Answer = passage.Declaw(t.Answer)
	}
}

// cloneEntry shares nothing with its argument.
func cloneEntry(e moothall.MemoryEntry) moothall.MemoryEntry {
	e.Tags, e.Correlates = slices.Clone(e.Tags), slices.Clone(e.Correlates)
	if e.Turn != nil {
		t := *e.Turn
		t.Entities, t.Score, t.Reward = slices.Clone(t.Entities), cloneFloat(t.Score), cloneFloat(t.Reward)
		e.Turn = &t
	}
	return e
}

func cloneFloat(f *float64) *float64 {
	if f == nil {
		return nil
	}
	v := *f
	return &v
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// short cuts at a rune.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
