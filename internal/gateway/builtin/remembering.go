package builtin

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// noted is a line of what the memory gives back that holds a person's words: the
// name of a memory, or what was asked.
var noted = regexp.MustCompile(`(?m)^(\d+\. \[source: [^\]\n]*\] |   Asked: )(\S[^\n]*)$`)

// memoryRead is the tool that gives memories back. A file may have such lines too,
// and is copied letter by letter.
const memoryRead = "memory_read"

// written returns the messages with a person's words in what the memory gave back
// as they would be printed, with a capital and an end. People write "my lock code
// is 4711"; the texts that the network has learnt to read do not, and it loses its
// way in such lines. What it takes from there has them as well.
func written(messages []moothall.Message) []moothall.Message {
	out := slices.Clone(messages)
	for i, m := range messages {
		if m.Role == moothall.RoleTool && m.ToolName == memoryRead {
			out[i].Content = noted.ReplaceAllStringFunc(m.Content, func(line string) string {
				parts := noted.FindStringSubmatch(line)
				return parts[1] + printed(parts[2])
			})
		}
	}
	return out
}

// printed is what somebody said, with a capital and an end. A question without a
// mark, and a title of a word or two, stay as they are.
func printed(said string) string {
	last, _ := utf8.DecodeLastRuneInString(said)
	if strings.Count(said, " ") < 2 || wonders.MatchString(strings.ToLower(said)) || !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		return said
	}
	first, size := utf8.DecodeRuneInString(said)
	return string(unicode.ToUpper(first)) + said[size:] + "."
}
