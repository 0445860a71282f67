package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
)

func TestFeedbackCommand(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	q := string(h.ask(t, "hello").Query)
	h.wants(t, 0, "Noted.", "feedback", q, "--thumbs", "down", "--comment", "no")
	h.wants(t, 0, "Noted.", "feedback", q, "--stars", "5", "--respondent", "A")
	h.wants(t, 0, "Noted.", "feedback", q, "--undo")
	got := h.Given()
	if len(got) != 3 || got[0].Thumbs != -1 || got[0].Comment != "no" || got[1].Stars != 5 || got[1].Respondent != "A" || !got[2].Undo {
		t.Errorf("the hall heard %+v", got)
	}
	h.wants(t, 2, "it says nothing", "feedback", q)
	h.wants(t, 2, "stars are 1 to 5", "feedback", q, "--stars", "9")
	h.wants(t, 2, "up or down", "feedback", q, "--thumbs", "sideways")
	h.wants(t, 2, "usage", "feedback")
	h.wants(t, 2, "--respondent is empty", "feedback", q, "--stars", "5", "--respondent", "")
	h.wants(t, 1, "no such answer", "feedback", "nope", "--thumbs", "up")
}

func TestReports(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	h.wants(t, 0, "No answers yet", "respondents", "report")
	h.wants(t, 0, "No answer has both", "critic", "report")
	h.report = moothall.Report{
		Answers: 3,
		Models: []moothall.ModelScore{
			{Role: "chat", Provider: "p", Model: "m", Respondent: "A", Answers: 2, Wins: 1, Score: 4.25, Ratings: 2, Reward: 0.5, Took: 1200 * time.Millisecond, Prompt: 300, Output: 12},
			{Role: "chat", Provider: "p", Model: "n", Respondent: "B", Answers: 1},
		},
		Calibration: moothall.Calibration{Both: 2, Agree: 0.5, Correlation: 0.25, Bias: -1.5, Attempts: 3, Unknown: 1, Pairs: 1, Tied: 1, Table: [5][5]int{4: {0, 7}}, Harsh: []moothall.QueryID{"q-harsh"}},
		Proposals:   []moothall.Proposal{{Binding: moothall.ModelBinding{Role: "chat", Provider: "p", Model: "n"}, Instead: "m", Because: "it won 9 of 10", Command: "moothall model use p/n"}},
	}
	out := h.wants(t, 0, "to accept: moothall model use p/n", "respondents", "report")
	for _, want := range []string{"chat  A           p/m    2        0       1    0     0     4.25   +0.50   1.2 s", "instead of m: it won 9 of 10", " -      -       0.0 ms"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	out = h.wants(t, 0, "you agree on 50 %", "critic", "report")
	for _, want := range []string{"was to judge 3 times; 1 got no verdict", "1 pair; 1 ended in a tie", "1.50 grades harsher", "q-harsh", "5  0  7  0  0  0"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if c := parsed[moothall.Calibration](t, h.wants(t, 0, "", "critic", "report", "--json")); c.Both != 2 {
		t.Errorf("%+v", c)
	}
	h.report.Calibration = moothall.Calibration{Both: 1, Agree: 1, Attempts: 1, Table: [5][5]int{4: {4: 1}}}
	h.wants(t, 0, "Of 1 answer that both judged, you agree on 100 %.\nCorrelation -; the critic is as kind as you.\n", "critic", "report")
	r := parsed[moothall.Report](t, h.wants(t, 0, "", "respondents", "report", "--json", "--since", "2026-01-31"))
	if y, m, d := r.Since.Local().Date(); y != 2026 || m != 1 || d != 31 {
		t.Errorf("since %v", r.Since)
	}
	h.wants(t, 2, `"yesterday" is no time`, "critic", "report", "--since", "yesterday")
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	got, err := parseTime("24h", now)
	if err != nil || !got.Equal(now.Add(-24*time.Hour)) {
		t.Errorf("24h: %v, %v", got, err)
	}
	if _, err := parseTime("-1h", now); exitCode(err) != 2 {
		t.Errorf("-1h: %v", err)
	}
}

func TestReplayCommand(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	q := string(h.ask(t, "hello").Query)
	h.wants(t, 0, "The same as recorded.", "replay", q)
	if r := parsed[moothall.Replayed](t, h.wants(t, 0, "", "replay", q, "--json")); !r.Same || r.Again.Tools == nil {
		t.Errorf("%+v", r)
	}
	dir := t.TempDir()
	policy, prompt, empty := filepath.Join(dir, "p.yaml"), filepath.Join(dir, "prompt.txt"), filepath.Join(dir, "empty")
	for name, text := range map[string]string{policy: "agents: {}", prompt: "Be brief.", empty: ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.replayed = &moothall.Replayed{Recorded: moothall.Answer{Text: "one"}, Again: moothall.Answer{Text: "two\nlines"}, Differences: []string{"the answer differs"}}
	h.wants(t, 1, "- the answer differs\nrecorded:\n  one\nagain:\n  two\n  lines\n", "replay", q)
	h.wants(t, 0, "the answer differs", "replay", q, "--model", "m", "--policy", policy, "--prompt", prompt)
	if want := (moothall.ReplayRequest{Query: moothall.QueryID(q), Model: "m", Policy: "agents: {}", Prompt: "Be brief."}); h.asked != want {
		t.Errorf("asked for %+v", h.asked)
	}
	h.replayed = &moothall.Replayed{Again: moothall.Answer{Text: "one"}, Same: true, Differences: []string{"fs_write would now wait for a person's answer"}}
	h.wants(t, 0, "- fs_write would now wait for a person's answer\none\nThe same as recorded.\n", "replay", q, "--policy", policy)
	h.replayed = &moothall.Replayed{Differences: []string{"the answer differs"}}
	h.replayed.Again = moothall.Answer{Stop: moothall.StopError, Flags: []string{"failed: the server is gone"}}
	h.wants(t, 1, "the answer differs", "replay", q, "--model", "m")
	h.wants(t, 2, "is empty", "replay", q, "--policy", empty)
	h.wants(t, 1, "cannot read", "replay", q, "--prompt", filepath.Join(dir, "absent"))
	for _, flag := range []string{"--model", "--policy", "--prompt"} { // of a variable that is not set
		h.wants(t, 2, flag+" is empty", "replay", q, flag, "")
	}
}

func TestParticipantsCommand(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	h.wants(t, 0, `critic  ok  {"on":true}  Judges answers.`, "participants")
	if p := parsed[moothall.Participant](t, h.wants(t, 0, "", "participants", "show", "critic")); p.Name != "critic" {
		t.Errorf("%+v", p)
	}
	h.wants(t, 1, "no participant poet", "participants", "show", "poet")
	h.wants(t, 0, `"on": false`, "participants", "set", "critic", `{"on":false}`)
	h.wants(t, 0, `"temperature": 0.5`, "participants", "set", "critic", "on=true", "b.temperature=0.5", "b.model=llama", "note=")
	list := parsed[[]moothall.Participant](t, h.wants(t, 0, "", "participants", "list", "--json"))
	if got := string(list[0].Settings); !strings.Contains(strings.Join(strings.Fields(got), ""), `{"b":{"model":"llama","temperature":0.5},"note":"","on":true}`) {
		t.Errorf("set to %s", got)
	}
	for _, bad := range [][]string{{"x"}, {"=1"}, {`{"a":`}, {`{}`, `{}`}, {}} {
		h.wants(t, 2, "", append([]string{"participants", "set", "critic"}, bad...)...)
	}
}

// TestSettingText: a text that looks like a number stays text where the
// schema wants text.
func TestSettingText(t *testing.T) {
	t.Parallel()
	p := moothall.Participant{Schema: []byte(`{"properties":{"b":{"properties":{"model":{"type":"string"}}},"n":{"type":["number","null"]}}}`)}
	got, err := newSettings(p, []string{"b.model=7", "n=7", "m=7"})
	if err != nil || string(got) != `{"b":{"model":"7"},"m":7,"n":7}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestReceiptLine(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]moothall.Answer{
		"0 bytes left this machine · 312 tokens · 1.2 s · record 41-47": {Receipt: moothall.Receipt{
			ByRole: map[moothall.ModelRole]moothall.Usage{"chat": {PromptTokens: 300, OutputTokens: 10}, "selector": {OutputTokens: 2}},
			Times:  moothall.Times{Total: 1234 * time.Millisecond}, AuditFirst: 41, AuditLast: 47,
		}},
		"1 byte left this machine for a.example · 1 token · 90 ms · 2 calls refused · record 3": {
			Usage: moothall.Usage{PromptTokens: 1, Total: 90 * time.Millisecond},
			Receipt: moothall.Receipt{Sent: []moothall.Egress{{Host: "a.example", Bytes: 1}, {Host: "b.example"}}, AuditFirst: 3, AuditLast: 3,
				Refused: []moothall.ToolName{"x", "y"}},
		},
		"0 bytes left this machine · 0 tokens · 0.0 ms":                   {},
		"0 bytes left this machine · 0 tokens · 0.0 ms · ollama/qwen3:4b": {Provider: "ollama", Model: "qwen3:4b"},
		"0 bytes left this machine · 0 tokens · 0.0 ms · builtin/moothall-mini, very small · record 3": {
			Provider: "builtin", Model: "moothall-mini", Receipt: moothall.Receipt{AuditFirst: 3, AuditLast: 3},
		},
		"0 bytes left this machine · 0 tokens · 0.0 ms · record from 41, without its end": {Receipt: moothall.Receipt{AuditFirst: 41}},
		"0 bytes left this machine · 0 tokens · 2 min 5 s":                                {Usage: moothall.Usage{Total: 125 * time.Second}},
	} {
		if got := receiptLine(a); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestAskReceipt(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	out, errs, code := h.command(t, "ask", "--receipt", "hello")
	if code != 0 || out != "You said: hello\n" || !strings.HasPrefix(errs, "0 bytes left this machine · 0 tokens") {
		t.Errorf("exit code %d: %q, %q", code, out, errs)
	}
	if _, errs, _ := h.command(t, "ask", "hello"); errs != "" {
		t.Errorf("no terminal, and nobody asked for it: %q", errs)
	}
	out, errs, _ = h.command(t, "ask", "--json", "--receipt", "hello")
	if errs != "" || strings.Contains(out, "null") {
		t.Errorf("as JSON: %q, %q", out, errs)
	}
}
