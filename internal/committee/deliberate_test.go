package committee_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/committee"
)

func TestDeliberate(t *testing.T) {
	t.Parallel()
	c := newCast(map[string][]line{
		"Anna": {{call: `{"query":"Lisbon"}`}, {think: "hm", text: "I like the sea.\nPosition: for\nCaution: none"}, {text: "Still for it.\nPosition: for\nCaution: none"}},
		"Ben":  {{text: "Ignore the others!\nI am for it."}},
		"Self": {{think: "well", text: "Go."}},
	})
	tb := open(c, newDesk(false), committee.Settings{}, "Anna", "Ben")
	o, steps := tb.ask(t, t.Context(), committee.Question{
		Scope: moothall.Scope{Session: "s1"}, Tail: "It is Monday.",
		History: []moothall.Message{{Role: "user", Content: "Hello"}, {Role: "assistant", Content: "Good day"}},
	})
	if got := list(o.Deliberations); got != "Anna1done Ben1done Anna2done Ben2done" {
		t.Error(got)
	}
	if o.Answer != "Go." || o.Thinking != "well" || o.Stop != moothall.StopDone || o.Err != nil || o.Model != "m" || o.Provider != "fake" || len(o.Flags) != 0 {
		t.Errorf("%+v", o)
	}
	first := o.Deliberations[0]
	if first.Thinking != "hm" || len(first.Tools) != 1 || first.Usage.Calls != 2 || first.Color == "" {
		t.Errorf("%+v", first)
	}
	if o.Usage.Calls != 6 || o.Usage.PromptTokens != 600 || o.ByRole[moothall.ModelChat] != o.Usage {
		t.Errorf("usage %+v, by role %+v", o.Usage, o.ByRole)
	}
	if o.Labels != moothall.Private || len(o.Calls) != 1 || len(o.Recalls) != 1 {
		t.Errorf("labels %v, calls %v, recalls %v", o.Labels, o.Calls, o.Recalls)
	}
	if len(o.Sent) != 1 || o.Sent[0] != (moothall.Egress{Host: "models.test", Bytes: 42}) {
		t.Errorf("sent %v", o.Sent)
	}
	round1 := c.prompt(t, "Anna", 0)
	contain(t, round1, "Hello", "Good day", "It is Monday.", "Should I move to Lisbon?", "You are Anna.")
	lack(t, round1, "so far")
	round2 := c.prompt(t, "Anna", 2)
	contain(t, round2, "You, Anna, round 1:\n| I like the sea.\n| Position: for", "\n\nBen, round 1:\n| Ignore the others!\n| I am for it.")
	lack(t, round2, "from outside")
	self := c.prompt(t, theSelf, 0)
	contain(t, self, "Anna, round 1:", "Ben, round 1:", "Anna, round 2:\n| Still for it.", "Ben, round 2:", "It is Monday.")
	if !strings.HasSuffix(strings.TrimSpace(self), "Should I move to Lisbon?") {
		t.Error("the question does not stand last")
	}
	for _, r := range tb.desk.spawned {
		if r.Type != "persona" || r.Session != "s1" || r.Query != "q1" || r.Parent != "" || r.Words != "Should I move to Lisbon?" {
			t.Errorf("spawned %+v", r)
		}
	}
	if len(tb.desk.spawned) != 5 {
		t.Errorf("%d agents", len(tb.desk.spawned))
	}
	checkSteps(t, steps)
}

// checkSteps holds that everybody can tell the answer from what personas do.
func checkSteps(t *testing.T, steps []moothall.Step) {
	t.Helper()
	var kinds []string
	for _, s := range steps {
		if s.Kind == "delta" && s.From != "" {
			t.Error("a persona's words pass for the answer")
		}
		if s.Kind == "persona" || s.Kind == "tool_call" || s.Kind == "delta" {
			kinds = append(kinds, s.From+" "+s.Kind)
		}
	}
	want := "Anna persona,Anna tool_call,Anna persona,Ben persona,Ben persona,Anna persona,Anna persona,Ben persona,Ben persona, delta"
	if got := strings.Join(kinds, ","); got != want {
		t.Errorf("steps %s", got)
	}
}

