package tape_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
)

func twoTools() engine.Request {
	return engine.Request{
		Model:  script(calls("web_search", `{"query":"tides","count":3}`), calls("memory_write", `{"text":"x"}`), says("The tides are noted.")),
		Broker: &broker{}, Tools: bothTools, Input: user("Look up the tides and note them."), System: "You are helpful.", Now: clock(),
	}
}

func mustContain(t *testing.T, list []string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, p) }) {
			t.Errorf("nothing says %q: %q", p, list)
		}
	}
}

func played(t *testing.T, rec *tape.Tape, c tape.Changes) (*engine.Result, tape.Report) {
	t.Helper()
	res, report, err := tape.Play(t.Context(), rec, c)
	if err != nil {
		t.Fatal(err)
	}
	return res, report
}

// TestAChangeOfTheCodeShows plays tapes that say that something else was
// sent, as a hall does whose prompts have changed since.
func TestAChangeOfTheCodeShows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*tape.Tape)
		want   string
	}{
		"system":   {func(r *tape.Tape) { r.Given.System += " Always." }, "the prompt of model call 1 is not what it was: message 1 (system) differs"},
		"result":   {func(r *tape.Tape) { r.Tools[0].Result.Text = "other" }, "the prompt of model call 2 is not what it was: message 4 (tool) differs"},
		"tools":    {func(r *tape.Tape) { r.Given.Tools[1].Description = "Notes." }, "the prompt of model call 1 is not what it was: the tools on offer differ"},
		"settings": {func(r *tape.Tape) { r.Given.MaxTokens = 77 }, "the settings differ"},
		"history":  {func(r *tape.Tape) { r.Given.History = []tape.Message{{Message: user("before")[0]}} }, "instead of 2 messages"},
		"reply": {func(r *tape.Tape) {
			r.Model[2].Pieces[0].Text = "The tides are lost!!"
			r.Model[2].Pieces[0].Sizes = []int{20}
		}, "the answer: The tides are [-noted.-] {+lost!!+}"},
		"fewer":  {func(r *tape.Tape) { r.Model = r.Model[:2] }, "the model was asked once more than before"},
		"limits": {func(r *tape.Tape) { r.Given.Limits.Calls = 1 }, "memory_write ended with failed instead of ok"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, rec := record(t, t.Context(), twoTools())
			c.change(rec)
			_, report := played(t, rec, tape.Changes{})
			mustContain(t, report.Differences, c.want)
		})
	}
}

// TestLiveModel asks another model, which gets recorded results.
func TestLiveModel(t *testing.T) {
	t.Parallel()
	_, rec := record(t, t.Context(), twoTools())
	b := &broker{}
	live := &spy{Model: script(
		calls("web_search", `{"count": 3, "query": "tides"}`), calls("memory_write", `{"text":"something else"}`), says("The tides could not be noted."),
	)}
	prompt := "You are brief."
	res, report := played(t, rec, tape.Changes{Model: live, ModelName: "large", System: &prompt})
	if b.count != 0 || res.Calls[0].Status != moothall.CallOK || !strings.Contains(res.Calls[0].Result, "<result> of") {
		t.Errorf("the recorded result was not given: %s", dump(res.Calls))
	}
	if res.Calls[1].Status != moothall.CallFailed || !strings.Contains(res.Calls[1].Result, "no record of such a call") {
		t.Errorf("a call that was never recorded: %s", dump(res.Calls[1]))
	}
	if len(report.Unrecorded) != 1 || report.Unrecorded[0].Name != "memory_write" || report.Same {
		t.Errorf("report: %s", dump(report))
	}
	mustContain(t, report.Differences, "the answer: The tides [-are-] {+could not be+} noted.",
		`memory_write was called with {"text":"something else"} instead of {"text":"x"}`, "memory_write ended with failed instead of ok")
	if first := live.requests[0]; first.Model != "large" || first.Messages[0].Content != prompt || first.Messages[1].Content != "Look up the tides and note them." {
		t.Errorf("the live model was asked %s", dump(first))
	}
}

// TestLiveModelThatDoesTheSame shows no difference.
func TestLiveModelThatDoesTheSame(t *testing.T) {
	t.Parallel()
	_, rec := record(t, t.Context(), twoTools())
	_, report := played(t, rec, tape.Changes{Model: twoTools().Model})
	if len(report.Differences) != 0 {
		t.Errorf("differences: %q", report.Differences)
	}
}

