package memory

import (
	"context"
	"slices"
	"strings"

	"moothall/internal/memory/embed"
)

// The turns before one, that it is indexed with, and their weight.
const (
	contextTurns  = 2
	contextWeight = 0.5
)

// embedded bounds how much of a text goes into a vector: the parts of a long
// text have their own.
const embedded = 6_000

// contexts finds what was said before a turn. Within one import it knows the
// last turns itself.
type contexts struct {
	s    *Service
	last map[string][]saidTurn // by thread, in order of place
}

type saidTurn struct {
	at   place
	when int64
	text string
}

func (s *Service) newContexts() *contexts { return &contexts{s, map[string][]saidTurn{}} }

// of returns the texts before a record, the nearest first, and remembers the
// record for those that follow.
func (c *contexts) of(ctx context.Context, r *Record) ([]string, error) {
	e := &r.Entry
	if e.Thread == "" {
		return nil, nil
	}
	list := c.last[e.Thread]
	ordered := len(list) > 0 && list[len(list)-1].at.at < e.Place
	if !ordered {
		var err error
		if list, err = c.stored(ctx, r); err != nil {
			return nil, err
		}
	}
	var out []string
	for _, t := range slices.Backward(list) {
		if len(out) == contextTurns || abs(t.when-e.Created.UnixMilli()) > neighbourGap.Milliseconds() {
			break
		}
		out = append(out, t.text)
	}
	list = append(list, saidTurn{place{e.Place, r.N}, e.Created.UnixMilli(), short(e.Corpus, embedded)})
	c.last[e.Thread] = list[max(0, len(list)-contextTurns):]
	return out, nil
}

// stored reads the turns before a record from the engine, in order.
func (c *contexts) stored(ctx context.Context, r *Record) ([]saidTurn, error) {
	e := &r.Entry
	ns := c.s.catalog.before(e.Thread, e.Place, e.Created, contextTurns)
	if len(ns) == 0 {
		return nil, nil
	}
	slices.Reverse(ns)
	records, err := c.s.o.Engine.At(ctx, ns, true)
	var out []saidTurn
	for _, p := range records {
		out = append(out, saidTurn{place{p.Entry.Place, p.N}, p.Entry.Created.UnixMilli(), short(p.Entry.Corpus, embedded)})
	}
	return out, err
}

func abs(v int64) int64 { return max(v, -v) }

// who are the words about a record that are not in its text.
func who(r *Record) string {
	e := &r.Entry
	parts := []string{e.Speaker}
	if e.Thread != "" || e.Turn != nil {
		parts = append(parts, dateWords(e.Created))
	}
	return strings.TrimSpace(strings.Join(append(parts, e.Tags...), " "))
}

// observed is what the built-in embedder counts the words of.
func observed(r *Record) string { return who(r) + " " + short(r.Entry.Corpus, embedded) }

// textOf is what the full-text index gets. The words of a text with parts are
// in its parts.
func textOf(r *Record, before []string, divided bool) Text {
	if r.Proposed {
		return Text{}
	}
	e := &r.Entry
	t := Text{
		Name: indexed(e.Name), Description: indexed(e.Description), Corpus: indexed(e.Corpus), Who: indexed(who(r)),
		Context: indexed(before...), Scope: scopeWord(e.Thread),
	}
	if divided {
		t.Corpus = ""
	}
	if e.Thread != "" { // the name and description of a turn repeat its words
		t.Name, t.Description = "", ""
	}
	return t
}

// localVectors makes the built-in embedder's vectors.
func (s *Service) localVectors(r *Record, before []string) Vectors {
	e := &r.Entry
	parts := []embed.Part{{Text: who(r) + " " + short(e.Corpus, embedded), Weight: 1}}
	for i, b := range before {
		parts = append(parts, embed.Part{Text: b, Weight: contextWeight / float64(i+1)})
	}
	return Vectors{
		Embedder: s.builtin.Name(), Name: s.builtin.Embed(e.Name), Description: s.builtin.Embed(e.Description), Corpus: s.builtin.EmbedParts(parts...),
	}
}

// remoteTexts are what the gateway's embedder gets of a record: the name, the
// description and the text, with what a reader would need to know of it, most
// bytes of each.
func remoteTexts(r *Record, before []string, most int) [3]string {
	e := &r.Entry
	text := short(e.Corpus, most)
	if w := short(who(r), most/2); w != "" {
		text = w + ": " + text
	}
	if len(before) > 0 {
		text += "\n(before: " + short(before[0], most/6) + ")"
	}
	return [3]string{orName(short(e.Name, most)), orName(short(e.Description, most)), orName(text)}
}

// orName keeps a text from being empty: servers refuse those.
func orName(s string) string {
	if strings.TrimSpace(s) == "" {
		return "-"
	}
	return s
}
