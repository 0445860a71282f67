package main

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"moothall"
)

// echo answers with what it was asked last, and with a call where it has tools.
type echo struct{}

func (echo) Generate(_ context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		last := r.Messages[len(r.Messages)-1].Content
		if last == "fail" {
			yield(moothall.Chunk{}, moothall.Fail(moothall.CodeTooLarge, "generate", "too long"))
			return
		}
		c := moothall.Chunk{Text: last, Stop: moothall.StopDone}
		for _, t := range r.Tools {
			c.ToolCalls = append(c.ToolCalls, moothall.ToolCall{Name: t.Name, Arguments: json.RawMessage(`{"a":1}`)})
		}
		if r.Think != "off" && !yield(moothall.Chunk{Thinking: "hm"}, nil) {
			return
		}
		yield(c, nil)
	}
}

const lines = `{"group":"chat","check":{"type":"exact"},"think":true,"tools":[],"schema":null,"messages":[{"role":"user","content":"one"}]}

{"group":"calls","think":false,"tools":[{"name":"t","description":"d","parameters":{}}],"schema":null,"messages":[{"role":"assistant","calls":[{"name":"t","arguments":{"b":2}}]},{"role":"tool","name":"t","content":"two"}]}
{"group":"error","think":false,"messages":[{"role":"user","content":"fail"}]}
`

func TestJudge(t *testing.T) {
	t.Parallel()
	turns, err := read(strings.NewReader(lines))
	if err != nil || len(turns) != 3 {
		t.Fatal(len(turns), err)
	}
	var out, progress bytes.Buffer
	if err := judge(t.Context(), options{workers: 2}, echo{}, turns, &out, &progress); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{
		`"said":{"thinking":"hm","text":"one","stop":"done"}`,
		`"said":{"text":"two","calls":[{"name":"t","arguments":{"a":1}}],"stop":"done"}`,
		`"said":{"error":"`,
	} {
		if !strings.Contains(got[i], want) || !strings.Contains(got[i], `"group":`) {
			t.Errorf("%d: %s", i, got[i])
		}
	}
	if !strings.Contains(progress.String(), "3 of 3 turns") {
		t.Errorf("%q", progress.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := judge(ctx, options{}, echo{}, turns, &out, &progress); err == nil {
		t.Error("a run that was given up is no success")
	}
}

// seeker looks up until it has been told n times that there is nothing.
type seeker int

func (n seeker) Generate(_ context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		told := 0
		for _, m := range r.Messages {
			if m.Role == moothall.RoleTool && m.Content == "none" {
				told++
			}
		}
		if told >= int(n) {
			yield(moothall.Chunk{Text: "I don't know", Stop: moothall.StopDone}, nil)
			return
		}
		yield(moothall.Chunk{ToolCalls: []moothall.ToolCall{{Name: r.Tools[0].Name, Arguments: json.RawMessage(`{}`)}}, Stop: moothall.StopTools}, nil)
	}
}

// TestLookups: a turn goes on after look-ups that find nothing, a few times, and not after other calls.
func TestLookups(t *testing.T) {
	t.Parallel()
	line := func(tool string) string {
		return `{"nothing":{"find":"none"},"tools":[{"name":"` + tool + `"}],"messages":[{"role":"user","content":"who?"}]}`
	}
	for _, c := range []struct {
		tool string
		m    seeker
		want string
	}{
		{"find", 2, `"said":{"calls":[{"name":"find","arguments":{}}],"stop":"tools","then":{"calls":[{"name":"find","arguments":{}}],"stop":"tools","then":{"text":"I don't know","stop":"done"}}}`},
		{"other", 2, `"said":{"calls":[{"name":"other","arguments":{}}],"stop":"tools"}`},
		{"find", 9, strings.Repeat(`"stop":"tools","then":{"calls":[{"name":"find","arguments":{}}],`, maxLookups) + `"stop":"tools"}}}}`},
	} {
		turns, err := read(strings.NewReader(line(c.tool)))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := judge(t.Context(), options{}, c.m, turns, &out, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s %d: %s", c.tool, c.m, out.String())
		}
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	turns, err := read(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	r := turns[1].request(options{temperature: 0.7, seed: 5}, 1)
	if r.Think != "off" || r.Schema != nil || *r.Seed != 6 || *r.Temperature != 0.7 || string(r.Messages[0].ToolCalls[0].Arguments) != `{"b":2}` || r.Messages[1].ToolName != "t" {
		t.Errorf("%+v", r)
	}
	if r := turns[0].request(options{}, 0); r.Think != "" || r.Temperature != nil || r.Seed != nil {
		t.Errorf("%+v", r)
	}
}

// FuzzRead reads anything: turns, or an error that names the line.
func FuzzRead(f *testing.F) {
	f.Add(lines)
	f.Add("{}")
	f.Add("[]\n")
	f.Add("null")
	f.Add(`{"messages":[{"calls":[{}]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		turns, err := read(strings.NewReader(s))
		if err != nil {
			if !strings.Contains(err.Error(), "line ") {
				t.Error(err)
			}
			return
		}
		for i := range turns {
			turns[i].request(options{}, 0)
			if err := turns[i].write(&bytes.Buffer{}, said{}); err != nil {
				t.Error(err)
			}
		}
	})
}
