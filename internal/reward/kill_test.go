package reward_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest/killtest"
	"moothall/internal/reward"
	"moothall/internal/store"
)

const kills = 20

// beKilled scores turns on a home, says what is done, and never ends by
// itself. What it publishes goes to a file, as it would to the bus.
func beKilled(args []string) error {
	ctx, dir, round := context.Background(), args[0], args[1]
	db, err := store.Open(ctx, filepath.Join(dir, "hall.db"), &store.Options{Migrations: []store.Set{reward.Migrations()}})
	if err != nil {
		return err
	}
	told, err := os.OpenFile(filepath.Join(dir, "told"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	k, err := reward.Open(ctx, reward.Options{DB: db, Publish: tellTo(told)})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for i := 0; ; i++ {
		q := fmt.Sprintf("%s-%d", round, i)
		for _, e := range killStory(q) {
			if err := k.Handle(ctx, e); err != nil {
				return err
			}
			fmt.Println("done", q, e.ID)
		}
	}
}

func killStory(q string) []moothall.Event {
	return []moothall.Event{
		feedback("f-"+q, 3, moothall.Feedback{Query: moothall.QueryID(q), Stars: 5}),
		answer(q, "A", "m", 1, time.Second), critique(q, "A", 2, 4),
	}
}

// tellTo writes each event in one go, so that a kill leaves whole lines.
func tellTo(f *os.File) func(context.Context, moothall.Event) error {
	return func(_ context.Context, e moothall.Event) error {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = f.Write(append(line, '\n'))
		return err
	}
}

// workAndKill lets a process work and kills it some time after some of its
// lines.
func workAndKill(t *testing.T, dir string, round, after int) []string {
	t.Helper()
	return killtest.Child{Args: []string{dir, fmt.Sprint(round)}, After: after, Pause: func() {
		// Somewhere in the middle of what comes next.
		for range rand.IntN(2000) {
			_, _ = os.Stat(dir)
		}
	}}.Run(t)
}

// TestKill kills a process at random points, again and again on one home.
// What was acknowledged is there, and every stored feedback has been told
// under one id and in one form.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	acked := map[string]bool{}
	for round := range kills {
		for _, id := range workAndKill(t, dir, round, rand.IntN(20)) {
			acked[id] = true
		}
	}
	db := openDB(t, filepath.Join(dir, "hall.db"))
	told, err := os.OpenFile(filepath.Join(dir, "told"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	k := openKeeper(t, reward.Options{DB: db, Publish: tellTo(told)})
	heard := readTold(t, dir)
	for id := range acked {
		q, event, _ := strings.Cut(id, " ")
		if strings.HasPrefix(event, "f-") && heard["reward-"+event] == nil {
			t.Errorf("%s was taken in and never told", event)
		}
		if !acked[q+" critique-"+q+"A"] {
			continue
		}
		got := judgements(t, k, moothall.JudgementQuery{Query: moothall.QueryID(q)})
		if len(got) != 1 || got[0].Critique == nil || got[0].Reward == nil || *got[0].Reward.Reward != 1 {
			t.Errorf("%s: %+v", q, got)
		}
	}
	// The bus gives out again what it does not know to be done.
	before := len(heard)
	for id := range acked {
		q, _, _ := strings.Cut(id, " ")
		handle(t, k, killStory(q)...)
	}
	turns := map[string]bool{}
	for id := range acked {
		q, _, _ := strings.Cut(id, " ")
		turns[q] = true
	}
	r := report(t, k)
	if m := r.Models[0]; m.Answers < len(turns) || m.Ratings < len(turns) || m.Reward != 1 || len(turns) == 0 {
		t.Errorf("%d turns: %+v", len(turns), m)
	}
	if after := len(readTold(t, dir)); after != before {
		t.Errorf("%d were told before, %d after the same came again", before, after)
	}
}

// readTold returns what was published by id; twice is fine, twice in two
// forms is not.
func readTold(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "told"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for line := range bytes.Lines(text) {
		var e moothall.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if was := out[string(e.ID)]; was != nil && !bytes.Equal(was, line) {
			t.Errorf("%s was told in two forms", e.ID)
		}
		out[string(e.ID)] = line
	}
	return out
}
