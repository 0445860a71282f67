package daemon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// voices is the personas.yaml of these tests.
const voices = `personas:
  - name: Archivist
    voice: You are the Archivist, who looks things up.
    tools: [memory_read]
  - name: Rower
    voice: You are the Rower, who wants to go out.
    tools: [none]
  - name: Lookout
    voice: You are the Lookout, who watches the sky.
    tools: [none]
self:
  name: Captain
  voice: You are the Captain, who decides.
`

// voiceOf says which voice a chat is for.
func voiceOf(c ollamatest.Chat) string {
	for _, name := range []string{"Archivist", "Rower", "Lookout", "Captain"} {
		if strings.Contains(c.Messages[0].Content, "You are the "+name) {
			return name
		}
	}
	return ""
}

// newTable is a hall with these voices.
func newTable(t *testing.T, speak func(voice string, s scene) ollamatest.Reply) *stage {
	t.Helper()
	return newStage(t, func(s scene) ollamatest.Reply { return speak(voiceOf(s.chat), s) }, func(s *stage) { lay(t, s.home.Personas(), voices) })
}

// position ends a deliberation as personas are asked to.
func position(text, position, caution string) ollamatest.Reply {
	return says(text + "\nPosition: " + position + "\nCaution: " + caution)
}

// TestCommitteeInTheHall: the person's own voices, one of which looks into the
// real memory; the one that dissents is heard in the answer; all of it is on
// the bus, in order.
func TestCommitteeInTheHall(t *testing.T) {
	t.Parallel()
	answers := 0
	s := newTable(t, func(voice string, s scene) ollamatest.Reply {
		switch {
		case voice == "Archivist" && s.step == 0:
			return with("memory_read", "query", "boat leak")
		case voice == "Archivist":
			return position("The boat was mended in May.", "for", "none")
		case voice == "Rower":
			return position("The water is calm and I want to go.", "for", "none")
		case voice == "Lookout":
			return position("I see clouds in the west.", "against", "a squall before evening")
		}
		if answers++; answers == 1 {
			return says("Go out, everybody agrees.")
		}
		return says("Go out for an hour. Lookout is against it: a squall may come before evening.")
	})
	const known = "The boat had a leak, which was mended in May."
	if _, err := s.client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Kind: moothall.Fact, Name: "boat leak", Corpus: known}}); err != nil {
		t.Fatal(err)
	}
	a := query(t, s.hall, `{"query":"Shall I take the boat out?","mode":"committee","rounds":1,"session_id":"s"}`)
	if answers != 2 || !strings.Contains(a.Text, "Lookout is against") || len(a.Flags) != 0 {
		t.Errorf("after %d answers: %q, %v", answers, a.Text, a.Flags)
	}
	var names []string
	for _, d := range a.Deliberations {
		names = append(names, d.Persona)
		if d.Status != "done" || d.Round != 1 || d.Usage.Calls == 0 || d.Color == "" {
			t.Errorf("%+v", d)
		}
	}
	if !slices.Equal(names, []string{"Archivist", "Rower", "Lookout"}) {
		t.Fatalf("heard %v", names)
	}
	if tools := a.Deliberations[0].Tools; len(tools) != 1 || tools[0].Status != moothall.CallOK || !strings.Contains(tools[0].Result, "mended in May") {
		t.Errorf("the Archivist called %+v", tools)
	}
	if a.Receipt.Labels != moothall.Private || a.Receipt.AuditLast <= a.Receipt.AuditFirst || a.Receipt.ByRole[moothall.ModelChat].Calls != 6 {
		t.Errorf("%+v", a.Receipt)
	}
	d, err := s.client.Session(t.Context(), "s")
	if err != nil || len(d.Messages) != 2 || d.Messages[1].Content != a.Text {
		t.Errorf("the conversation is %+v, %v", d.Messages, err)
	}
	want := []string{"Archivist thinking", "Archivist done", "Rower thinking", "Rower done", "Lookout thinking", "Lookout done"}
	if got := deliberations(t, s, a.Query); !slices.Equal(got, want) {
		t.Errorf("on the bus: %v", got)
	}
	for _, now := range s.played("") {
		if voice := voiceOf(now.chat); voice == "Rower" && len(now.chat.Tools) > 0 {
			t.Errorf("the Rower is offered %v", now.offered())
		}
	}
}

