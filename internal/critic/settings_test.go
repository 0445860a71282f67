package critic_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/critic"
	"moothall/internal/judge"
	"moothall/internal/schema"
)

func TestSampling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 100
		run := func() []string {
			h := open(t, fair, func(o *critic.Options) { o.Settings = with(func(s *critic.Settings) { s.Share = 0.3 }) })
			for i := range n {
				h.handle(answered(fmt.Sprintf("q-%d", i), "A", "GOOD"), answered(fmt.Sprintf("q-%d", i), "B", "POOR"))
			}
			synctest.Wait()
			if s := h.stats(); s.NotSampled != 2*(n-s.Compared) || s.Graded != 2*s.Compared {
				t.Errorf("%+v", s)
			}
			return h.events()
		}
		first := run()
		if got := len(first) / 3; got < n/5 || got > n*2/5 {
			t.Errorf("%d of %d are judged", got, n)
		}
		if d := cmp.Diff(first, run()); d != "" {
			t.Errorf("another choice: %s", d)
		}
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, func(o *critic.Options) { o.Settings = with(func(s *critic.Settings) { s.PerHour = 5 }) })
		ask := func(from int) {
			for i := range 8 {
				h.handle(answered(fmt.Sprintf("q-%d", from+i), "A", "GOOD"))
			}
			synctest.Wait()
		}
		ask(0)
		if s := h.stats(); s.Graded != 5 || s.OverBudget != 3 {
			t.Errorf("%+v", s)
		}
		time.Sleep(30 * time.Minute)
		h.restart() // the budget is not forgotten
		ask(10)
		if s := h.stats(); s.Graded != 0 || s.OverBudget != 8 {
			t.Errorf("%+v", s)
		}
		time.Sleep(31 * time.Minute)
		ask(20)
		if s := h.stats(); s.Graded != 5 || len(h.events()) != 10 {
			t.Errorf("%+v %q", s, h.events())
		}
		h.handle(answered("q-0", "A", "GOOD"), answered("q-27", "A", "GOOD"), answered("q-27", "A", "GOOD")) // known ones cost nothing and count for nothing
		if s := h.stats(); s.OverBudget != 11 {
			t.Errorf("%+v", s)
		}
	})
}

func TestOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		say, calls := failing(1, gone)
		h := open(t, say, nil)
		h.handle(answered("q-1", "A", "x"))
		synctest.Wait() // it failed once and waits
		if _, err := h.Apply(json.RawMessage(`{"enabled":false}`)); err != nil {
			t.Fatal(err)
		}
		h.handle(answered("q-2", "A", "x"))
		time.Sleep(time.Hour)
		synctest.Wait()
		if calls.Load() != 1 || len(h.events()) != 0 {
			t.Errorf("%d calls, %q", calls.Load(), h.events())
		}
		if _, err := h.Apply(json.RawMessage(`{"enabled":true}`)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := h.events(); !slices.Equal(got, []string{"critique-q-1-A"}) {
			t.Errorf("%q", got)
		}
	})
}

func TestSettings(t *testing.T) {
	t.Parallel()
	h := open(t, fair, nil)
	raw, err := json.Marshal(h.Settings())
	if err != nil {
		t.Fatal(err)
	}
	if p := schema.Check(critic.Schema(), raw); len(p) > 0 {
		t.Errorf("the default does not fit the schema: %q", p)
	}
	for bad, why := range map[string]string{
		`{"share":1.5}`: "share", `{"share":"x"}`: "share", `{"per_hour":-1}`: "per_hour", `{"max_tokens":0}`: "max_tokens", `{"timeout_seconds":0}`: "timeout_seconds",
		`{"wait_seconds":99999}`: "wait_seconds", `{"nonsense":1}`: "nonsense", `{`: "JSON", `{"rubrics":{"chat":{"criteria":"x","scores":["1"]}}}`: "scores",
		`{"rubrics":{"a b":{"criteria":"x","scores":["1","2","3","4","5"]}}}`:  "name for a rubric",
		`{"rubrics":{"chat":{"criteria":" ","scores":["1","2","3","4","5"]}}}`: "criteria is empty",
	} {
		if _, err := h.Apply(json.RawMessage(bad)); moothall.ErrorCode(err) != moothall.CodeInvalid || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if d := cmp.Diff(critic.DefaultSettings(), h.Settings()); d != "" {
		t.Errorf("a refused change left something: %s", d)
	}
	got, err := h.Apply(json.RawMessage(`{"model":"m","rubrics":{"chat":{"criteria":"Is it short?","scores":["1","2","3","4","5"]}}}`))
	if err != nil || got.Model != "m" || got.Rubrics["chat"].Criteria != "Is it short?" || got.Rubrics["coder"].Criteria == "" {
		t.Errorf("%+v %v", got, err)
	}
	got.Rubrics["chat"] = judge.Rubric{}
	if h.Settings().Rubrics["chat"].Criteria != "Is it short?" {
		t.Error("the settings are not a copy")
	}
	for name, s := range map[string]critic.Settings{"zero": {}, "no number": *with(func(s *critic.Settings) { s.Share = math.NaN() })} {
		if err := h.Set(s); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.Set(*with(func(s *critic.Settings) { s.Rubrics = nil })); err != nil {
		t.Error(err)
	}
	h.handle(answered("q", "A", "x"))
	if g := read[moothall.Critique](t, h.next()); g.Rubric != judge.DefaultRubric || g.Outcome != moothall.Graded {
		t.Errorf("%+v", g)
	}
}

// TestRubricRemoved takes rubrics away again: what the program brings for the
// kind of answer holds then, and where it brings none, the default.
func TestRubricRemoved(t *testing.T) {
	t.Parallel()
	h := open(t, fair, nil)
	apply := func(raw string) critic.Settings {
		t.Helper()
		s, err := h.Apply(json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const own = `{"criteria":"Is it short?","scores":["1","2","3","4","5"]}`
	s := apply(`{"share":0.5,"rubrics":{"chat":` + own + `,"poem":` + own + `,"default":` + own + `}}`)
	if s.Rubrics["chat"].Criteria != "Is it short?" || s.Rubrics["poem"].Criteria != "Is it short?" {
		t.Errorf("%+v", s.Rubrics)
	}
	want := critic.DefaultSettings()
	want.Share = 0.5
	if d := cmp.Diff(want, apply(`{"rubrics":{"chat":null,"poem":null,"default":null,"never there":null}}`)); d != "" {
		t.Error(d)
	}
	raw, err := json.Marshal(h.Settings())
	if err != nil {
		t.Fatal(err)
	}
	if p := schema.Check(critic.Schema(), raw); len(p) > 0 {
		t.Errorf("what is left does not fit the schema: %q", p)
	}
	for _, bad := range []string{`{"rubrics":{"chat":{}}}`, `{"rubrics":{"chat":""}}`, `{"rubrics":{"chat":{"criteria":"","scores":["","","","",""]}}}`} {
		if _, err := h.Apply(json.RawMessage(bad)); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
