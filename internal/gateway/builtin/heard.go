package builtin

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// misheard takes the place of a call whose file or address stands nowhere in
// the conversation.
const misheard = "I am not sure which file or address is meant, and I must not guess. Please write its name once more, in quotes."

// heard makes sure that the files and addresses of a call were named by
// somebody: the network copies letter by letter, and a name that it has not
// seen in training can come out as another. Where the person's last words name
// just one that it can be, that one is meant; otherwise a call that would touch
// what nobody named is not made. The arguments come back without spaces around
// those names.
func heard(t *moothall.ToolSpec, arguments json.RawMessage, said, last string) (json.RawMessage, bool) {
	names := map[string]bool{"url": true}
	for _, p := range t.Paths {
		names[p.Name] = true
	}
	var args map[string]any
	if json.Unmarshal(arguments, &args) != nil {
		return arguments, true // the schema's check speaks of it
	}
	changed := false
	for name := range names {
		value, ok := args[name].(string)
		if !ok {
			continue
		}
		trimmed := strings.TrimSpace(value)
		if !named(trimmed, said) {
			if trimmed, ok = only(last, name == "url"); !ok {
				return nil, false
			}
		}
		if trimmed != value {
			args[name], changed = trimmed, true
		}
	}
	if !changed {
		return arguments, true
	}
	out, err := json.Marshal(args)
	return out, err == nil
}

// named reports whether every part of a path or address stands in what was
// said, which is in small letters.
func named(value, said string) bool {
	for part := range strings.SplitSeq(strings.ToLower(value), "/") {
		switch part {
		case "", ".", "..", "~", "http:", "https:":
			continue
		}
		if !strings.Contains(said, part) {
			return false
		}
	}
	return true
}

var (
	address = regexp.MustCompile(`https?://[^\s"'<>]+[^\s"'<>.,;:!?)]`)
	file    = regexp.MustCompile(`[\pL\pN_~.-]*(?:/?[\pL\pN_-]+)+\.[\pL\pN]{1,8}\b|(?:~|\.{1,2})?/[\pL\pN_./-]*[\pL\pN_/-]`)
)

// only is the one address, or the one file, that words name.
func only(words string, url bool) (string, bool) {
	if url {
		found := address.FindAllString(words, -1)
		return one(found)
	}
	return one(file.FindAllString(address.ReplaceAllString(words, " "), -1))
}

func one(found []string) (string, bool) {
	if slices.Sort(found); len(slices.Compact(found)) != 1 {
		return "", false
	}
	return found[0], true
}

// everything is all that was said, in small letters: a call's arguments too,
// since a later one may take them up.
func everything(messages []moothall.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(strings.ToLower(m.Content))
		b.WriteByte('\n')
		for _, c := range m.ToolCalls {
			b.WriteString(strings.ToLower(string(c.Arguments)))
			b.WriteByte('\n')
		}
	}
	return b.String()
}
