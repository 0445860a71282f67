package orchestrator_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
)

var errCrash = errors.New("the machine has crashed")

// world is what a simulated hall lives in: chance, time and crashes.
type world struct {
	seed uint64

	mu      sync.Mutex
	rng     *rand.Rand
	crashAt int // steps until the next crash; 0: none
	down    bool
	crashed chan struct{}
	again   map[string]int // effects that a person allowed to be repeated
	asked   int            // steps with an open question
}

// tally is what a number of simulations went through: without crashes,
// questions and effects they would prove nothing.
type tally struct {
	mu                              sync.Mutex
	boots, asked, effects, repeated int
}

func (a *tally) add(w *world, boots int, l *ledger) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.boots += boots
	a.asked += w.asked
	for _, n := range l.effects {
		a.effects++
		a.repeated += n - 1
	}
}

func newWorld(seed uint64) *world {
	return &world{seed: seed, rng: rand.New(rand.NewPCG(seed, 7)), crashed: make(chan struct{}), again: map[string]int{}}
}

func (w *world) n(most int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rng.IntN(most)
}

// tick is one step of anything. The crash comes before the step; a dead
// machine takes no further ones.
func (w *world) tick(string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.down && w.crashAt > 0 {
		if w.crashAt--; w.crashAt == 0 {
			w.down = true
			close(w.crashed)
		}
	}
	if w.down {
		return errCrash
	}
	return nil
}

// boot lets the machine come up, with the next crash ahead or none.
func (w *world) boot(crash bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down, w.crashed, w.crashAt = false, make(chan struct{}), 0
	if crash {
		w.crashAt = 1 + w.rng.IntN(300)
	}
}

// fate is the same for the same word in one world.
func (w *world) fate(word string, most uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, w.seed, word)
	return h.Sum64() % most
}

// dag is a plan of n subtasks that depend on earlier ones.
func (w *world) dag(n int, prefix string) []plan.Subtask {
	rng := rand.New(rand.NewPCG(w.seed, uint64(n)))
	var out []plan.Subtask
	for i := range n {
		s := sub(fmt.Sprintf("%s%d", prefix, i), []moothall.AgentType{"assistant", "researcher", "coder", "sysadmin"}[rng.IntN(4)], fmt.Sprintf("do %s%d", prefix, i))
		for range rng.IntN(3) {
			if i > 0 {
				s.DependsOn = append(s.DependsOn, fmt.Sprintf("%s%d", prefix, rng.IntN(i)))
			}
		}
		out = append(out, s)
	}
	return out
}

// think is the model of the simulation. What it does depends on what it sees
// and on the seed, so that it is the same after a restart.
func (w *world) think(ctx context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
	if err := w.tick("model"); err != nil {
		return moottest.Reply{}, err
	}
	select {
	case <-time.After(time.Duration(w.n(5000)) * time.Millisecond):
	case <-ctx.Done():
		return moottest.Reply{}, ctx.Err()
	}
	text := transcript(r)
	switch {
	case isPlanner(r) && strings.Contains(text, "Some subtasks failed"):
		if w.fate("replan", 4) == 0 {
			return say("no plan at all")
		}
		if strings.Contains(text, `"replans":1`) {
			return say(planJSON(w.dag(3, "q")...))
		}
		return say(planJSON(w.dag(3, "r")...))
	case isPlanner(r):
		return say(planJSON(w.dag(50, "s")...))
	case isWriter(r):
		return say("It is done.")
	case strings.Contains(text, "You are a checking agent"):
		return say(good("It is right.", func(r *report.Report) { r.Quality = report.Verified }))
	}
	return w.agent(r, text)
}

// agent makes one call and reports, unless its fate is another.
func (w *world) agent(r moothall.GenerateRequest, text string) (moottest.Reply, error) {
	key := strings.TrimPrefix(taskOf(r), "do ")
	allowed := strings.Count(text, "may be made again")
	done := strings.Count(text, "written") + strings.Count(text, "[made before a restart]") + strings.Count(text, "do not make it again")
	fate := w.fate(key, 20)
	switch {
	case fate == 0:
		return say(good("", func(r *report.Report) { r.Status = report.Failed; why := "it cannot be done"; r.Reason = &why }))
	case fate == 1:
		return say("I would rather tell a story.")
	case fate == 2:
		return moottest.Reply{}, moothall.Fail(moothall.CodeUnavailable, "generate", "the model is not there")
	case fate < 15 && done == 0:
		if allowed > 0 {
			w.mu.Lock()
			w.again[key] = allowed
			w.mu.Unlock()
		}
		return call("write", fmt.Sprintf(`{"key":%q}`, key))
	case fate == 15:
		return say(good("Perhaps.", func(r *report.Report) { r.Quality = report.Uncertain }))
	}
	return say(good("Did " + key + "."))
}

