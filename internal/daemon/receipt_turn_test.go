package daemon_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// audited are the entries of the record in a range that is closed on both
// sides; all of them when both ends are 0.
func audited(t *testing.T, h daemon.Home, first, last uint64) (out []daemon.AuditLine) {
	t.Helper()
	f := daemon.AuditFilter{From: first}
	if last > 0 {
		f.To = last + 1
	}
	for e, err := range daemon.ShowAudit(t.Context(), h, f, false) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// TestReceipt: a turn with a tool that ran and one that was refused says so,
// says that nothing left the machine, covers its entries in the record, and
// its times add up.
func TestReceipt(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, model := scripted(t, h, config())
	model.Script(calls("calculate", `{"expression":"6*7"}`), shell("echo no"), says("It is 42."))
	resp := post(t, hall.URL()+"/query", `{"query":"How much is 6*7?","unattended":true}`)
	var raw struct {
		moothall.Answer
		Receipt map[string]json.RawMessage `json:"receipt"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&raw); err != nil {
		t.Fatal(err)
	}
	if sent := string(raw.Receipt["sent"]); sent != "[]" {
		t.Errorf("sent is %s, want an empty list", sent)
	}
	client := join(t, h)
	a := read[moothall.Answer](t, told(t, client, moothall.SubjectResponseGeneration, raw.Query, "A").Payload)
	r := a.Receipt
	if !slices.Equal(r.Tools, []moothall.ToolName{"calculate"}) || !slices.Equal(r.Refused, []moothall.ToolName{"run_code"}) {
		t.Errorf("tools %v, refused %v", r.Tools, r.Refused)
	}
	if u := r.ByRole[moothall.ModelChat]; u.Calls != 3 || u.OutputTokens == 0 || u.PromptTokens == 0 || u != a.Usage {
		t.Errorf("usage by role: %+v, in all %+v", u, a.Usage)
	}
	checkTimes(t, a)
	checkRange(t, h, a)
}

func checkTimes(t *testing.T, a moothall.Answer) {
	t.Helper()
	w := a.Receipt.Times
	if w.Models <= 0 || w.Tools <= 0 || w.Waiting < 0 || w.First <= 0 || w.First > w.Total || w.Models+w.Tools+w.Waiting > w.Total {
		t.Errorf("the times do not add up: %+v", w)
	}
}

// checkRange reads the record between the receipt's two entries: all that is
// about the turn is in there, each intent with its outcome.
func checkRange(t *testing.T, h daemon.Home, a moothall.Answer) {
	t.Helper()
	r := a.Receipt
	inside := audited(t, h, r.AuditFirst, r.AuditLast)
	if n := uint64(len(inside)); n != r.AuditLast-r.AuditFirst+1 || n < 6 {
		t.Fatalf("%d entries between %d and %d", n, r.AuditFirst, r.AuditLast)
	}
	seen := map[string]int{}
	for _, e := range inside {
		if e.Query == a.Query {
			seen[strings.TrimSpace(fmt.Sprintln(e.Action, e.Tool, e.Status))]++
		}
	}
	for _, want := range []string{"tool.call calculate intent", "tool.call calculate ok", "tool.call run_code denied"} {
		if seen[want] != 1 {
			t.Errorf("the range has %q %d times: %v", want, seen[want], seen)
		}
	}
	if first, last := inside[0], inside[len(inside)-1]; first.Action != moothall.ActionModelCall || first.Status != moothall.StatusIntent ||
		last.Action != moothall.ActionRunEnd || first.Query != a.Query || last.Query != a.Query {
		t.Errorf("the range goes from %+v to %+v", first, last)
	}
	for _, e := range audited(t, h, 0, 0) {
		if e.Query == a.Query && (e.Index < r.AuditFirst || e.Index > r.AuditLast) {
			t.Errorf("entry %d is about the turn and outside of its range: %+v", e.Index, e)
		}
	}
}

// TestReceiptOfAQuestionThatWaited says how long it waited for its session.
func TestReceiptOfAQuestionThatWaited(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	h := home(t.TempDir())
	hall, model := scripted(t, h, config())
	model.Script(
		ollamatest.Reply{Text: "First.", Wait: release, Seen: func() { close(begun) }},
		calls("calculate", `{"expression":"1+1"}`), says("Second."))
	first := follow(t, hall, `{"query":"One?","session_id":"s"}`)
	<-begun
	client := join(t, h)
	second := make(chan moothall.Answer, 1)
	go func() {
		defer close(second)
		for s, err := range client.Query(t.Context(), moothall.QueryRequest{Session: "s", Query: "Two?"}) {
			if err != nil {
				t.Error(err)
				return
			}
			if s.Answer != nil {
				second <- *s.Answer
			}
		}
	}()
	becomes(t, "the second question in the queue", func() bool {
		d, err := client.Session(t.Context(), "s")
		return err == nil && len(d.Queue) == 1
	})
	close(release)
	first.next("final")
	a, ok := <-second
	if !ok || a.Text != "Second." || a.Receipt.Times.Waiting <= 0 {
		t.Fatalf("%+v", a)
	}
	checkTimes(t, a)
}

// TestReceiptOfAModelThatHears: where a model tells feedback from questions and
// answers elsewhere, what it was shown is in the receipt of the turn.
func TestReceiptOfAModelThatHears(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{
		Models: []ollamatest.Model{
			{Name: "here:1b", Family: "f", Window: 8192, Capabilities: []string{"completion", "tools"}},
			{Name: "far:1b", Family: "f", Window: 8192, Capabilities: []string{"completion"}, RemoteHost: "far.example"},
		},
		Respond: func(c ollamatest.Chat) ollamatest.Reply {
			if c.Model == "far:1b" {
				return says(`{"verdict":"none"}`)
			}
			return says("Paris.")
		},
	})
	h, c := home(t.TempDir()), config()
	c.Models.Ollama.URL = model.URL
	c.Models.Roles = []daemon.RoleConfig{{Role: "chat", Provider: "ollama", Model: "here:1b"}, {Role: "selector", Provider: "ollama", Model: "far:1b"}}
	c.Models.Hosted, c.Reward.Conversation = true, "model"
	serve(t, h, c)
	client := join(t, h)
	first := asks(t, client, moothall.QueryRequest{Session: "s", Query: "The capital of France?"})
	if len(first.Receipt.Sent) != 0 {
		t.Errorf("nothing was asked elsewhere, and %v was sent", first.Receipt.Sent)
	}
	second := asks(t, client, moothall.QueryRequest{Session: "s", Query: "And where is it?"})
	r := second.Receipt
	if len(r.Sent) != 1 || r.Sent[0].Host != "far.example" || r.Sent[0].Bytes == 0 || r.ByRole[moothall.ModelSelector].Calls != 1 {
		t.Errorf("sent %v, used %+v", r.Sent, r.ByRole)
	}
}

// TestReceiptOfVectorsMadeElsewhere: what a memory sends for a look-up is in the
// call's result and in the receipt of the turn, for a model that calls the tool
// and for one that has it called.
func TestReceiptOfVectorsMadeElsewhere(t *testing.T) {
	t.Parallel()
	for name, abilities := range map[string][]string{"asks by itself": {"completion", "tools"}, "has no tools": {"completion"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := ollamatest.New(t, ollamatest.Options{
				Models: []ollamatest.Model{
					{Name: "here:1b", Family: "f", Window: 8192, Capabilities: abilities},
					{Name: "far:1b", Family: "f", Window: 8192, Capabilities: []string{"embedding"}, RemoteHost: "far.example"},
				},
				Respond: func(c ollamatest.Chat) ollamatest.Reply {
					if last := c.Messages[len(c.Messages)-1]; last.Role == "user" && len(c.Tools) > 0 {
						return with("memory_read", "query", "the boat")
					}
					return says("It is red.")
				},
			})
			h, c := home(t.TempDir()), config()
			c.Models.Ollama.URL = model.URL
			c.Models.Roles = []daemon.RoleConfig{{Role: "chat", Provider: "ollama", Model: "here:1b"}, {Role: "embedder", Provider: "ollama", Model: "far:1b"}}
			c.Models.Hosted, c.Memory.Model, c.Critic.Enabled = true, false, false
			serve(t, h, c)
			client := join(t, h)
			if _, err := client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "boat", Corpus: "The boat is red."}}); err != nil {
				t.Fatal(err)
			}
			// A question that comes before the entry has its vectors is answered without them.
			if err := daemon.ReindexMemories(t.Context(), client, nil); err != nil {
				t.Fatal(err)
			}
			a := asks(t, client, moothall.QueryRequest{Session: "s", Query: "What did I tell you about my boat, which colour has it?"})
			if r := a.Receipt; len(r.Sent) != 1 || r.Sent[0].Host != "far.example" || r.Sent[0].Bytes == 0 {
				t.Errorf("sent %v; tools %v", r.Sent, r.Tools)
			}
		})
	}
}

// TestReceiptOfATaskElsewhere: whatever a task has models do, its planner and
// its writer too, is in its receipt by the host that it went to.
func TestReceiptOfATaskElsewhere(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	s.model = ollamatest.New(t, ollamatest.Options{
		Models: []ollamatest.Model{
			{Name: "chief:1b", Family: "f", Window: 32768, Capabilities: []string{"completion", "tools"}, RemoteHost: "chief.example"},
			{Name: "worker:1b", Family: "f", Window: 32768, Capabilities: []string{"completion", "tools"}, RemoteHost: "worker.example"},
			{Name: "here:1b", Family: "f", Window: 32768, Capabilities: []string{"completion", "tools"}},
		},
		Respond: func(c ollamatest.Chat) ollamatest.Reply {
			switch now := sceneOf(c); now.who {
			case "planner":
				return planned(subtask("sum", "assistant", "Add the numbers."), subtask("look", "researcher", "Look at the bridge."))
			case "writer":
				return says("Both are done.")
			}
			return reports("It is done.")
		},
	})
	s.conf.Models.Ollama.URL = s.model.URL
	s.conf.Models.Roles = []daemon.RoleConfig{
		{Role: "chat", Provider: "ollama", Model: "here:1b"}, {Role: "orchestrator", Provider: "ollama", Model: "chief:1b"},
		{Role: "researcher", Provider: "ollama", Model: "worker:1b"}, {Role: "selector", Provider: "ollama", Model: "here:1b"},
	}
	s.conf.Models.Hosted = true
	s.open()
	a := query(t, s.hall, `{"query":"Add the numbers, then look at the bridge","mode":"task","session_id":"s"}`)
	sent := map[string]int64{}
	for _, e := range a.Receipt.Sent {
		sent[e.Host] = e.Bytes
	}
	if len(sent) != 2 || sent["chief.example"] == 0 || sent["worker.example"] == 0 {
		t.Errorf("%s: sent %v", a.Text, a.Receipt.Sent)
	}
}
