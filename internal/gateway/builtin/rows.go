package builtin

import (
	"slices"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
)

// row is one of a table, by the names in the table's head.
type row struct{ names, cells []string }

// words is what a row says.
func (r row) words() string {
	out := make([]string, len(r.cells))
	for i, c := range r.cells {
		out[i] = r.names[i] + " " + strings.TrimSpace(c)
	}
	return strings.Join(out, ", ")
}

// A table has a head of names, two rows at least, and as many cells in each.
const (
	minRows  = 2
	minCells = 2
)

// column is a name in the head of a table.
var column = lazyregexp.New(`^[\pL][\pL\pN_ /()%€$.-]{0,30}$`)

// rows are those of the tables in a text: lines with commas, semicolons or tabs.
func rows(text string) []row {
	var out, table []row
	var names []string
	mark := ""
	done := func() {
		if len(table) >= minRows {
			out = append(out, table...)
		}
		table, names = nil, nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if names != nil && strings.Count(line, mark)+1 == len(names) {
			table = append(table, row{names, strings.Split(line, mark)})
			continue
		}
		done()
		names, mark = head(line)
	}
	done()
	return out
}

// head are the names in the first line of a table, and what stands between them.
func head(line string) (names []string, mark string) {
	for _, mark := range []string{";", "\t", ","} {
		names := strings.Split(line, mark)
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		if len(names) >= minCells && !slices.ContainsFunc(names, func(n string) bool { return !column.MatchString(n) }) {
			return names, mark
		}
	}
	return nil, ""
}

// wantsCell is how a question begins that a cell of a table may answer.
var wantsCell = lazyregexp.New(`(?i)\b(?:how (?:much|many)|what (?:is|was|did|does|are|were)|what's|whats|when|which|price|amount|cost)\b`)

// rowFor is the one row of what was read that has a word of the question, told by
// the names of its cells. Empty: there is none, or several.
func rowFor(messages []moothall.Message, question string) string {
	if !wantsCell.MatchString(question) {
		return ""
	}
	asked := contentWords(fileWord.ReplaceAllString(question, " "))
	for _, m := range slices.Backward(messages) {
		if m.Role != moothall.RoleTool {
			continue
		}
		table := rows(inside(m.Content))
		if len(table) == 0 {
			continue
		}
		found := ""
		for _, r := range table {
			if akin(contentWords(strings.Join(r.cells, " ")), asked) == 0 {
				continue
			}
			if found != "" {
				return ""
			}
			found = r.words()
		}
		return found
	}
	return ""
}

// fileWord is the name of a file among words.
var fileWord = lazyregexp.New(`\S+\.\w{1,5}\b`)

// readsOut is how an answer begins that reads a file out.
var readsOut = lazyregexp.New(`^\S+ (?:says|holds):\n`)

// asItStands is an answer that reads a text out, without the lines that the text
// does not have.
func asItStands(answer string, messages []moothall.Message) string {
	begin := readsOut.FindString(answer)
	text := lastResult(messages)
	if begin == "" || text == "" {
		return answer
	}
	has := map[string]bool{}
	for line := range strings.Lines(text) {
		has[strings.TrimSpace(line)] = true
	}
	lines := strings.Split(answer[len(begin):], "\n")
	kept := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !has[strings.TrimSpace(l)] && !warned.MatchString(l) })
	if len(kept) == len(lines) || 2*len(kept) < len(lines) {
		return answer
	}
	return begin + strings.Join(kept, "\n")
}
