package builtin

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
)

// The tools whose calls are set right by the person's words.
const (
	fsRead      = "fs_read"
	fsSearch    = "fs_search"
	fsWrite     = "fs_write"
	fsList      = "fs_list"
	memoryWrite = "memory_write"
	notesSearch = "notes_search"
	calculates  = "calculate"
	webSearch   = "web_search"
)

// begins is what people say before a wish.
const begins = `(?i)^\W*(?:(?:please|now|and|so|ok|okay|no|actually|also|can you|could you|then|just)\b\W*)*`

// How somebody begins who wants something taken out, or added.
var (
	takingOut = lazyregexp.New(begins + `(?:remove|delete|erase|drop|strike|cross|take)\b.*\b(?:from|off|out|it|list|file)\b`)
	adding    = lazyregexp.New(begins + `(?:add|append)\b`)
	removing  = lazyregexp.New(begins + `(?:remove|delete|erase|drop|strike|get rid of|take out|cross out)\b`)
)

// forgetting is how somebody begins who wants something out of the memory.
var forgetting = lazyregexp.New(begins + `(?:forget|unlearn) (?:about |again )?(?:my|our|the|me|him|her|them|everything|all|what|that (?:i|we|my|our))\b`)

// Somebody who says which file is meant, and nothing of writing.
var (
	meaning = lazyregexp.New(`(?i)\b(?:i mean|i meant|i was talking about|i'm talking about|look in|look at|open|read)\b`)
	writing = lazyregexp.New(`(?i)\b(?:writ|wrote|sav|stor|put|add|append|creat|mak|chang|replac|edit|updat|correct|fix|set|insert|remov|delet|eras|tak|cop[yi]|not(?:e|ing)|record|overwrit|rewrit|dump|renam|cross|strik|drop|rais|swap)`)
)

// onlyAsks is how a question begins that nothing is to be done for.
var onlyAsks = lazyregexp.New(begins + `(?:how (?:many|much|long|big|old)|when|where|who|why|which|is there|are there|does|did)\b|` + begins + `(?:what(?:['’]?s| is| was| are| about) )?(?:the )?(?:average|mean|median|total|sum|difference|highest|lowest|largest|smallest|most|least)(?: one)?` + politely)

// article stands before what somebody looks for, and not in the text.
var article = lazyregexp.New(`(?i)^(?:the|my|a|an|our) `)

// edit are the arguments of a change to a file.
type edit struct {
	Path    string  `json:"path"`
	Mode    string  `json:"mode,omitempty"`
	Content *string `json:"content,omitempty"`
	OldText *string `json:"old_text,omitempty"`
	NewText *string `json:"new_text,omitempty"`
}

// removes reports whether it only takes something out.
func (e edit) removes() bool {
	return e.Mode == "replace-text" && e.OldText != nil && e.NewText != nil && *e.NewText == ""
}

// leaves reports whether it puts a text in its own place.
func (e edit) leaves() bool {
	return e.Mode == "replace-text" && e.OldText != nil && e.NewText != nil && *e.NewText == *e.OldText
}

// editOf are the arguments of a call that changes a file.
func editOf(c moothall.ToolCall) (edit, bool) {
	var e edit
	return e, c.Name == fsWrite && json.Unmarshal(c.Arguments, &e) == nil
}

// adds reports whether a call adds to a file.
func adds(c moothall.ToolCall) bool {
	e, ok := editOf(c)
	return ok && e.Mode == "append"
}

// takesOther reports whether a call takes something out of a file that the person
// did not speak of.
func takesOther(c moothall.ToolCall, question string) bool {
	e, ok := editOf(c)
	return ok && e.removes() && (takingOut.MatchString(question) || removing.MatchString(question) && !byPlace.MatchString(question)) &&
		!strings.Contains(oneLine(question), oneLine(*e.OldText)) && akin(contentWords(*e.OldText), contentWords(question)) == 0
}

