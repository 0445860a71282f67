package builtin

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
	"moothall/internal/lazyregexp"
)

// takingOne is how somebody begins who wants one thing taken out.
var takingOne = lazyregexp.New(begins + `(?:remove|delete|erase|drop|strike(?: off| out)?|cross(?: off| out)?|take(?: off| out)?)\s+(?:the |my |our )?([^?!,;]+?)(?:\s+(?:from|off|out|again|please|in)\b.*)?[.!\s]*$`)

// oneOf sets a change right that takes out a whole line in which several things are
// listed, or one of them and leaves its comma, where only one is to go: "milk, eggs
// and bread" without eggs is "milk and bread".
func oneOf(e *edit, question string, messages []moothall.Message) bool {
	m := takingOne.FindStringSubmatch(question)
	if m == nil || table.MatchString(e.Path) {
		return false
	}
	lines := []string{*e.OldText}
	if strings.EqualFold(strings.TrimSpace(*e.OldText), m[1]) {
		lines = linesOf(e.Path, messages)
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return withoutItem(l, m[1]) == "" })
	if len(lines) != 1 {
		return false
	}
	left := withoutItem(lines[0], m[1])
	e.OldText, e.NewText = &lines[0], &left
	return true
}

// table is a file whose lines are rows: a comma divides columns there.
var table = lazyregexp.New(`(?i)\.(?:csv|tsv)$`)

// lineMeant sets a change right that takes out a line which nobody spoke of, where the
// file has just one with the words of the question: "delete the fence line".
func lineMeant(e *edit, question string, messages []moothall.Message) bool {
	asked := slices.DeleteFunc(contentWords(question), func(w string) bool { return aLine.MatchString(w) })
	if !removing.MatchString(question) || byPlace.MatchString(question) || len(asked) == 0 {
		return false
	}
	lines := linesOf(e.Path, messages)
	if akin(contentWords(*e.OldText), asked) > 0 && strings.Contains(strings.Join(lines, "\n"), *e.OldText) {
		return false
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return akin(contentWords(l), asked) == 0 })
	if len(lines) != 1 {
		return false
	}
	e.OldText = &lines[0]
	return true
}

// exchanging is how somebody says which words of a file are to be which others.
var exchanging = lazyregexp.New(begins + `(?:change|replace|swap|correct|turn|rename)\s+(?:the (?:word|words|text|line)\s+)?(?:"([^"]+)"|“([^”]+)”|([^"“”?!,;:]{1,60}?))\s+(?:to|with|by|into|for)\s+(?:"([^"]+)"|“([^”]+)”|([^"“”?!,;:]{1,60}?))(?:\s+(?:in|there|again)\b.*)?` + politely)

// exchanged sets a change right that puts other words in the place of other ones than
// somebody said, where the file has those that they said just once: "change bank to
// dentist".
func exchanged(e *edit, question string, messages []moothall.Message) bool {
	m := exchanging.FindStringSubmatch(question)
	if m == nil || table.MatchString(e.Path) && e.Mode != "replace-text" {
		return false
	}
	from, to := cmp.Or(m[1], m[2], m[3]), strings.TrimRight(cmp.Or(m[4], m[5], m[6]), ".")
	text := strings.Join(linesOf(e.Path, messages), "\n")
	if line, with := valued(text, articleless(from), to); line != "" {
		*e = edit{Path: e.Path, Mode: "replace-text", OldText: &line, NewText: &with}
		return true
	}
	if (e.OldText != nil && *e.OldText == from) || from == to || to == "" {
		return false
	}
	for _, old := range []string{from, articleless(from)} {
		if old != "" && strings.Count(text, old) == 1 {
			if e.OldText != nil && e.NewText != nil && strings.Contains(*e.OldText, old) && *e.NewText == strings.Replace(*e.OldText, old, to, 1) {
				return false // the same, in more words
			}
			*e = edit{Path: e.Path, Mode: "replace-text", OldText: &old, NewText: &to}
			return true
		}
	}
	return false
}

// aValue is a number, a price or a time without its unit, which the line may have
// otherwise, and figures what such a one has in a line.
var (
	aValue  = lazyregexp.New(`^[$€£]?\d[\d.,:]*%?$`)
	figures = lazyregexp.New(`\b\d(?:[\d.,:]*\d)?\b`)
)

