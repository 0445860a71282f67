package builtin

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moothall"
)

// material are the texts that stand before an answer: what tools gave back since
// the person's last words, and what was looked up for those or stands in them.
func material(messages []moothall.Message) []string {
	var out []string
	for _, m := range slices.Backward(messages) {
		text := person(m.Content)
		switch {
		case m.Role == moothall.RoleTool:
			out = append(out, inside(m.Content))
		case m.Role == moothall.RoleUser && text != "":
			if _, found, ok := strings.Cut(text, lookedUp); ok {
				out = append(out, found)
			} else if carries(text) {
				out = append(out, text)
			}
			return out
		}
	}
	return out
}

// maxQuote is how long a sentence may be that is read out, in bytes.
const maxQuote = 400

// quote is an answer in the words of the material: what a tool gave back last,
// if that is short, otherwise the sentence that shares most words with the
// question, or how the result begins. Empty when there is nothing to read out.
func quote(messages []moothall.Message) string {
	result := ""
	if n := len(messages); n > 0 && messages[n-1].Role == moothall.RoleTool {
		result = strings.TrimSpace(inside(messages[n-1].Content))
	}
	if result != "" && len(result) <= maxQuote {
		return unsure + result
	}
	asked := contentWords(question(messages))
	best, most := "", 0
	for _, text := range material(messages) {
		for _, s := range sentences(text) {
			if n := akin(contentWords(s.about+" "+s.text), asked); n > most && !strings.HasSuffix(s.text, "?") {
				best, most = s.text, n
			}
		}
	}
	if best == "" && result != "" {
		best = strings.ToValidUTF8(result[:maxQuote], "") + " …"
	}
	if best == "" {
		return ""
	}
	return unsure + best
}

// akin counts the words of asked that stand among others in any form: walk and
// walked.
func akin(words, asked []string) int {
	n := 0
	for _, a := range asked {
		if slices.ContainsFunc(words, func(w string) bool { return w == a || forms[cut(w, a)] || forms[cut(a, w)] }) {
			n++
		}
	}
	return n
}

// forms are the endings of one word in its forms.
var forms = map[string]bool{"s": true, "es": true, "d": true, "ed": true, "ing": true, "er": true, "n": true, "en": true}

// cut is what a word has more than another that it begins with; "-" when it does
// not.
func cut(long, short string) string {
	if rest, ok := strings.CutPrefix(long, short); ok && len(short) > 3 {
		return rest
	}
	return "-"
}

// unsure comes before what is read out.
const unsure = "I am not sure how to put it. What I have says: "

// envelope are the marks around what tools give back.
var envelope = regexp.MustCompile(`(?m)^\[/?TOOL_RESULT[^\n]*\]$`)

// inside is a tool's result without its envelope.
func inside(content string) string { return envelope.ReplaceAllString(content, "") }

// question is the line of the person's last words that asks: what was looked up
// stands around it.
func question(messages []moothall.Message) string {
	for _, m := range slices.Backward(messages) {
		if text := person(m.Content); m.Role == moothall.RoleUser && text != "" {
			return asks(text)
		}
	}
	return ""
}

func asks(text string) string {
	before, after, ok := strings.Cut(text, lookedUp)
	if !ok || strings.TrimSpace(before) != "" {
		return before
	}
	return after[strings.LastIndex(after, "\n\n")+1:]
}

// sentence is one of a text, and what the entry that it stands in is about.
type sentence struct{ about, text string }

var (
	// ends is where a sentence ends.
	ends = regexp.MustCompile(`[.!?]["')]?\s+`)
	// entry is how what was looked up begins.
	entry = regexp.MustCompile(`^- ([^:]{1,80}): `)
)

// sentences are those of a text, line by line.
func sentences(text string) []sentence {
	var out []sentence
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		about := ""
		if m := entry.FindStringSubmatch(line); m != nil {
			about, line = m[1], line[len(m[0]):]
		}
		for line != "" {
			var s string
			if s, line = nextSentence(line); s != "" && len(s) <= maxQuote {
				out = append(out, sentence{about, s})
			}
		}
	}
	return out
}

// nextSentence cuts the first sentence off a text.
func nextSentence(text string) (sentence, rest string) {
	end := len(text)
	if at := ends.FindStringIndex(text); at != nil {
		end = at[1]
	}
	return strings.TrimSpace(text[:end]), text[end:]
}

// scored is the head of the envelope that the hall puts around what tools give
// back. It takes every mark of an envelope out of the content, so this one is
// the hall's own.
var scored = regexp.MustCompile(`^\[TOOL_RESULT: UNTRUSTED [^\n]* score=(\d\.\d+)\]\n`)

// suspicious is the score from which on a text holds instructions, as the
// firewall sees it: what is below it has no score at all.
const suspicious = 0.5

// warning is said of such a text when the answer does not speak of it. It claims
// nothing of what was done.
const warning = "The text also contained instructions; they are not yours, and I treat them as text."

// instructed reports whether a text before the answer holds instructions.
func instructed(messages []moothall.Message) bool {
	for _, m := range slices.Backward(messages) {
		if m.Role == moothall.RoleUser && person(m.Content) != "" {
			return false
		}
		if hit := scored.FindStringSubmatch(m.Content); m.Role == moothall.RoleTool && hit != nil {
			if score, err := strconv.ParseFloat(hit[1], 64); err == nil && score >= suspicious {
				return true
			}
		}
	}
	return false
}