// asMeant returns a call as the person's words have it, where the network put
// it otherwise: a sum, words to look for, something to remember, something to be
// added to a file, a file that is meant and not to be written.
func asMeant(c moothall.ToolCall, question, thought string, r moothall.GenerateRequest) moothall.ToolCall {
	c.Arguments = asSaid(c, question, thought, r.Messages)
	c.Arguments = inFull(c.Arguments, question)
	switch c.Name {
	case fsRead:
		c.Arguments = asListed(c.Arguments, r.Messages)
	case fsSearch:
		c.Arguments = whereSaid(withoutArticle(c.Arguments, question), question)
	case notesSearch:
		c.Arguments = withoutArticle(c.Arguments, question)
	case memoryRead:
		c.Arguments = withoutCourtesy(c.Arguments, beforeAsking)
	case webSearch:
		c.Arguments = withoutCourtesy(c.Arguments, beforeSearching)
	case memoryWrite:
		c.Arguments = asTold(c.Arguments, question)
	case fsList:
		c.Arguments = onceCounted(c.Arguments, question)
	case fsWrite:
		e, ok := editOf(c)
		reads := slices.ContainsFunc(r.Tools, func(t moothall.ToolSpec) bool { return t.Name == fsRead })
		switch {
		case ok && (exchanged(&e, question, r.Messages) || inFile(&e, r.Messages) || asRow(&e, r.Messages)):
			c.Arguments = encoded(e, c.Arguments)
		case ok && e.removes() && (oneOf(&e, question, r.Messages) || lineMeant(&e, question, r.Messages)):
			c.Arguments = encoded(e, c.Arguments)
		case ok && e.leaves() && removing.MatchString(question) && akin(contentWords(*e.OldText), contentWords(question)) > 0:
			nothing := ""
			e.NewText = &nothing
			c.Arguments = encoded(e, c.Arguments)
		case ok && e.removes() && adding.MatchString(question):
			c.Arguments = encoded(edit{Path: e.Path, Mode: "append", Content: e.OldText}, c.Arguments)
		case ok && reads && e.Content != nil && (meaning.MatchString(question) || onlyAsks.MatchString(question)) && !writing.MatchString(question):
			c.Name, c.Arguments = fsRead, encoded(edit{Path: e.Path}, c.Arguments)
		case ok && e.Content != nil:
			if whole := dictated(e.Path, pasted(*e.Content, question), question); whole != *e.Content {
				e.Content = &whole
				c.Arguments = encoded(e, c.Arguments)
			}
		}
	}
	return c
}

// withoutArticle returns arguments whose words to look for begin with what is
// looked for: "the dentist" stands in no note. What is quoted stays as it is.
func withoutArticle(raw json.RawMessage, question string) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	for _, name := range []string{"pattern", "query"} {
		words, ok := args[name].(string)
		if short := article.ReplaceAllString(words, ""); ok && short != words && !strings.Contains(question, `"`+words) && !strings.Contains(question, "'"+words) {
			args[name] = short
			return encoded(args, raw)
		}
	}
	return raw
}

// whereSaid returns arguments of a search without a folder that is nothing but the
// word to look for, which the person said once.
func whereSaid(raw json.RawMessage, question string) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	word, _ := args["pattern"].(string)
	where, _ := args["path"].(string)
	if where == "" || where != word || strings.Count(strings.ToLower(question), strings.ToLower(word)) != 1 {
		return raw
	}
	delete(args, "path")
	return encoded(args, raw)
}

// pasted returns what is to be written with all lines that the person wrote, where
// the network left some out between the first and the last that it took.
func pasted(content, question string) string {
	lines := strings.Split(strings.TrimRight(content, "\n"), "\n")
	said := strings.Split(question, "\n")
	first := slices.IndexFunc(said, func(l string) bool { return strings.HasSuffix(l, lines[0]) })
	if len(lines) < 2 || lines[0] == "" || first < 0 {
		return content
	}
	last := first
	for _, l := range lines[1:] {
		n := slices.Index(said[last+1:], l)
		if n < 0 {
			return content
		}
		last += n + 1
	}
	if last-first+1 == len(lines) {
		return content
	}
	end := content[len(strings.TrimRight(content, "\n")):]
	return strings.Join(append(lines[:1:1], said[first+1:last+1]...), "\n") + end
}

// intoFile is what somebody puts in quotes to be written to a file.
var intoFile = lazyregexp.New(`(?i)\b(?:writ\w+|sav\w+|put|stor\w+|add|append)\s+(?:the (?:line|text|words?)\s+)?["“]([^"”\n]+)["”]\s+(?:in|into|to|as|(?:at|to) the end of)\s+(?:(?:a|the|my|new|file|called|named)\s+)*["“'` + "`" + `]?([\pL\pN_./~-]*[\pL\pN_])`)

// dictated returns what is to be written to a file as it stands in quotes beside its
// name, where the network would write something else: the outcome of a sum that
// the same message asks for.
func dictated(path, content, question string) string {
	for _, m := range intoFile.FindAllStringSubmatch(question, -1) {
		if strings.EqualFold(m[2], path) && !strings.Contains(strings.ToLower(content), strings.ToLower(m[1])) {
			return m[1]
		}
	}
	return content
}

