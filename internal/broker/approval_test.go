package broker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/broker"
)

func risky() []moothall.Tool {
	shell := tool(moothall.ToolSpec{Name: "run_shell", Risk: moothall.RiskHigh,
		Parameters: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string","maxLength":20}},"required":["command"]}`)}, nil)
	return []moothall.Tool{shell, echo("say", moothall.RiskNone)}
}

func TestApprovedOnce(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	a := h.spawn(moothall.SpawnRequest{Query: "q-1"})
	r := request(a, "run_shell", `{"command":"ls"}`)
	q, out := h.asked(t.Context(), r)
	if q.Agent != a.ID || q.Type != "boss" || q.Session != "s" || q.Query != "q-1" || string(q.Arguments) != `{"command":"ls"}` ||
		q.Reason.Verdict != moothall.Ask || q.Reason.Layer != "approval" || q.Expires.Sub(q.Asked) != 10*time.Minute {
		t.Errorf("the question is %+v", q)
	}
	if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce}); err != nil {
		t.Fatal(err)
	}
	if o := <-out; o.err != nil || o.res.Status != moothall.CallOK || o.res.Decision.Rule != "approved" {
		t.Errorf("the result is %+v", o)
	}
	want := []string{"tool.call asked approval/high_risk", "approval ok approval/once", "tool.call intent approval/approved", "tool.call ok approval/approved"}
	if got := h.statuses(r.Call.ID); !slices.Equal(got, want) {
		t.Errorf("the record says %q, want %q", got, want)
	}
	// Once is once: the next is asked again.
	q2, out := h.asked(t.Context(), request(a, "run_shell", `{"command":"ls"}`))
	if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q2.ID, Answer: moothall.ApproveDenied}); err != nil {
		t.Fatal(err)
	}
	if o := <-out; o.res.Status != moothall.CallDenied || o.res.Decision.Rule != "deny" {
		t.Errorf("the result is %+v", o)
	}
	h.shut()
	if n, m := len(h.events.of(moothall.SubjectApprovalRequested)), len(h.events.of(moothall.SubjectApprovalDecided)); n != 2 || m != 2 {
		t.Errorf("%d questions and %d answers are events", n, m)
	}
}

func TestApprovedForTheSessionSurvivesARestart(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	q, out := h.asked(t.Context(), request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"ls"}`))
	if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveSession}); err != nil {
		t.Fatal(err)
	}
	<-out
	h.shut()
	h = reopen(t, h, risky())
	if res := h.call(request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"pwd"}`)); res.Status != moothall.CallOK {
		t.Errorf("the same tool and type: %+v", res)
	}
	for name, r := range map[string]moothall.SpawnRequest{
		"another session": {Scope: moothall.Scope{Session: "other"}, Unattended: true},
		"another type":    {Type: "worker", Unattended: true},
	} {
		if res := h.call(request(h.spawn(r), "run_shell", `{"command":"pwd"}`)); res.Status != moothall.CallDenied {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// defined is a tool from outside whose owner says which one it is.
type defined struct {
	moothall.Tool
	name string
}

func (d defined) Definition() string { return d.name }

// A yes is to a tool as it was when it was asked about: another definition
// that has come to its name is asked about anew.
func TestAnApprovalIsOfOneDefinition(t *testing.T) {
	t.Parallel()
	outside := func(about, definition string) []moothall.Tool {
		return []moothall.Tool{defined{tool(moothall.ToolSpec{
			Name: "mcp_do", Origin: "mcp:server", Risk: moothall.RiskHigh, Description: about}, nil), definition}}
	}
	h := open(t, outside("Does it.", "1"))
	a, n := h.spawn(moothall.SpawnRequest{}), 0
	answer := func(answer moothall.ApprovalAnswer, between func()) (outcome, error) {
		t.Helper()
		n++
		q, out := h.asked(t.Context(), request(a, "mcp_do", fmt.Sprintf(`{"n":%d}`, n)))
		between()
		_, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: answer})
		if err != nil {
			if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveDenied}); err != nil {
				t.Fatal(err)
			}
		}
		return <-out, err
	}
	exchange := func(tools []moothall.Tool) {
		t.Helper()
		if refused := h.Exchange([]moothall.ToolName{"mcp_do"}, tools); len(refused) > 0 {
			t.Fatal(refused)
		}
	}
	check := func(what string, want moothall.Verdict) {
		t.Helper()
		if d := h.verdict(a, "mcp_do", `{}`); d.Verdict != want {
			t.Errorf("%s: %+v", what, d)
		}
	}
	if o, err := answer(moothall.ApproveSession, func() {}); err != nil || o.res.Status != moothall.CallOK {
		t.Fatalf("%+v, %v", o, err)
	}
	exchange(outside("Does it.", "1"))
	check("the same, registered anew", moothall.Allow)
	exchange(outside("Does something else.", "1"))
	check("other words", moothall.Ask)
	exchange(outside("Does it.", "2"))
	check("another definition", moothall.Ask)
	for _, yes := range []moothall.ApprovalAnswer{moothall.ApproveOnce, moothall.ApproveSession} {
		o, err := answer(yes, func() { exchange(outside("Does it.", "3")) })
		if wantCode(t, err, moothall.CodeDenied); o.res.Status != moothall.CallDenied {
			t.Errorf("asked about one, and another ran: %+v", o)
		}
		exchange(outside("Does it.", "2"))
	}
	if o, err := answer(moothall.ApproveSession, func() {}); err != nil || o.res.Status != moothall.CallOK {
		t.Fatalf("%+v, %v", o, err)
	}
	h.shut()
	h = reopen(t, h, outside("Does it.", "2"))
	a = h.spawn(moothall.SpawnRequest{})
	check("after a restart", moothall.Allow)
	exchange(outside("Does it.", "1"))
	check("the one before", moothall.Ask)
}

