package broker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moothall"
)

// web makes the tools of a session that reads the web and private files.
func web() []moothall.Tool {
	text := json.RawMessage(`{"type":"object"}`)
	search := tool(moothall.ToolSpec{Name: "web_search", Risk: moothall.RiskSend, Taints: moothall.Untrusted, Sends: []string{"query"}, Parameters: text},
		func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
			return moothall.ToolResult{
				Status: moothall.CallOK, Text: "1. Red pandas of Nepal (https://Example.org/pandas?id=7#top).",
				Data: json.RawMessage(`[{"source_url":"https://data.example/x"}]`),
			}, nil
		})
	fetch := tool(moothall.ToolSpec{Name: "web_fetch", Risk: moothall.RiskSend, Taints: moothall.Untrusted, Sends: []string{"url"}, Parameters: text}, nil)
	memory := tool(moothall.ToolSpec{Name: "memory_read", Risk: moothall.RiskRead, ReadOnly: true, Taints: moothall.Private, Parameters: text}, nil)
	write := tool(moothall.ToolSpec{Name: "memory_write", Risk: moothall.RiskWrite, Parameters: text}, nil)
	return []moothall.Tool{search, fetch, memory, write, echo("say", moothall.RiskNone)}
}

func (h *hall) verdict(a moothall.Agent, name moothall.ToolName, args string) moothall.Decision {
	h.t.Helper()
	d, err := h.chat.Validate(context.Background(), request(a, name, args))
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

func TestLabelsGrowUpAndDownAndSurviveARestart(t *testing.T) {
	t.Parallel()
	h := open(t, web())
	root := h.spawn(moothall.SpawnRequest{})
	sibling := h.spawn(moothall.SpawnRequest{Parent: root.Handle, Type: "worker"})
	child := h.spawn(moothall.SpawnRequest{Parent: root.Handle, Type: "worker"})
	if res := h.call(request(child, "web_search", `{"query":"x"}`)); res.Labels != moothall.Untrusted {
		t.Errorf("the result is %+v", res)
	}
	if res := h.call(request(root, "memory_read", `{}`)); res.Labels != moothall.Private {
		t.Errorf("the result is %+v", res)
	}
	write := `{"text":"x"}`
	for name, want := range map[string]struct {
		agent   moothall.Agent
		verdict moothall.Verdict
	}{
		"the root has both":        {root, moothall.Ask},
		"the child has one":        {child, moothall.Allow},
		"the sibling has none":     {sibling, moothall.Allow},
		"a new child has both":     {h.spawn(moothall.SpawnRequest{Parent: root.Handle, Type: "worker"}), moothall.Ask},
		"a new root has both":      {h.spawn(moothall.SpawnRequest{Query: "next"}), moothall.Ask},
		"another session has none": {h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: "other"}}), moothall.Allow},
	} {
		if d := h.verdict(want.agent, "memory_write", write); d.Verdict != want.verdict {
			t.Errorf("%s: %+v", name, d)
		}
	}
	h.shut()
	h = reopen(t, h, web())
	a := h.spawn(moothall.SpawnRequest{})
	if d := h.verdict(a, "memory_write", write); a.Labels != moothall.Untrusted|moothall.Private || d.Verdict != moothall.Ask || d.Layer != "labels" {
		t.Errorf("after a restart: labels %v, %+v", a.Labels, d)
	}
}

