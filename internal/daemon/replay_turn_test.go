package daemon_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/store"
)

// taped serves a hall whose model calculates, and says who it is and what it
// was told to be.
func taped(t *testing.T, h daemon.Home, c daemon.Config) (*daemon.Hall, daemon.Config, *ollamatest.Server) {
	t.Helper()
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		last := c.Messages[len(c.Messages)-1]
		switch {
		case strings.Contains(c.Messages[0].Content, "pirate"):
			return says("Arr.")
		case c.Model == ollamatest.PlainModel:
			return says("I am plain.")
		case last.Role == "tool" && strings.Contains(last.Content, "42"):
			return ollamatest.Reply{Thinking: "The tool says so.", Text: "It is 42."}
		case last.Role == "tool":
			return says("I was not allowed to.")
		}
		r := calls("calculate", `{"expression":"6*7"}`)
		r.Thinking = "I should calculate."
		return r
	}})
	c.Models.Ollama.URL = model.URL
	return serve(t, h, c), c, model
}

// recorded asks a question and returns when its tape is kept.
func recorded(t *testing.T, c moothall.Client, r moothall.QueryRequest) moothall.Answer {
	t.Helper()
	a := asks(t, c, r)
	told(t, c, moothall.SubjectResponseGeneration, a.Query, "A")
	return a
}

// replays runs a turn again over HTTP.
func replays(t *testing.T, hall *daemon.Hall, q moothall.QueryID, change string) moothall.Replayed {
	t.Helper()
	resp := post(t, hall.URL()+"/replay/"+string(q), change)
	var out moothall.Replayed
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", resp.Status, err)
	}
	return out
}

// identical holds a replay against what was answered, byte for byte.
func identical(t *testing.T, got moothall.Replayed, a moothall.Answer) {
	t.Helper()
	if !got.Same || len(got.Differences) != 0 || got.Recorded.Text != a.Text || got.Recorded.Thinking != a.Thinking {
		t.Errorf("%+v", got)
	}
	was, _ := json.Marshal(got.Recorded)
	is, _ := json.Marshal(got.Again)
	if string(was) != string(is) {
		t.Errorf("recorded\n%s\nagain\n%s", was, is)
	}
	tools, _ := json.Marshal(a.Tools)
	if again, _ := json.Marshal(got.Again.Tools); string(again) != string(tools) {
		t.Errorf("the calls were\n%s\nand are\n%s", tools, again)
	}
}

// TestReplayIsIdentical runs a turn with a tool again, at once and after a
// restart, without asking the model or calling the tool.
func TestReplayIsIdentical(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, c, model := taped(t, h, config())
	client := join(t, h)
	a := recorded(t, client, moothall.QueryRequest{Session: "s", Query: "How much is 6*7?"})
	second := recorded(t, client, moothall.QueryRequest{Session: "s", Query: "Once more?"})
	if a.Text != "It is 42." || len(a.Tools) != 1 || a.Tools[0].Status != moothall.CallOK {
		t.Fatalf("%+v", a)
	}
	asked, entries := len(model.Chats()), len(audited(t, h, 0, 0))
	identical(t, replays(t, hall, a.Query, `{}`), a)
	identical(t, replays(t, hall, second.Query, ""), second)
	stopped(t, hall)
	hall = serve(t, h, c)
	identical(t, replays(t, hall, a.Query, `{}`), a)
	if n := len(model.Chats()); n != asked {
		t.Errorf("a replay asked the model %d times", n-asked)
	}
	for _, e := range audited(t, h, uint64(entries), 0) {
		if e.Action == moothall.ActionToolCall {
			t.Errorf("a replay called a tool: %+v", e)
		}
	}
	if d, err := join(t, h).Session(t.Context(), "s"); err != nil || len(d.Asked) != 2 {
		t.Errorf("a replay entered the conversation: %+v, %v", d.Asked, err)
	}
}

