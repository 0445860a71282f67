package committee_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/committee"
)

// shuffled is a cast whose members take their time, by a seed. One fails, one
// searches.
func shuffled(seed uint64, names []string) *cast {
	r := rand.New(rand.NewPCG(seed, 1))
	scripts := map[string][]line{}
	wait := func() time.Duration { return time.Duration(1+r.IntN(1000)) * time.Millisecond }
	for i, n := range names {
		for round := range 3 {
			said := line{text: fmt.Sprintf("%s says %d.\nPosition: %s\nCaution: none", n, round+1, []string{"for", "against"}[i%2]), takes: wait()}
			switch {
			case i == 1 && round == 1:
				said = line{err: moothall.Fail(moothall.CodeUnavailable, "generate", "it broke"), takes: wait()}
			case i == 2:
				scripts[n] = append(scripts[n], line{call: `{"query":"the sea"}`, takes: wait()})
			}
			scripts[n] = append(scripts[n], said)
		}
	}
	scripts[theSelf] = []line{{text: "Anna, Ben and Cleo and Dora and Emil differ.", takes: wait()}}
	return newCast(scripts)
}

// record is all of an outcome that is kept, and all that was asked, without
// times.
func record(t *testing.T, tb *table, o *committee.Outcome) string {
	t.Helper()
	o.Usage.Total, o.Usage.FirstToken = 0, 0
	for role, u := range o.ByRole {
		u.Total, u.FirstToken = 0, 0
		o.ByRole[role] = u
	}
	for i := range o.Deliberations {
		d := &o.Deliberations[i]
		d.Usage.Total, d.Usage.FirstToken = 0, 0
	}
	var ends []moothall.Deliberation
	for _, d := range tb.told {
		if d.Status != "thinking" {
			d.Usage.Total, d.Usage.FirstToken = 0, 0
			ends = append(ends, d)
		}
	}
	asked := map[string][]string{}
	for who, list := range tb.cast.requests {
		for i := range list {
			asked[who] = append(asked[who], tb.cast.prompt(t, who, i))
		}
	}
	b, err := json.MarshalIndent(map[string]any{
		"answer": o.Answer, "deliberations": o.Deliberations, "calls": o.Calls, "flags": o.Flags, "labels": o.Labels,
		"usage": o.Usage, "by_role": o.ByRole, "told": ends, "asked": asked, "messages": o.Messages, "stop": o.Stop,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// How many run at once, and who is quick, changes nothing in the record and
// nothing in what anybody was asked.
func TestSameRecordWhateverTheOrder(t *testing.T) {
	t.Parallel()
	names := []string{"Anna", "Ben", "Cleo", "Dora", "Emil"}
	want := ""
	for seed := range uint64(24) {
		for _, parallel := range []int{1, 2, 5} {
			synctest.Test(t, func(t *testing.T) {
				tb := open(shuffled(seed, names), newDesk(true), committee.Settings{Parallel: parallel}, names...)
				o, _ := tb.ask(t, t.Context(), committee.Question{Rounds: 3})
				if got := list(o.Deliberations); got != "Anna1done Ben1done Cleo1done Dora1done Emil1done "+
					"Anna2done Ben2failed Cleo2done Dora2done Emil2done Anna3done Cleo3done Dora3done Emil3done" {
					t.Fatal(got)
				}
				got := record(t, tb, o)
				if want == "" {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("seed %d, %d at once:\n%s", seed, parallel, diff)
				}
			})
		}
	}
}

func TestParallel(t *testing.T) {
	t.Parallel()
	for parallel, want := range map[int]time.Duration{0: 5 * time.Second, 2: 3 * time.Second, 4: 2 * time.Second, 99: 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			scripts := map[string][]line{}
			for _, n := range []string{"Anna", "Ben", "Cleo", "Dora", theSelf} {
				scripts[n] = []line{{text: n, takes: time.Second}}
			}
			began := time.Now()
			open(newCast(scripts), nil, committee.Settings{Parallel: parallel}, "Anna", "Ben", "Cleo", "Dora").ask(t, t.Context(), committee.Question{Rounds: 1})
			if took := time.Since(began); took != want {
				t.Errorf("%d at once took %v", parallel, took)
			}
		})
	}
}

// One committee serves several people at once.
func TestSeveralQuestions(t *testing.T) {
	t.Parallel()
	c := committee.New(committee.Options{Model: newCast(nil), Broker: newDesk(false), Voices: voices("Anna", "Ben"), Settings: committee.Settings{Parallel: 2}})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			o, err := c.Deliberate(t.Context(), committee.Question{Text: "?"}, nil)
			if err != nil || list(o.Deliberations) != "Anna1done Ben1done Anna2done Ben2done" || o.Usage.Calls != 5 {
				t.Errorf("%v %+v", err, o)
			}
		})
	}
	wg.Wait()
}

// With SeesRound a voice hears those before it.
func TestSeesRound(t *testing.T) {
	t.Parallel()
	c := newCast(nil)
	open(c, newDesk(false), committee.Settings{SeesRound: true, Parallel: 4}, "Anna", "Ben").ask(t, t.Context(), committee.Question{Rounds: 1})
	lack(t, c.prompt(t, "Anna", 0), "so far")
	contain(t, c.prompt(t, "Ben", 0), "Anna, round 1:\n| I am Anna.")
}

// A question that is stopped keeps what was said, begins nothing more, and
// ends at once.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, parallel := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			c := newCast(map[string][]line{
				"Anna": {{text: "Done in time."}},
				"Ben":  {{text: "I had only beg", hang: true}},
				"Cleo": {{text: "Too", hang: true}},
			})
			tb := open(c, newDesk(false), committee.Settings{Parallel: parallel}, "Anna", "Ben", "Cleo")
			time.AfterFunc(time.Second, cancel)
			began := time.Now()
			o, _ := tb.ask(t, ctx, committee.Question{})
			if time.Since(began) != time.Second {
				t.Errorf("it took %v", time.Since(began))
			}
			want := "Anna1done Ben1failed"
			if parallel == 3 {
				want += " Cleo1failed"
			}
			if got := list(o.Deliberations); got != want {
				t.Errorf("%d at once: %s", parallel, got)
			}
			if o.Stop != moothall.StopCanceled || o.Err != nil || o.Answer != "" || !o.Partial || o.Deliberations[1].Response != "I had only beg" {
				t.Errorf("%+v", o)
			}
			if len(c.requests[theSelf]) != 0 {
				t.Error("the Self was asked")
			}
		})
	}
}

// A Self that is stopped leaves what it had said.
func TestCancelSelf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tb := open(newCast(map[string][]line{theSelf: {{text: "I would", hang: true}}}), newDesk(false), committee.Settings{}, "Anna")
		time.AfterFunc(time.Second, cancel)
		o, _ := tb.ask(t, ctx, committee.Question{Rounds: 1})
		if o.Stop != moothall.StopCanceled || o.Answer != "I would" || len(o.Deliberations) != 1 || len(o.Flags) != 0 || !strings.Contains(o.Messages[1].Content, "[interrupted]") {
			t.Errorf("%+v", o)
		}
	})
}
