package builtin

import (
	"encoding/json"
	"slices"
	"strings"

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
	if m == nil {
		return false
	}
	lines := []string{*e.OldText}
	if strings.EqualFold(strings.TrimSpace(*e.OldText), m[1]) {
		lines = linesOf(e.Path, messages)
	}
	for _, line := range lines {
		if left := withoutItem(line, m[1]); left != "" {
			e.OldText, e.NewText = &line, &left
			return true
		}
	}
	return false
}

// linesOf are those of a file, as it was last read or written in a conversation.
func linesOf(path string, messages []moothall.Message) []string {
	for i, m := range slices.Backward(messages) {
		for _, c := range m.ToolCalls {
			if e, ok := editOf(c); ok && e.Path == path && e.Content != nil {
				return strings.Split(*e.Content, "\n")
			}
			var args struct{ Path string }
			if c.Name != fsRead || json.Unmarshal(c.Arguments, &args) != nil || args.Path != path {
				continue
			}
			for _, r := range messages[i:] {
				if r.Role == moothall.RoleTool && (r.CallID == c.ID || r.CallID == "") {
					return strings.Split(inside(r.Content), "\n")
				}
			}
		}
	}
	return nil
}

// listedEntry is a line of a listing.
var listedEntry = lazyregexp.New(`(?m)^([^\n/]+/?) \([^\n]*\)$`)

// asListed returns arguments with a file where it was listed last, where the network put
// a folder before it that nobody named: the listing begins with the whole way to it.
func asListed(raw json.RawMessage, question string, messages []moothall.Message) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	path, _ := args["path"].(string)
	at := strings.LastIndex(path, "/")
	if at < 0 || at > 0 && strings.Contains(question, path[:at]) {
		return raw
	}
	folder, name := path[:at], path[at+1:]
	for i, m := range slices.Backward(messages) {
		for _, c := range m.ToolCalls {
			var listed struct{ Path string }
			if c.Name != fsList || len(c.Arguments) > 0 && json.Unmarshal(c.Arguments, &listed) != nil {
				continue
			}
			at := slices.IndexFunc(messages[i:], func(r moothall.Message) bool { return r.Role == moothall.RoleTool && r.CallID == c.ID })
			if at < 0 {
				continue
			}
			text := strings.TrimSpace(inside(messages[i+at].Content))
			root, _, _ := strings.Cut(text, " has ")
			there := slices.ContainsFunc(listedEntry.FindAllStringSubmatch(text, -1), func(e []string) bool { return e[1] == name })
			if !there || strings.TrimSuffix(root, "/") == folder || strings.Trim(listed.Path, "./") == strings.Trim(folder, "./") {
				return raw
			}
			args["path"] = strings.TrimPrefix(strings.TrimSuffix(listed.Path, "/")+"/"+name, "/")
			return encoded(args, raw)
		}
	}
	return raw
}

// between are the signs between things in a list.
var between = lazyregexp.New(`,\s+and\s+|,\s*|\s+and\s+`)

// withoutItem is a list without one of its things. Empty: it is no list, or does not
// have that one, and once.
func withoutItem(list, item string) string {
	items, signs := between.Split(list, -1), between.FindAllString(list, -1)
	same := func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), item) }
	at := slices.IndexFunc(items, same)
	if len(items) < 2 || at < 0 || slices.ContainsFunc(items[at+1:], same) {
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
