package toolcall_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/engine/toolcall"
)

// officeTools are the tools of the tests here.
func officeTools() []moothall.ToolSpec {
	schema := func(s string) json.RawMessage { return json.RawMessage(s) }
	return []moothall.ToolSpec{
		{Name: "find_book", Aliases: []moothall.ToolName{"book_search"}, Parameters: schema(`{"type":"object","properties":{"title":{"type":"string"},"year":{"type":"integer"},"lent":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string"}}},"required":["title"]}`)},
		{Name: "ring_bell", Parameters: schema(`{"type":"object","properties":{}}`)},
		{Name: "ring_bell_twice"},
		{Name: "store.put", Parameters: schema(`{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"object"}},"required":["key","value"]}`)},
		{Name: "python", Parameters: schema(`{"type":"object","properties":{"code":{"type":"string"}},"required":["code"]}`)},
	}
}

// hostile are units whose repetition has broken parsers.
func hostile() map[string]string {
	return map[string]string{
		"braces":       "{",
		"angles":       "<",
		"brackets":     "[",
		"backticks":    "`",
		"tickSpace":    "` ",
		"fences":       "```\n",
		"jsonFences":   "```json\n{\"name\":\"\n```\n",
		"toolCall":     "<tool_call>",
		"toolCallJSON": `<tool_call>{"name":"find_book","arguments":{"title":"`,
		"toolCallOpen": "<tool_call>{",
		"closers":      "</tool_call>",
		"think":        "<think>",
		"thinkEnd":     "</think>",
		"thinkPairs":   "<think>\n</think>\n",
		"nestedArgs":   `{"arguments":`,
		"nestedName":   `{"name":"find_book","arguments":`,
		"arrays":       `[{"name":`,
		"parameters":   "<function=find_book><parameter=title>",
		"parameterEnd": "<function=find_book><parameter=title>a</function>",
		"argKeys":      "<tool_call>find_book<arg_key>",
		"argValues":    "<arg_key>a</arg_key><arg_value>",
		"gemma":        `<|tool_call>call:find_book{title:<|"|>`,
		"gemmaPairs":   `a:<|"|>b<|"|>,`,
		"python":       "[find_book(title=",
		"pythonNest":   "[find_book(title=[(",
		"harmony":      "<|start|>assistant<|channel|>",
		"harmonyTo":    "<|channel|>commentary to=find_book<|message|>",
		"mistral":      "[TOOL_CALLS]",
		"mistralName":  "[TOOL_CALLS]find_book[ARGS]{",
		"deepseek":     "<｜tool▁calls▁begin｜>",
		"names":        "find_book\n",
		"nameBrace":    "find_book {\n",
		"arrows":       ">>>find_book\n",
		"newlines":     "\n",
		"spaces":       " ",
		"quotes":       "\"'",
		"escapes":      `{"name":"\\`,
		"broken":       "\xff\xe2\x97",
		"dsml":         "<｜DSML｜invoke name=\"find_book\"><｜DSML｜parameter name=\"title\">",
		"action":       "Action: find_book\nAction Input: {",
		"calls":        `<tool_call>{"name":"ring_bell","arguments":{}}</tool_call>`,
		"thinkCalls":   `<think>` + strings.Repeat(`<tool_call>{"name":"ring_bell","arguments":{}}</tool_call>`, 3),
	}
}

// TestHostile reads much of each unit, alone and inside other things. The
// bound on work shows that time is linear; benchmarks show how much it is.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, unit := range hostile() {
		for _, prefix := range []string{"", "<think>", "<tool_call>", "```\n", `<|tool_call>call:find_book{`} {
			text := prefix + strings.Repeat(unit, 1<<14/len(unit))
			r := toolcall.NewReader(&toolcall.Options{Tools: officeTools()})
			r.Write(text)
			r.Close()
			if w := r.Work(); w > workBound(len(text)) {
				t.Errorf("%s after %q: looked at %d bytes of %d", name, prefix, w, len(text))
			}
		}
	}
}