// TestAWaitIsNotOnTheTape: that a model was busy for a while is shown to a
// person and has no part in what it said.
func TestAWaitIsNotOnTheTape(t *testing.T) {
	t.Parallel()
	late := says("yes")
	late.chunks = append([]moothall.Chunk{{Note: "waiting"}, {Note: "thinking"}}, late.chunks...)
	asked := func(reply turn) engine.Request { return engine.Request{Model: script(reply), Input: user("q")} }
	_, waited := record(t, t.Context(), asked(late))
	_, prompt := record(t, t.Context(), asked(says("yes")))
	if got, want := dump(waited.Model), dump(prompt.Model); got != want {
		t.Errorf("on the tape is %s, want %s", got, want)
	}
	var told []string
	for e, err := range engine.Run(t.Context(), asked(late)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == engine.KindStatus {
			told = append(told, e.Text)
		}
	}
	if got := strings.Join(told, ", "); got != "thinking, waiting, thinking" {
		t.Errorf("a person is told %s", got)
	}
}

// TestRepeatedCalls get their results in order.
func TestRepeatedCalls(t *testing.T) {
	t.Parallel()
	save := `{"text":"x"}`
	n := func(_ context.Context, _ moothall.ToolCall, n int) (moothall.ToolResult, error) {
		return moothall.ToolResult{Status: moothall.CallOK, Text: strings.Repeat("I", n)}, nil
	}
	_, rec := record(t, t.Context(), engine.Request{
		Model: script(calls("memory_write", save), calls("memory_write", save), says("a")), Broker: &broker{do: n}, Tools: bothTools, Input: user("q"),
	})
	// All in one reply, so that no id is the recorded one but the first.
	res, report := played(t, rec, tape.Changes{Model: script(calls("memory_write", save, "memory_write", save), says("a"))})
	if len(res.Calls) != 2 || res.Calls[0].Result != "I" || res.Calls[1].Result != "II" || len(report.Unrecorded) != 0 {
		t.Errorf("calls: %s", dump(res.Calls))
	}
}

// TestAnotherPolicy denies, asks and allows.
func TestAnotherPolicy(t *testing.T) {
	t.Parallel()
	_, rec := record(t, t.Context(), twoTools())
	var mu sync.Mutex
	labels := map[moothall.ToolName]moothall.Label{}
	verdict := func(tool moothall.ToolName, v moothall.Verdict) func(context.Context, moothall.ToolCall, moothall.Label) moothall.Decision {
		return func(_ context.Context, c moothall.ToolCall, l moothall.Label) moothall.Decision {
			mu.Lock()
			defer mu.Unlock()
			labels[c.Name] = l
			if c.Name == tool {
				return moothall.Decision{Verdict: v, Layer: "manifest", Rule: "generator", Reason: "Notes are off.", Allows: "turning them on"}
			}
			return moothall.Decision{Verdict: moothall.Allow}
		}
	}
	res, report := played(t, rec, tape.Changes{Decide: verdict("memory_write", moothall.Deny)})
	want := "[denied] Denied by the layer manifest (generator). Notes are off. What would allow it: turning them on."
	if c := res.Calls[1]; c.Status != moothall.CallDenied || c.Result != want {
		t.Errorf("denied: %s", dump(c))
	}
	mustContain(t, report.Differences, "memory_write would now be denied: Notes are off.", "the prompt of model call 3 is not what it was", "memory_write ended with denied instead of ok")
	if labels["web_search"] != 0 || labels["memory_write"] != moothall.Untrusted {
		t.Errorf("labels: %v", labels)
	}
	_, report = played(t, rec, tape.Changes{Decide: verdict("memory_write", moothall.Ask)})
	if !report.Same {
		t.Errorf("asked: %q", report.Differences)
	}
	mustContain(t, report.Differences, "memory_write would now wait for a person's answer")
	if _, report = played(t, rec, tape.Changes{Decide: verdict("", "")}); !report.Same || len(report.Differences) > 0 {
		t.Errorf("a policy that decides the same: %q", report.Differences)
	}

	asked := twoTools()
	asked.Broker = &broker{ask: true}
	_, withAPerson := record(t, t.Context(), asked)
	_, report = played(t, withAPerson, tape.Changes{Decide: verdict("memory_write", moothall.Ask)})
	if want := []string{"web_search would no longer wait for a person's answer"}; !report.Same || !slices.Equal(report.Differences, want) {
		t.Errorf("asked about both, and now about one: %q", report.Differences)
	}

	rec.Tools[1].Result.Status, rec.Tools[1].Result.Text = moothall.CallDenied, "Denied."
	res, report = played(t, rec, tape.Changes{Decide: verdict("", "")})
	mustContain(t, report.Differences, "memory_write would now be allowed")
	if res.Calls[1].Status != moothall.CallFailed {
		t.Errorf("allowed: %s", dump(res.Calls[1]))
	}
}