// simulate runs one task through crashes to its end.
func simulate(t *testing.T, seed uint64, sum *tally) {
	w, slate, broker := newWorld(seed), newSlate(), newLedger()
	slate.tick, broker.tick = w.tick, w.tick
	brain := newBrain(w.think)
	parallel := 1 + int(seed%4)
	opt := orchestrator.Options{
		Model: brain, Broker: broker, Audit: moottest.NewAudit().For(moothall.Orchestrator),
		Settings: orchestrator.Settings{Parallel: parallel, TaskTokens: -1},
	}
	var id moothall.TaskID
	crashes, boot := int(seed%6), 0
	for ; ; boot++ {
		w.boot(boot < crashes)
		o, err := orchestrator.OpenOn(opt, slate)
		if err != nil {
			t.Fatal(err)
		}
		if id == "" {
			if task, err := o.Start(t.Context(), orchestrator.Goal{Session: "s", Text: longGoal}); err == nil {
				id = task.ID
			}
		} else if err := o.Recover(t.Context()); err != nil && !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		patience := time.Duration(0)
		if boot < crashes && boot%2 == 1 { // the hall may also be closed in good order
			patience = time.Duration(1+w.n(90)) * time.Second
		}
		over := id != "" && w.attend(t, o, id, patience)
		o.Close()
		broker.recover()
		if over {
			break
		}
		if boot > crashes+2 {
			t.Fatalf("seed %d: the task does not end", seed)
		}
	}
	slate.check(t, id)
	w.count(t, broker)
	sum.add(w, boot, broker)
	if t.Failed() {
		t.Fatalf("seed %d", seed)
	}
}

// attend is the person: answers questions, pauses, says things. It reports
// whether the task has ended.
func (w *world) attend(t *testing.T, o *orchestrator.Orchestrator, id moothall.TaskID, patience time.Duration) bool {
	ctx, cancel := context.WithCancel(t.Context())
	if patience > 0 {
		ctx, cancel = context.WithTimeout(ctx, patience)
	}
	defer cancel()
	crashed := w.crashed
	go func() { // its life is bound to ctx, and synctest waits for it
		select {
		case <-crashed:
			cancel()
		case <-ctx.Done():
		}
	}()
	for s, err := range o.Watch(ctx, id) {
		if err != nil {
			return false
		}
		if s.Task == nil {
			continue
		}
		if w.mayAsk(s.Task) {
			for _, v := range planIn(s.Task) {
				if v.State != "unknown_after_crash" {
					continue
				}
				said := []string{orchestrator.Retry, orchestrator.Accept, orchestrator.Skip}[w.n(3)]
				_, _ = o.Control(ctx, moothall.TaskControl{ID: id, Action: said, Words: v.ID})
			}
		}
		if s.Task.State == "paused" { // by a person whom the crash cut off
			_, _ = o.Control(ctx, moothall.TaskControl{ID: id, Action: orchestrator.Resume})
		}
		if w.n(1500) == 0 {
			_, _ = o.Control(ctx, moothall.TaskControl{ID: id, Action: orchestrator.Stop})
		}
		if w.n(100) == 0 {
			_, _ = o.Control(ctx, moothall.TaskControl{ID: id, Action: orchestrator.Pause})
			_, _ = o.Control(ctx, moothall.TaskControl{ID: id, Action: orchestrator.Steer, Words: "be quick"})
			_, _ = o.Control(ctx, moothall.TaskControl{ID: id, Action: orchestrator.Resume})
		}
		if s.Task.Result != nil {
			return true
		}
	}
	return false
}

// mayAsk saves the reading of plans without a question.
func (w *world) mayAsk(t *moothall.Task) bool {
	if !bytes.Contains(t.Plan, []byte("unknown_after_crash")) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	return true
}

// count looks whether anything was done twice that nobody allowed.
func (w *world) count(t *testing.T, l *ledger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, n := range l.effects {
		if n > 1+w.again[key] {
			t.Errorf("%s was done %d times, %d repetitions were allowed", key, n, w.again[key])
		}
	}
}

func TestSimulation(t *testing.T) {
	t.Parallel()
	seeds := uint64(1000)
	switch {
	case testing.Short():
		seeds = 60
	case moottest.Race:
		seeds = 400
	}
	const lanes = 4
	var sum tally
	t.Cleanup(func() {
		t.Logf("%d crashes, %d questions, %d effects, %d repeated with a person's yes", sum.boots, sum.asked, sum.effects, sum.repeated)
		if sum.boots == 0 || sum.effects == 0 || !testing.Short() && (sum.asked == 0 || sum.repeated == 0) {
			t.Error("the simulation went through too little")
		}
	})
	for lane := range uint64(lanes) {
		t.Run(fmt.Sprint(lane), func(t *testing.T) {
			t.Parallel()
			for seed := lane; seed < seeds && !t.Failed(); seed += lanes {
				synctest.Test(t, func(t *testing.T) { simulate(t, seed, &sum) })
			}
		})
	}
}
