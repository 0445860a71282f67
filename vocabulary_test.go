package moothall_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"moothall"
)

func TestErrorCode(t *testing.T) {
	cause := errors.New("cause")
	wrapped := fmt.Errorf("outer: %w", &moothall.Error{Code: moothall.CodeDenied, Op: "open", Message: "no", Remedy: "ask", Err: cause})
	for _, c := range []struct {
		err  error
		want moothall.Code
	}{
		{nil, ""},
		{cause, moothall.CodeInternal},
		{wrapped, moothall.CodeDenied},
		{context.Canceled, moothall.CodeCanceled},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), moothall.CodeTimeout},
	} {
		if got := moothall.ErrorCode(c.err); got != c.want {
			t.Errorf("ErrorCode(%v) = %q, want %q", c.err, got, c.want)
		}
	}
	if !errors.Is(wrapped, cause) || !errors.Is(wrapped, &moothall.Error{Code: moothall.CodeDenied}) {
		t.Error("cause or code cannot be found in the chain")
	}
	if errors.Is(wrapped, &moothall.Error{Code: moothall.CodeInvalid}) {
		t.Error("another code matches")
	}
	if got := moothall.ErrorRemedy(wrapped); got != "ask" {
		t.Errorf("remedy = %q", got)
	}
	if got := wrapped.Error(); got != "outer: open: no: cause" {
		t.Errorf("text = %q", got)
	}
}

func TestSecretsAndHandlesNeverPrint(t *testing.T) {
	s := moothall.NewSecret([]byte("hunter2"))
	h := moothall.Handle("hunter2")
	type holder struct {
		S moothall.Secret
		H moothall.Handle
	}
	b, err := json.Marshal(map[string]any{"s": s})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "s", s, "h", h)
	for _, text := range []string{
		fmt.Sprint(s, h), fmt.Sprintf("%v %+v %#v %s", s, s, s, s), fmt.Sprintf("%+v %#v", holder{s, h}, holder{s, h}),
		string(b), log.String(),
	} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("the value shows: %s", text)
		}
	}
	if string(s.Reveal()) != "hunter2" {
		t.Error("Reveal does not give the value")
	}
}

func TestLabelRoundTrip(t *testing.T) {
	for l := moothall.Label(0); l <= moothall.Untrusted|moothall.Private; l++ {
		back, err := moothall.ParseLabel(l.String())
		if err != nil || back != l {
			t.Errorf("%q came back as %v, %v", l, back, err)
		}
	}
	if _, err := moothall.ParseLabel("untrusted,secret"); err == nil {
		t.Error("an unknown label was accepted")
	}
}

func TestSubjectsAreClosed(t *testing.T) {
	for _, c := range []struct {
		subject string
		known   bool
	}{
		{"query.received", true}, {"query", false}, {"query.received.x", false},
		{"tool.request", false}, {"tool.request.web_search", true},
		{"tool.request.a.b", false}, {"tool.request.*", false}, {"tool.request.", false}, {"", false},
	} {
		if _, ok := moothall.Subject(c.subject).Rule(); ok != c.known {
			t.Errorf("%q known = %v", c.subject, ok)
		}
	}
	seen := map[moothall.Subject]bool{}
	for _, r := range moothall.Subjects() {
		if seen[r.Subject] || len(r.Publishers) == 0 {
			t.Errorf("%s stands twice or has no publisher", r.Subject)
		}
		seen[r.Subject] = true
		for _, p := range r.Publishers {
			if !p.Known() {
				t.Errorf("%s: %s is no identity", r.Subject, p)
			}
		}
	}
}

func TestOnlyTheBrokerRequestsTools(t *testing.T) {
	for _, id := range moothall.Identities() {
		want := id == moothall.ToolBroker
		if got := id.MayPublish(moothall.SubjectToolRequest.Of("fs_read")); got != want {
			t.Errorf("%s may publish tool.request: %v", id, got)
		}
	}
}

func TestEventValidate(t *testing.T) {
	good, err := moothall.NewEvent(moothall.SubjectToolResult.Of("now"), map[string]string{"a": "b"})
	if err != nil {
		t.Fatal(err)
	}
	good.Sender = moothall.ToolBroker
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	if good.Type != "tool.result/1" {
		t.Errorf("type = %q", good.Type)
	}
	for name, spoil := range map[string]func(*moothall.Event){
		"id":      func(e *moothall.Event) { e.ID = "" },
		"long id": func(e *moothall.Event) { e.ID = moothall.EventID(strings.Repeat("x", 129)) },
		"subject": func(e *moothall.Event) { e.Subject = "made.up" },
		"type":    func(e *moothall.Event) { e.Type = "" },
		"time":    func(e *moothall.Event) { e.Time = time.Time{} },
		"sender":  func(e *moothall.Event) { e.Sender = "a b" },
		"payload": func(e *moothall.Event) { e.Payload = []byte("{") },
		"place":   func(e *moothall.Event) { e.Subject, e.Seq = moothall.SubjectResponseDelta, 4 },
	} {
		e := good
		spoil(&e)
		if moothall.ErrorCode(e.Validate()) != moothall.CodeInvalid {
			t.Errorf("bad %s passes", name)
		}
	}
	if e, err := moothall.NewEvent(moothall.SubjectHallState, "a < b && c"); err != nil || string(e.Payload) != `"a < b && c"` {
		t.Errorf("program text in a payload: %s, %v", e.Payload, err)
	}
	if _, err := moothall.NewEvent(moothall.SubjectHallState, func() {}); err == nil {
		t.Error("a payload that is not JSON was accepted")
	}
}

func TestAuditEntryValidate(t *testing.T) {
	good := moothall.AuditEntry{Action: moothall.ActionHallStart, Status: moothall.StatusOK}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]moothall.AuditEntry{
		"action":  {Status: moothall.StatusOK},
		"status":  {Action: moothall.ActionHallStart},
		"note":    {Action: "a", Status: "b", Note: strings.Repeat("n", 201)},
		"lineage": {Action: "a", Status: "b", Scope: moothall.Scope{Lineage: make(moothall.Lineage, 33)}},
	} {
		if moothall.ErrorCode(e.Validate()) != moothall.CodeInvalid {
			t.Errorf("bad %s passes", name)
		}
	}
}
