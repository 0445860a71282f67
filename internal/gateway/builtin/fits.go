package builtin

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
	"moothall/internal/lazyregexp"
	"moothall/internal/schema"
)

// When a call is not made although it is the likeliest: the network would rather
// have said that no tool fits than is usual, and it was not sure of the call, or
// the call has little to do with what the person said. Of the 361 held-out calls
// on which these were set, that keeps back 10 of 78 wrong ones and none of the
// right ones.
const (
	// noneLikely is the log probability of a thought that no tool fits: 0.7 %.
	noneLikely = -5
	// sureOfCall is the mean log probability of the tokens of thought and call.
	sureOfCall = -0.04
	// ofCall is the share of the person's words that stand in the call and in
	// the lines of its tools.
	ofCall = 0.2
)

// noneFits is how such a thought begins; see train/gen.
const noneFits = "No tool on offer does that"

// What takes the place of calls that are not made.
const (
	noTool       = "I can't do that: none of my tools fits well enough, and I must not guess. Another tool or a larger model would be needed."
	noRemoval    = "I can't take that out: I can only add to a file, change words in it, or write it anew. Nothing was changed."
	noForgetting = "I can't take anything out of the memory myself. You can: on the page under Memory, or with: moothall memory forget"
	notThat      = "I am not sure what is to be taken out, and I must not guess. Nothing was changed. Please write it once more, in quotes."
	noNumber     = "I am not sure which number is meant, and I must not guess. Please say it once more, with the number."
)

// account keeps what the network itself thought of a token that was chosen among
// others, whatever was allowed and preferred.
func (g *generation) account(id int32) {
	whole := logSum(g.own)
	g.sure = float64(g.own[id]) - whole
	if g.guide.Place() == constrain.Thought {
		g.accountReading(id, whole)
	}
	if g.guide.Place() == constrain.Thought && g.output == 1 { // there are many ways to begin one, and they come to the same
		g.none = float64(g.own[g.b.none]) - whole
		return
	}
	if g.guide.Place() == constrain.Thought && id != best(g.own) {
		return // others had a say
	}
	g.sum += g.sure
}

// accountReading keeps how sure a thought is that a text answers, and of the
// sentence that it quotes from there.
func (g *generation) accountReading(id int32, whole float64) {
	thought := g.thought.String()
	if quoting(thought, g.b.words.Piece(id)) {
		g.before.Quoted += g.sure
	}
	if at := g.b.reads; id == at.way && ofText.MatchString(strings.TrimSuffix(thought, at.until)) {
		g.before.Silent = math.Exp(float64(g.own[at.other]) - whole)
	}
}

// reconsider looks at calls once more, before they are made.
func (g *generation) reconsider() {
	if len(g.made) == 0 || g.deaf || !g.guide.Ended() {
		return
	}
	asked := askedWords(g.r.Messages)
	if g.refusal = g.instead(asked); g.refusal != "" {
		g.made = nil
	}
}

// instead is what is said in place of the calls; empty when they are made.
func (g *generation) instead(asked []string) string {
	switch {
	case repeats(g.r.Messages, g.made):
		return quote(g.r.Messages, "")
	case outside(g.made) && saidOf(g.r.Messages) != "":
		return youSaid + saidOf(g.r.Messages)
	case forgetting.MatchString(asks(g.before.Question)) && slices.ContainsFunc(g.made, func(c moothall.ToolCall) bool { return c.Name == memoryWrite }):
		return noForgetting
	case g.unfit(asked), clockless(g.r.Messages, g.made):
		return noTool
	case takingOut.MatchString(asks(g.before.Question)) && slices.ContainsFunc(g.made, adds):
		return noRemoval
	case slices.ContainsFunc(g.made, func(c moothall.ToolCall) bool { return takesOther(c, asks(g.before.Question)) }):
		return notThat
	case invented(g.r.Messages, g.made) != "":
		return noNumber
	}
	return ""
}

// outside reports whether calls would look for something on the web.
func outside(calls []moothall.ToolCall) bool {
	return slices.ContainsFunc(calls, func(c moothall.ToolCall) bool { return c.Name == webSearch })
}

// ofTime are the words of who asks what time or day it is somewhere.
var ofTime = lazyregexp.New(`(?i)\b(?:times?|clocks?|o['’]?clock|hours?|days?|dates?|weekdays?|now|late|early|today|tonight|morning|afternoon|evening|night|midnight|noon|zones?|awake|asleep|open|up)\b`)

