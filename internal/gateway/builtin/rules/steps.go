package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// step is a call that a task asks for.
type step struct {
	tool *regexp.Regexp // the name of the tool
	args map[string]any
}

var (
	fence    = regexp.MustCompile("(?s)```([\\w+-]*)[ \t]*\n(.*?)\n?```")
	command  = regexp.MustCompile("`([^`\n]+)`")
	quotedly = regexp.MustCompile(`"([^"\n]+)"|“([^”\n]+)”`)
	fileName = regexp.MustCompile(`(?:^|[\s(])((?:[\w.~-]*/)*[\w-]+\.[a-z]{1,5})\b`)

	saves   = regexp.MustCompile(`(?i)\b(write|save|store|put|create)\b`)
	runs    = regexp.MustCompile(`(?i)\b(run|test|execute|try)\b`)
	seeks   = regexp.MustCompile(`(?i)\b(search|find|look up|research|investigate|collect|gather|check)\b`)
	adds    = regexp.MustCompile(`(?i)\b(add|sum|total|altogether)\b`)
	takes   = regexp.MustCompile(`(?i)\b(subtract|difference)\b`)
	times   = regexp.MustCompile(`(?i)\b(multiply|product)\b`)
	figures = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

	writer   = regexp.MustCompile(`^(fs_write|write_file)$`)
	runner   = regexp.MustCompile(`^run_code$`)
	shell    = regexp.MustCompile(`^run_shell$`)
	counter  = regexp.MustCompile(`^calculate$`)
	searcher = regexp.MustCompile(`^(web_search|search_web)$`)
	memories = regexp.MustCompile(`^(memory_read|search_memory)$`)

	// errand is the beginning of an order to look something up; what is left
	// is what to look for.
	errand = regexp.MustCompile(`(?i)^(?:please )?(?:search(?: the (?:web|internet))?(?: for)?|find(?: out)?(?: about)?|look up|research|investigate|check|collect|gather)\s+`)
)

// next is the call that is due, if any. A call that brought nothing ends the
// work, except that where the web knows nothing memory may.
func (j job) next(tools []moothall.ToolSpec) (moothall.ToolCall, string, bool) {
	if call, ok := nextStep(j.task, j.results, tools); ok {
		return call, "The search found a page, and the task asks to read it.", true
	}
	list := j.steps()
	n := len(j.results)
	if n > 0 && trouble(j.results[n-1]) != "" && !searcher.MatchString(string(j.results[n-1].ToolName)) {
		return moothall.ToolCall{}, "", false
	}
	if len(list) == 0 && n == 0 {
		return chooseTool(j.task, tools)
	}
	done := 0
	for _, s := range list {
		spec, ok := s.offered(tools)
		if !ok {
			continue
		}
		if done == n && !j.enough(s) {
			args, err := json.Marshal(s.args)
			call := moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: spec.Name, Arguments: args}
			return call, fmt.Sprintf("The task asks for what %s does.", spec.Name), err == nil
		}
		done++
	}
	return moothall.ToolCall{}, "", false
}

// enough reports whether a step is there only for the case that the one
// before it brings nothing.
func (j job) enough(s step) bool {
	n := len(j.results)
	return s.tool == memories && n > 0 && trouble(j.results[n-1]) == ""
}

func (s step) offered(tools []moothall.ToolSpec) (moothall.ToolSpec, bool) {
	i := slices.IndexFunc(tools, func(t moothall.ToolSpec) bool { return s.tool.MatchString(string(t.Name)) })
	if i < 0 {
		return moothall.ToolSpec{}, false
	}
	return tools[i], true
}

// steps are the calls that the words of a task ask for, in order; none when
// the task is one for [chooseTool].
func (j job) steps() []step {
	if out := j.program(); len(out) > 0 {
		return out
	}
	words := fence.ReplaceAllString(j.task, "")
	if c := command.FindStringSubmatch(words); c != nil && runs.MatchString(words) {
		return []step{{shell, map[string]any{"command": c[1]}}}
	}
	if out := j.keep(words); len(out) > 0 {
		return out
	}
	if expression := j.sum(words); expression != "" {
		return []step{{counter, map[string]any{"expression": expression}}}
	}
	if seeks.MatchString(words) && !formula.MatchString(words) && !address.MatchString(words) && !fileName.MatchString(words) {
		query := clip(oneLine(errand.ReplaceAllString(words, "")), 300)
		return []step{{searcher, map[string]any{"query": query}}, {memories, map[string]any{"query": query}}}
	}
	return nil
}

// program writes the code that a task quotes into the files that it names,
// and runs it when it is to be run: the pieces that went into no file, else
// the last that did.
func (j job) program() []step {
	blocks := fence.FindAllStringSubmatch(j.task, -1)
	words := fence.ReplaceAllString(j.task, "")
	if len(blocks) == 0 {
		return nil
	}
	var out []step
	var files [][]string
	if saves.MatchString(words) {
		files = fileName.FindAllStringSubmatch(words, -1)
	}
	n := min(len(files), len(blocks))
	for i := range n {
		out = append(out, step{writer, map[string]any{"path": files[i][1], "content": blocks[i][2] + "\n"}})
	}
	if !runs.MatchString(words) {
		return out
	}
	for i, b := range blocks {
		if i >= n || n == len(blocks) && i == n-1 {
			name := ""
			if i < n {
				name = files[i][1]
			}
			out = append(out, step{runner, map[string]any{"language": language(b[1], name), "code": b[2] + "\n"}})
		}
	}
	return out
}

// language is what a piece of code is written in: what it is marked as, else
// what its file is called.
func language(mark, file string) string {
	if mark != "" {
		return strings.ToLower(mark)
	}
	switch file[strings.LastIndexByte(file, '.')+1:] {
	case "js":
		return "javascript"
	case "sh":
		return "shell"
	case "go":
		return "go"
	}
	return "python"
}

// keep writes what a task quotes, or what was found before it, into the file
// that it names.
func (j job) keep(words string) []step {
	file := fileName.FindStringSubmatch(words)
	if file == nil || !saves.MatchString(words) {
		return nil
	}
	var lines []string
	if q := quotedly.FindStringSubmatch(words); q != nil {
		lines = append(lines, q[1]+q[2])
	} else {
		for _, h := range j.before {
			lines = append(lines, h.Summary)
		}
	}
	text := strings.TrimSpace(strings.Join(lines, "\n\n"))
	if text == "" {
		return nil
	}
	return []step{{writer, map[string]any{"path": file[1], "content": text + "\n"}}}
}

// sum is an expression over the last figures of the results before; "" where
// the task asks for none or they have none.
func (j job) sum(words string) string {
	sign := ""
	switch {
	case adds.MatchString(words):
		sign = " + "
	case takes.MatchString(words):
		sign = " - "
	case times.MatchString(words):
		sign = " * "
	}
	if sign == "" || len(j.before) < 2 {
		return ""
	}
	var terms []string
	for _, h := range j.before {
		all := figures.FindAllString(h.Summary, -1)
		if len(all) == 0 {
			return ""
		}
		terms = append(terms, all[len(all)-1])
	}
	return strings.Join(terms, sign)
}