// beforeSearching is what people say before what is to be searched for.
var beforeSearching = lazyregexp.New(`(?i)^(?:(?:please|kindly|hey|ok|okay|so)\b[, ]+)*(?:(?:can|could|would|will) you (?:please )?)?(?:tell me|give me|show me|get me|let me know|find out|look up|search (?:the web |online )?for)(?: about)?:? `)

// beforeAsking is what people say before what they want to be reminded of.
var beforeAsking = lazyregexp.New(`(?i)^(?:(?:thanks|thank you|cheers|great|okay|ok|hi|hello|hey|good (?:morning|afternoon|evening))\b[^,.:;!\pL]*[,.:;!]+\s*)*(?:(?:it (?:slipped my mind|escapes me)|i(?: have|'ve)? (?:forgot|forget|forgotten)|remind me):?\s+(what|when|where|who|which|whose|how|at|in|on|to|if|whether)\b)?`)

// withoutCourtesy returns arguments whose question begins with what is asked, and
// not with what is said before it: thanks for the last answer would be looked for
// like any other word.
func withoutCourtesy(raw json.RawMessage, before *lazyregexp.Regexp) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	words, _ := args["query"].(string)
	short := before.ReplaceAllString(words, "$1")
	if short == words || short == "" {
		return raw
	}
	args["query"] = short
	return encoded(args, raw)
}

// toRemember is one thing that somebody wants to be remembered, after the words
// that ask for it.
var toRemember = lazyregexp.New(begins + `(?:(?:remember|note(?: down)?|keep in mind|don'?t forget|make a note|save to memory)\b)(?: this| for later)?\s*[:,-]?\s+(?:that )?([^\n?]+?)[.!]*$`)

// asTold returns arguments with what the person wants to be remembered in their
// words, where the network put in some that they did not say, or said some twice:
// "note: dentist on 12 December" must not become a dentist who lives there.
func asTold(raw json.RawMessage, question string) json.RawMessage {
	var args map[string]any
	told := toRemember.FindStringSubmatch(strings.TrimSpace(question))
	if told == nil || strings.HasPrefix(told[1], "to ") || json.Unmarshal(raw, &args) != nil {
		return raw
	}
	text, _ := args["text"].(string)
	words, said := contentWords(text), contentWords(told[1])
	if len(said) == 0 || akin(said, words) == len(words) && len(words) <= len(said) {
		return raw
	}
	args["text"] = told[1]
	if name, _ := args["name"].(string); akin(said, contentWords(name)) == 0 {
		args["name"] = strings.Join(said[:min(3, len(said))], " ")
	}
	return encoded(args, raw)
}

// levels are words of somebody who says how deep to look.
var levels = lazyregexp.New(`(?i)\b(?:levels?|deep|depth|down|subfolders?)\b`)

// onceCounted returns arguments in which a number that the person said once is
// either how deep to look or how many to list.
func onceCounted(raw json.RawMessage, question string) json.RawMessage {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	depth, ok := args["depth"].(float64)
	if n := strconv.FormatFloat(depth, 'f', -1, 64); !ok || args["limit"] != args["depth"] || strings.Count(question, n) != 1 {
		return raw
	}
	other := "depth"
	if levels.MatchString(question) {
		other = "limit"
	}
	delete(args, other)
	return encoded(args, raw)
}

// encoded is a value as JSON; as it was, if it cannot be written.
func encoded(v any, was json.RawMessage) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		return was
	}
	return out
}

// takingBack is how somebody speaks who wants a change undone.
var takingBack = lazyregexp.New(`(?i)\b(?:undo|revert|restore|take back)(?: (?:that|it|this|them|the change|the last change|my file|the file|what you did)\b|\W*$)|\b(?:get|bring|put) (?:it|that|them|my file|the file) back\b`)

// lately is how many of the person's messages back a change is the one that is
// meant.
const lately = 3

// didWrite is what a file was told to hold, as the tool says it: a call that
// failed or was refused has changed nothing.
var didWrite = lazyregexp.New(`(?m)^(?:Created|Changed) (.+): \d+ bytes`)

// changed is the file that was changed last, in the last few messages.
func changed(messages []moothall.Message) string {
	asked := 0
	for _, m := range slices.Backward(messages) {
		if hit := didWrite.FindStringSubmatch(m.Content); m.Role == moothall.RoleTool && m.ToolName == fsWrite && hit != nil {
			return hit[1]
		}
		if m.Role == moothall.RoleUser && person(m.Content) != "" {
			if asked++; asked > lately {
				break
			}
		}
	}
	return ""
}
