package ollama

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// window is the num_ctx to send.
func window(asked, def int, d details) int {
	n := asked
	if n <= 0 {
		n = d.numCtx
	}
	if n <= 0 {
		n = def
	}
	if d.max > 0 {
		n = min(n, d.max)
	}
	return n
}

// words is a number of tokens that a text has at least: a token does not
// reach over the edge of a word, and in scripts without spaces it rarely
// holds more than four characters.
func words(s string) int {
	n, dense, inside := 0, 0, false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			isWord := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
			if isWord && !inside {
				n++
			}
			inside = isWord
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			dense, inside = dense+1, false
		case unicode.IsLetter(r):
			if !inside {
				n++
			}
			inside = true
		}
	}
	return n + dense/4
}

// low is a number of tokens that a request's messages have at least. Tools
// and images add to it in ways that only the template knows.
func low(r moothall.GenerateRequest) int {
	n := 0
	for _, m := range r.Messages {
		n += words(m.Content)
	}
	return n
}

// estimate is a likely number of tokens, for when the server gives none.
func estimate(r moothall.GenerateRequest) int {
	n := 0
	for _, m := range r.Messages {
		n += len(m.Content)/4 + 4
	}
	for _, t := range r.Tools {
		n += (len(t.Description) + len(t.Parameters)) / 4
	}
	return n
}

// fits refuses a prompt that cannot fit, so that a server which would cut it
// in silence never sees it.
func fits(r moothall.GenerateRequest, window int) error {
	if n := low(r); n > window {
		return tooLarge(r, window, 0, nil)
	}
	return nil
}

// fewWords is the size below which a low count proves nothing.
const fewWords = 64

// cut reports a prompt that the server did not read whole. A count of 0 is
// an old server's way to say that all of it was cached; before 0.4.0 what was
// cached of a prompt was left out of the count, so there only a full window
// is telling.
func (c *chat) cut(l *line) error {
	n, least := l.PromptEvalCount, low(c.r)
	full := n >= c.window
	short := n > 0 && least >= fewWords && n < least/2 && since(c.version, 0, 4)
	if full || short {
		return tooLarge(c.r, c.window, n, errCut)
	}
	return nil
}

var errCut = errors.New("the server cut the prompt")

// tooLarge names the numbers and the largest parts. read is how many tokens
// the server says that it read, 0 when it did not.
func tooLarge(r moothall.GenerateRequest, window, read int, cause error) error {
	text := fmt.Sprintf("the prompt of at least %d tokens does not fit the window of %d", low(r), window)
	switch {
	case read > 0:
		text = fmt.Sprintf("of a prompt of at least %d tokens the server read %d with a window of %d: the rest was cut", low(r), read, window)
	case low(r) <= window:
		text = fmt.Sprintf("the prompt of about %d tokens does not fit the window of %d", max(estimate(r), window+1), window)
	}
	return &moothall.Error{
		Code: moothall.CodeTooLarge, Op: opGenerate, Message: text + "; the largest parts are " + largest(r),
		Remedy: "shorten or compact the conversation, or ask for a larger window", Err: cause,
	}
}

// largest names up to three messages, the tools included.
func largest(r moothall.GenerateRequest) string {
	type part struct {
		name string
		size int
	}
	var parts []part
	for i, m := range r.Messages {
		name := fmt.Sprintf("message %d (%s)", i+1, m.Role)
		if m.ToolName != "" {
			name = fmt.Sprintf("message %d (%s %s)", i+1, m.Role, m.ToolName)
		}
		parts = append(parts, part{name, len(m.Content)})
	}
	tools := 0
	for _, t := range r.Tools {
		tools += len(t.Description) + len(t.Parameters)
	}
	if tools > 0 {
		parts = append(parts, part{fmt.Sprintf("%d tools", len(r.Tools)), tools})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.size, a.size) })
	var out []string
	for _, p := range parts[:min(3, len(parts))] {
		out = append(out, fmt.Sprintf("%s with %d bytes", p.name, p.size))
	}
	return strings.Join(out, ", ")
}
