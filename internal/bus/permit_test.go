package bus_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"moothall"
	"moothall/internal/bus"
)

// exposed is a bus whose participants can be impersonated by a test.
func exposed(t *testing.T, o bus.Options) *bus.Bus {
	t.Helper()
	o.Listen = "127.0.0.1:0"
	o.Credentials = secrets(t, append(moothall.Identities(), bus.Admin)...)
	return open(t, o)
}

// The table of the root package, enforced by the server: every identity on
// every subject, under its own name and another's.
func TestTheServerEnforcesTheTable(t *testing.T) {
	t.Parallel()
	b := exposed(t, bus.Options{})
	checkTable(t, b.Addr())
}

func checkTable(t *testing.T, addr string) {
	t.Helper()
	for _, id := range append(moothall.Identities(), bus.Admin) {
		nc := rawAs(t, addr, id)
		other := moothall.ToolBroker
		if id == other {
			other = moothall.Critic
		}
		for _, r := range moothall.Subjects() {
			s := r.Subject
			if r.Family {
				s = s.Of("shell")
			}
			if got, want := refusedBy(t, nc, string(s)+"."+string(id), "", nil), !id.MayPublish(s); got != want {
				t.Errorf("%s on %s: refused %v, want %v", id, s, got, want)
			}
			if !refusedBy(t, nc, string(s)+"."+string(other), "", nil) {
				t.Errorf("%s on %s as %s: let through", id, s, other)
			}
		}
	}
}

func TestTheServerRefusesParticipants(t *testing.T) {
	t.Parallel()
	b := exposed(t, bus.Options{Observers: []bus.Durable{
		grades, {Identity: moothall.MemoryKeeper, Name: "ingest", Subjects: grades.Subjects},
	}})
	critic := rawAs(t, b.Addr(), moothall.Critic)
	for _, subject := range []string{
		"$JS.API.STREAM.DELETE.HALL", "$JS.API.STREAM.PURGE.HALL", "$JS.API.STREAM.UPDATE.HALL",
		"$JS.API.STREAM.CREATE.OTHER", "$JS.API.STREAM.MSG.DELETE.HALL", "$JS.API.STREAM.SNAPSHOT.HALL",
		"$JS.API.CONSUMER.CREATE.HALL.critic-grades", "$JS.API.CONSUMER.CREATE.HALL.x.>",
		"$JS.API.CONSUMER.DURABLE.CREATE.HALL.x", "$JS.API.CONSUMER.DELETE.HALL.memory-ingest",
		"$JS.API.CONSUMER.MSG.NEXT.HALL.critic-grades", "$JS.API.DIRECT.GET.HALL", "$JS.API.DIRECT.GET.HALL.query.received.front",
		"$JS.ACK.HALL.memory-ingest.1.1.1.1.1", "$JS.FC.HALL.x",
		"stored.query.received.front", "deliver.memory.ingest", "deliver.critic.grades",
		"_INBOX_memory.x", "_INBOX_critic.x", "_INBOX.x", "query", ">", "$SYS.REQ.SERVER.PING",
	} {
		if !refusedBy(t, critic, subject, "", []byte("{}")) {
			t.Errorf("publish %s: let through", subject)
		}
	}
	for _, subject := range []string{
		">", "_INBOX_memory.>", "_INBOX_>", "*.>", "_INBOX_bus.>", "deliver.memory.ingest", "deliver.>",
		"$JS.>", "$SYS.>", "query.received.front",
	} {
		if !refusedListening(t, critic, subject) {
			t.Errorf("subscribe %s: let through", subject)
		}
	}
	if refusedBy(t, critic, "$JS.ACK.HALL.critic-grades.1.1.1.1.1", "", nil) {
		t.Error("it may not acknowledge what its own observer was given")
	}
	admin := rawAs(t, b.Addr(), bus.Admin)
	for _, subject := range []string{"$JS.API.STREAM.DELETE.HALL", "$JS.API.STREAM.PURGE.HALL", "hall.state.bus", "hall.state.hall"} {
		if !refusedBy(t, admin, subject, "", nil) {
			t.Errorf("admin publishes %s: let through", subject)
		}
	}
	for _, wrong := range [][2]string{{"critic", "wrong"}, {"", ""}, {"stranger", "x"}} {
		if nc, err := nats.Connect("nats://"+b.Addr(), nats.UserInfo(wrong[0], wrong[1])); err == nil {
			nc.Close()
			t.Errorf("%q got in", wrong)
		}
	}
}