// TestReplayChanged tries another model, another prompt and another policy on
// a recorded turn, and names what came out otherwise.
func TestReplayChanged(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, _, model := taped(t, h, config())
	a := recorded(t, join(t, h), moothall.QueryRequest{Query: "How much is 6*7?"})
	body := func(field, value string) string {
		b, _ := json.Marshal(map[string]string{field: value}) // strings alone: cannot fail
		return string(b)
	}
	for _, c := range []struct {
		name, change string
		text         string
		differences  []string
	}{
		{"model", body("model", ollamatest.PlainModel), "I am plain.", []string{"the answer", ollamatest.PlainModel + " answered instead of", "calculate was not called"}},
		{"prompt", body("prompt", "You are a pirate."), "Arr.", []string{"the answer", "calculate was not called"}},
		{"policy", body("policy", "agent_types:\n  generator:\n    allowed_tools: [now]\n"), "", []string{"calculate ended with denied instead of ok"}},
	} {
		got := replays(t, hall, a.Query, c.change)
		said := strings.Join(got.Differences, "\n")
		if got.Same || c.text != "" && got.Again.Text != c.text || got.Recorded.Text != a.Text {
			t.Errorf("%s: %+v", c.name, got)
		}
		for _, want := range c.differences {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not among the differences:\n%s", c.name, want, said)
			}
		}
		if c.name == "policy" && (len(got.Again.Tools) != 1 || got.Again.Tools[0].Status != moothall.CallDenied || strings.Contains(got.Again.Tools[0].Result, "42")) {
			t.Errorf("the call under another policy: %+v", got.Again.Tools)
		}
	}
	if chats := model.Chats(); chats[len(chats)-1].Messages[0].Content == "" || !strings.Contains(chats[len(chats)-1].Messages[0].Content, "pirate") {
		t.Error("the other prompt did not reach the model")
	}
	for change, want := range map[string]int{
		body("policy", "agent_types: ["): http.StatusBadRequest, body("policy", "agent_typos: {}\n"): http.StatusBadRequest,
		body("model", "no-such:1b"): http.StatusNotFound, `{"modle":"x"}`: http.StatusBadRequest,
	} {
		if got := status(t, hall.URL()+"/replay/"+string(a.Query), change); got != want {
			t.Errorf("%s: %d, want %d", change, got, want)
		}
	}
}

// TestTapesAreBounded: the oldest go when there is no room, all when they are
// switched off, and a conversation's with the conversation.
func TestTapesAreBounded(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, c, _ := taped(t, h, config())
	client := join(t, h)
	there := func(q moothall.QueryID) bool {
		t.Helper()
		_, err := client.Replay(t.Context(), moothall.ReplayRequest{Query: q})
		if err != nil && (moothall.ErrorCode(err) != moothall.CodeNotFound || !strings.Contains(err.Error(), "no recording")) {
			t.Errorf("a replay without a tape: %v", err)
		}
		return err == nil
	}
	ask := func(session string) moothall.QueryID {
		return recorded(t, client, moothall.QueryRequest{Session: moothall.SessionID(session), Query: "How much is 6*7?"}).Query
	}
	first := ask("one")
	size := tapeSize(t, hall, first)
	sets(t, hall, "respondent_a", fmt.Sprintf(`{"tapes":%d}`, 5*size/2))
	second, third := ask("two"), ask("three")
	if there(first) || !there(second) || !there(third) {
		t.Errorf("with room for two: %v %v %v", there(first), there(second), there(third))
	}
	if err := client.ChangeSession(t.Context(), moothall.SessionChange{ID: "two", Delete: true}); err != nil {
		t.Fatal(err)
	}
	if there(second) || !there(third) {
		t.Error("the tape did not go with its conversation, or another did")
	}
	sets(t, hall, "respondent_a", `{"tapes":0}`)
	if fourth := ask("four"); there(fourth) || there(third) {
		t.Error("tapes are switched off and still there")
	}
	sets(t, hall, "respondent_a", fmt.Sprintf(`{"tapes":%d}`, 5*size))
	fifth := ask("five")
	if !there(fifth) {
		t.Error("tapes are on again and none is there")
	}
	// Switched off in the file, they are gone with the next start.
	stopped(t, hall)
	c.Chat.Tapes = 0
	serve(t, h, c)
	client = join(t, h)
	if there(fifth) {
		t.Error("tapes are switched off and one outlasts a restart")
	}
}

// tapeSize is what one tape takes.
func tapeSize(t *testing.T, hall *daemon.Hall, q moothall.QueryID) (n int64) {
	t.Helper()
	if err := hall.DB().Read(t.Context(), func(tx *store.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT size FROM chat_tapes WHERE query_id = ?`, string(q)).Scan(&n)
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAWrongPolicyIsNamedAsOne: what the hall does with it meanwhile is nobody's
// business. A command in another process is told where the mistake is, too.
func TestAWrongPolicyIsNamedAsOne(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, _ := scripted(t, h, config())
	if _, err := join(t, h).Replay(t.Context(), moothall.ReplayRequest{Query: "q", Policy: "agent_typs: {}"}); err == nil || !strings.Contains(err.Error(), `policy:1:1: agent_typs: unknown key; did you mean "agent_types"?`) {
		t.Errorf("a command is told: %v", err)
	}
	resp, err := http.Post(hall.URL()+"/replay/q", "application/json", strings.NewReader(`{"policy":"agent_typs: {}"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if said := string(body); err != nil || !strings.Contains(said, "policy:1") || strings.Contains(said, "manifest.yaml") {
		t.Errorf("%s, %v", said, err)
	}
}
