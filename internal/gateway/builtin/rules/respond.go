package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// reply is what the responder came up with.
type reply struct {
	thinking string
	text     string
	calls    []moothall.ToolCall
}

// better is how to get a real model, said whenever it does not know.
const better = "For a real language model, install Ollama (https://ollama.com) and run: ollama pull qwen3:4b"

// respond reads the conversation and answers its end.
func respond(r moothall.GenerateRequest) reply {
	for _, as := range []func(moothall.GenerateRequest) (reply, bool){asJudge, asPlanner, asWorker, asWriter, asVoice, asSelf} {
		if out, ok := as(r); ok {
			return out
		}
	}
	question, results := lastQuestion(r.Messages)
	if call, ok := nextStep(question, results, r.Tools); ok {
		return reply{thinking: "The search found a page, and the words ask to read it.", calls: []moothall.ToolCall{call}}
	}
	if len(results) > 0 {
		return fromResults(question, results)
	}
	if call, why, ok := chooseTool(question, r.Tools); ok {
		return reply{thinking: why, calls: []moothall.ToolCall{call}}
	}
	for _, answer := range []func(string, []moothall.Message) (reply, bool){aboutPlaces, aboutItself} {
		if out, ok := answer(question, r.Messages); ok {
			return out
		}
	}
	if found := material(question); found != "" {
		return reply{thinking: "Something was looked up for this question; I pass it on.", text: "This is what was found: " + found}
	}
	return reply{
		thinking: "This is not in my small table, and no offered tool says that it helps.",
		text:     "I don't know that. I am the small responder inside Moothall, not a language model. " + better,
	}
}

// material is what was looked up for a question before it was asked.
func material(question string) string {
	_, list, ok := strings.Cut(question, foundMark)
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(list, "- "), "\n- ")
	return clip(oneLine(first), mostFound)
}

// said is the date that the hall puts before a person's words.
var said = regexp.MustCompile(`^It is \w+, [^\n]*\d\d:\d\d\.\n\n`)

// readOn are words that ask for more than what a search shows.
var readOn = regexp.MustCompile(`(?i)\b(read|open|fetch|in detail|details|full (text|page|article|story))\b`)

// nextStep goes from a search that found something to the page itself, when
// the person asked to read and nothing was read yet.
func nextStep(question string, results []moothall.Message, tools []moothall.ToolSpec) (moothall.ToolCall, bool) {
	if len(results) != 1 || !readOn.MatchString(question) {
		return moothall.ToolCall{}, false
	}
	url := strings.TrimRight(address.FindString(results[0].Content), ".,;)]")
	if url == "" {
		return moothall.ToolCall{}, false
	}
	call, _, ok := chooseTool(url, tools)
	return call, ok && call.Name != results[0].ToolName
}

// lastQuestion returns what the person said last, and the tool results that
// came since.
func lastQuestion(messages []moothall.Message) (string, []moothall.Message) {
	for i, m := range slices.Backward(messages) {
		if m.Role != moothall.RoleUser {
			continue
		}
		var results []moothall.Message
		for _, later := range messages[i+1:] {
			if later.Role == moothall.RoleTool {
				results = append(results, later)
			}
		}
		return said.ReplaceAllString(m.Content, ""), results
	}
	return "", nil
}

// envelope are the lines that the broker puts around what comes from outside.
var envelope = regexp.MustCompile(`(?m)^\[/?TOOL_RESULT[^\n]*\]$\n?`)

// mostFound bounds how much of a tool's result is repeated.
const mostFound = 900

// fromResults repeats what the tools found; it cannot judge it.
func fromResults(question string, results []moothall.Message) reply {
	var b strings.Builder
	for _, m := range results {
		text := notice.ReplaceAllString(bare(m), "…") // what it remembers of itself is no finding
		if len(text) > mostFound {
			text = strings.ToValidUTF8(text[:mostFound], "") + " …"
		}
		fmt.Fprintf(&b, "%s says:\n%s\n", m.ToolName, text)
	}
	return reply{
		thinking: fmt.Sprintf("The tools have answered %q; I pass on what they found.", question),
		text:     strings.TrimSpace(b.String()),
	}
}

// about finds the place that text speaks of, by country or capital.
func about(text string) (place, bool) {
	low := " " + strings.ToLower(strings.Map(lettersOnly, text)) + " "
	for _, p := range places {
		for _, name := range []string{strings.TrimPrefix(p.country, "the "), strings.TrimSuffix(p.capital, ", D.C.")} {
			if strings.Contains(low, " "+strings.ToLower(name)+" ") {
				return p, true
			}
		}
	}
	return place{}, false
}

// lettersOnly turns punctuation into spaces, so that words can be found.
func lettersOnly(r rune) rune {
	if strings.ContainsRune(`.,;:!?"'()[]{}’`, r) {
		return ' '
	}
	return r
}

// followsUp are words that stand for what was spoken of before.
var followsUp = regexp.MustCompile(`(?i)\b(its|it|they|there|that (city|country|place)|the (city|country|place))\b`)

