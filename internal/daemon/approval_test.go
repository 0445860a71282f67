package daemon_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/daemon/conf"
)

// waiting begins a turn that calls run_code and returns when it waits for the
// person.
func waiting(t *testing.T, hall *daemon.Hall, script string) (*steps, moothall.Approval) {
	t.Helper()
	turn := follow(t, hall, `{"query":"run it"}`)
	asked := turn.next("approval").Asked
	if asked == nil || asked.Tool != "run_code" || !strings.Contains(string(asked.Arguments), script) {
		t.Fatalf("asked %+v", asked)
	}
	return turn, *asked
}

// reply answers a question over HTTP and returns the status.
func reply(t *testing.T, hall *daemon.Hall, id moothall.ApprovalID, body string) int {
	t.Helper()
	return post(t, hall.URL()+"/approvals/"+string(id), body).StatusCode
}

// TestApprovalOverHTTP: a turn waits for the person, who lets the call go on,
// changes it, or refuses it.
func TestApprovalOverHTTP(t *testing.T) {
	t.Parallel()
	hall, model := scripted(t, home(t.TempDir()), config())
	for _, c := range []struct {
		name, answer string
		status       moothall.CallStatus
		contains     string
	}{
		{"approved", `{"answer":"once"}`, moothall.CallOK, "asked-for"},
		{"edited", fmt.Sprintf(`{"answer":"once","arguments":%s}`, shellArguments("echo the-persons-own")), moothall.CallOK, "the-persons-own"},
		{"denied", `{"answer":"deny"}`, moothall.CallDenied, "Denied"},
	} {
		model.Script(shell("echo asked-for"), says("finished"))
		turn, asked := waiting(t, hall, "asked-for")
		var open []moothall.Approval
		if _, body := get(t, hall.URL()+"/approvals"); json.Unmarshal([]byte(body), &open) != nil || len(open) != 1 || open[0].ID != asked.ID {
			t.Errorf("%s: the open questions are %s", c.name, body)
		}
		if status := reply(t, hall, asked.ID, c.answer); status != http.StatusOK {
			t.Fatalf("%s: the answer got %d", c.name, status)
		}
		final := turn.next("final").Answer
		if got := only(t, *final); got.Status != c.status || !strings.Contains(got.Result, c.contains) || final.Text != "finished" {
			t.Errorf("%s: %+v", c.name, final)
		}
		if c.name == "edited" && strings.Contains(final.Tools[0].Result, "asked-for") {
			t.Error("the asked arguments ran, not the edited ones")
		}
		if status := reply(t, hall, asked.ID, c.answer); status != http.StatusConflict {
			t.Errorf("%s: a second answer got %d", c.name, status)
		}
	}
	// What the person said for the session holds for its next message.
	model.Script(shell("echo first"), says("finished"), shell("echo second"), says("finished"))
	turn, asked := waiting(t, hall, "first")
	reply(t, hall, asked.ID, `{"answer":"session"}`)
	session := turn.next("final").Answer.Session
	if got := only(t, query(t, hall, fmt.Sprintf(`{"query":"again","session_id":%q}`, session))); got.Status != moothall.CallOK {
		t.Errorf("the second call of the session: %+v", got)
	}
}

// TestApprovalExpires: a question that nobody answers is a refusal.
func TestApprovalExpires(t *testing.T) {
	t.Parallel()
	c := config()
	c.Tools.Approvals = conf.Duration(200 * time.Millisecond)
	hall, model := scripted(t, home(t.TempDir()), c)
	model.Script(shell("echo no"), says("finished"))
	turn, asked := waiting(t, hall, "echo no")
	if got := only(t, *turn.next("final").Answer); got.Status != moothall.CallDenied {
		t.Errorf("got %+v", got)
	}
	if status := reply(t, hall, asked.ID, `{"answer":"once"}`); status != http.StatusConflict {
		t.Errorf("a late answer got %d", status)
	}
	_, body := get(t, hall.URL()+"/approvals?all=1")
	if !strings.Contains(body, `"answer":"expired"`) {
		t.Errorf("the question is now %s", body)
	}
}

// TestApprovalRace: of many answers at once one counts, and the call does
// what that one says.
func TestApprovalRace(t *testing.T) {
	t.Parallel()
	hall, model := scripted(t, home(t.TempDir()), config())
	model.Script(shell("echo ran"), says("finished"))
	turn, asked := waiting(t, hall, "echo ran")
	var won, lost atomic.Int32
	var allowed atomic.Bool
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			answer := []string{"once", "deny"}[i%2]
			switch status := reply(t, hall, asked.ID, fmt.Sprintf(`{"answer":%q}`, answer)); status {
			case http.StatusOK:
				won.Add(1)
				allowed.Store(answer == "once")
			case http.StatusConflict:
				lost.Add(1)
			default:
				t.Errorf("an answer got %d", status)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 7 {
		t.Errorf("%d answers counted, %d did not", won.Load(), lost.Load())
	}
	if got := only(t, *turn.next("final").Answer); (got.Status == moothall.CallOK) != allowed.Load() {
		t.Errorf("allowed=%v, and the call is %+v", allowed.Load(), got)
	}
}

// TestUnattended: who has nobody to ask is refused, and the record says so.
func TestUnattended(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, model := scripted(t, h, config())
	model.Script(shell("echo no"), says("finished"))
	a := query(t, hall, `{"query":"run it","unattended":true}`)
	if got := only(t, a); got.Status != moothall.CallDenied || len(a.Receipt.Refused) != 1 {
		t.Errorf("got %+v", a)
	}
	for e, err := range daemon.ShowAudit(t.Context(), h, daemon.AuditFilter{Action: moothall.ActionToolCall}, false) {
		if err != nil || e.Status != moothall.StatusDenied || e.Rule != "approval/unattended" {
			t.Errorf("the record has %+v, %v", e, err)
		}
	}
}
