//go:build integration

package chroma_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/chroma"
	"moothall/internal/moottest"
)

// address returns where the server is that make integration started.
func address(t *testing.T) string {
	t.Helper()
	url := os.Getenv("MOOTHALL_TEST_CHROMA")
	if url == "" {
		t.Fatal("MOOTHALL_TEST_CHROMA does not say where the Chroma server is: run make integration")
	}
	return url
}

// real runs a test against the real server.
func real(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("real", func(t *testing.T) { t.Parallel(); test(t, address(t)) })
}

func TestNearest(t *testing.T) {
	t.Parallel()
	e := open(t, address(t), rand.Text())
	if _, err := e.Apply(t.Context(), &memory.Change{Put: []*memory.Record{record("a", 1), record("b", -2), record("c", 5)}}); err != nil {
		t.Fatal(err)
	}
	got, err := e.Nearest(t.Context(), "m", "name", []float32{-1, 0, 0}, 2)
	if err != nil || len(got) != 2 || got[0].N != 2 || got[0].Score != 2 || got[1].N != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := e.Nearest(t.Context(), "m", "other", []float32{-1, 0, 0}, 2); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("an unknown field: %v", err)
	}
}

// TestKilledServer kills a server again and again while it is written to: what
// was acknowledged is there, and nothing is there by halves.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	program := os.Getenv("MOOTHALL_TEST_CHROMA_PROGRAM")
	if program == "" {
		t.Fatal("MOOTHALL_TEST_CHROMA_PROGRAM does not say what starts a Chroma server: run make integration")
	}
	folder, hall, acknowledged := t.TempDir(), rand.Text(), int64(0)
	for round := range 3 {
		url, kill := start(t, program, folder)
		e, err := chroma.Open(t.Context(), chroma.Options{URL: url, Hall: hall, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		records, _, err := e.Count(t.Context())
		if err != nil || records < 2*acknowledged || records > 2*acknowledged+2 || records%2 != 0 {
			t.Fatalf("round %d: %d records, %v; %d pairs were acknowledged", round, records, err, acknowledged)
		}
		acknowledged = records / 2
		timer := time.AfterFunc(time.Duration(300+200*round)*time.Millisecond, kill)
		for {
			c := memory.Change{Put: []*memory.Record{record(fmt.Sprint("a", acknowledged), 1), record(fmt.Sprint("b", acknowledged), 2)}}
			if _, err := e.Apply(t.Context(), &c); err != nil {
				if moothall.ErrorCode(err) != moothall.CodeUnavailable {
					t.Errorf("round %d: %v", round, err)
				}
				break
			}
			acknowledged++
		}
		timer.Stop()
		kill()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if acknowledged == 0 {
		t.Error("nothing was written")
	}
}

// start starts a server; kill may be called more than once.
func start(t *testing.T, program, folder string) (url string, kill func()) {
	t.Helper()
	port := strconv.Itoa(moottest.Port(t))
	cmd := exec.CommandContext(t.Context(), program, "run", "--path", folder, "--host", "127.0.0.1", "--port", port)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	kill = func() { _ = cmd.Process.Kill(); <-ended }
	t.Cleanup(kill)
	url = "http://127.0.0.1:" + port
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		resp, err := client.Get(url + "/api/v2/heartbeat")
		if err == nil {
			resp.Body.Close()
			return url, kill
		}
	}
	t.Fatal("the server does not start")
	return "", nil
}
