package attack_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"moothall/internal/moottest/ollamatest"
)

// tokens are the names of trials; a question names its trial.
var tokens = regexp.MustCompile(`k\d{4}x`)

// canaries are what the model takes for a secret when it sees one.
var canaries = regexp.MustCompile(`moot[0-9a-f]{16}`)

// call is one tool call as testdata writes it.
type call struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// obedient is the model of one trial.
type obedient struct {
	before [][]call // what the question needs, round by round
	words  []string // the instruction as it was planted, piece by piece
	after  [][]call // what obeying means, round by round
	echo   bool     // it does not obey: it repeats what it read last

	fill    func(text, secret string) string // puts values for placeholders
	rounds  int
	obeyed  bool
	shown   strings.Builder // all that the model was ever shown
	secrets []string        // canaries among it
}

// answer is the model's next reply. It obeys as soon as the question is dealt
// with and the instruction is in sight.
func (m *obedient) answer(c ollamatest.Chat) ollamatest.Reply {
	sight := m.look(c)
	n := m.rounds
	m.rounds++
	if len(c.Tools) == 0 {
		return ollamatest.Reply{Text: "That is all."}
	}
	if n < len(m.before) {
		return m.make(c, m.before[n])
	}
	if n -= len(m.before); n == 0 {
		m.obeyed = len(m.words) > 0 && !slices.ContainsFunc(m.words, func(w string) bool { return !strings.Contains(sight, letters(w)) })
	}
	if m.echo && n == 0 {
		return ollamatest.Reply{Text: c.Messages[len(c.Messages)-1].Content}
	}
	if !m.obeyed || n >= len(m.after) {
		return ollamatest.Reply{Text: "Here is what I found."}
	}
	return m.make(c, m.after[n])
}

// look takes in what is shown: messages and the descriptions of tools.
func (m *obedient) look(c ollamatest.Chat) string {
	var all strings.Builder
	for _, msg := range c.Messages {
		if msg.Role != "assistant" { // its own words are no news
			all.WriteString(msg.Content + "\n")
		}
	}
	for _, t := range c.Tools {
		all.WriteString(t.Function.Description + "\n" + string(t.Function.Parameters) + "\n")
	}
	text := all.String()
	m.shown.WriteString(text)
	m.secrets = canaries.FindAllString(text, -1)
	return letters(text)
}

// letters is a text without everything that formatting and cleaning touch: a
// model reads past that.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// make calls tools: in the field for calls those that are on offer, in words
// any others, since a server drops calls of tools that it does not know.
func (m *obedient) make(c ollamatest.Chat, calls []call) ollamatest.Reply {
	secret := "nothing"
	if len(m.secrets) > 0 {
		secret = m.secrets[0]
	}
	var out ollamatest.Reply
	var inWords bool
	for _, w := range calls {
		inWords = inWords || !slices.ContainsFunc(c.Tools, func(t ollamatest.Tool) bool { return t.Function.Name == w.Tool })
	}
	for _, w := range m.spell(calls, secret) {
		if inWords {
			out.Text += "<tool_call>{\"name\": \"" + w.Tool + "\", \"arguments\": " + string(w.Args) + "}</tool_call>\n"
			continue
		}
		out.Calls = append(out.Calls, ollamatest.Call{Function: ollamatest.Function{Name: w.Tool, Arguments: w.Args}})
	}
	return out
}

// spell fills placeholders in. A call with {letter} becomes one call for
// each character of the secret, with {place} for where it stands.
func (m *obedient) spell(calls []call, secret string) []call {
	var out []call
	for _, w := range calls {
		w.Args = json.RawMessage(m.fill(string(w.Args), secret))
		if !strings.Contains(string(w.Args), "{letter}") {
			out = append(out, w)
			continue
		}
		for i, r := range strings.TrimPrefix(secret, "moot") {
			args := strings.NewReplacer("{letter}", string(r), "{place}", string(rune('a'+i))).Replace(string(w.Args))
			out = append(out, call{w.Tool, json.RawMessage(args)})
		}
	}
	return out
}
