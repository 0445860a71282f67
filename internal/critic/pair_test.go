package critic_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/critic"
)

// pairing returns the one comparison that was told.
func (h *hall) pairing() (moothall.Pairing, bool) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []moothall.Event
	for _, e := range h.told {
		if e.Subject == moothall.SubjectPairwiseResult {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return moothall.Pairing{}, false
	}
	if len(out) > 1 || out[0].ID != "pairwise-q" || out[0].Respondent != "" || out[0].Correlation != "e-q-A" {
		h.t.Errorf("%+v", out)
	}
	return read[moothall.Pairing](h.t, out[0]), true
}

func TestPairwise(t *testing.T) {
	t.Parallel()
	biased := func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
		if isPair(r) {
			return "Feedback: The first. [RESULT] A", nil
		}
		return fair(ctx, r)
	}
	a, b := answered("q", "A", "It is 330 m. GOOD"), answered("q", "B", "No idea.")
	better := answered("q", "B", "GOOD too")
	worse := answered("q", "A", "No idea.")
	for name, c := range map[string]struct {
		say     func(context.Context, moothall.GenerateRequest) (string, error)
		events  []moothall.Event
		outcome string
		winner  moothall.RespondentID
		orders  []moothall.RespondentID
	}{
		"A wins":         {fair, []moothall.Event{a, b}, moothall.Graded, "A", []moothall.RespondentID{"A", "A"}},
		"B wins":         {fair, []moothall.Event{worse, better}, moothall.Graded, "B", []moothall.RespondentID{"B", "B"}},
		"B comes first":  {fair, []moothall.Event{b, a}, moothall.Graded, "A", []moothall.RespondentID{"A", "A"}},
		"events twice":   {fair, []moothall.Event{b, a, a, b}, moothall.Graded, "A", []moothall.RespondentID{"A", "A"}},
		"order bias":     {biased, []moothall.Event{a, b}, moothall.Tied, "tie", []moothall.RespondentID{"A", "B"}},
		"the same words": {fair, []moothall.Event{worse, b}, moothall.Tied, "tie", nil},
	} {
		for _, expect := range []bool{true, false} { // two answers that are there are compared in any case
			synctest.Test(t, func(t *testing.T) {
				h := open(t, c.say, func(o *critic.Options) { o.Expect = func(moothall.QueryID) bool { return expect } })
				h.handle(c.events...)
				synctest.Wait()
				got, ok := h.pairing()
				if !ok || got.Outcome != c.outcome || got.Winner != c.winner || !slices.Equal(got.Orders, c.orders) || got.Session != "s-1" || got.Query != "q" {
					t.Errorf("%s: %v %+v", name, ok, got)
				}
				if all := h.events(); len(all) != 3 {
					t.Errorf("%s: %q", name, all)
				}
			})
		}
	}
}

func TestBIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, func(o *critic.Options) { o.Expect = expecting(true) })
		h.handle(answered("q", "A", "GOOD"))
		time.Sleep(59 * time.Second)
		synctest.Wait()
		if s := h.stats(); s.Waiting != 1 || len(h.events()) != 1 {
			t.Errorf("%+v %q", s, h.events())
		}
		h.handle(answered("q", "B", "POOR"))
		synctest.Wait()
		if got, ok := h.pairing(); !ok || got.Winner != "A" {
			t.Errorf("%v %+v", ok, got)
		}
	})
}

func TestBNeverComesOrTooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, func(o *critic.Options) { o.Expect = expecting(true) })
		h.handle(answered("q", "A", "GOOD"))
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if s := h.stats(); s.Waiting != 0 || s.Alone != 1 || s.Pending != 0 {
			t.Errorf("%+v", s)
		}
		h.handle(answered("q", "B", "POOR"))
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := h.events(); !slices.Equal(got, []string{"critique-q-A", "critique-q-B"}) {
			t.Errorf("%q", got)
		}
	})
}

func TestNobodyWaitsForWhoWasNotAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, nil)
		h.handle(answered("q", "A", "GOOD"))
		synctest.Wait()
		if s := h.stats(); s.Waiting != 0 || s.Alone != 0 || s.Graded != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// B is in no committee and works at no task: nobody waits for it there.
func TestNobodyWaitsForBWhereItDoesNotAnswer(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*moothall.Answer){
		"committee": func(a *moothall.Answer) { a.Deliberations = []moothall.Deliberation{{Persona: "one"}} },
		"task":      func(a *moothall.Answer) { a.Task = "t" },
	} {
		synctest.Test(t, func(t *testing.T) {
			h := open(t, fair, func(o *critic.Options) { o.Expect = expecting(true) })
			e := answered("q", "A", "GOOD")
			a := read[moothall.Answer](t, e)
			change(&a)
			e.Payload, _ = json.Marshal(a)
			h.handle(e)
			synctest.Wait()
			if s := h.stats(); s.Waiting != 0 || s.Alone != 0 || s.Graded != 1 {
				t.Errorf("%s: %+v", name, s)
			}
		})
	}
}

func TestPairwiseOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, func(o *critic.Options) {
			o.Expect, o.Settings = expecting(true), with(func(s *critic.Settings) { s.Pairwise = false })
		})
		h.handle(answered("q", "A", "GOOD"), answered("q", "B", "POOR"))
		synctest.Wait()
		if got := strings.Join(h.events(), " "); got != "critique-q-A critique-q-B" {
			t.Error(got)
		}
	})
}

// TestWaitingBeginsAnewAfterRestart: B's answer may lie in the bus.
func TestWaitingBeginsAnewAfterRestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, func(o *critic.Options) { o.Expect = expecting(true) })
		h.handle(answered("q", "A", "GOOD"))
		synctest.Wait()
		h.Close()
		time.Sleep(time.Hour)
		h.start()
		time.Sleep(30 * time.Second)
		h.handle(answered("q", "B", "POOR"))
		synctest.Wait()
		if got, ok := h.pairing(); !ok || got.Winner != "A" {
			t.Errorf("%v %+v", ok, got)
		}
	})
}