// deliberations are what the bus has of a question.
func deliberations(t *testing.T, s *stage, id moothall.QueryID) (got []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for e, err := range s.client.Events(ctx, moothall.EventQuery{Subjects: []moothall.Subject{moothall.SubjectDeliberation}, Replay: true, Mark: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Subject == "" {
			break
		}
		var d moothall.Deliberation
		if err := json.Unmarshal(e.Payload, &d); err != nil || e.Query != id || e.Sender != moothall.CommitteeTable {
			t.Errorf("%+v, %v", e, err)
		}
		got = append(got, d.Persona+" "+d.Status)
	}
	return got
}

// TestCommitteeVoiceFails: who fails is reported and left out, and the Self is
// told; where all fail there is an error.
func TestCommitteeVoiceFails(t *testing.T) {
	t.Parallel()
	down := map[string]bool{"Rower": true}
	s := newTable(t, func(voice string, s scene) ollamatest.Reply {
		switch {
		case down[voice]:
			return ollamatest.Reply{Status: http.StatusBadRequest, Message: "this voice is hoarse"}
		case voice == "Captain":
			return says("Stay ashore.")
		}
		return position("I would stay.", "none", "none")
	})
	a := query(t, s.hall, `{"query":"Shall I take the boat out?","mode":"committee","rounds":2}`)
	var got []string
	for _, d := range a.Deliberations {
		got = append(got, fmt.Sprint(d.Persona, " ", d.Round, " ", d.Status))
		if (d.Status == "failed") != (d.Error != "") {
			t.Errorf("%+v", d)
		}
	}
	want := []string{"Archivist 1 done", "Rower 1 failed", "Lookout 1 done", "Archivist 2 done", "Lookout 2 done"}
	if !slices.Equal(got, want) || a.Text != "Stay ashore." || !slices.ContainsFunc(a.Flags, func(f string) bool { return strings.Contains(f, "Rower") }) {
		t.Errorf("%v, %q, %v", got, a.Text, a.Flags)
	}
	for _, now := range s.played("") {
		if voiceOf(now.chat) == "Captain" && !strings.Contains(now.text(), "Not heard: Rower in round 1") {
			t.Errorf("the Captain does not know who was not heard:\n%s", now.text())
		}
	}
	down["Archivist"], down["Lookout"] = true, true
	a = query(t, s.hall, `{"query":"Shall I take the boat out?","mode":"committee"}`)
	if a.Text != "" || a.Stop != moothall.StopError || len(a.Deliberations) != 3 || len(a.Flags) == 0 {
		t.Errorf("nobody spoke, and the answer is %+v", a)
	}
	for body, status := range map[string]int{
		`{"query":"x","mode":"committee","personas":["Rowe"]}`: http.StatusNotFound,
		`{"query":"x","mode":"committee","rounds":9}`:          http.StatusBadRequest,
	} {
		if resp := post(t, s.hall.URL()+"/query", body); resp.StatusCode != status {
			t.Errorf("%s: %s", body, resp.Status)
		}
	}
}

// TestCommitteeIsStopped: who asked goes away in the midst of a round; the
// model is let go, and the next question is answered.
func TestCommitteeIsStopped(t *testing.T) {
	t.Parallel()
	h := newHold()
	s := newTable(t, func(voice string, _ scene) ollamatest.Reply {
		switch voice {
		case "Rower":
			return h.back(position("Go.", "for", "none"))
		case "Captain":
			return says("Go out.")
		}
		return position("I do not mind.", "none", "none")
	})
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-h.asked
		leave()
	}()
	for _, err := range s.client.Query(ctx, moothall.QueryRequest{Query: "Shall I go?", Mode: moothall.ModeCommittee, Session: "s"}) {
		if err != nil {
			break
		}
	}
	<-s.model.Abandoned
	close(h.answer)
	a := s.ask(moothall.QueryRequest{Query: "Shall I go?", Mode: moothall.ModeCommittee, Session: "s", Rounds: 1})
	if a.Text != "Go out." || len(a.Deliberations) != 3 {
		t.Errorf("%+v", a)
	}
	d, err := s.client.Session(t.Context(), "s")
	if err != nil || len(d.Asked) != 2 {
		t.Fatalf("%+v, %v", d.Asked, err)
	}
	if first := d.Asked[0].Answers; len(first) != 1 || first[0].Stop != moothall.StopCanceled || len(first[0].Deliberations) != 2 {
		t.Errorf("the first question: %+v", first)
	}
}

// TestPersonasFile: a mistake in personas.yaml keeps the hall from starting,
// and is named with its line and key.
func TestPersonasFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, key, line string }{
		"unknown key": {strings.Replace(voices, "    voice: You are the Rower", "    voise: You are the Rower", 1), "voise", ":6"},
		"colour":      {strings.Replace(voices, "  - name: Rower\n", "  - name: Rower\n    color: mauve\n", 1), "personas[1].color", ":6"},
		"same name":   {strings.Replace(voices, "name: Lookout", "name: rower", 1), "personas[2].name", ":8"},
		"no voice":    {strings.Replace(voices, "    voice: You are the Lookout, who watches the sky.\n", "", 1), "personas[2].voice", ""},
		"no YAML":     {"personas: [", "", ":1"},
	} {
		h := home(t.TempDir())
		lay(t, h.Personas(), c.text)
		hall, err := daemon.Open(t.Context(), daemon.Options{Home: h, Config: config()})
		if err == nil {
			t.Errorf("%s: the hall started", name)
			err = hall.Shutdown()
		}
		if text := fmt.Sprint(err); moothall.ErrorCode(err) != moothall.CodeInvalid || !strings.Contains(text, c.key) || !strings.Contains(text, "personas.yaml"+c.line) {
			t.Errorf("%s: %s", name, text)
		}
	}
	// With an empty list the Self answers alone, with what memory has.
	s := newStage(t, func(s scene) ollamatest.Reply {
		if !strings.Contains(s.text(), "The boat is blue.") {
			return says("I do not know.")
		}
		return says("It is blue.")
	}, func(s *stage) { lay(t, s.home.Personas(), "personas: []\n") })
	if _, err := s.client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Kind: moothall.Fact, Name: "boat colour", Corpus: "The boat is blue."}}); err != nil {
		t.Fatal(err)
	}
	if a := query(t, s.hall, `{"query":"Which colour has the boat?","mode":"committee"}`); a.Text != "It is blue." || len(a.Deliberations) != 0 || len(a.Tools) == 0 {
		t.Errorf("%+v", a)
	}
}