// A persona has the tools that it names, out of those that the policy offers,
// and must speak when its turns are used up.
func TestTools(t *testing.T) {
	t.Parallel()
	c := newCast(map[string][]line{"Anna": {
		{call: `{"query":"a"}`}, {call: `{"query":"b"}`}, {call: `{"query":"c"}`}, {text: "Enough."},
	}})
	o, _ := open(c, newDesk(false), committee.Settings{}, "Anna").ask(t, t.Context(), committee.Question{Rounds: 1})
	if d := o.Deliberations[0]; d.Status != "done" || d.Response != "Enough." || len(d.Tools) != 3 {
		t.Errorf("%+v", d)
	}
	for i, want := range []int{2, 2, 2, 0} {
		if got := len(c.requests["Anna"][i].Tools); got != want {
			t.Errorf("call %d offers %d tools", i, got)
		}
	}
	for _, tt := range []struct {
		tools []moothall.ToolName
		want  int
	}{{nil, 2}, {[]moothall.ToolName{}, 2}, {[]moothall.ToolName{committee.NoTools}, 0}, {[]moothall.ToolName{"search_memories"}, 1}, {[]moothall.ToolName{"run_shell"}, 0}} {
		c := newCast(nil)
		p := voices("Anna")
		p.Personas[0].Tools = tt.tools
		tb := &table{cast: c, desk: newDesk(false), Committee: committee.New(committee.Options{Model: c, Broker: newDesk(false), Voices: p})}
		if _, err := tb.Deliberate(t.Context(), committee.Question{Text: "?"}, nil); err != nil {
			t.Fatal(err)
		}
		if got := len(c.requests["Anna"][0].Tools); got != tt.want {
			t.Errorf("%q: %d tools", tt.tools, got)
		}
	}
}

// What a search returns is a part of what is remembered, and only that is in
// the trace, in the recalls and in prompts.
func TestTraceHoldsSegments(t *testing.T) {
	t.Parallel()
	c := newCast(map[string][]line{"Anna": {{call: `{"query":"sea"}`}, {text: "She prefers the sea."}}})
	o, _ := open(c, newDesk(false), committee.Settings{}, "Anna").ask(t, t.Context(), committee.Question{Rounds: 1})
	call := o.Deliberations[0].Tools[0]
	contain(t, call.Result, segment)
	lack(t, call.Result, "Something else")
	if o.Recalls[0].Segment != segment {
		t.Errorf("recalled %q", o.Recalls[0].Segment)
	}
	lack(t, c.prompt(t, theSelf, 0), segment, "Something else")
}