func TestEditedArgumentsAreJudgedWhole(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	q, out := h.asked(t.Context(), request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"rm -r /"}`))
	for name, args := range map[string]string{
		"not JSON": `{`, "no object": `[]`, "too long": `{"command":"` + strings.Repeat("x", 21) + `"}`, "twice": `{"command":"a","command":"b"}`, "in capitals": `{"command":"a","COMMAND":"b"}`,
	} {
		_, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce, Arguments: json.RawMessage(args)})
		if moothall.ErrorCode(err) != moothall.CodeDenied {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := h.person.Approvals(t.Context(), moothall.Scope{}, false); err != nil || len(list) != 1 {
		t.Fatalf("the question is no longer open: %v, %v", list, err)
	}
	got, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce, Arguments: json.RawMessage(`{"command":"ls"}`)})
	if err != nil || string(got.Arguments) != `{"command":"ls"}` {
		t.Fatalf("%+v, %v", got, err)
	}
	if o := <-out; o.res.Status != moothall.CallOK || !strings.Contains(o.res.Text, `done {"command":"ls"}`) {
		t.Errorf("the result is %+v", o)
	}
}

func TestWhatIsSwitchedOffMeanwhileIsNotApproved(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	q, out := h.asked(t.Context(), request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"ls"}`))
	if _, err := h.person.Override(t.Context(), moothall.Scope{Session: "s"}, moothall.Overrides{Disabled: []moothall.ToolName{"run_shell"}}); err != nil {
		t.Fatal(err)
	}
	_, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce})
	wantCode(t, err, moothall.CodeDenied)
	if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveDenied}); err != nil {
		t.Fatal(err)
	}
	<-out
}