// TestLabelsOfEarlierRounds count for readers too.
func TestLabelsOfEarlierRounds(t *testing.T) {
	t.Parallel()
	_, rec := record(t, t.Context(), engine.Request{
		Model:  script(calls("web_search", `{"query":"1"}`), calls("web_search", `{"query":"2"}`), says("a")),
		Broker: &broker{}, Tools: bothTools, Input: user("q"),
	})
	var got []moothall.Label
	played(t, rec, tape.Changes{Decide: func(_ context.Context, _ moothall.ToolCall, l moothall.Label) moothall.Decision {
		got = append(got, l)
		return moothall.Decision{Verdict: moothall.Allow}
	}})
	if want := []moothall.Label{0, moothall.Untrusted}; !slices.Equal(got, want) {
		t.Errorf("labels: %v", got)
	}
}

func TestChangesThatNeedAModel(t *testing.T) {
	t.Parallel()
	_, rec := record(t, t.Context(), twoTools())
	other := "x"
	for _, c := range []tape.Changes{{System: &other}, {ModelName: "m"}, {Provider: "p"}} {
		if _, _, err := tape.Play(t.Context(), rec, c); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestGivingUpAReplay ends it.
func TestGivingUpAReplay(t *testing.T) {
	t.Parallel()
	_, rec := record(t, t.Context(), twoTools())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, report, err := tape.Play(ctx, rec, tape.Changes{})
	if err != nil || res.Stop != moothall.StopCanceled || report.Same {
		t.Errorf("%s, %v", dump(res), err)
	}
}

// TestACutTape says what it lacks, and is not played as if it were whole.
func TestACutTape(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		max  int
		want string
		live moothall.Code
	}{
		"the model's words": {2200, "what the model said", ""},
		"a tool's result":   {700, "a result of web_search", moothall.CodeUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := twoTools()
			var long strings.Builder
			for i := range 200 {
				fmt.Fprintf(&long, "word%d ", i)
			}
			req.Model.(*model).turns[2] = says(long.String())
			req.Broker = &broker{do: func(context.Context, moothall.ToolCall, int) (moothall.ToolResult, error) {
				return moothall.ToolResult{Status: moothall.CallOK, Text: words(60)}, nil
			}}
			req, recorder := tape.Options{MaxBytes: c.max}.Record(req)
			rec := trip(t, recorder.Tape(run(t, t.Context(), req)))
			if rec.Whole() {
				t.Fatalf("nothing was cut")
			}
			mustContain(t, rec.Cut, c.want)
			if _, _, err := tape.Play(t.Context(), rec, tape.Changes{}); moothall.ErrorCode(err) != moothall.CodeUnsupported {
				t.Errorf("played: %v", err)
			}
			if _, _, err := tape.Play(t.Context(), rec, tape.Changes{Model: twoTools().Model}); moothall.ErrorCode(err) != c.live {
				t.Errorf("played with a model: %v (lacks %q)", err, rec.Cut)
			}
		})
	}
}

// spy remembers what a model was asked.
type spy struct {
	moothall.Model
	requests []moothall.GenerateRequest
}

func (s *spy) Generate(ctx context.Context, g moothall.GenerateRequest) (seq seqOf) {
	g.Messages = slices.Clone(g.Messages)
	s.requests = append(s.requests, g)
	return s.Model.Generate(ctx, g)
}

// TestNoSecrets: neither the agent's handle nor the cause of an error is on a
// tape, and a placeholder stays one.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	req := twoTools()
	req.Handle = "handle-of-the-agent"
	req.Model = script(calls("memory_write", `{"text":"{{secret:key}}"}`),
		turn{err: &moothall.Error{Code: moothall.CodeUnavailable, Message: "no answer", Err: errorText("cause-with-key")}})
	_, rec := record(t, t.Context(), req)
	plain, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"handle-of-the-agent", "cause-with-key"} {
		if strings.Contains(string(plain), s) {
			t.Errorf("%s is on the tape", s)
		}
	}
	if !strings.Contains(rec.Tools[0].Args, "{{secret:key}}") {
		t.Errorf("arguments: %s", rec.Tools[0].Args)
	}
}
