package daemon_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// publishes puts an event on the bus as a participant and returns it.
func publishes(t *testing.T, hall *daemon.Hall, as moothall.Identity, s moothall.Subject, payload any, change func(*moothall.Event)) moothall.Event {
	t.Helper()
	e, err := moothall.NewEvent(s, payload)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&e)
	}
	if _, err := hall.Publish(t.Context(), as, e); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestQuestionOnTheBus answers what a person's own program puts on the bus: in
// a session that it names, or in a new one; once, however often it is said;
// and respondent B answers it as well.
func TestQuestionOnTheBus(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, shadowed(config()))
	client := join(t, h)
	question := map[string]string{"query": "What is the capital of France?"}
	bare := publishes(t, hall, moothall.Person, moothall.SubjectQueryReceived, question, nil)
	named := publishes(t, hall, moothall.Person, moothall.SubjectQueryReceived, question, func(e *moothall.Event) {
		e.Session, e.Query = "mine", "my-question"
	})
	again := publishes(t, hall, moothall.Person, moothall.SubjectQueryReceived, question, func(e *moothall.Event) {
		e.Session, e.Query = "mine", "my-question" // under another id
	})
	if again.ID == named.ID {
		t.Fatal("the same event twice proves nothing")
	}
	for id, session := range map[moothall.QueryID]moothall.SessionID{moothall.QueryID(bare.ID): "bus-" + moothall.SessionID(bare.ID), "my-question": "mine"} {
		for _, r := range []moothall.RespondentID{"A", "B"} {
			a := read[moothall.Answer](t, told(t, client, moothall.SubjectResponseGeneration, id, r).Payload)
			if !strings.Contains(a.Text, "Paris") || a.Session != session || a.Query != id {
				t.Errorf("%s of %s: %+v", id, r, a)
			}
		}
	}
	// What comes after the repetition is answered after it.
	last := publishes(t, hall, moothall.Person, moothall.SubjectQueryReceived, map[string]string{"query": "And of Spain?", "session_id": "mine"}, nil)
	for _, r := range []moothall.RespondentID{"A", "B"} { // in either order
		told(t, client, moothall.SubjectResponseGeneration, moothall.QueryID(last.ID), r)
	}
	count := map[string]int{}
	for _, e := range busRecord(t, client, moothall.SubjectResponseGeneration) {
		count[fmt.Sprint(e.Query, e.Respondent)]++
	}
	for key, n := range count {
		if n != 1 {
			t.Errorf("%s was answered %d times", key, n)
		}
	}
	if len(count) != 6 {
		t.Errorf("answers: %v", count)
	}
	d, err := client.Session(t.Context(), "mine")
	if err != nil || len(d.Asked) != 2 {
		t.Errorf("%+v, %v", d.Asked, err)
	}
	alive(t, client)
}

// TestToolAnnouncedBetweenTurns offers a tool from the turn after the person
// let it in.
func TestToolAnnouncedBetweenTurns(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	if err := os.WriteFile(h.Manifest(), []byte("agent_types:\n  generator:\n    allowed_tools: [now, word_count]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := config()
	c.Bus.Listen = fmt.Sprint("127.0.0.1:", moottest.Port(t))
	c.Bus.Guests = []daemon.GuestConfig{{Name: "words", Tools: []string{"word_count"}, ReadOnly: []string{"word_count"}}}
	hall, model := scripted(t, h, c)
	client := join(t, h)
	offered := func() (out []string) {
		chats := model.Chats()
		for _, tool := range chats[len(chats)-1].Tools {
			out = append(out, tool.Function.Name)
		}
		return out
	}
	model.Script(says("One."), says("Two."))
	asks(t, client, moothall.QueryRequest{Session: "s", Query: "One?"})
	if got := offered(); slices.Contains(got, "word_count") || !slices.Contains(got, "now") {
		t.Errorf("offered before the tool was there: %v", got)
	}
	announce(t, c.Bus.Listen, h, "words", `{"name":"word_count","description":"Counts words.","parameters":{"type":"object","properties":{"text":{"type":"string"}}}}`)
	var shown struct {
		Settings struct {
			Pending []struct{ Name, Hash string }
		}
	}
	becomes(t, "the announced tool", func() bool {
		_, body := get(t, hall.URL()+"/participants/tools")
		return json.Unmarshal([]byte(body), &shown) == nil && len(shown.Settings.Pending) == 1
	})
	if resp := put(t, hall.URL()+"/participants/tools", `{"approve":[{"name":"word_count"}]}`); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("approved unseen: %s", resp.Status)
	}
	sets(t, hall, "tools", fmt.Sprintf(`{"approve":[{"name":"word_count","hash":%q}]}`, shown.Settings.Pending[0].Hash))
	asks(t, client, moothall.QueryRequest{Session: "s", Query: "Two?"})
	if got := offered(); !slices.Contains(got, "word_count") {
		t.Errorf("offered in the next turn: %v", got)
	}
}

// announce says as a guest, over the bus's own wire, which tool it has. It
// returns when the server has read it.
func announce(t *testing.T, address string, h daemon.Home, guest, schema string) {
	t.Helper()
	password, err := os.ReadFile(filepath.Join(h.Data, "guests", guest))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	event, _ := json.Marshal(map[string]any{ // strings alone: cannot fail
		"id": moothall.NewID(), "subject": "tool.schema", "type": "tool.schema/1", "time": time.Now().UTC(), "sender": guest,
		"payload": json.RawMessage(schema),
	})
	hello, _ := json.Marshal(map[string]any{"user": guest, "pass": strings.TrimSpace(string(password)), "verbose": false})
	fmt.Fprintf(conn, "CONNECT %s\r\nPUB tool.schema.%s %d\r\n%s\r\nPING\r\n", hello, guest, len(event), event)
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "-ERR"):
			t.Fatal(line)
		case line == "PONG":
			return
		}
	}
	t.Fatal("the bus hung up")
}

// TestShadowOnAtRunTime: B answers the question after it was switched on, and
// none after it was switched off.
func TestShadowOnAtRunTime(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply { return says(asker(c) + " says so") }})
	c := config()
	c.Models.Ollama.URL = model.URL
	hall := serve(t, h, c)
	client := join(t, h)
	before := asks(t, client, moothall.QueryRequest{Session: "s", Query: "One?"})
	sets(t, hall, "respondent_b", fmt.Sprintf(`{"enabled":true,"temperature":%v}`, warm))
	during := asks(t, client, moothall.QueryRequest{Session: "s", Query: "Two?"})
	b := read[moothall.Answer](t, told(t, client, moothall.SubjectResponseGeneration, during.Query, "B").Payload)
	if b.Text != "B says so" {
		t.Errorf("%+v", b)
	}
	sets(t, hall, "respondent_b", `{"enabled":false}`)
	after := asks(t, client, moothall.QueryRequest{Session: "s", Query: "Three?"})
	told(t, client, moothall.SubjectAnswerDialog, after.Query, "A")
	stopped(t, hall) // what B had begun would be there by now
	serve(t, h, c)
	for _, e := range busRecord(t, join(t, h), moothall.SubjectResponseGeneration) {
		if e.Respondent == "B" && e.Query != during.Query {
			t.Errorf("B answered %s, before %s or after %s", e.Query, before.Query, after.Query)
		}
	}
}