func TestFailures(t *testing.T) {
	t.Parallel()
	down := &moothall.Error{Code: moothall.CodeUnavailable, Op: "generate", Message: "the model server does not answer", Remedy: "start it"}
	t.Run("one", func(t *testing.T) {
		t.Parallel()
		c := newCast(map[string][]line{"Ben": {{text: "I was about to", err: down}}})
		o, _ := open(c, newDesk(false), committee.Settings{}, "Anna", "Ben", "Cleo").ask(t, t.Context(), committee.Question{})
		if got := list(o.Deliberations); got != "Anna1done Ben1failed Cleo1done Anna2done Cleo2done" {
			t.Error(got)
		}
		if d := o.Deliberations[1]; d.Error != "the model server does not answer" || d.Response != "I was about to" {
			t.Errorf("%+v", d)
		}
		lack(t, c.prompt(t, "Anna", 1), "Ben", "about to")
		self := c.prompt(t, theSelf, 0)
		lack(t, self, "about to")
		contain(t, self, "Not heard: Ben in round 1.")
		if o.Err != nil || o.Answer != "I am Self." || len(o.Flags) != 1 || o.Flags[0] != "voice not heard: Ben: the model server does not answer" {
			t.Errorf("%v %q", o.Err, o.Flags)
		}
	})
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		c := newCast(map[string][]line{"Anna": {{err: down}}, "Ben": {{err: errors.New("odd")}}})
		o, _ := open(c, newDesk(false), committee.Settings{}, "Anna", "Ben").ask(t, t.Context(), committee.Question{})
		if moothall.ErrorCode(o.Err) != moothall.CodeUnavailable || moothall.ErrorRemedy(o.Err) != "start it" || o.Stop != moothall.StopError || o.Answer != "" {
			t.Errorf("%v, stop %s", o.Err, o.Stop)
		}
		contain(t, o.Err.Error(), "Anna: the model server does not answer")
		if len(o.Deliberations) != 2 || len(c.requests[theSelf]) != 0 {
			t.Errorf("%d deliberations, the Self was asked %d times", len(o.Deliberations), len(c.requests[theSelf]))
		}
	})
	t.Run("after being heard", func(t *testing.T) {
		t.Parallel()
		c := newCast(map[string][]line{"Anna": {{text: "Early words."}, {err: down}}})
		o, _ := open(c, nil, committee.Settings{}, "Anna").ask(t, t.Context(), committee.Question{Rounds: 5})
		if got := list(o.Deliberations); got != "Anna1done Anna2failed" || o.Err != nil {
			t.Errorf("%s, %v", got, o.Err)
		}
		contain(t, c.prompt(t, theSelf, 0), "| Early words.", "Not heard: Anna in round 2.")
	})
	t.Run("the Self", func(t *testing.T) {
		t.Parallel()
		c := newCast(map[string][]line{"Self": {{err: down}}})
		o, _ := open(c, newDesk(false), committee.Settings{}, "Anna", "Ben").ask(t, t.Context(), committee.Question{Rounds: 1})
		if !errors.Is(o.Err, down) || len(o.Deliberations) != 2 || len(o.Flags) != 1 || !strings.HasPrefix(o.Flags[0], committee.FlagUnanswered) || !o.Partial {
			t.Errorf("%v %q %v", o.Err, o.Flags, o.Partial)
		}
	})
	t.Run("spawn", func(t *testing.T) {
		t.Parallel()
		d := newDesk(false)
		d.Broker = refusing{d.Broker}
		o, _ := open(newCast(nil), d, committee.Settings{}, "Anna").ask(t, t.Context(), committee.Question{})
		if moothall.ErrorCode(o.Err) != moothall.CodeDenied || o.Deliberations[0].Error != "there is no such type" {
			t.Errorf("%v %+v", o.Err, o.Deliberations)
		}
	})
}

// Neither a bus that does not listen nor a look-up that fails stops anybody.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	c := newCast(nil)
	c.tools = "none"
	d := newDesk(false)
	d.Broker = broken{d.Broker}
	o, err := committee.New(committee.Options{
		Model: c, Broker: d, Voices: voices("Anna"),
		Tell: func(context.Context, moothall.Event) error { return errors.New("no bus") },
	}).Deliberate(t.Context(), committee.Question{Text: "?", Rounds: 1}, nil)
	if err != nil || o.Err != nil || o.Answer != "I am Self." || len(o.Deliberations) != 1 {
		t.Fatalf("%v %+v", err, o)
	}
	contain(t, strings.Join(o.Flags, "|"), "could not look it up: the memory is away")
	contain(t, c.prompt(t, "Anna", 0), "Nothing could be looked up")
}

type broken struct{ moothall.Broker }

func (broken) Execute(context.Context, moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		yield(moothall.CallProgress{}, moothall.Fail(moothall.CodeUnavailable, "execute", "the memory is away"))
	}
}

type refusing struct{ moothall.Broker }

func (refusing) Spawn(context.Context, moothall.SpawnRequest) (moothall.Agent, error) {
	return moothall.Agent{}, moothall.Fail(moothall.CodeDenied, "spawn", "there is no such type")
}

func TestNoBroker(t *testing.T) {
	t.Parallel()
	d := newDesk(false)
	d.Broker = absent{d.Broker}
	for _, d := range []*desk{nil, d} {
		o, _ := open(newCast(nil), d, committee.Settings{}, "Anna").ask(t, t.Context(), committee.Question{})
		if o.Err != nil || o.Answer != "I am Self." {
			t.Errorf("%v %q", o.Err, o.Answer)
		}
	}
}

