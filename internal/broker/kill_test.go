package broker_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/moottest"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// hanging are tools that begin and never end, one of which may be repeated.
func hanging(begun chan<- string, hang bool) []moothall.Tool {
	do := func(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
		if hang {
			begun <- string(r.Call.Name)
			<-ctx.Done()
		}
		return moothall.ToolResult{Status: moothall.CallOK, Text: "done"}, ctx.Err()
	}
	return append(web(),
		tool(moothall.ToolSpec{Name: "send_mail", Risk: moothall.RiskWrite}, do),
		tool(moothall.ToolSpec{Name: "put_file", Risk: moothall.RiskWrite, Idempotent: true}, do),
		tool(moothall.ToolSpec{Name: "run_shell", Risk: moothall.RiskHigh}, nil),
	)
}

// beKilled does everything that must survive, says so, and waits for the end.
func beKilled(path string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, path, &store.Options{Migrations: []store.Set{broker.Migrations()}})
	if err != nil {
		return err
	}
	begun := make(chan string)
	tools := hanging(begun, true)
	var names []moothall.ToolName
	for _, t := range tools {
		names = append(names, t.Spec().Name)
	}
	b, err := broker.Open(ctx, broker.Options{DB: db, Audit: moottest.NewAudit().For(moothall.ToolBroker), Manifest: manifest(names...), Tools: tools})
	if err != nil {
		return err
	}
	chat := b.For(moothall.ChatHall)
	root, err := chat.Spawn(ctx, moothall.SpawnRequest{Scope: moothall.Scope{Session: "s"}, Type: "boss", Task: "task", Words: "typed words"})
	if err != nil {
		return err
	}
	a, err := chat.Spawn(ctx, moothall.SpawnRequest{Parent: root.Handle, Type: "worker"})
	if err != nil {
		return err
	}
	named := func(a moothall.Agent, id, tool, args string) moothall.CallRequest {
		r := request(a, moothall.ToolName(tool), args)
		r.Call.ID = moothall.CallID(id)
		return r
	}
	run := func(r moothall.CallRequest) {
		for p, err := range chat.Execute(ctx, r) {
			if p.Note != "" {
				begun <- "asked"
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	for range 3 {
		run(named(a, moothall.NewID(), "say", `{"n":1}`))
	}
	for _, r := range []moothall.CallRequest{
		named(a, "c-mail", "send_mail", `{}`), named(a, "c-file", "put_file", `{}`), named(root, "c-shell", "run_shell", `{}`),
	} {
		go run(r)
		<-begun
	}
	run(named(a, "c-search", "web_search", `{"query":"x"}`))
	run(named(a, "c-memory", "memory_read", `{}`))
	run(named(a, "c-last", "web_fetch", `{"url":"https://data.example/x"}`))
	fmt.Println("ready")
	select {} // until the end comes
}

func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	kill(t, path)
	begun := make(chan string, 16)
	h := reopen(t, &hall{path: path, audit: moottest.NewAudit(), secrets: moottest.NewSecrets(), events: &recorder{}}, hanging(begun, false))
	left, err := h.Recover(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, u := range left {
		ids = append(ids, fmt.Sprintf("%s %s %v", u.Call, u.Tool, u.Idempotent))
		if u.Session != "s" || u.Type != "worker" || len(u.Lineage) != 2 || u.Run != "run" || u.Began.IsZero() {
			t.Errorf("unfinished: %+v", u)
		}
	}
	// A call that only read may be among them though it ended.
	ids = slices.DeleteFunc(ids, func(s string) bool { return strings.Contains(s, " say ") || strings.Contains(s, "memory_read") })
	if want := []string{"c-file put_file true", "c-mail send_mail false"}; !slices.Equal(slices.Sorted(slices.Values(ids)), want) {
		t.Errorf("unfinished are %q, want %q", ids, want)
	}
	for _, id := range []moothall.CallID{"c-mail", "c-file"} {
		if got := h.statuses(id); !slices.Equal(got, []string{"tool.call unknown_after_crash journal/unknown_after_crash"}) {
			t.Errorf("the record says of %s %q", id, got)
		}
	}
	if again, err := h.Recover(t.Context()); err != nil || len(again) != 0 {
		t.Errorf("once more: %v, %v", again, err)
	}
	afterwards(t, h)
	h.shut()
	if n := len(h.events.of(moothall.SubjectAgentFinished)); n != 2 {
		t.Errorf("%d agents were ended", n)
	}
	if got := h.events.of(moothall.SubjectApprovalDecided); len(got) != 1 || !strings.Contains(string(got[0].Payload), `"answer":"expired"`) {
		t.Errorf("the answers are %+v", got)
	}
	h = reopen(t, h, hanging(begun, false))
	if again, err := h.Recover(t.Context()); err != nil || len(again) > 0 {
		t.Errorf("after another start: %v, %v", again, err)
	}
}

// afterwards checks what must be as before the crash.
func afterwards(t *testing.T, h *hall) {
	t.Helper()
	a := h.spawn(moothall.SpawnRequest{Task: "task"})
	if a.Labels != moothall.Untrusted|moothall.Private {
		t.Errorf("the labels are %q", a.Labels)
	}
	if d := h.verdict(a, "say", `{"n":1}`); d.Rule != "same_call" {
		t.Errorf("the counters are gone: %+v", d)
	}
	if d := h.verdict(a, "web_fetch", `{"url":"https://data.example/x"}`); d.Verdict != moothall.Allow {
		t.Errorf("what the search found is forgotten: %+v", d)
	}
	list, err := h.person.Approvals(t.Context(), moothall.Scope{}, true)
	if err != nil || len(list) != 1 || list[0].Answer != moothall.ApproveExpired {
		t.Fatalf("the questions are %+v, %v", list, err)
	}
	_, err = h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: list[0].ID, Answer: moothall.ApproveOnce})
	wantCode(t, err, moothall.CodeConflict)
	h.override(moothall.Overrides{Level: "all"}) // it is the journal that refuses
	for id, want := range map[string]string{"c-mail": "unknown_after_crash", "c-search": "repeated"} {
		r := request(a, "send_mail", `{}`)
		r.Call.ID = moothall.CallID(id)
		d, err := h.chat.Validate(t.Context(), r)
		if err != nil || d.Layer != broker.LayerJournal || d.Rule != want {
			t.Errorf("%s: the dry run says %+v, %v", id, d, err)
		}
		if res := h.call(r); res.Status != moothall.CallDenied || res.Decision != d {
			t.Errorf("%s: %+v", id, res)
		}
	}
	r := request(a, "put_file", `{}`)
	r.Call.ID = "c-file"
	if res := h.call(r); res.Status != moothall.CallOK {
		t.Errorf("what may be repeated: %+v", res)
	}
	if res := h.call(r); res.Decision.Rule != "repeated" {
		t.Errorf("and again: %+v", res)
	}
}

// kill runs this binary as another process until it says that it is ready.
func kill(t *testing.T, path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "be-killed", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "ready\n" {
		t.Errorf("the other process says %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed, as it should be
}

func TestTheSameCallTwiceAtOnce(t *testing.T) {
	t.Parallel()
	write, ran := counting("fs_write", moothall.RiskWrite)
	h := open(t, []moothall.Tool{write}, limits(policy.Limits{Repeats: 1000}))
	a := h.spawn(moothall.SpawnRequest{})
	r := request(a, "fs_write", `{}`)
	results := make(chan outcome, 8)
	for range cap(results) {
		go func() {
			res, err := h.try(r)
			results <- outcome{res, err}
		}()
	}
	for range cap(results) {
		if o := <-results; o.err != nil || o.res.Status == moothall.CallDenied && o.res.Decision.Layer != broker.LayerJournal {
			t.Errorf("%+v", o)
		}
	}
	if ran.Load() != 1 {
		t.Errorf("it ran %d times", ran.Load())
	}
}
