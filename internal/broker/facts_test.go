package broker_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moothall"
)

func files() []moothall.Tool {
	shape := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"paths":{"type":"array"},"to":{"type":"string"},"n":{"type":"integer"}}}`)
	return []moothall.Tool{tool(moothall.ToolSpec{
		Name: "copy", Aliases: []moothall.ToolName{"cp"}, Risk: moothall.RiskWrite, Parameters: shape,
		Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathRead}, {Name: "paths", Access: moothall.PathRead}, {Name: "to", Access: moothall.PathWrite}},
	}, nil)}
}

func TestArgumentsAndPaths(t *testing.T) {
	t.Parallel()
	h := open(t, files())
	boss := h.spawn(moothall.SpawnRequest{})
	worker := h.spawn(moothall.SpawnRequest{Parent: boss.Handle, Type: "worker"})
	deep := strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)
	tests := []struct {
		name  string
		agent moothall.Agent
		tool  moothall.ToolName
		args  string
		layer string // empty: allowed
	}{
		{"read and write", boss, "copy", `{"path":"/home/me/a","to":"/home/me/out/b"}`, ""},
		{"alias", boss, "cp", `{"path":"/home/me/a"}`, ""},
		{"no arguments", boss, "copy", ``, ""},
		{"read outside", boss, "copy", `{"path":"/etc/passwd"}`, "paths"},
		{"write where it may read", boss, "copy", `{"to":"/home/me/b"}`, "paths"},
		{"neighbour's folder", boss, "copy", `{"path":"/home/me2/b"}`, "paths"},
		{"one of a list", boss, "copy", `{"paths":["/home/me/a","/etc/passwd"]}`, "paths"},
		{"all of a list", boss, "copy", `{"paths":["/home/me/a","/home/me/b"]}`, ""},
		{"no path at all", boss, "copy", `{"paths":[{"p":1}]}`, "paths"},
		{"null", boss, "copy", `{"n":1,"paths":null}`, "arguments"},
		{"no list to write", worker, "copy", `{"to":"/home/me/out/b"}`, "paths"},
		{"schema", boss, "copy", `{"n":"many"}`, "arguments"},
		{"twice", boss, "copy", `{"path":"/home/me/a","path":"/etc/passwd"}`, "arguments"},
		{"escaped twice", boss, "copy", `{"path":"/home/me/a","p\u0061th":"/etc/passwd"}`, "arguments"},
		{"in capitals", boss, "copy", `{"PATH":"/etc/passwd"}`, "arguments"},
		{"in odd letters", boss, "copy", `{"pathſ":["/etc/passwd"]}`, "arguments"},
		{"nested twice", boss, "copy", `{"n":1,"x":{"a":1,"A":2}}`, "arguments"},
		{"two values", boss, "copy", `{} {}`, "arguments"},
		{"a list", boss, "copy", `[]`, "arguments"},
		{"no JSON", boss, "copy", `{"path":`, "arguments"},
		{"no text", boss, "copy", "{\"path\":\"\xff\"}", "arguments"},
		{"deep", boss, "copy", deep, "arguments"},
		{"large", boss, "copy", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, "arguments"},
		{"unknown", boss, "rm", `{}`, "manifest"},
	}
	for _, tt := range tests {
		r := request(tt.agent, tt.tool, tt.args)
		d, err := h.chat.Validate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		res := h.call(r)
		if res.Decision != d {
			t.Errorf("%s: the dry run says %+v, the real one %+v", tt.name, d, res.Decision)
		}
		if tt.layer == "" && res.Status != moothall.CallOK || tt.layer != "" && (res.Status != moothall.CallDenied || d.Layer != tt.layer) {
			t.Errorf("%s: %+v", tt.name, res)
		}
		if tt.name == "schema" && !strings.HasPrefix(d.Reason, "The arguments do not fit copy: n: must be integer") {
			t.Errorf("it says %s", d.Reason)
		}
	}
}

// TestIntegersAreWrittenAsSuch: a tool that reads into an int gets one, and a
// number that is written otherwise is the same call.
func TestIntegersAreWrittenAsSuch(t *testing.T) {
	t.Parallel()
	var n int
	count := tool(moothall.ToolSpec{
		Name: "count", Risk: moothall.RiskNone, Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":20},"x":{"type":"number"}}}`),
	}, func(_ context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
		var a struct{ N int }
		if err := json.Unmarshal(r.Call.Arguments, &a); err != nil {
			return moothall.ToolResult{}, err
		}
		n = a.N
		return moothall.ToolResult{Status: moothall.CallOK, Text: "done " + string(r.Call.Arguments)}, nil
	})
	h := open(t, []moothall.Tool{count})
	root := h.spawn(moothall.SpawnRequest{Query: "q"})
	for _, args := range []string{`{"n":10,"x":5.0}`, `{"n":10.0,"x":5.0}`, `{"x":5.0,"n":1e1}`} {
		if res := h.call(request(root, "count", args)); res.Status != moothall.CallOK || n != 10 || !strings.Contains(res.Text, `done {"n":10,"x":5.0}`) {
			t.Errorf("%s: %d, %+v", args, n, res)
		}
		n = 0
	}
	if d := h.verdict(root, "count", `{"n":100e-1,"x":5.0}`); d.Rule != "same_call" {
		t.Errorf("the same call again and again: %+v", d)
	}
	for _, args := range []string{`{"n":10.5}`, `{"n":3e1}`} {
		if d := h.verdict(root, "count", args); d.Layer != "arguments" {
			t.Errorf("%s: %+v", args, d)
		}
	}
}

func TestTenMegabytesAreNotParsed(t *testing.T) {
	t.Parallel()
	h := open(t, files())
	r := request(h.spawn(moothall.SpawnRequest{}), "copy", `{"a":`+strings.Repeat("[", 10<<20))
	began := time.Now()
	res := h.call(r)
	if res.Status != moothall.CallDenied || res.Decision.Rule != "too_large" {
		t.Errorf("%+v", res.Decision)
	}
	if took := time.Since(began); took > soon {
		t.Errorf("it took %v", took)
	}
	if list := h.statuses(r.Call.ID); len(list) != 1 {
		t.Errorf("the record says %q", list)
	}
}

func TestADenialTellsNothingOfTheManifest(t *testing.T) {
	t.Parallel()
	h := open(t, append(files(), echo("say", moothall.RiskNone)))
	res := h.call(request(h.spawn(moothall.SpawnRequest{Type: "reader"}), "say_what", `{}`))
	for _, secret := range []string{"copy", "boss", "worker", "/home/me"} {
		if strings.Contains(res.Text, secret) {
			t.Errorf("the denial names %s: %s", secret, res.Text)
		}
	}
	if res.Status != moothall.CallDenied || res.Text == "" {
		t.Errorf("%+v", res)
	}
}
