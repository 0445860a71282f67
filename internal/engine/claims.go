package engine

import (
	"iter"
	"strings"

	"moothall"
)

// deed is a kind of thing that only a tool can do.
type deed uint8

const (
	wrote deed = iota + 1
	looked
	ran
)

// deeds are past forms that claim something was done.
var deeds = func() map[string]deed {
	m := make(map[string]deed)
	for d, words := range map[deed]string{
		wrote: "saved stored created updated deleted removed wrote written sent emailed scheduled booked installed added " +
			"recorded uploaded downloaded renamed moved edited modified remembered",
		looked: "searched googled browsed fetched queried checked retrieved",
		ran:    "ran run executed tested",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = d
		}
	}
	return m
}()

// earlier are words that place a deed in a turn before this one.
var earlier = set("earlier previously already before yesterday last")

// claims flags what the answer says was done and no tool did.
func (r *run) claims() {
	if r.res.Stop == moothall.StopError || r.res.Answer == "" || len(r.req.Schema) > 0 {
		return
	}
	seen := map[string]bool{}
	for s := range sentences(r.res.Answer) {
		for phrase, d := range claimed(s) {
			if !seen[phrase] && !r.backed(d) && !r.backedEarlier(s, d) {
				r.flag(FlagClaim, phrase)
			}
			seen[phrase] = true
		}
	}
}

// claimed yields "I have saved" and its like in a sentence.
func claimed(words []string) iter.Seq2[string, deed] {
	return func(yield func(string, deed) bool) {
		for i, w := range words {
			if w != "i" && w != "i've" || conditional(words[:i]) {
				continue
			}
			rest := words[i+1:]
			if w == "i" && has(rest, "have") {
				rest = rest[1:]
			}
			rest, d := claim(skip(rest))
			if d != 0 && !yield(phrase(words, i, rest), d) {
				return
			}
		}
	}
}

// claim reads the verb that words begin with. It returns the words from the
// claim's last on.
func claim(words []string) ([]string, deed) {
	switch {
	case len(words) == 0:
	case has(words, "looked", "up"):
		return words[1:], looked
	case has(words, "looked", "it", "up"):
		return words[2:], looked
	case !nothingDone(words[0], words[1:]):
		return words, deeds[words[0]]
	}
	return nil, 0
}

// nothingDone are sayings in which the verb needs no tool.
func nothingDone(verb string, rest []string) bool {
	switch verb {
	case "added":
		return has(rest, "up")
	case "run", "ran":
		return has(rest, "out") || has(rest, "into")
	}
	return false
}

// phrase is the claim from its subject to its verb.
func phrase(words []string, from int, rest []string) string {
	return strings.Join(words[from:len(words)-len(rest)+1], " ")
}

// backed reports whether a call of this run did such a thing.
func (r *run) backed(d deed) bool {
	for _, c := range r.res.Calls {
		spec := r.offer.find(c.Tool)
		if c.Status == moothall.CallOK && spec != nil && does(spec, d) {
			return true
		}
	}
	return false
}

// backedEarlier reports whether the sentence speaks of before, and a call
// before this run could be meant.
func (r *run) backedEarlier(words []string, d deed) bool {
	past := false
	for _, w := range words {
		past = past || earlier[w]
	}
	if !past {
		return false
	}
	for _, m := range r.req.History {
		spec := r.offer.find(m.ToolName)
		if m.Role == moothall.RoleTool && spec != nil && does(spec, d) && !strings.HasPrefix(m.Content, "[") {
			return true
		}
	}
	return false
}

// does reports whether a tool can do such a thing.
func does(spec *moothall.ToolSpec, d deed) bool {
	switch d {
	case looked:
		return true // whatever was called, something was looked at
	case ran:
		return spec.Risk != moothall.RiskRead
	}
	return !spec.ReadOnly && spec.Risk != moothall.RiskNone && spec.Risk != moothall.RiskRead
}
