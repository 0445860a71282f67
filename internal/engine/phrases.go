package engine

import (
	"iter"
	"strings"
	"unicode"
)

// The engine reads a few kinds of English sentences. It looks at words, not
// at meaning, and only where a wrong guess costs little: one more round, one
// search, or a flag.

// sentences yields the sentences of a text in lower case, without code blocks,
// which say nothing, and quotations, which are somebody else's words.
func sentences(text string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		var words []string
		flush := func() bool {
			w := words
			words = nil
			return len(w) == 0 || yield(w)
		}
		code := false
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				code = !code
				continue
			}
			if code || strings.HasPrefix(line, ">") {
				continue
			}
			for _, field := range strings.Fields(line) {
				if w := word(field); w != "" {
					words = append(words, w)
				}
				if strings.ContainsAny(field[len(field)-1:], ".!?:;") && !flush() {
					return
				}
			}
			if !flush() {
				return
			}
		}
	}
}

// word is a field in lower case, without punctuation around it.
func word(field string) string {
	w := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	w = strings.ToLower(w)
	return strings.ReplaceAll(w, "’", "'")
}

// set makes a lookup of words.
func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	// work are verbs for which there is usually a tool.
	work = set("search look check find read fetch open run execute call use write save store create calculate compute " +
		"get retrieve query recall browse list gather pull start begin proceed try examine inspect verify review update edit delete")
	// filler may stand between a subject and its verb.
	filler = set("just now first then also quickly already successfully go ahead and a quick at once be")
)

// announces reports whether a text ends by saying what will be done, as in
// "Let me search for that." Questions and offers to the user do not count.
func announces(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "?") {
		return false
	}
	var last []string
	for s := range sentences(text) {
		last = s
	}
	for i := range last {
		verb := last[i:]
		switch {
		case has(verb, "let", "me"), has(verb, "i", "will"), has(verb, "i", "shall"), has(verb, "let's"):
			verb = verb[min(2, len(verb)):]
			if last[i] == "let's" {
				verb = last[i+1:]
			}
		case has(verb, "i'll"):
			verb = verb[1:]
		case has(verb, "i'm", "going", "to"):
			verb = verb[3:]
		case has(verb, "i", "am", "going", "to"):
			verb = verb[4:]
		default:
			continue
		}
		if v := skip(verb); len(v) > 0 && work[v[0]] && !conditional(last) {
			return true
		}
	}
	return false
}

// conditional sentences promise nothing now: "If you send it, I will check.",
// "Tell me what was wrong and I will try again."
func conditional(words []string) bool {
	for i, w := range words {
		if has(words[i:], "tell", "me") || has(words[i:], "send", "me") || has(words[i:], "give", "me") || has(words[i:], "show", "me") {
			return true
		}
		switch w {
		case "if", "once", "when", "whenever", "unless", "until", "next":
			return true
		}
	}
	return false
}

// has reports whether words begin with those given.
func has(words []string, begin ...string) bool {
	if len(words) < len(begin) {
		return false
	}
	for i, b := range begin {
		if words[i] != b {
			return false
		}
	}
	return true
}

// skip leaves out filler.
func skip(words []string) []string {
	for len(words) > 0 && filler[words[0]] {
		words = words[1:]
	}
	return words
}

// hedging are ways to say that something current is out of reach.
var hedging = []string{
	"don't have access to current", "don't have access to real", "do not have access to current", "do not have access to real",
	"don't have real-time", "do not have real-time", "don't have current", "don't have up-to-date", "do not have up-to-date",
	"don't have the latest", "do not have the latest", "my knowledge cutoff", "my training data", "my knowledge only goes",
	"as of my last", "my last update", "can't browse", "cannot browse", "unable to browse", "can't access the internet",
	"cannot access the internet", "unable to access the internet", "can't search", "cannot search", "unable to search",
	"can't look up", "cannot look up", "unable to look up", "no access to the internet", "don't have internet", "don't have live",
	"unable to access current", "unable to access real", "can't access current", "can't access real", "cannot access current",
	"cannot access real",
}

// hedges reports whether an answer says that it cannot know.
func hedges(text string) bool {
	t := strings.ReplaceAll(strings.ToLower(text), "’", "'")
	for _, h := range hedging {
		if strings.Contains(t, h) {
			return true
		}
	}
	return false
}