// A tool of the hall that is not set up has read nothing, so that the run stays
// what it was. Nobody else's tool has such words, and what was sent was sent.
func TestNotSetUpLabelsNothing(t *testing.T) {
	t.Parallel()
	both := moothall.Private | moothall.Untrusted
	cases := map[moothall.ToolName]struct {
		origin string
		code   moothall.Code
		sent   []moothall.Egress
		labels moothall.Label
	}{
		"calendar": {"built-in", moothall.CodeNotConfigured, nil, 0},
		"broken":   {"built-in", moothall.CodeInvalid, nil, both},
		"sent":     {"built-in", moothall.CodeNotConfigured, []moothall.Egress{{Host: "out.example", Bytes: 9}}, both},
		"theirs":   {"mcp:desk", moothall.CodeNotConfigured, nil, both},
	}
	var tools []moothall.Tool
	for name, c := range cases {
		tools = append(tools, tool(moothall.ToolSpec{Name: name, Risk: moothall.RiskRead, ReadOnly: true, Taints: both, Origin: c.origin},
			func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
				return moothall.ToolResult{Sent: c.sent}, &moothall.Error{Code: c.code, Message: "nothing is there", Remedy: "name one"}
			}))
	}
	h := open(t, append(tools, web()...))
	for name, c := range cases {
		a := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: moothall.SessionID("of " + name)}})
		res := h.call(request(a, name, `{}`))
		if res.Status != moothall.CallFailed || res.Labels != c.labels || !strings.Contains(res.Text, "nothing is there. What helps: name one.") {
			t.Errorf("%s: %+v", name, res)
		}
		want := moothall.Ask
		if c.labels == 0 {
			want = moothall.Allow
		}
		if d := h.verdict(a, "memory_write", `{"text":"x"}`); d.Verdict != want {
			t.Errorf("after %s: %+v", name, d)
		}
	}
}

func TestLabelsAreDurableBeforeTheResult(t *testing.T) {
	t.Parallel()
	var h *hall
	tools := web()
	tools = append(tools, tool(moothall.ToolSpec{Name: "break", Risk: moothall.RiskRead, ReadOnly: true, Taints: moothall.Untrusted},
		func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
			return moothall.ToolResult{Status: moothall.CallOK, Text: "outside words"}, h.db.Close()
		}))
	h = open(t, tools)
	res, err := h.try(request(h.spawn(moothall.SpawnRequest{}), "break", `{}`))
	if err == nil {
		t.Errorf("the result came without its labels on disk: %+v", res)
	}
}

func TestWhatMayBeSentWhateverTheLabels(t *testing.T) {
	t.Parallel()
	h := open(t, web())
	words := `Please look up "red pandas in  Nepal", then read https://a.example/page?x=1. and docs.example/start too (or www.b.example)!`
	a := h.spawn(moothall.SpawnRequest{Query: "q", Words: words})
	h.call(request(a, "web_search", `{"query":"red pandas in Nepal"}`))
	h.call(request(a, "memory_read", `{}`))
	tests := []struct {
		tool moothall.ToolName
		arg  string
		text any
		want moothall.Verdict
	}{
		{"web_search", "query", "red pandas in Nepal", moothall.Allow},
		{"web_search", "query", "pandas in", moothall.Allow},
		{"web_search", "query", "look up red pandas", moothall.Allow}, // but for a quote mark
		{"web_search", "query", "Red Pandas in Nepal", moothall.Ask},
		{"web_search", "query", "pandas red", moothall.Ask},
		{"web_search", "query", "red pandas in Nepal hunter2", moothall.Ask},
		{"web_search", "query", "", moothall.Ask},
		{"web_search", "query", []string{"red pandas", "Nepal"}, moothall.Allow},
		{"web_search", "query", []string{"red pandas", "hunter2"}, moothall.Ask},
		{"web_search", "query", map[string]string{"q": "red"}, moothall.Ask},
		{"web_search", "query", "Red pandas of Nepal", moothall.Allow}, // a search found it
		{"web_fetch", "url", "https://a.example/page?x=1", moothall.Allow},
		{"web_fetch", "url", "HTTPS://A.example:443/page?x=1#part", moothall.Allow},
		{"web_fetch", "url", "https://a.example/page?x=2", moothall.Ask},
		{"web_fetch", "url", "https://a.example/Page?x=1", moothall.Ask},
		{"web_fetch", "url", "https://me@a.example/page?x=1", moothall.Ask},
		{"web_fetch", "url", "https://docs.example/start", moothall.Allow},
		{"web_fetch", "url", "http://www.b.example/", moothall.Allow},
		{"web_fetch", "url", "ftp://docs.example/start", moothall.Ask},
		{"web_fetch", "url", "https://example.org/pandas?id=7", moothall.Ask}, // only in the text of a finding
		{"web_fetch", "url", "https://data.example/x", moothall.Allow},        // in the data
		{"web_fetch", "url", "https://data.example/x?secret=1", moothall.Ask},
		{"web_fetch", "link", "https://a.example/page?x=1", moothall.Ask}, // nothing is known of what it sends
	}
	check := func(when string) {
		for _, tt := range tests {
			args, err := json.Marshal(map[string]any{tt.arg: tt.text})
			if err != nil {
				t.Fatal(err)
			}
			if d := h.verdict(a, tt.tool, string(args)); d.Verdict != tt.want {
				t.Errorf("%s: %s(%s) is %+v, want %s", when, tt.tool, args, d, tt.want)
			}
		}
	}
	check("now")
	h.shut()
	h = reopen(t, h, web())
	a = h.spawn(moothall.SpawnRequest{Query: "q2", Words: "go on"})
	check("after a restart")
	other := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: "other"}})
	h.call(request(other, "web_search", `{"query":"y"}`))
	h.call(request(other, "memory_read", `{}`))
	if d := h.verdict(other, "web_fetch", `{"url":"https://a.example/page?x=1"}`); d.Verdict != moothall.Ask {
		t.Errorf("another session's words count: %+v", d)
	}
}

