package critic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/critic"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// turns is how many questions the process that is killed has to judge.
const turns = 12

// stepsVar says after how many steps the process kills itself, which hits
// also what lies between two writes.
const stepsVar = "CRITIC_TEST_STEPS"

// beKilled judges the same turns in every life and ends when all is told, or
// before. What it publishes is appended to a file.
func beKilled(dir string) error {
	ctx := context.Background()
	steps, err := strconv.Atoi(os.Getenv(stepsVar))
	if err != nil {
		return err
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	var step atomic.Int64
	at := func() {
		if step.Add(1) == int64(steps) {
			_ = self.Kill()
			select {}
		}
	}
	db, err := store.Open(ctx, filepath.Join(dir, "hall.db"), &store.Options{Migrations: []store.Set{critic.Migrations()}})
	if err != nil {
		return err
	}
	out, err := openTold(filepath.Join(dir, "told"))
	if err != nil {
		return err
	}
	c, err := critic.Open(ctx, critic.Options{
		DB: db, Audit: moottest.NewAudit().For(moothall.Critic), Expect: expecting(true), Attempts: 1000, Workers: 2,
		Model: model{say: func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
			at()
			text, err := fair(ctx, r)
			at()
			// No two judgements are the same, so that one that is made twice is seen.
			return "Feedback: " + moothall.NewID() + text[len("Feedback:"):], err
		}},
		Publish: func(_ context.Context, e moothall.Event) error {
			line, err := json.Marshal(e)
			if err != nil {
				return err
			}
			at()
			_, err = out.Write(append(line, '\n'))
			at()
			return err
		},
	})
	if err != nil {
		return err
	}
	for i := range turns {
		q := fmt.Sprintf("q-%d", i)
		for _, e := range []moothall.Event{answered(q, "A", "GOOD"), answered(q, "B", "POOR")} {
			if err := c.Handle(ctx, e); err != nil {
				return err
			}
			at()
		}
	}
	tick := time.NewTicker(5 * time.Millisecond) // who waits is another process
	for {
		s, err := c.Stats(ctx)
		if err != nil {
			return err
		}
		if s.Pending+s.Waiting == 0 {
			return nil
		}
		<-tick.C
	}
}

// openTold opens the file that stands for the bus. A line that a kill cut off
// in the middle was not told: a bus has no half messages.
func openTold(path string) (*os.File, error) {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(out)
	if err != nil {
		return nil, err
	}
	return out, out.Truncate(int64(bytes.LastIndexByte(raw, '\n') + 1))
}

// live runs the process, which ends itself after so many steps; 0 lets it
// live. It reports whether all was done.
func live(t *testing.T, dir string, steps int) (done bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childVar+"="+dir, fmt.Sprintf("%s=%d", stepsVar, steps))
	cmd.Stderr = os.Stderr
	err = cmd.Run()
	if err != nil && (steps == 0 || cmd.ProcessState.Exited()) {
		t.Fatal(err) // it was not killed, it failed
	}
	return err == nil
}

func TestKilled(t *testing.T) {
	t.Parallel()
	dir, kills, again := t.TempDir(), 0, 0
	for kills < 20 {
		if !live(t, dir, 1+rand.IntN(4*turns)) {
			kills++
			continue
		}
		again += checkTold(t, dir)
		dir = t.TempDir() // all was done: begin anew
	}
	if !live(t, dir, 0) {
		t.Fatal("not all was done")
	}
	again += checkTold(t, dir)
	t.Logf("%d kills; %d results were told again with the same bytes", kills, again)
}

// checkTold finds exactly one result of every job, and returns how many were
// told more than once.
func checkTold(t *testing.T, dir string) (again int) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "told"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[moothall.EventID][]byte{}
	for line := range bytes.Lines(raw) {
		e := moothall.Event{}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if was, ok := told[e.ID]; ok {
			again++
			if !bytes.Equal(was, line) {
				t.Errorf("two results of one job:\n%s%s", was, line)
			}
		}
		told[e.ID] = bytes.Clone(line)
	}
	for i := range turns {
		for _, id := range []string{"critique-q-%d-A", "critique-q-%d-B", "pairwise-q-%d"} {
			if _, ok := told[moothall.EventID(fmt.Sprintf(id, i))]; !ok {
				t.Errorf(id+" was lost", i)
			}
		}
	}
	if len(told) != 3*turns {
		t.Errorf("%d results", len(told))
	}
	return again
}
