package builtin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// noted is a line of what the memory gives back that holds a person's words: the
// name of a memory, or what was asked.
var noted = lazyregexp.New(`(?m)^(\d+\. \[source: [^\]\n]*\] |   Asked: )(\S[^\n]*)$`)

// memoryRead is the tool that gives memories back. A file may have such lines too,
// and is copied letter by letter.
const memoryRead = "memory_read"

// written returns the messages with a person's words in what the memory gave back
// as they would be printed, with a capital and an end. People write "my lock code
// is 4711"; the texts that the network has learnt to read do not, and it loses its
// way in such lines. What it takes from there has them as well. So it is with the
// months of whoever wants days to be counted, and with the lines of a text that
// was wrapped, unless somebody wants it written, who wants it as it is.
func written(messages []moothall.Message) []moothall.Message {
	out := slices.Clone(messages)
	copying := writing.MatchString(question(messages))
	for i, m := range messages {
		switch {
		case m.Role == moothall.RoleTool && m.ToolName == memoryRead:
			out[i].Content = noted.ReplaceAllStringFunc(m.Content, func(line string) string {
				parts := noted.FindStringSubmatch(line)
				return parts[1] + printed(parts[2])
			})
		case !copying && (m.Role == moothall.RoleTool || m.Role == moothall.RoleUser && strings.Count(m.Content, "\n") > 2):
			out[i].Content = unwrapped(m.Content)
		case m.Role == moothall.RoleUser && counting.MatchString(m.Content):
			out[i].Content = months(m.Content)
		}
	}
	return out
}

// Where a line of a text goes on in the next: it is long and ends within a
// sentence, and the next begins with a small letter and is no setting.
var (
	broken = lazyregexp.New(`[^\n]{40}[\pL\pN,;]$`)
	goesOn = lazyregexp.New(`^\p{Ll}[\pL']* `)
	aField = lazyregexp.New(`^[\pL\pN_ -]{1,30}(?:: | ?= ?|:$)`)
)

// unwrapped is a text whose sentences are no longer broken into lines.
func unwrapped(text string) string {
	lines := strings.Split(text, "\n")
	out := lines[:1:1]
	for _, line := range lines[1:] {
		last := &out[len(out)-1]
		if broken.MatchString(*last) && goesOn.MatchString(line) && !aField.MatchString(line) {
			*last += " " + line
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// counting are the words of who wants days to be counted.
var counting = lazyregexp.New(`(?i)\b(days?|weeks?|weekday) .*\d|\d.* (days?|weeks?|weekday)\b`)

// lowMonth is a month in small letters beside a day; before one, may is mostly
// none.
var lowMonth = func() *lazyregexp.Regexp {
	all := strings.ToLower(constrain.Month)
	return lazyregexp.New(`\b(\d{1,2}(?:st|nd|rd|th)? (?:of )?)(` + all + `)\b|\b(` + strings.Replace(all, "may|", "", 1) + `)( \d{1,2}(?:st|nd|rd|th)?)\b`)
}()

// months writes the months of dates with a capital.
func months(text string) string {
	return lowMonth.ReplaceAllStringFunc(text, func(date string) string {
		m := lowMonth.FindStringSubmatch(date)
		return m[1] + capital(m[2]) + capital(m[3]) + m[4]
	})
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// printed is what somebody said, with a capital and an end. A question without a
// mark, and a title of a word or two, stay as they are.
func printed(said string) string {
	said = months(said)
	last, _ := utf8.DecodeLastRuneInString(said)
	if strings.Count(said, " ") < 2 || wonders.MatchString(strings.ToLower(said)) || !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		return said
	}
	return capital(said) + "."
}