func TestOnlyThePersonsSideAnswers(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	q, out := h.asked(t.Context(), request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"ls"}`))
	for _, who := range moothall.Identities() {
		if who == moothall.Person || who == moothall.FrontDoor {
			continue
		}
		b := h.For(who)
		_, err := b.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce})
		wantCode(t, err, moothall.CodeDenied)
		_, err = b.Override(t.Context(), moothall.Scope{Session: "s"}, moothall.Overrides{Level: "all"})
		wantCode(t, err, moothall.CodeDenied)
		_, err = b.Approvals(t.Context(), moothall.Scope{}, true)
		_, toolsErr := b.Tools(t.Context(), moothall.Scope{})
		if may := who == moothall.Hall; (err == nil) != may || (toolsErr == nil) != may {
			t.Errorf("%s lists: %v, %v", who, err, toolsErr)
		}
	}
	if _, err := h.For(moothall.FrontDoor).Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveDenied}); err != nil {
		t.Fatal(err)
	}
	<-out
}

func TestOneOfManyAnswersWins(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	a := h.spawn(moothall.SpawnRequest{})
	for range 20 {
		r := request(a, "run_shell", `{"command":"`+moothall.NewID()[28:]+`"}`)
		q, out := h.asked(t.Context(), r)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var won []moothall.ApprovalAnswer
		for _, answer := range []moothall.ApprovalAnswer{moothall.ApproveOnce, moothall.ApproveDenied, moothall.ApproveOnce, moothall.ApproveDenied} {
			wg.Go(func() {
				_, err := h.person.Decide(context.Background(), moothall.ApprovalDecision{ID: q.ID, Answer: answer})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won = append(won, answer)
				} else if moothall.ErrorCode(err) != moothall.CodeConflict {
					t.Errorf("a late answer: %v", err)
				}
			})
		}
		wg.Wait()
		o := <-out
		if len(won) != 1 || (won[0] == moothall.ApproveOnce) != (o.res.Status == moothall.CallOK) {
			t.Fatalf("%v won, and the result is %+v", won, o)
		}
	}
}

// previewed is a tool that says what it would change.
type previewed struct{ moothall.Tool }

func (previewed) Preview(_ context.Context, r moothall.ToolRun) (moothall.Preview, error) {
	return moothall.Preview{Path: string(r.Call.Arguments)}, nil
}

// TestAnsweredAtOnce answers in the moment in which a question can be seen,
// while somebody looks at what it would do: whoever is quick is not too early.
func TestAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{previewed{risky()[0]}})
	a := h.spawn(moothall.SpawnRequest{})
	for range 50 {
		r := request(a, "run_shell", `{"command":"`+moothall.NewID()[28:]+`"}`)
		out := h.executed(t.Context(), r, nil)
		var q moothall.Approval
		for q.ID == "" {
			list, err := h.person.Approvals(t.Context(), moothall.Scope{}, false)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) > 0 {
				q = list[0]
			}
		}
		looked := make(chan struct{})
		go func() {
			defer close(looked)
			for {
				p, err := h.Preview(context.Background(), q.ID)
				if err != nil {
					if moothall.ErrorCode(err) != moothall.CodeNotFound {
						t.Errorf("the preview: %v", err)
					}
					return
				}
				if p.Path != string(r.Call.Arguments) {
					t.Errorf("the preview is %+v", p)
				}
			}
		}()
		if _, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce}); err != nil {
			t.Fatalf("the answer came too early: %v", err)
		}
		if o := <-out; o.err != nil || o.res.Status != moothall.CallOK {
			t.Fatalf("the result is %+v", o)
		}
		<-looked
	}
	h.shut()
	for _, e := range h.events.of(moothall.SubjectApprovalRequested) {
		var q moothall.Approval
		if err := json.Unmarshal(e.Payload, &q); err != nil || q.Answer != "" {
			t.Fatalf("a question was told with its answer: %s", e.Payload)
		}
	}
}

func TestQuestionsExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, risky(), func(o *broker.Options) { o.Expiry = time.Minute })
		defer h.shut()
		q, out := h.asked(t.Context(), request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"ls"}`))
		began := time.Now()
		o := <-out
		if waited := time.Since(began); waited != time.Minute || o.res.Status != moothall.CallDenied || o.res.Decision.Rule != "expired" {
			t.Errorf("after %v: %+v", waited, o)
		}
		_, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce})
		wantCode(t, err, moothall.CodeConflict)
		list, err := h.person.Approvals(t.Context(), moothall.Scope{Session: "s"}, true)
		if err != nil || len(list) != 1 || list[0].Answer != moothall.ApproveExpired || list[0].Answered.IsZero() {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func TestARestartExpiresQuestions(t *testing.T) {
	t.Parallel()
	h := open(t, risky())
	ctx, cancel := context.WithCancel(t.Context())
	q, out := h.asked(ctx, request(h.spawn(moothall.SpawnRequest{}), "run_shell", `{"command":"ls"}`))
	h.shut() // while it is open: who waits is told
	wantCode(t, (<-out).err, moothall.CodeUnavailable)
	cancel()
	h = reopen(t, h, risky())
	_, err := h.person.Decide(t.Context(), moothall.ApprovalDecision{ID: q.ID, Answer: moothall.ApproveOnce})
	wantCode(t, err, moothall.CodeConflict)
}