func TestGuests(t *testing.T) {
	t.Parallel()
	b := exposed(t, bus.Options{Guests: []bus.Guest{
		{Name: "weather", Password: "w", Tools: []moothall.ToolName{"forecast"}},
		{Name: "other", Password: "o", Tools: []moothall.ToolName{"shell"}},
	}})
	guest := raw(t, b.Addr(), "weather", "w")
	for _, subject := range []string{
		"tool.result.shell.weather", "tool.result.forecast.other", "tool.result.forecast.broker", "tool.request.forecast.broker",
		"tool.request.forecast.weather", "tool.schema.broker", "tool.schema.other", "query.received.weather",
		"$JS.API.STREAM.MSG.GET.HALL", "$JS.API.STREAM.INFO.HALL", "$JS.API.DIRECT.GET.HALL", "$JS.ACK.HALL.x.1.1.1.1.1",
	} {
		if !refusedBy(t, guest, subject, "", nil) {
			t.Errorf("publish %s: let through", subject)
		}
	}
	for _, subject := range []string{"tool.request.shell.broker", "tool.request.*.broker", "stored.>", "response.delta.*", "_INBOX_other.>"} {
		if !refusedListening(t, guest, subject) {
			t.Errorf("subscribe %s: let through", subject)
		}
	}

	requests, err := guest.SubscribeSync("tool.request.forecast.broker")
	if err != nil {
		t.Fatal(err)
	}
	if err := guest.Flush(); err != nil {
		t.Fatal(err)
	}
	broker := as(t, b, moothall.ToolBroker)
	results := listen(t, broker, bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectToolResult}})
	want := publish(t, broker, moothall.SubjectToolRequest.Of("forecast"), payload(1))
	m, err := requests.NextMsgWithContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := bus.Decode(m.Subject, m.Data); err != nil || got.ID != want.ID {
		t.Fatalf("the guest heard %s, %v", m.Data, err)
	}
	answer := event(t, moothall.SubjectToolResult.Of("forecast"), "rain")
	answer.Sender = "weather"
	data, err := bus.Encode(answer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := guest.RequestWithContext(t.Context(), "tool.result.forecast.weather", data); err != nil {
		t.Fatal(err)
	}
	if got := results.must(); got.ID != answer.ID || got.Sender != "weather" {
		t.Errorf("heard %+v", got)
	}
}