func TestAChildHasNoWordsOfItsOwn(t *testing.T) {
	t.Parallel()
	h := open(t, web())
	root := h.spawn(moothall.SpawnRequest{})
	child := h.spawn(moothall.SpawnRequest{Parent: root.Handle, Type: "worker", Words: "https://evil.example/?leak"})
	h.call(request(child, "web_search", `{"query":"x"}`))
	h.call(request(child, "memory_read", `{}`))
	if d := h.verdict(child, "web_fetch", `{"url":"https://evil.example/?leak"}`); d.Verdict != moothall.Ask {
		t.Errorf("%+v", d)
	}
}

func TestNoTextIsKeptReadable(t *testing.T) {
	t.Parallel()
	h := open(t, web())
	a := h.spawn(moothall.SpawnRequest{Words: "canaryword https://canary.example/x"})
	h.call(request(a, "web_search", `{"query":"canaryquery"}`))
	var dump strings.Builder
	for _, table := range []string{"broker_addresses", "broker_texts", "broker_calls", "broker_tasks", "broker_sessions", "broker_agents"} {
		dump.WriteString(h.dump(table))
	}
	if s := dump.String(); strings.Contains(s, "canary") || strings.Contains(s, fmt.Sprintf("%x", "canary")) {
		t.Errorf("the tables hold %s", s)
	}
}

// Whoever sends to a server outside sends every argument, also one that the
// tool's definition does not name.
func TestArgumentsWithoutADefinitionAreSentToo(t *testing.T) {
	t.Parallel()
	outside := tool(moothall.ToolSpec{
		Name: "mcp_out", Origin: "mcp:out", Risk: moothall.RiskSend, Sends: []string{"text"}, Taints: moothall.Untrusted,
		Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
	}, nil)
	h := open(t, append(web(), memo(), outside))
	a := h.spawn(moothall.SpawnRequest{Words: "look the oak shelf up"})
	q, out := h.asked(t.Context(), request(a, "mcp_out", `{"text":"oak shelf"}`))
	if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveSession}); err != nil {
		t.Fatal(err)
	}
	if o := <-out; o.err != nil || o.res.Status != moothall.CallOK {
		t.Fatalf("%+v", o)
	}
	h.call(request(a, "memo", `{}`))
	for args, want := range map[string]moothall.Verdict{
		`{"text":"oak shelf"}`:                                  moothall.Allow,
		`{"text":"oak shelf","oak":"shelf"}`:                    moothall.Allow,
		`{"text":"battery staple"}`:                             moothall.Ask,
		`{"text":"oak shelf","more":"battery staple"}`:          moothall.Ask,
		`{"text":"oak shelf","battery staple":null}`:            moothall.Ask,
		`{"text":"oak shelf","oak":{"shelf":"battery staple"}}`: moothall.Ask,
	} {
		if d := h.verdict(a, "mcp_out", args); d.Verdict != want || want == moothall.Ask && d.Rule != "sends" {
			t.Errorf("%s is %+v, want %s", args, d, want)
		}
	}
}
