package broker_test

import (
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