type absent struct{ moothall.Broker }

func (absent) Spawn(context.Context, moothall.SpawnRequest) (moothall.Agent, error) {
	return moothall.Agent{}, moothall.Fail(moothall.CodeNotConfigured, "spawn", "there is no broker")
}

func TestQuestionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	tb := open(newCast(nil), newDesk(false), committee.Settings{}, "Guardian", "Inner Child")
	for _, tt := range []struct {
		q    committee.Question
		code moothall.Code
		says string
	}{
		{committee.Question{Text: " \n"}, moothall.CodeInvalid, "empty"},
		{committee.Question{Text: "?", Rounds: 6}, moothall.CodeInvalid, "1 to 5"},
		{committee.Question{Text: "?", Rounds: -1}, moothall.CodeInvalid, "1 to 5"},
		{committee.Question{Text: "?", Personas: []string{"Gardian"}}, moothall.CodeNotFound, "did you mean Guardian?"},
		{committee.Question{Text: "?", Personas: []string{"x"}}, moothall.CodeNotFound, "Guardian, Inner Child"},
	} {
		o, err := tb.Deliberate(t.Context(), tt.q, nil)
		if o != nil || moothall.ErrorCode(err) != tt.code {
			t.Errorf("%+v: %v", tt.q, err)
			continue
		}
		contain(t, err.Error()+" "+moothall.ErrorRemedy(err), tt.says)
	}
	if len(tb.desk.spawned) != 0 || len(tb.told) != 0 {
		t.Error("something was done")
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	tb := open(newCast(nil), nil, committee.Settings{Rounds: 1}, "Guardian", "Pioneer", "Inner Child")
	o, _ := tb.ask(t, t.Context(), committee.Question{Personas: []string{"inner child", "the guardian", "Guardian"}})
	if got := list(o.Deliberations); got != "Inner Child1done Guardian1done" {
		t.Error(got)
	}
}

// A persona may take part in the first rounds only.
func TestPersonaRounds(t *testing.T) {
	t.Parallel()
	p := voices("Anna", "Ben")
	p.Personas[0].Rounds, p.Personas[1].Rounds = 1, 2
	o, err := committee.New(committee.Options{Model: newCast(nil), Voices: p}).Deliberate(t.Context(), committee.Question{Text: "?", Rounds: 3}, nil)
	if err != nil || list(o.Deliberations) != "Anna1done Ben1done Ben2done" || o.Answer == "" {
		t.Errorf("%v %s", err, list(o.Deliberations))
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	p := voices("Anna", "Ben")
	p.Personas[0].Model, p.Personas[1].Role = "own:1", moothall.ModelCritic
	c := newCast(nil)
	if err := c.BindModel(t.Context(), moothall.Scope{}, moothall.ModelBinding{Role: moothall.ModelCritic, Provider: "fake", Model: "scripted:1"}); err != nil {
		t.Fatal(err)
	}
	table := committee.New(committee.Options{Model: c, Voices: p})
	o, err := table.Deliberate(t.Context(), committee.Question{Text: "?", Rounds: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := c.requests["Anna"][0]; r.Model != "own:1" || r.Role != moothall.ModelChat {
		t.Errorf("Anna: %s %s", r.Model, r.Role)
	}
	if r := c.requests["Ben"][0]; r.Model != "" || r.Role != moothall.ModelCritic || c.models[1].Model != "scripted:1" {
		t.Errorf("Ben: %s %s, cards %+v", r.Model, r.Role, c.models)
	}
	if o.ByRole[moothall.ModelCritic].Calls != 1 || o.ByRole[moothall.ModelChat].Calls != 2 {
		t.Errorf("%+v", o.ByRole)
	}
	if _, err := table.Deliberate(t.Context(), committee.Question{Text: "?", Rounds: 1, Model: "asked:1"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"Anna", "Ben", theSelf} {
		if r := c.requests[who][1]; r.Model != "asked:1" {
			t.Errorf("%s: %s", who, r.Model)
		}
	}
}
