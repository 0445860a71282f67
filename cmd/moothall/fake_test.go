package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"moothall"
	"moothall/internal/moottest"
)

// fakeHall is a client of fakes, with what a test wants to see said.
type fakeHall struct {
	*moottest.FakeFront
	report   moothall.Report
	replayed *moothall.Replayed
	asked    moothall.ReplayRequest
}

func (*fakeHall) Gateway() moothall.Gateway { return nil }
func (*fakeHall) Memory() moothall.Memory   { return nil }
func (*fakeHall) Broker() moothall.Broker   { return nil }
func (*fakeHall) Close() error              { return nil }

func (h *fakeHall) Report(_ context.Context, since time.Time) (moothall.Report, error) {
	h.report.Since = since
	return h.report, nil
}

func (h *fakeHall) Replay(ctx context.Context, r moothall.ReplayRequest) (moothall.Replayed, error) {
	h.asked = r
	if h.replayed != nil {
		return *h.replayed, nil
	}
	return h.FakeFront.Replay(ctx, r)
}

// ask makes a turn and returns its answer.
func (h *fakeHall) ask(t *testing.T, question string) (a moothall.Answer) {
	t.Helper()
	for step, err := range h.Query(t.Context(), moothall.QueryRequest{Query: question}) {
		if err != nil {
			t.Fatal(err)
		}
		if step.Answer != nil {
			a = *step.Answer
		}
	}
	return a
}

func newFakeHall() *fakeHall { return &fakeHall{FakeFront: moottest.NewFront()} }

// command runs a command line on the hall, as run does.
func (h *fakeHall) command(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	a := &app{
		in: strings.NewReader(""), out: &o, errs: &e, getenv: func(name string) string { return map[string]string{"MOOTHALL_TOKEN": "from the environment"}[name] },
		dial: func(context.Context, string) (moothall.Client, error) { return h, nil },
		reach: func(address, token string) (moothall.Client, error) {
			if address != "http://elsewhere" || token == "" {
				return nil, moothall.Fail(moothall.CodeInvalid, "address", address+" with "+token)
			}
			return h, nil
		},
	}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(&o)
	root.SetErr(&e)
	err := root.ExecuteContext(t.Context())
	if err != nil && !errors.Is(err, errSaid) {
		explain(&e, err)
	}
	return o.String(), e.String(), exitCode(err)
}

// wants runs a command and checks its exit code and what it says.
func (h *fakeHall) wants(t *testing.T, code int, says string, args ...string) string {
	t.Helper()
	out, errs, got := h.command(t, args...)
	if got != code || !strings.Contains(out+errs, says) {
		t.Errorf("moothall %s: exit code %d, want %d and %q\n%s%s", strings.Join(args, " "), got, code, says, out, errs)
	}
	return out
}

func parsed[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%v in %s", err, text)
	}
	return v
}

// take puts a part of what the last command said into a variable:
// take NAME PATTERN, where the pattern's first group is the part.
func take(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("%q is not in what was said", args[1])
	}
	ts.Setenv(args[0], m[1])
}