// clockless reports whether calls ask what time it is in a place that nobody named,
// where nobody asked for any time.
func clockless(messages []moothall.Message, calls []moothall.ToolCall) bool {
	return slices.ContainsFunc(calls, func(c moothall.ToolCall) bool {
		var args struct {
			Zone string `json:"zone"`
		}
		if c.Name != "now" || json.Unmarshal(c.Arguments, &args) != nil || args.Zone == "" || ofTime.MatchString(question(messages)) {
			return false
		}
		_, city, _ := strings.Cut(args.Zone, "/")
		city = strings.ToLower(strings.ReplaceAll(city[strings.LastIndexByte(city, '/')+1:], "_", " "))
		for _, m := range messages {
			if m.Role == moothall.RoleUser && city != "" && strings.Contains(strings.ToLower(m.Content), city) ||
				slices.ContainsFunc(m.ToolCalls, func(c moothall.ToolCall) bool { return c.Name == "now" }) {
				return false
			}
		}
		return true
	})
}

// repeats reports whether calls are those that were just made, and that went
// well: they would give the same once more.
func repeats(messages []moothall.Message, calls []moothall.ToolCall) bool {
	found := results(messages)
	if len(found) < len(calls) {
		return false
	}
	for i, r := range found[len(found)-len(calls):] {
		was, err := schema.Canonical(r.call.Arguments)
		is, errIs := schema.Canonical(calls[i].Arguments)
		if r.call.Name != calls[i].Name || err != nil || errIs != nil || !bytes.Equal(was, is) || strings.HasPrefix(r.text, failure) {
			return false
		}
	}
	return true
}

// invented is a number in calls that nobody said, as it stands or in words, and
// that is no count of one or none; empty when there is none. Of 218 held-out
// calls 8 had one, and all of those were wrong.
func invented(messages []moothall.Message, calls []moothall.ToolCall) string {
	said := map[string]bool{"0": true, "1": true}
	for _, m := range messages {
		for _, text := range append([]string{m.Content}, argumentTexts(m.ToolCalls)...) {
			for _, n := range constrain.Numbers(text) {
				said[n] = true
			}
		}
	}
	if constrain.Implies(question(messages)) {
		return ""
	}
	for _, c := range calls {
		for _, n := range numbersIn(c.Arguments) {
			if !said[strings.TrimPrefix(n, "-")] {
				return n
			}
		}
	}
	return ""
}

func argumentTexts(calls []moothall.ToolCall) []string {
	var out []string
	for _, c := range calls {
		out = append(out, string(c.Arguments))
	}
	return out
}

// numbersIn are the numbers in a call's arguments, as they are written.
func numbersIn(raw json.RawMessage) []string {
	var out []string
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for t, err := d.Token(); err == nil; t, err = d.Token() {
		if n, ok := t.(json.Number); ok {
			out = append(out, n.String())
		}
	}
	return out
}

// unfit reports whether the calls are better not made.
func (g *generation) unfit(asked []string) bool {
	if g.none < noneLikely || len(asked) == 0 {
		return false
	}
	words := slices.Concat(toolWords(g.r.Tools, g.made), argumentWords(g.made))
	return g.sum < sureOfCall*float64(g.output) || float64(spokenOf(words, asked)) < ofCall*float64(len(asked))
}

// askedWords are the different words that a person's question is made of.
func askedWords(messages []moothall.Message) []string {
	return slices.Compact(slices.Sorted(slices.Values(contentWords(question(messages)))))
}

// spokenOf counts the words of a person's that stand among others in any form.
func spokenOf(words, asked []string) int {
	n := 0
	for _, a := range asked {
		if has(words, a) || akin(words, []string{a}) > 0 {
			n++
		}
	}
	return n
}

// humps are where a name goes on with a capital.
var humps = lazyregexp.New(`(\p{Ll})(\p{Lu})`)

// typeWords stand in the lines of all tools.
var typeWords = []string{"string", "integer", "number", "boolean", "array", "object"}

// lineWords are the words of a tool's line: its name, what it does, its arguments
// and what they may be.
func lineWords(t moothall.ToolSpec) []string {
	words := contentWords(humps.ReplaceAllString(prompt.Line(t), "$1 $2"))
	return slices.DeleteFunc(words, func(w string) bool { return slices.Contains(typeWords, w) })
}

// toolWords are those of the tools that are called.
func toolWords(tools []moothall.ToolSpec, calls []moothall.ToolCall) []string {
	var out []string
	for _, t := range tools {
		if slices.ContainsFunc(calls, func(c moothall.ToolCall) bool { return c.Name == t.Name }) {
			out = append(out, lineWords(t)...)
		}
	}
	return out
}

// argumentWords are the words and numbers of the arguments.
func argumentWords(calls []moothall.ToolCall) []string {
	var text []string
	for _, c := range calls {
		for _, p := range fields(string(c.Arguments)) {
			text = append(text, p.value)
		}
	}
	return contentWords(strings.Join(text, " "))
}
