package daemon_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// calls is a model's reply that calls one tool.
func calls(tool, arguments string) ollamatest.Reply {
	return ollamatest.Reply{Calls: []ollamatest.Call{
		{ID: "c-" + tool, Function: ollamatest.Function{Name: tool, Arguments: json.RawMessage(arguments)}},
	}}
}

// says is a model's reply that ends a turn.
func says(text string) ollamatest.Reply { return ollamatest.Reply{Text: text} }

// shell is a call of run_code, which is of high risk.
func shell(script string) ollamatest.Reply { return calls("run_code", shellArguments(script)) }

func shellArguments(script string) string {
	b, _ := json.Marshal(map[string]string{"language": "shell", "code": script}) // strings alone: cannot fail
	return string(b)
}

// scripted serves a hall whose model says what the test wrote down.
func scripted(t *testing.T, h daemon.Home, c daemon.Config) (*daemon.Hall, *ollamatest.Server) {
	t.Helper()
	model := ollamatest.New(t, ollamatest.Options{})
	c.Models.Ollama.URL = model.URL
	return serve(t, h, c), model
}

// query asks over HTTP and waits for the whole answer.
func query(t *testing.T, hall *daemon.Hall, body string) moothall.Answer {
	t.Helper()
	resp := post(t, hall.URL()+"/query", body)
	var a moothall.Answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", body, resp.Status, err)
	}
	return a
}

// steps is a turn as it streams.
type steps struct {
	t     *testing.T
	lines *bufio.Scanner
}

// follow asks over HTTP and follows the turn.
func follow(t *testing.T, hall *daemon.Hall, body string) *steps {
	t.Helper()
	resp := post(t, hall.URL()+"/query", body, "Accept: text/event-stream")
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", body, resp.Status)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	return &steps{t, lines}
}

// next waits for a step of a kind; others may come before it.
func (s *steps) next(kind string) moothall.Step {
	s.t.Helper()
	for s.lines.Scan() {
		data, ok := strings.CutPrefix(s.lines.Text(), "data: ")
		if !ok {
			continue
		}
		var step moothall.Step
		if err := json.Unmarshal([]byte(data), &step); err != nil {
			s.t.Fatal(err)
		}
		if step.Kind == kind {
			return step
		}
	}
	s.t.Fatalf("the turn ended without %s: %v", kind, s.lines.Err())
	return moothall.Step{}
}

// only returns the one call of an answer. A machine without a sandbox cannot
// run code, and says so.
func only(t *testing.T, a moothall.Answer) moothall.CalledTool {
	t.Helper()
	if len(a.Tools) != 1 {
		t.Fatalf("%d calls: %+v", len(a.Tools), a)
	}
	if c := a.Tools[0]; c.Status == moothall.CallUnavailable && strings.Contains(c.Result, "sandbox") {
		moottest.Cannot(t, "code is not run on this machine: "+c.Result)
	}
	return a.Tools[0]
}
