package daemon_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
)

// judgedConfig has everything on that listens to answers: respondent B, the
// critic, the keeper of the score and the memory.
func judgedConfig() daemon.Config {
	c := graded(config())
	c.Chat.RespondentB.Enabled, c.Chat.RespondentB.Temperature = true, 1
	return c
}

// talking opens a judged hall and asks in several sessions until it is
// killed, saying which answers it was given.
func talking(args []string) error {
	ctx := context.Background()
	hall, err := daemon.Open(ctx, daemon.Options{Home: home(args[0]), Config: judgedConfig()})
	if err != nil {
		return err
	}
	if err := hall.Serve(ctx); err != nil {
		return err
	}
	client, err := daemon.Connect(ctx, home(args[0]), judgedConfig(), "test", nil)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	var wg sync.WaitGroup
	var mu sync.Mutex
	failed := make(chan error, 4)
	for i := range 2 {
		wg.Go(func() {
			for n := 0; ; n++ {
				r := moothall.QueryRequest{Session: moothall.SessionID(fmt.Sprint("talk-", i)), Query: fmt.Sprintf("What is %d plus %d?", n, i+2), Unattended: true}
				for s, err := range client.Query(ctx, r) {
					if err != nil {
						failed <- err
						return
					}
					if s.Answer != nil {
						mu.Lock()
						fmt.Println("answer", s.Answer.Query)
						mu.Unlock()
					}
				}
			}
		})
	}
	return <-failed
}

// TestKillWithObservers kills a hall at random moments of turns with all
// observers on, before its first answer and after one to three, so that a slow
// machine has something to lose too. In the end each answered turn has one engram of A, at most one
// of B, at most one grade of each and one comparison; no answer is lost, and
// what was cut off is marked and can be asked again.
func TestKillWithObservers(t *testing.T) {
	t.Parallel()
	points := 100
	if testing.Short() || moottest.Race { // the race detector sees only this process
		points = 10
	}
	dir := t.TempDir()
	answered := map[moothall.QueryID]bool{}
	for round := range points {
		maps.Copy(answered, talkAndKill(t, dir, round%4, time.Duration(rand.IntN(120))*time.Millisecond))
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	if len(answered) == 0 {
		t.Fatal("no question was ever answered")
	}
	checkJudged(t, dir, answered)
}

// talkAndKill runs the part and kills it some time after it is ready and has
// given so many answers.
func talkAndKill(t *testing.T, dir string, answers int, pause time.Duration) map[moothall.QueryID]bool {
	t.Helper()
	cmd := child(t, "talking", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	got := map[moothall.QueryID]bool{}
	for lines := bufio.NewScanner(out); lines.Scan(); { // "ready" and the answers, a line each
		if id, ok := strings.CutPrefix(lines.Text(), "answer "); ok {
			got[moothall.QueryID(id)] = true
		}
		if len(got) == answers {
			time.AfterFunc(pause, func() { cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.Exited() {
		t.Errorf("the hall ended by itself: %v", err)
	}
	return got
}

// checkJudged opens the home a last time, lets the observers do what is left,
// and counts.
func checkJudged(t *testing.T, dir string, answered map[moothall.QueryID]bool) {
	t.Helper()
	serve(t, home(dir), judgedConfig())
	client, err := daemon.Connect(t.Context(), home(dir), judgedConfig(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	turns := turnsOf(t, client)
	for id := range answered {
		if turn, ok := turns[id]; !ok || turn.State != "done" || len(turn.Answers) == 0 {
			t.Errorf("answer %s was given and is lost: %+v", id, turn)
		}
	}
	var interrupted moothall.QueryID
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(100 * time.Millisecond) {
		missing := 0
		engrams := engramsOf(t, client)
		for id, turn := range turns {
			if turn.State == "interrupted" {
				interrupted = id
			}
			n := engrams[string(id)+" A"]
			if turn.State == "done" && strings.TrimSpace(turn.Answers[0].Text) != "" && n == 0 {
				missing++
			}
			if n > 1 || engrams[string(id)+" B"] > 1 {
				t.Fatalf("turn %s has %d engrams of A and %d of B", id, n, engrams[string(id)+" B"])
			}
		}
		if missing == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d turns have no engram", missing, len(turns))
		}
	}
	hears(t, client, "a grade", func([]moothall.Event) bool { return true }, moothall.SubjectCritiqueResult)
	checkOnce(t, client)
	t.Logf("%d turns, %d answers seen, %d engrams", len(turns), len(answered), len(engramsOf(t, client)))
	if interrupted != "" {
		for s, err := range client.Query(t.Context(), moothall.QueryRequest{Retry: interrupted, Unattended: true}) {
			if err != nil || s.Answer != nil && s.Answer.Text == "" {
				t.Errorf("an interrupted turn cannot be asked again: %+v, %v", s.Answer, err)
			}
		}
	}
}

func turnsOf(t *testing.T, c moothall.Client) map[moothall.QueryID]moothall.Turn {
	t.Helper()
	out := map[moothall.QueryID]moothall.Turn{}
	list, err := c.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		d, err := c.Session(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range d.Asked {
			out[turn.Query] = turn
		}
	}
	return out
}

func engramsOf(t *testing.T, c moothall.Client) map[string]int {
	t.Helper()
	out := map[string]int{}
	for e, err := range c.Memory().List(t.Context(), moothall.MemoryList{Kinds: []moothall.MemoryKind{moothall.Engram}, Limit: 100_000}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Turn != nil {
			out[string(e.Turn.Query)+" "+string(e.Turn.Respondent)]++
		}
	}
	return out
}

// checkOnce looks through the record of the bus: what the judges said of one
// answer has one id, however often it was told.
func checkOnce(t *testing.T, c moothall.Client) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ids := map[string][]moothall.EventID{}
	subjects := []moothall.Subject{moothall.SubjectCritiqueResult, moothall.SubjectPairwiseResult, moothall.SubjectResponseGeneration}
	for e, err := range c.Events(ctx, moothall.EventQuery{Subjects: subjects, Replay: true, Mark: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Subject == "" {
			break
		}
		key := fmt.Sprint(e.Subject, " ", e.Query, " ", e.Respondent)
		if !slices.Contains(ids[key], e.ID) {
			ids[key] = append(ids[key], e.ID)
		}
	}
	grades := 0
	for key, list := range ids {
		if len(list) > 1 {
			t.Errorf("%s was told under %d ids: %v", key, len(list), list)
		}
		if strings.HasPrefix(key, string(moothall.SubjectCritiqueResult)) {
			grades++
		}
	}
	if grades == 0 {
		t.Error("nothing was ever graded")
	}
}
