package graph

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"moothall"
)

// LinesAt renders facts for people and models, one line each, with the default
// rules, as seen at a point in time: "Ana IS living in Lisbon (since 2024-03,
// source 0190…, confidence 0.9)". What has ended WAS, and what begins later WILL
// BE. Names that came from outside are quoted, so that they read as data.
func LinesAt(facts []moothall.GraphFact, at time.Time) []string {
	w := writer{rules: newRules(DefaultRules()), at: at}
	return w.lines(facts)
}

// Lines is [LinesAt] with the service's rules, now.
func (s *Service) Lines(facts []moothall.GraphFact) []string {
	w := writer{rules: s.rules, at: s.opt.Now()}
	return w.lines(facts)
}

// writer puts facts into words.
type writer struct {
	rules rules
	at    time.Time
}

func (w writer) lines(facts []moothall.GraphFact) []string {
	against := w.contradicted(facts)
	out := make([]string, len(facts))
	for i, f := range facts {
		out[i] = w.line(f, against[i])
	}
	return out
}

func (w writer) line(f moothall.GraphFact, against []string) string {
	verb := "IS"
	switch {
	case w.was(f):
		verb = "WAS"
	case w.comes(f):
		verb = "WILL BE"
	}
	show := short
	if f.Trust == moothall.TrustExternal || f.Trust == "" {
		show = func(name string) string { return strconv.Quote(short(name)) }
	}
	subject, object := show(Clean(f.Subject)), show(Clean(f.Object))
	text := ""
	if phrase, ok := w.rules.of(f.Relation).phrase(); ok {
		text = fmt.Sprintf("%s %s %s %s", subject, verb, short(phrase), object)
	} else {
		text = fmt.Sprintf("%s: %s %s %s", verb, subject, short(phrase), object)
	}
	return text + " (" + strings.Join(w.notes(f, against), ", ") + ")"
}

func (w writer) was(f moothall.GraphFact) bool {
	return !f.To.IsZero() && !f.To.After(w.at)
}

// comes reports what has not begun yet.
func (w writer) comes(f moothall.GraphFact) bool { return f.From.After(w.at) }

// notes are what stands in brackets.
func (w writer) notes(f moothall.GraphFact, against []string) []string {
	var notes []string
	switch {
	case w.comes(f):
		notes = append(notes, "from "+day(f.From))
	case !f.From.IsZero():
		notes = append(notes, "since "+day(f.From))
	case !f.Observed.IsZero():
		notes = append(notes, "seen "+day(f.Observed))
	}
	if !f.To.IsZero() {
		notes = append(notes, "until "+day(f.To))
	}
	if f.Source == "" {
		notes = append(notes, "stated directly")
	} else {
		notes = append(notes, "source "+short(Clean(string(f.Source))))
	}
	notes = append(notes, "confidence "+strconv.FormatFloat(f.Confidence, 'g', 2, 64))
	switch f.Trust {
	case moothall.TrustPerson:
	case moothall.TrustModel:
		notes = append(notes, "said by a model")
	default:
		notes = append(notes, "from outside, not confirmed")
	}
	if len(against) > 0 {
		notes = append(notes, "contradicted by: "+strings.Join(against, "; "))
	}
	return notes
}

// contradicted finds, for each fact, the objects that others of the list give
// a relation that can have only one.
func (w writer) contradicted(facts []moothall.GraphFact) map[int][]string {
	type one struct{ subject, relation string }
	groups := map[one][]int{}
	for i, f := range facts {
		if r := w.rules.of(f.Relation); r.Functional {
			g := one{Key(f.Subject), r.Relation}
			groups[g] = append(groups[g], i)
		}
	}
	const most = 3 // in one line
	out := map[int][]string{}
	for _, members := range groups {
		for _, i := range members {
			for _, j := range members {
				if len(out[i]) < most && clash(facts[i], facts[j]) {
					out[i] = append(out[i], strconv.Quote(short(Clean(facts[j].Object))))
				}
			}
		}
	}
	return out
}

// clash reports facts of one functional relation that cannot both be so.
func clash(a, b moothall.GraphFact) bool {
	return Key(a.Object) != Key(b.Object) && factSpan(a).overlaps(factSpan(b))
}

// factSpan is the time of a fact as others see it.
func factSpan(f moothall.GraphFact) span {
	start := instant(f.From, instant(f.Observed, Unknown))
	return span{start, instant(f.To, Forever)}
}

// day writes a date; the first moment of a month stands for the month.
func day(t time.Time) string {
	t = t.UTC()
	if t.Day() == 1 && t.Equal(t.Truncate(24*time.Hour)) {
		return t.Format("2006-01")
	}
	return t.Format(time.DateOnly)
}

// short keeps a name from filling a page.
func short(name string) string {
	const most = 120
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most]) + "…"
}
