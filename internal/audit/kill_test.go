package audit_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/audit"
)

// childAppend appends from eight goroutines until it is killed, and says
// after each acknowledgement which call got which index.
func childAppend() {
	l, err := audit.Open(os.Getenv("AUDIT_TEST_DIR"), &audit.Options{HeadEvery: 5})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			face := l.For(moothall.ToolBroker)
			for i := 0; ; i++ {
				call := moothall.CallID(moothall.NewID())
				e := moothall.AuditEntry{
					Action: moothall.ActionToolCall, Status: moothall.StatusIntent, Call: call,
					Relaxed: w%4 == 0, Params: []byte(call),
				}
				if i%20 == 19 {
					e.Action, e.Status = moothall.ActionRunEnd, moothall.StatusOK
				}
				n, err := face.Append(context.Background(), e)
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(4)
				}
				mu.Lock()
				fmt.Fprintf(os.Stdout, "%d %s\n", n, call)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// killRound lets a child run until it has acknowledged this many entries,
// kills it, and returns all that it acknowledged.
func killRound(t *testing.T, dir string, acks int) map[uint64]string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=append", "AUDIT_TEST_DIR="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	got := map[uint64]string{}
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadString('\n') // after the kill: what is in the pipe
		if err != nil {
			break
		}
		var n uint64
		var call string
		if _, err := fmt.Sscanf(line, "%d %s", &n, &call); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got[n] = call
		if acks--; acks == 0 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return got
}

func TestKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	acked := map[uint64]string{}
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	for range rounds {
		for n, call := range killRound(t, dir, 1+rand.IntN(300)) {
			if was, ok := acked[n]; ok {
				t.Fatalf("index %d acknowledged twice, for %s and %s", n, was, call)
			}
			acked[n] = call
		}
		mustBeOK(t, dir)
		es := entries(t, dir)
		for n, call := range acked {
			if n >= uint64(len(es)) || string(es[n].Call) != call {
				t.Fatalf("acknowledged entry %d of call %s is lost", n, call)
			}
		}
	}
	openLog(t, dir, nil).Close()
	r := mustBeOK(t, dir)
	if r.Signed != r.Entries || len(acked) < rounds {
		t.Errorf("%d of %d signed, %d acknowledged", r.Signed, r.Entries, len(acked))
	}
	t.Logf("%d rounds, %d entries, %d acknowledged, %d heads", rounds, r.Entries, len(acked), r.Heads)
}