// valued is the one line of a text with a thing that is to have another value, and
// what it is then: "change gym to 30" means gym's figure and not its name. Empty: it
// is no value, or the line has more or fewer than one.
func valued(text, thing, to string) (line, with string) {
	if thing == "" || !aValue.MatchString(to) || figures.MatchString(thing) {
		return "", ""
	}
	named := regexp.MustCompile(`(?i)(?:^|[^\pL\pN])` + regexp.QuoteMeta(thing) + `(?:$|[^\pL\pN])`)
	for l := range strings.SplitSeq(text, "\n") {
		if !named.MatchString(l) {
			continue
		}
		if line != "" || len(figures.FindAllString(l, -1)) != 1 {
			return "", ""
		}
		line = l
	}
	was := figures.FindString(line)
	return line, strings.Replace(line, was, figures.FindString(to), 1)
}

// inFile sets a change right of a text that does not stand in the file, where its end
// is a whole line of it: "password sunflower42" of a file that says "sunflower42". A
// part of a line may be what somebody else is called, and what is taken out has to be
// what was said.
func inFile(e *edit, messages []moothall.Message) bool {
	lines := linesOf(e.Path, messages)
	text := strings.Join(lines, "\n")
	if e.Mode != "replace-text" || e.OldText == nil || e.NewText == nil || e.removes() || strings.Contains(text, *e.OldText) {
		return false
	}
	words := strings.Fields(*e.OldText)
	for i := 1; i < len(words); i++ {
		end := strings.Join(words[i:], " ")
		if slices.Contains(lines, end) && strings.Count(text, end) == 1 {
			with := strings.TrimPrefix(*e.NewText, strings.Join(words[:i], " ")+" ")
			e.OldText, e.NewText = &end, &with
			return true
		}
	}
	return false
}

// withIts is what stands between the two cells of a row that somebody says.
var withIts = lazyregexp.New(`^([^,;:=]+?)(?:\s+(?:with|at|for|is|has)\s+|\s+-\s+|\s*[:=]\s*)([^,;:=]+)$`)

// asRow sets a line right that is added to a table of two columns and is none of its
// rows: "Farah with 84" is "Farah,84".
func asRow(e *edit, messages []moothall.Message) bool {
	lines := linesOf(e.Path, messages)
	if e.Mode != "append" || e.Content == nil || !table.MatchString(e.Path) || len(lines) < 2 {
		return false
	}
	for _, sep := range []string{",", ";", "\t"} {
		if slices.ContainsFunc(lines, func(l string) bool { return strings.Count(l, sep) != 1 }) {
			continue
		}
		if m := withIts.FindStringSubmatch(strings.TrimSpace(*e.Content)); m != nil {
			row := m[1] + sep + m[2]
			e.Content = &row
			return true
		}
	}
	return false
}

// articleless is what somebody speaks of without the word before it.
func articleless(words string) string { return article.ReplaceAllString(words, "") }

// Words for what is taken out, and those that say which one without its own words.
var (
	aLine   = lazyregexp.New(`^(?:lines?|entry|entries|items?|rows?|points?|parts?|files?|lists?|text|words?|remove|delete|erase|drop|strike)$`)
	byPlace = lazyregexp.New(`(?i)\b(?:first|last|second|third|fourth|fifth|\d+(?:st|nd|rd|th)?|top|bottom|next|other|previous|above|below|it|that|this|these|those|them|all|everything|one|ones|same|duplicates?|empty|blank|rest)\b`)
)

// fileHead is the line before what a file says.
var fileHead = lazyregexp.New(`^[^\n]* \([^\n]*\d+ lines?\)[^\n]*:$`)

// linesOf are those of a file, as a conversation knows it: as it was read or written
// last, and with what was changed since. None: it does not know all of it.
func linesOf(path string, messages []moothall.Message) []string {
	var text *string
	for i, m := range messages {
		for _, c := range m.ToolCalls {
			var args edit
			if c.Name != fsRead && c.Name != fsWrite || json.Unmarshal(c.Arguments, &args) != nil || args.Path != path {
				continue
			}
			at := slices.IndexFunc(messages[i:], func(r moothall.Message) bool { return r.Role == moothall.RoleTool && r.CallID == c.ID })
			if at < 0 || strings.HasPrefix(inside(messages[i+at].Content), failure) {
				continue
			}
			if c.Name == fsRead {
				read := inside(messages[i+at].Content)
				if first, rest, ok := strings.Cut(read, "\n"); ok && fileHead.MatchString(first) {
					read = rest
				}
				text = &read
				continue
			}
			text = args.after(text)
		}
	}
	if text == nil {
		return nil
	}
	return strings.Split(strings.TrimRight(strings.ReplaceAll(*text, "\r", ""), "\n"), "\n")
}

