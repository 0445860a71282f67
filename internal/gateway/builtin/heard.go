package builtin

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// misheard takes the place of a call whose file or address stands nowhere in
// the conversation.
const misheard = "I am not sure which file or address is meant, and I must not guess. Please write its name once more, in quotes."

// heard makes sure that the files and addresses of a call were named by
// somebody. The grammar lets a name be nothing but a copy, where there is
// anything to copy; this sees to what it leaves open. Where the person's last
// words name just one that it can be, that one is meant; a new file may have a
// name that nobody said, if the call can do nothing but create it; otherwise a
// call that would touch what nobody named is not made. The arguments come back
// without spaces around names.
func heard(t *moothall.ToolSpec, arguments json.RawMessage, said, last string) (json.RawMessage, bool) {
	args, ok := exactly(arguments)
	if !ok {
		return arguments, true // the schema's check speaks of it
	}
	changed := false
	for name, kind := range constrain.Arguments(t) {
		if list, ok := args[name].([]any); ok && kind.Named() && !allNamed(list, said) {
			return nil, false
		}
		value, ok := args[name].(string)
		if !ok {
			continue
		}
		trimmed := strings.TrimSpace(value)
		if kind.Named() && !named(trimmed, said) {
			switch only, one := only(last, kind == constrain.Address); {
			case one:
				trimmed = only
			case kind == constrain.New && creates(t, args, last):
				changed = true
			default:
				return nil, false
			}
		}
		if trimmed != value && trimmed != "" {
			args[name], changed = trimmed, true
		}
	}
	if !changed {
		return arguments, true
	}
	out, err := json.Marshal(args)
	return out, err == nil
}

// exactly are arguments with their numbers as they are written: a long one must
// not be rounded when another argument is put right.
func exactly(raw json.RawMessage) (map[string]any, bool) {
	var args map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return args, d.Decode(&args) == nil
}

// allNamed is [named] of a list.
func allNamed(list []any, said string) bool {
	return !slices.ContainsFunc(list, func(v any) bool {
		s, ok := v.(string)
		return ok && !named(strings.TrimSpace(s), said)
	})
}

// creates makes a call create what it writes, in the word that the tool has for
// it, where the person wants something new and names no file. It reports
// whether the call can do no harm to what is there.
func creates(t *moothall.ToolSpec, args map[string]any, last string) bool {
	var s struct {
		Properties map[string]struct {
			Enum []any `json:"enum"`
		} `json:"properties"`
	}
	if len(files(last)) > 0 || !fresh.MatchString(last) || json.Unmarshal(t.Parameters, &s) != nil {
		return false
	}
	for name, p := range s.Properties {
		if slices.Contains(p.Enum, any("create")) {
			mode := args[name]
			args[name] = "create"
			return mode == nil || mode == "create" || mode == "overwrite"
		}
	}
	return false
}

// fresh are words of a wish for something new.
var fresh = lazyregexp.New(`(?i)\b(create|make|new|start|begin|set up|save|write|draft)\b`)

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
	address = lazyregexp.New(`https?://[^\s"'<>]+[^\s"'<>.,;:!?)]`)
	file    = lazyregexp.New(`[\pL\pN_~.-]*(?:/?[\pL\pN_-]+)+\.[\pL\pN]{1,8}\b|(?:~|\.{1,2})?/[\pL\pN_./-]*[\pL\pN_/-]`)
)

// only is the one address, or the one file, that words name.
func only(words string, url bool) (string, bool) {
	if url {
		found := address.FindAllString(words, -1)
		return one(found)
	}
	return one(files(words))
}

// files are the names of files that words have. "e.g." and "2.5" are none.
func files(words string) []string {
	return slices.DeleteFunc(file.FindAllString(address.ReplaceAllString(words, " "), -1), func(s string) bool {
		dot := strings.LastIndexByte(s, '.')
		return !strings.Contains(s, "/") && (dot == 1 && len(s) == 3 || dot >= 0 && !strings.ContainsFunc(s[dot:], unicode.IsLetter))
	})
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

// short are words with a full stop that ends no sentence.
var short = lazyregexp.New(`\b(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|No|mr|mrs|ms|dr|prof|st)$`)

// abbreviated goes on with words of the person that were taken up to the full stop
// of an abbreviation: "the key is with Mrs" of "the key is with Mrs. Novak".
func abbreviated(value, said string) string {
	_, rest, ok := strings.Cut(said, value+". ")
	if !ok || !short.MatchString(value) {
		return value
	}
	if end := strings.IndexAny(rest, ".!?\n"); end >= 0 {
		rest = rest[:end]
	}
	return value + ". " + strings.TrimSpace(rest)
}

// inFull returns arguments with such words gone on with.
func inFull(raw json.RawMessage, said string) json.RawMessage {
	args, ok := exactly(raw)
	if !ok {
		return raw
	}
	changed := false
	for name, v := range args {
		s, ok := v.(string)
		if whole := abbreviated(s, said); ok && whole != s {
			args[name], changed = whole, true
		}
	}
	if !changed {
		return raw
	}
	return encoded(args, raw)
}
