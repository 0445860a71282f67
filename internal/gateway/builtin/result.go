package builtin

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
)

// result is what a tool gave back, with the call that it answers.
type result struct {
	call moothall.ToolCall
	text string // without its envelope
}

// failure is how the hall begins the result of a call that failed.
const failure = "[tool failed]"

// notDone is said of a call that failed, with the reason.
const notDone = "That did not work: "

// admits are answers that say of a call that it failed, as in the texts that the
// network learnt from.
var admits = lazyregexp.New(`(?i)\b(did not|didn't|does not|doesn't|do not|don't|could not|couldn't|can't|cannot|not (found|there|set up|allowed|possible|known)|no (such|longer)|is no|nothing|fail|failed|refused|denied|error|unable|sorry|timed out|said:)`)

// failed is why the last call failed; empty when it did not.
func failed(messages []moothall.Message) string {
	why, ok := strings.CutPrefix(lastResult(messages), failure)
	if !ok {
		return ""
	}
	return cutShort(strings.TrimSpace(why))
}

// helps is what comes before the way out of a failure.
const helps = "What helps: "

// forPerson are remedies that only the person can use, and not the model.
var forPerson = lazyregexp.New(`(?i)\b(configuration|configure|moothall\.yaml|set up|install|keyring)\b`)

// remedy is the way out of a failure that an answer has not told yet.
func remedy(why, answer string) string {
	_, way, ok := strings.Cut(why, helps)
	if !ok { // as the tools for the web write it
		_, way, ok = strings.Cut(why, "; ")
	}
	if !ok || !forPerson.MatchString(way) || strings.Contains(answer, way) {
		return ""
	}
	return " " + helps + strings.TrimSuffix(strings.TrimSpace(way), ".") + "."
}

// nothingElse reports whether an answer has the way out of a failure in place of
// the reason: "I could not look it up: name one in the configuration."
func nothingElse(why, answer string) bool {
	reason, way, ok := strings.Cut(why, helps)
	return ok && way != "" && strings.Contains(answer, strings.TrimSuffix(strings.TrimSpace(way), ".")) &&
		!strings.Contains(answer, strings.TrimSuffix(strings.TrimSpace(reason), "."))
}

// asItWas ends what a tool says that had nothing to do.
const asItWas = "nothing was changed."

// unchanged is what the last call says that had nothing to do; empty when it had.
func unchanged(messages []moothall.Message) string {
	last := lastResult(messages)
	if !strings.HasSuffix(last, asItWas) {
		return ""
	}
	return last
}

// lastResult is what the last call since the person's last words gave back.
func lastResult(messages []moothall.Message) string {
	if found := results(messages); len(found) > 0 {
		return found[len(found)-1].text
	}
	return ""
}

// meanwhile begins what the hall hands on while a task runs: no new question.
const meanwhile = "The person says meanwhile:"

// results are what tools gave back since the person's last question, in their
// order. A result belongs to the call that it names, or else to the first that
// has none yet.
func results(messages []moothall.Message) []result {
	var out []result
	var open []moothall.ToolCall
	for _, m := range messages {
		switch {
		case m.Role == moothall.RoleUser && person(m.Content) != "" && !strings.HasPrefix(m.Content, meanwhile):
			out, open = nil, nil
		case m.Role == moothall.RoleAssistant:
			open = slices.Clone(m.ToolCalls)
		case m.Role == moothall.RoleTool:
			r := result{text: strings.TrimSpace(inside(m.Content))}
			at := slices.IndexFunc(open, func(c moothall.ToolCall) bool { return m.CallID != "" && c.ID == m.CallID })
			if at = max(at, 0); at < len(open) {
				r.call = open[at]
				open = slices.Delete(open, at, at+1)
			}
			out = append(out, r)
		}
	}
	return out
}

// pair is a value and the word that a text has for it.
type pair struct{ key, value string }

// cell is a part of a report that names its value: "port: 80", "port=80".
var cell = lazyregexp.New(`^([\pL_][\pL\pN_ -]{0,30})(?:: |=)(\S.{0,80})$`)

// pairs are the values that a text names: the fields of a JSON object, or the
// lines, or the cells between bars, of a report. A report is nothing else, but
// for a word or two before it; what a heading announces is a text.
func pairs(text string) []pair {
	if strings.HasPrefix(text, "{") {
		return fields(text)
	}
	var out []pair
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '|' }) {
		part = strings.TrimSpace(part)
		m := cell.FindStringSubmatch(part)
		switch {
		case m != nil && !strings.HasSuffix(part, "."):
			out = append(out, pair{spaced(m[1]), m[2]})
		case i > 0 || strings.HasSuffix(part, ":"):
			return nil
		}
	}
	return out
}

// spaced is a name in words.
func spaced(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")
}

// fields are those of a JSON object that are numbers or texts, in their order.
func fields(text string) []pair {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []pair
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		var s string
		switch v := bytes.TrimSpace(value); {
		case json.Unmarshal(v, &s) == nil:
		case len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9'):
			s = string(v)
		}
		if name, ok := key.(string); ok && strings.TrimSpace(s) != "" {
			out = append(out, pair{spaced(name), s})
		}
	}
	return out
}

// maxWhole is how long what tools gave back may be, in bytes, for an answer to
// give all of it.
const maxWhole = 300

// leftOut is what an answer leaves out of short reports: values that are named
// there and that neither the person nor the call had. Somebody who asks for one
// of them wants no other, and what holds instructions is not read out unasked.
func leftOut(messages []moothall.Message, e Evidence) string {
	if instructed(messages) {
		return ""
	}
	var out []string
	size, asked := 0, contentWords(e.Question)
	for _, r := range results(messages) {
		if size += len(r.text); size > maxWhole || strings.HasPrefix(r.text, failure) {
			return ""
		}
		known := strings.Join([]string{e.Question, e.Answer, strings.Join(stringsIn(r.call.Arguments), "\n"), string(r.call.Arguments)}, "\n")
		for _, p := range pairs(r.text) {
			if interrogative.MatchString(e.Question) && akin(contentWords(p.key), asked) > 0 {
				return ""
			}
			if !spoken(p.value, known) && !wellDone.MatchString(p.value) {
				out = append(out, p.key+" "+p.value)
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " It also says: " + strings.Join(out, ", ") + "."
}

var (
	// interrogative are the signs of a question.
	interrogative = lazyregexp.New(`(?i)\?\s*$|\b(what|which|who|whose|when|where|why|how)\b`)
	// wellDone are values that say no more than that a call went well.
	wellDone = lazyregexp.New(`(?i)^(ok|okay|done|success|succeeded|true|yes)$`)
)

// spoken reports whether a value stands in a text, not as a part of a longer
// word or number. Case and the commas of thousands do not count.
func spoken(value, text string) bool {
	value, text = plain(value), plain(text)
	for at := 0; value != ""; at++ {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return false
		}
		if at += i; !joined(text, at) && !joined(text, at+len(value)) {
			return true
		}
	}
	return true
}

// joined reports whether the signs before and after a place are of one word.
func joined(text string, at int) bool {
	letter := func(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b >= 0x80 }
	return at > 0 && at < len(text) && letter(text[at-1]) && letter(text[at])
}

var thousands = lazyregexp.New(`(\d),(\d{3})\b`)

// plain is a text as values are compared.
func plain(s string) string {
	return thousands.ReplaceAllString(strings.ToLower(oneLine(s)), "$1$2")
}