// aboutPlaces knows capitals, currencies and how many people live there. What a follow-up
// speaks of is looked for in what was said before, the latest first.
func aboutPlaces(question string, messages []moothall.Message) (reply, bool) {
	low := strings.ToLower(question)
	capital := strings.Contains(low, "capital")
	people := strings.Contains(low, "population") || strings.Contains(low, "inhabitants") || strings.Contains(low, "how many people")
	money := strings.Contains(low, "currency") || strings.Contains(low, "what money")
	if !capital && !people && !money {
		return reply{}, false
	}
	p, named := about(question)
	how := "The question names " + p.country + "."
	if !named {
		if !followsUp.MatchString(question) {
			return reply{}, false
		}
		for _, m := range slices.Backward(messages) {
			if m.Role == moothall.RoleUser && m.Content == question || m.Role == moothall.RoleSystem {
				continue
			}
			if p, named = about(m.Content); named {
				break
			}
		}
		if !named {
			return reply{}, false
		}
		how = "The question follows up on " + p.capital + " in " + p.country + "."
	}
	answer := placeAnswer(p, capital, people, question)
	if money {
		answer = fmt.Sprintf("The currency of %s is %s.", p.country, p.money)
	}
	return reply{thinking: how + " It is in my table.", text: answer}, true
}

// placeAnswer names its subject, so that it can be understood alone.
func placeAnswer(p place, capital, people bool, question string) string {
	country := strings.ToUpper(p.country[:1]) + p.country[1:]
	inCountry := strings.Contains(strings.ToLower(question), strings.ToLower(strings.TrimPrefix(p.country, "the ")))
	switch {
	case people && inCountry && !capital:
		return fmt.Sprintf("%s has about %s inhabitants.", country, p.people)
	case people:
		return fmt.Sprintf("%s has about %s inhabitants; %s as a whole has about %s.", p.capital, p.city, p.country, p.people)
	}
	return fmt.Sprintf("The capital of %s is %s.", p.country, p.capital)
}

// itself are the questions about the hall that it can answer.
var itself = regexp.MustCompile(`(?im)^\s*(hi|hello|hey|good (morning|evening))\b|\b(who|what) are you\b|\bmoothall\b|\bwhat can you do\b`)

func aboutItself(question string, _ []moothall.Message) (reply, bool) {
	if !itself.MatchString(question) {
		return reply{}, false
	}
	return reply{
		thinking: "This is about me.",
		text: "I am the small responder inside Moothall, a hall on your own machine where AI agents meet and are held to account. " +
			"I know a few facts about some countries and can use the tools that I am offered. " + better,
	}, true
}

// wish matches a person's wish with what a tool says that it does.
type wish struct {
	words *regexp.Regexp
	tool  *regexp.Regexp
}

var wishes = []wish{
	{regexp.MustCompile(`(?i)\b(news|latest|today'?s|current(ly)?|recent|search (for|the web)|look up|weather)\b`), regexp.MustCompile(`(?i)search.*web|web.*search|search the (web|internet)`)},
	{regexp.MustCompile(`https?://\S+`), regexp.MustCompile(`(?i)fetch|read.*(page|url)`)},
	{regexp.MustCompile(`(?i)\b(what time|what day|the date|time is it)\b`), regexp.MustCompile(`(?i)\bcurrent (time|date)\b|\bclock\b`)},
	{regexp.MustCompile(`(?i)\b(calculate|compute|how much is)\b|\d\s*[-+*/^]\s*\d`), regexp.MustCompile(`(?i)calculat|arithmetic|expression`)},
	{regexp.MustCompile(`(?i)\b(please )?(remember|note|keep in mind) that\b`), regexp.MustCompile(`(?i)^memory_write\b`)},
	{regexp.MustCompile(`(?i)\b(remember|recall|did i (say|tell|mention)|what do you know about me|(do|did) i (like|love|prefer|want|take|drink|eat)|my favou?rite)\b`), regexp.MustCompile(`(?i)^(memory_read|\w*recall|search_memor)\w*`)},
	{regexp.MustCompile(`(?i)\b(read|open|show me) (the )?file\b`), regexp.MustCompile(`(?i)read.*file|file.*read`)},
}

// chooseTool finds an offered tool for which the person's words ask, and fills
// its arguments from them.
func chooseTool(question string, tools []moothall.ToolSpec) (moothall.ToolCall, string, bool) {
	for _, w := range wishes {
		if !w.words.MatchString(question) {
			continue
		}
		for _, t := range tools {
			if !w.tool.MatchString(string(t.Name)+" "+t.Description) && !w.tool.MatchString(strings.ReplaceAll(string(t.Name), "_", " ")) {
				continue
			}
			args, ok := arguments(t, question)
			if !ok {
				continue
			}
			call := moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: t.Name, Arguments: args}
			return call, fmt.Sprintf("The words ask for what %s does.", t.Name), true
		}
	}
	return moothall.ToolCall{}, "", false
}

var (
	address = regexp.MustCompile(`https?://[^\s"'<>]+`)
	formula = regexp.MustCompile(`[\d(][\d\s().+*/^%-]*[\d)]`)
	path    = regexp.MustCompile(`[\w./~-]+\.\w+`)
)

// arguments fills the required parameters of a tool from the question. False
// when one of them cannot be filled.
func arguments(t moothall.ToolSpec, question string) (json.RawMessage, bool) {
	var schema struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if len(t.Parameters) > 0 && json.Unmarshal(t.Parameters, &schema) != nil {
		return nil, false
	}
	args := map[string]any{}
	for _, name := range schema.Required {
		kind := schema.Properties[name].Type
		if kind != "" && kind != "string" {
			return nil, false
		}
		value := strings.TrimSpace(question)
		switch name {
		case "url", "uri", "link":
			value = address.FindString(question)
		case "expression", "formula":
			value = strings.TrimSpace(formula.FindString(question))
		case "path", "file", "filename":
			value = path.FindString(question)
		}
		if value == "" {
			return nil, false
		}
		args[name] = value
	}
	b, err := json.Marshal(args)
	return b, err == nil
}
