package daemon_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
)

// kills is how often the hall is killed; each time it goes on in the same home.
const kills = 50

// parts are what the test binary can play in another process.
func parts() map[string]func([]string) error {
	all := map[string]func([]string) error{"work": work, "answering": answering, "talking": talking, "tasking": tasking}
	maps.Copy(all, systemParts())
	return all
}

// work opens a hall and keeps publishing and appending, saying what was
// acknowledged, until it is killed.
func work(args []string) error {
	hall, err := openChild(args[0])
	if err != nil {
		return err
	}
	ctx := context.Background()
	record, err := hall.Audit(moothall.ToolBroker)
	if err != nil {
		return err
	}
	var mu sync.Mutex // one line at a time
	say := func(kind, id string, place uint64) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf("%s %s %d\n", kind, id, place)
	}
	var wg sync.WaitGroup
	fail := make(chan error, 8)
	for range 2 {
		wg.Go(func() {
			for {
				e, _ := moothall.NewEvent(moothall.SubjectHallState, map[string]string{"state": "working"})
				seq, err := hall.Publish(ctx, moothall.Hall, e)
				if err != nil {
					fail <- err
					return
				}
				say("event", string(e.ID), seq)
			}
		})
		wg.Go(func() {
			for {
				call := moothall.CallID(moothall.NewID())
				n, err := record.Append(ctx, moothall.AuditEntry{Action: moothall.ActionToolCall, Status: moothall.StatusOK, Call: call})
				if err != nil {
					fail <- err
					return
				}
				say("entry", string(call), n)
			}
		})
	}
	return <-fail
}

// acked is one thing that the hall said was safe.
type acked struct {
	kind, id string
	place    uint64
}

// TestKill kills a working hall at random moments, again and again on one
// home. Everything that was acknowledged must be there at the end, in its
// place, and the record must verify.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all []acked
	for round := range kills {
		// Some rounds die while starting, the others after some work.
		var pause time.Duration
		if round%5 != 0 {
			pause = time.Duration(rand.IntN(60)) * time.Millisecond
		}
		got, err := workAndKill(t, dir, round%5 == 0, pause)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		all = append(all, got...)
	}
	checkAcked(t, dir, all)
}

// workAndKill runs the part and kills it: during its start, or some time
// after its first acknowledgements, so that a slow disk has something to lose
// too.
func workAndKill(t *testing.T, dir string, early bool, pause time.Duration) ([]acked, error) {
	cmd := child(t, "work", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if early {
		time.AfterFunc(time.Duration(rand.IntN(80))*time.Millisecond, func() { cmd.Process.Kill() })
	}
	got, err := readAcked(out, func() {
		if !early {
			time.AfterFunc(pause, func() { cmd.Process.Kill() })
		}
	})
	if err != nil {
		return nil, err
	}
	err = cmd.Wait()
	if cmd.ProcessState.Exited() {
		return nil, fmt.Errorf("the hall ended by itself: %w", err)
	}
	return got, nil
}

// readAcked reads what work said and calls working when that is two things of
// each kind. A last line without its end was cut off.
func readAcked(r io.Reader, working func()) ([]acked, error) {
	var got []acked
	seen := map[string]int{}
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		var a acked
		if _, err := fmt.Sscanf(line, "%s %s %d", &a.kind, &a.id, &a.place); err != nil {
			return got, fmt.Errorf("%q: %w", line, err)
		}
		got = append(got, a)
		if seen[a.kind]++; seen[a.kind] == 2 && min(seen["event"], seen["entry"]) == 2 {
			working()
		}
	}
}

func checkAcked(t *testing.T, dir string, all []acked) {
	t.Helper()
	events, lines, err := missing(dir, all)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d kills; %d events and %d entries acknowledged", kills, events, lines)
	if events < kills || lines < kills {
		t.Errorf("only %d events and %d entries: the test did not test much", events, lines)
	}
}

// missing opens the home again and looks for everything acknowledged, each in
// its place, and for a record that verifies.
func missing(dir string, all []acked) (events, entries int, err error) {
	ctx := context.Background()
	hall, err := openChild(dir)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, hall.Shutdown()) }()
	record := map[uint64]moothall.CallID{}
	for e, err := range daemon.ShowAudit(ctx, home(dir), daemon.AuditFilter{}, false) {
		if err != nil {
			return 0, 0, err
		}
		record[e.Index] = e.Call
	}
	for _, a := range all {
		if a.kind == "event" {
			events++
			if e, atErr := hall.At(ctx, a.place); atErr != nil || string(e.ID) != a.id {
				err = errors.Join(err, fmt.Errorf("event %s is not at %d: %q, %w", a.id, a.place, e.ID, atErr))
			}
			continue
		}
		entries++
		if string(record[a.place]) != a.id {
			err = errors.Join(err, fmt.Errorf("entry %s is not at %d", a.id, a.place))
		}
	}
	report, verifyErr := daemon.VerifyAudit(ctx, home(dir), nil, "")
	if verifyErr != nil || !report.OK {
		err = errors.Join(err, fmt.Errorf("the record does not verify: %+v, %w", report.Findings, verifyErr))
	}
	return events, entries, err
}