// after is what a file says when it was changed; nil where it is not known.
func (e edit) after(text *string) *string {
	switch {
	case e.Mode == "append" && e.Content != nil && text != nil:
		whole := strings.TrimRight(*text, "\n") + "\n" + *e.Content
		return &whole
	case e.Mode == "replace-text" && e.OldText != nil && e.NewText != nil && text != nil:
		whole := strings.Replace(*text, *e.OldText, *e.NewText, 1)
		return &whole
	case e.Mode != "append" && e.Mode != "replace-text":
		return e.Content
	}
	return nil
}

// asListed returns arguments with a file where it was listed last, where the network put
// a folder before it that nobody named: the listing begins with the whole way to it.
func asListed(raw json.RawMessage, messages []moothall.Message) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	path, _ := args["path"].(string)
	at := strings.LastIndex(path, "/")
	if at < 0 || folderSaid(path, strings.Trim(path[:at], "/"), messages) {
		return raw
	}
	for i, m := range slices.Backward(messages) {
		for _, c := range m.ToolCalls {
			var listed struct{ Path string }
			if c.Name != fsList || len(c.Arguments) > 0 && json.Unmarshal(c.Arguments, &listed) != nil {
				continue
			}
			in := slices.IndexFunc(messages[i:], func(r moothall.Message) bool { return r.Role == moothall.RoleTool && r.CallID == c.ID })
			if in < 0 {
				continue
			}
			text := strings.TrimSpace(inside(messages[i+in].Content))
			root, entries, _ := strings.Cut(text, " has ")
			if !strings.Contains(entries, "\n"+path[at+1:]+" (") || path[:at] == strings.TrimSuffix(root, "/") {
				return raw
			}
			args["path"] = path[at+1:]
			if listed.Path != "" {
				args["path"] = strings.TrimSuffix(listed.Path, "/") + path[at:]
			}
			return encoded(args, raw)
		}
	}
	return raw
}

// standsWhole reports whether a folder stands in a line, and not as a part of another
// word or way.
func standsWhole(line, folder string) bool {
	inWay := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-", r) }
	for folder != "" {
		before, after, there := strings.Cut(line, folder)
		if !there {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, "/."))
		if !inWay(last) && !inWay(next) {
			return true
		}
		line = after
	}
	return false
}

// folderSaid reports whether a file or its folder stands in what was said, called or
// given back, but for the heads of results, which have the whole way to what they are
// about.
func folderSaid(path, folder string, messages []moothall.Message) bool {
	path, folder = strings.ToLower(path), strings.ToLower(folder)
	for _, m := range messages {
		text := m.Content
		for _, c := range m.ToolCalls {
			text += "\n" + string(c.Arguments)
		}
		for line := range strings.Lines(strings.ToLower(text)) {
			head := m.Role == moothall.RoleTool && (strings.HasPrefix(line, "/") || strings.Contains(line, " entries:"))
			if m.Role != moothall.RoleSystem && !head && (strings.Contains(line, path) || standsWhole(line, folder)) {
				return true
			}
		}
	}
	return false
}

// between are the signs between things in a list.
var between = lazyregexp.New(`,\s+and\s+|,\s*|\s+and\s+`)

// aFigure is a digit: what has one is no list of things, but a thing with its time,
// price or number.
var aFigure = lazyregexp.New(`\d`)

// withoutItem is a list without one of its things. Empty: it is no list, or does not
// have that one, and once. What begins a line without "and" may be what the line is
// about.
func withoutItem(list, item string) string {
	if aFigure.MatchString(list) {
		return ""
	}
	items, signs := between.Split(list, -1), between.FindAllString(list, -1)
	same := func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), item) }
	at := slices.IndexFunc(items, same)
	if len(items) < 2 || at < 0 || at == 0 && !strings.Contains(signs[len(signs)-1], "and") || slices.ContainsFunc(items[at+1:], same) {
		return ""
	}
	drop := max(min(at, len(items)-3), 0) // the sign before the last stays: "a, b and c" without c is "a and b"
	items, signs = slices.Delete(items, at, at+1), slices.Delete(signs, drop, drop+1)
	var b strings.Builder
	for i, s := range items {
		if i > 0 {
			b.WriteString(signs[i-1])
		}
		b.WriteString(s)
	}
	return b.String()
}