// forged is an envelope that says what its sender may not.
func forged(t *testing.T) []byte {
	t.Helper()
	e := event(t, moothall.SubjectToolRequest.Of("shell"), map[string]string{"run": "anything"})
	e.Sender = moothall.ToolBroker
	b, err := bus.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestForgedEnvelopesReachNobody(t *testing.T) {
	t.Parallel()
	all := []moothall.Subject{moothall.SubjectCritiqueResult, moothall.SubjectToolRequest}
	b := exposed(t, bus.Options{Observers: []bus.Durable{{Identity: moothall.MemoryKeeper, Name: "ingest", Subjects: all}}})
	heard := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{
		Subjects: append(all, moothall.SubjectResponseDelta, moothall.SubjectAnswerDialog),
	})
	letters := listen(t, as(t, b, moothall.Hall), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectDeadLetter}})
	got := make(chan moothall.Event, 8)
	observe(t, as(t, b, moothall.MemoryKeeper), bus.Observer{Name: "ingest", Handle: into(got)})

	critic, chat := rawAs(t, b.Addr(), moothall.Critic), rawAs(t, b.Addr(), moothall.ChatHall)
	ack, err := critic.RequestWithContext(t.Context(), "critique.result.critic", forged(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := critic.RequestWithContext(t.Context(), "critique.result.critic", []byte("\xff not JSON")); err != nil {
		t.Fatal(err)
	}
	if refusedBy(t, chat, "response.delta.chat", "", forged(t)) {
		t.Fatal("chat may publish deltas")
	}
	end := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectAnswerDialog, nil)
	if e := heard.must(); e.ID != end.ID {
		t.Errorf("a listener heard %+v", e)
	}
	first, second := letter(t, letters), letter(t, letters)
	if !strings.Contains(first.Reason, "another subject") || first.Wire != "critique.result.critic" || len(first.Envelope) == 0 {
		t.Errorf("letter %+v", first)
	}
	if !strings.Contains(second.Reason, "not readable") || string(second.Raw) != "\xff not JSON" {
		t.Errorf("letter %+v", second)
	}
	if len(got) > 0 {
		t.Errorf("an observer got %+v", <-got)
	}
	var a struct{ Seq uint64 }
	if err := json.Unmarshal(ack.Data, &a); err != nil {
		t.Fatal(err)
	}
	_, err = as(t, b, moothall.Person).At(t.Context(), a.Seq)
	wantCode(t, err, moothall.CodeInvalid)
	if s, err := b.Stats(t.Context()); err != nil || s.Refused < 5 || s.DeadLetters != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// The server answers where the asker says. Whatever a participant can make it
// send to another's subject must not pass for an event.
func TestTheServerCannotBeMadeToForge(t *testing.T) {
	t.Parallel()
	b := exposed(t, bus.Options{Observers: []bus.Durable{grades}})
	requests := []moothall.Subject{moothall.SubjectToolRequest}
	heard := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: requests})
	deltas := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectResponseDelta}})
	critic := rawAs(t, b.Addr(), moothall.Critic)
	if _, err := critic.RequestWithContext(t.Context(), "critique.result.critic", forged(t)); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"tool.request.shell.broker", "response.delta.chat", "stored.tool.request.shell.broker"} {
		for subject, body := range map[string]string{
			"$JS.API.STREAM.MSG.GET.HALL":                  `{"seq":1}`,
			"$JS.API.STREAM.INFO.HALL":                     ``,
			"critique.result.critic":                       string(forged(t)),
			"$JS.ACK.HALL.critic-grades.1.1.1.1.1":         `+NXT`,
			"$JS.API.DIRECT.GET.HALL":                      `{"seq":1,"no_hdr":true}`,
			"$JS.API.CONSUMER.MSG.NEXT.HALL.critic-grades": `{"batch":1}`,
		} {
			refusedBy(t, critic, subject, to, []byte(body)) // refused or not: nothing may come of it
		}
	}
	// Each request is answered by now: what follows was asked for later, on
	// the same connection, and by the same part of the server.
	for _, probe := range []string{"$JS.API.STREAM.MSG.GET.HALL", "$JS.API.STREAM.INFO.HALL"} {
		if _, err := critic.RequestWithContext(t.Context(), probe, []byte(`{"seq":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	real := publish(t, as(t, b, moothall.ToolBroker), moothall.SubjectToolRequest.Of("shell"), nil)
	if e := heard.must(); e.ID != real.ID {
		t.Errorf("heard %+v", e)
	}
	delta := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseDelta, nil)
	if e := deltas.must(); e.ID != delta.ID {
		t.Errorf("heard %+v", e)
	}
	replay := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: requests, FromStart: true})
	if e := replay.must(); e.ID != real.ID {
		t.Errorf("replayed %+v", e)
	}
}

// A publisher that adds the server's headers itself must not confuse those
// who count by them.
func TestHeadersOfThePublisherDoNotCount(t *testing.T) {
	t.Parallel()
	b := exposed(t, bus.Options{})
	heard := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{})
	e := event(t, moothall.SubjectCritiqueResult, nil)
	e.Sender = moothall.Critic
	data, err := bus.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	m := &nats.Msg{Subject: "critique.result.critic", Data: data, Header: nats.Header{
		"Nats-Sequence": {"999999"}, "Nats-Stream": {"OTHER"}, "Nats-Last-Sequence": {"7"},
	}}
	if _, err := rawAs(t, b.Addr(), moothall.Critic).RequestMsgWithContext(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	next := publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	got := fmt.Sprint(heard.must().Seq, heard.must().ID)
	if want := fmt.Sprint(1, next.ID); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