// TestMegabyte reads a megabyte of what is written as a call's first byte.
// The bound is far above what it takes, and far below what it would take if
// time were not linear.
func TestMegabyte(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"{", "<", "[", "`", "<tool_call>", `{"arguments":`} {
		start := time.Now()
		toolcall.Parse(strings.Repeat(unit, 1<<20/len(unit)), &toolcall.Options{Tools: officeTools()})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("a megabyte of %q took %v", unit, took)
		}
	}
}

// workBound is the work allowed for a text of n bytes.
func workBound(n int) int { return 1<<12 + 130*n }

// TestHostileStream reads hostile text byte by byte.
func TestHostileStream(t *testing.T) {
	t.Parallel()
	for name, unit := range hostile() {
		text := strings.Repeat(unit, 1<<12/len(unit))
		r := toolcall.NewReader(&toolcall.Options{Tools: officeTools()})
		for i := range len(text) {
			r.Write(text[i : i+1])
		}
		r.Close()
		if w := r.Work(); w > workBound(len(text)) {
			t.Errorf("%s: looked at %d bytes of %d", name, w, len(text))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, unit := range hostile() {
		f.Add(strings.Repeat(unit, 3), uint64(1), false)
	}
	for _, s := range seeds() {
		f.Add(s, uint64(7), false)
		f.Add(s, uint64(9), true)
	}
	o := toolcall.Options{Tools: officeTools()}
	names := map[moothall.ToolName]bool{}
	for _, s := range o.Tools {
		names[s.Name] = true
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, prefilled bool) {
		if len(text) > 1<<14 {
			return
		}
		o := o
		o.ThinkingPrefilled = prefilled
		rng := rand.New(rand.NewPCG(seed, seed))
		checkChunked(t, "fuzz", text, &o, rng)
		r := toolcall.NewReader(&o)
		for rest := text; rest != ""; {
			n := min(len(rest), 1+rng.IntN(64))
			r.Write(rest[:n])
			rest = rest[n:]
		}
		got := r.Close()
		if r.Work() > workBound(len(text)) {
			t.Fatalf("looked at %d bytes of %d", r.Work(), len(text))
		}
		for _, c := range got.Calls {
			var args map[string]any
			if !names[c.Name] || json.Unmarshal(c.Arguments, &args) != nil || args == nil {
				t.Fatalf("call of %q with %s", c.Name, c.Arguments)
			}
		}
	})
}

func seeds() []string {
	return []string{
		`<tool_call>{"name":"find_book","arguments":{"title":"Emma"}}</tool_call>`,
		"<tool_call>\n<function=find_book>\n<parameter=title>\nEmma\n</parameter>\n</function>\n</tool_call>",
		"<tool_call>find_book<arg_key>title</arg_key><arg_value>Emma</arg_value></tool_call>",
		`<|tool_call>call:find_book{title:<|"|>Emma<|"|>,year:1815}<tool_call|>`,
		`[TOOL_CALLS]find_book[ARGS]{"title":"Emma"}`,
		`[find_book(title='Emma', year=1815)]`,
		"<think>hm `</think>` hm</think>yes",
		"thought</think>said",
		"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.find_book<|message|>{\"title\":\"Emma\"}<|call|>",
		" to=self<|message|>hm<|eom|><|start|>assistant to=user<|message|>yes<|eot|>",
		"```json\n{\"name\":\"ring_bell\",\"arguments\":{}}\n```",
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find_book\n```json\n{\"title\":\"Emma\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		"<|tool_calls_section_begin|><|tool_call_begin|>functions.find_book:0<|tool_call_argument_begin|>{\"title\":\"Emma\"}<|tool_call_end|><|tool_calls_section_end|>",
		`>>>all` + "\nyes>>>find_book\n" + `{"title":"Emma"}`,
		"Action: find_book\nAction Input: {\"title\": \"Emma\"}",
		`find_book {"title": "Emma"}`,
		`ring_bell()`,
		`functools[{"name":"ring_bell","arguments":{}}]`,
	}
}
