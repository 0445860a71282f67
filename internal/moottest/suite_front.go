package moottest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
)

// FrontFixture is what [TestFront] needs.
type FrontFixture struct {
	Front moothall.Front // without sessions
	Query string         // a question that is answered
	Want  string         // a part of the answer
	Wait  string         // a question that is worked on until stopped; empty skips that
	Task  moothall.TaskID
	// Participant has settings that Settings may replace; empty skips that.
	Participant string
	Settings    json.RawMessage
}

// TestFront checks a front.
func TestFront(t *testing.T, open func(t *testing.T) FrontFixture) {
	suite(t, open, map[string]func(*testing.T, FrontFixture){
		"health":               frontHealth,
		"a turn":               frontTurn,
		"a second turn":        frontSecond,
		"bad questions":        frontInvalid,
		"breaking out":         frontBreak,
		"stopping":             frontStop,
		"staying":              frontStay,
		"examining":            frontExamine,
		"exports":              frontExport,
		"canceled caller":      frontCanceled,
		"feedback":             frontFeedback,
		"judgements":           frontJudgements,
		"replay":               frontReplay,
		"events":               frontEvents,
		"events after a mark":  frontMark,
		"sessions":             frontSessions,
		"tasks":                frontTasks,
		"participants":         frontParticipants,
		"backup":               frontBackup,
		"backup to a bad disk": frontBadDisk,
	})
}

// turn asks and returns the final answer and the text that streamed.
func (f FrontFixture) turn(t *testing.T, r moothall.QueryRequest) (moothall.Answer, string) {
	t.Helper()
	steps := must(t, f.Front.Query(t.Context(), r))
	if len(steps) == 0 {
		t.Fatal("no steps")
	}
	last := steps[len(steps)-1]
	if last.Kind != "final" || last.Answer == nil {
		t.Fatalf("the last step is %+v, want the answer", last)
	}
	var deltas strings.Builder
	for _, s := range steps[:len(steps)-1] {
		if s.Kind == "final" {
			t.Error("a final step before the end")
		}
		if s.Kind == "delta" {
			deltas.WriteString(s.Text)
		}
	}
	return *last.Answer, deltas.String()
}

func frontHealth(t *testing.T, f FrontFixture) {
	h, err := f.Front.Health(t.Context())
	wantCode(t, err, "")
	if h.Status != "ok" && h.Status != "degraded" || h.Version == "" || h.Since.IsZero() {
		t.Errorf("health is %+v", h)
	}
}

func frontTurn(t *testing.T, f FrontFixture) {
	a, streamed := f.turn(t, moothall.QueryRequest{Query: f.Query})
	if !strings.Contains(a.Text, f.Want) || a.Query == "" || a.Session == "" || a.Stop != moothall.StopDone {
		t.Errorf("the answer is %+v", a)
	}
	if streamed != "" && !strings.Contains(a.Text, streamed) {
		t.Errorf("streamed %q, answered %q", streamed, a.Text)
	}
}

func frontSecond(t *testing.T, f FrontFixture) {
	one, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	two, _ := f.turn(t, moothall.QueryRequest{Query: f.Query, Session: one.Session})
	if two.Session != one.Session || two.Query == one.Query {
		t.Errorf("turns %s/%s and %s/%s", one.Session, one.Query, two.Session, two.Query)
	}
	d, err := f.Front.Session(t.Context(), one.Session)
	wantCode(t, err, "")
	if d.Turns != 2 || len(d.Messages) < 4 {
		t.Errorf("the session has %d turns and %d messages", d.Turns, len(d.Messages))
	}
}

func frontInvalid(t *testing.T, f FrontFixture) {
	wantQuiet(t, f.Front.Query(t.Context(), moothall.QueryRequest{}), moothall.CodeInvalid)
	wantQuiet(t, f.Front.Query(t.Context(), moothall.QueryRequest{Query: f.Query, Session: "no-such-session"}), moothall.CodeNotFound)
}

func frontBreak(t *testing.T, f FrontFixture) {
	breakAfterOne(t, f.Front.Query(t.Context(), moothall.QueryRequest{Query: f.Query}))
	f.turn(t, moothall.QueryRequest{Query: f.Query})
}

func frontStop(t *testing.T, f FrontFixture) {
	wantCode(t, f.Front.Stop(t.Context(), "no-such-query"), moothall.CodeNotFound)
	if f.Wait == "" {
		t.Skip("no question to wait on")
	}
	stopped := false
	var last moothall.Step
	for s, err := range f.Front.Query(t.Context(), moothall.QueryRequest{Query: f.Wait}) {
		wantCode(t, err, "")
		last = s
		if !stopped {
			stopped = true
			wantCode(t, f.Front.Stop(t.Context(), f.received(t)), "")
		}
	}
	if last.Answer == nil || last.Answer.Stop != moothall.StopCanceled {
		t.Errorf("the last step of a stopped query is %+v", last)
	}
}

// frontStay asks and leaves: the question is worked on until it is stopped.
func frontStay(t *testing.T, f FrontFixture) {
	if f.Wait == "" {
		t.Skip("no question to wait on")
	}
	breakAfterOne(t, f.Front.Query(t.Context(), moothall.QueryRequest{Query: f.Wait, Stay: true}))
	wantCode(t, f.Front.Stop(t.Context(), f.received(t)), "")
}

func frontExamine(t *testing.T, f FrontFixture) {
	_, err := f.Front.Examine(t.Context(), "no-such-part")
	wantCode(t, err, moothall.CodeInvalid)
	found, err := f.Front.Examine(t.Context(), moothall.PartAll)
	wantCode(t, err, "")
	for _, x := range found.Findings {
		if x.Check == "" || x.Detail == "" || !slices.Contains([]string{"ok", "info", "warn", "fail"}, x.Status) {
			t.Errorf("a finding is %+v", x)
		}
	}
	keyring, err := f.Front.Examine(t.Context(), moothall.PartKeyring)
	wantCode(t, err, "")
	search, err := f.Front.Examine(t.Context(), moothall.PartSearch)
	wantCode(t, err, "")
	if len(found.Findings) == 0 || keyring.Keyring == nil || len(search.Engines) == 0 {
		t.Errorf("findings %v, keyring %v, engines %v", found, keyring, search)
	}
	_, err = f.Front.Preview(t.Context(), "no-such-question")
	wantCode(t, err, moothall.CodeNotFound)
}

func frontExport(t *testing.T, f FrontFixture) {
	wantCode(t, f.Front.Export(t.Context(), "no-such-export", &bytes.Buffer{}), moothall.CodeInvalid)
	for _, what := range []string{moothall.ExportMemories, moothall.ExportGraph, moothall.ExportGraphML} {
		var out bytes.Buffer
		wantCode(t, f.Front.Export(t.Context(), what, &out), "")
		if what != moothall.ExportMemories && out.Len() == 0 {
			t.Errorf("the export %s is empty", what)
		}
	}
}

// received returns the query that the hall received first.
func (f FrontFixture) received(t *testing.T) moothall.QueryID {
	t.Helper()
	q := moothall.EventQuery{Subjects: []moothall.Subject{moothall.SubjectQueryReceived}, Replay: true}
	for e, err := range f.Front.Events(t.Context(), q) {
		wantCode(t, err, "")
		return e.Query
	}
	t.Fatal("the events ended")
	return ""
}

func frontCanceled(t *testing.T, f FrontFixture) {
	wantQuiet(t, f.Front.Query(canceled(t), moothall.QueryRequest{Query: f.Query}), moothall.CodeCanceled)
	if f.Wait == "" {
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failed error
	for _, err := range f.Front.Query(ctx, moothall.QueryRequest{Query: f.Wait}) {
		failed = err
		cancel()
	}
	wantCode(t, failed, moothall.CodeCanceled)
}

func frontFeedback(t *testing.T, f FrontFixture) {
	a, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	wantCode(t, f.Front.Feedback(t.Context(), moothall.Feedback{Query: a.Query, Respondent: a.Respondent, Thumbs: 1, Comment: "good"}), "")
	wantCode(t, f.Front.Feedback(t.Context(), moothall.Feedback{Query: a.Query, Stars: 6}), moothall.CodeInvalid)
	wantCode(t, f.Front.Feedback(t.Context(), moothall.Feedback{Query: "no-such-query", Thumbs: 1}), moothall.CodeNotFound)
}

func frontJudgements(t *testing.T, f FrontFixture) {
	a, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	b, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	wantCode(t, f.Front.Feedback(t.Context(), moothall.Feedback{Query: a.Query, Thumbs: 1}), "")
	ctx := t.Context()
	var got []moothall.Judgement
	eventually(t, "the judgement shows what the person said", func() bool {
		var err error
		got, err = f.Front.Judgements(ctx, moothall.JudgementQuery{Query: a.Query})
		return err == nil && len(got) == 1 && got[0].Reward != nil
	})
	if j := got[0]; j.Answer != a.Text || j.Session != a.Session || *j.Reward.Reward <= 0 || j.Reward.Feedback.Thumbs != 1 {
		t.Errorf("judgement: %+v", j)
	}
	list, err := f.Front.Judgements(ctx, moothall.JudgementQuery{Session: b.Session})
	if err != nil || len(list) != 1 || list[0].Query != b.Query {
		t.Errorf("judgements of a session: %+v, %v", list, err)
	}
	r, err := f.Front.Report(ctx, time.Time{})
	if err != nil || r.Answers < 2 || len(r.Models) == 0 {
		t.Errorf("report: %+v, %v", r, err)
	}
}

func frontReplay(t *testing.T, f FrontFixture) {
	a, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	got, err := f.Front.Replay(t.Context(), moothall.ReplayRequest{Query: a.Query})
	if err != nil || !got.Same || got.Again.Text != a.Text || got.Recorded.Text != a.Text {
		t.Errorf("replay: %+v, %v", got, err)
	}
	_, err = f.Front.Replay(t.Context(), moothall.ReplayRequest{Query: "no-such-query"})
	wantCode(t, err, moothall.CodeNotFound)
}

func frontEvents(t *testing.T, f FrontFixture) {
	a, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []moothall.Event
	var failed error
	subjects := []moothall.Subject{moothall.SubjectQueryReceived, moothall.SubjectAnswerDialog}
	for e, err := range f.Front.Events(ctx, moothall.EventQuery{Subjects: subjects, Session: a.Session, Replay: true}) {
		if failed = err; err != nil {
			continue
		}
		got = append(got, e)
		if len(got) == 2 {
			cancel()
		}
	}
	if failed != nil {
		wantCode(t, failed, moothall.CodeCanceled)
	}
	if len(got) != 2 || got[0].Subject != subjects[0] || got[1].Subject != subjects[1] || got[0].Query != a.Query || got[0].Seq >= got[1].Seq {
		t.Fatalf("the events are %+v", got)
	}
	for e, err := range f.Front.Events(t.Context(), moothall.EventQuery{Subjects: subjects, AfterSeq: got[0].Seq}) {
		wantCode(t, err, "")
		if e.ID != got[1].ID {
			t.Errorf("after the first event comes %+v", e)
		}
		break
	}
}

// frontMark asks once the mark is seen; the question must not be missed.
func frontMark(t *testing.T, f FrontFixture) {
	old, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	for _, replay := range []bool{false, true} {
		var asked moothall.QueryID
		var seen []moothall.QueryID
		q := moothall.EventQuery{Subjects: []moothall.Subject{moothall.SubjectQueryReceived}, Replay: replay, Mark: true}
		for e, err := range f.Front.Events(t.Context(), q) {
			wantCode(t, err, "")
			if e.Subject == "" {
				if asked != "" || e.Seq == 0 {
					t.Errorf("replay %v: a second mark, or one without a place: %+v", replay, e)
				}
				a, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
				asked = a.Query
				continue
			}
			if seen = append(seen, e.Query); e.Query == asked {
				break
			}
		}
		if asked == "" || slices.Contains(seen, old.Query) != replay {
			t.Errorf("replay %v: saw %v, the mark: %v", replay, seen, asked != "")
		}
	}
}

func frontSessions(t *testing.T, f FrontFixture) {
	one, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	two, _ := f.turn(t, moothall.QueryRequest{Query: f.Query})
	wantCode(t, f.Front.ChangeSession(t.Context(), moothall.SessionChange{ID: two.Session, Title: "Renamed"}), "")
	list, err := f.Front.Sessions(t.Context())
	wantCode(t, err, "")
	if len(list) != 2 || list[0].ID != two.Session || list[0].Title != "Renamed" || list[1].ID != one.Session {
		t.Fatalf("the sessions are %+v, want the newest first", list)
	}
	wantCode(t, f.Front.ChangeSession(t.Context(), moothall.SessionChange{ID: one.Session, Delete: true}), "")
	_, err = f.Front.Session(t.Context(), one.Session)
	wantCode(t, err, moothall.CodeNotFound)
	wantCode(t, f.Front.ChangeSession(t.Context(), moothall.SessionChange{ID: one.Session, Title: "x"}), moothall.CodeNotFound)
}

func frontTasks(t *testing.T, f FrontFixture) {
	_, err := f.Front.Tasks(t.Context(), "no-such-task")
	wantCode(t, err, moothall.CodeNotFound)
	if f.Task == "" {
		t.Skip("no task")
	}
	list, err := f.Front.Tasks(t.Context(), f.Task)
	wantCode(t, err, "")
	if len(list) != 1 || list[0].ID != f.Task {
		t.Fatalf("asked for one task, got %+v", list)
	}
	got, err := f.Front.ControlTask(t.Context(), moothall.TaskControl{ID: f.Task, Action: "pause"})
	wantCode(t, err, "")
	if got.ID != f.Task || got.State == list[0].State {
		t.Errorf("paused, the task is %+v", got)
	}
	_, err = f.Front.ControlTask(t.Context(), moothall.TaskControl{ID: f.Task, Action: "no such action"})
	wantCode(t, err, moothall.CodeInvalid)
}

func frontParticipants(t *testing.T, f FrontFixture) {
	_, err := f.Front.Configure(t.Context(), "no-such-participant", json.RawMessage(`{}`))
	wantCode(t, err, moothall.CodeNotFound)
	if f.Participant == "" {
		t.Skip("nothing to configure")
	}
	got, err := f.Front.Configure(t.Context(), f.Participant, f.Settings)
	wantCode(t, err, "")
	if !sameJSON(got.Settings, string(f.Settings)) {
		t.Errorf("configured as %s", got.Settings)
	}
	list, err := f.Front.Participants(t.Context())
	wantCode(t, err, "")
	i := slices.IndexFunc(list, func(p moothall.Participant) bool { return p.Name == f.Participant })
	if i < 0 || !sameJSON(list[i].Settings, string(f.Settings)) {
		t.Errorf("listed as %+v", list)
	}
	_, err = f.Front.Configure(t.Context(), f.Participant, json.RawMessage(`not JSON`))
	wantCode(t, err, moothall.CodeInvalid)
}

func frontBackup(t *testing.T, f FrontFixture) {
	var b bytes.Buffer
	wantCode(t, f.Front.Backup(t.Context(), &b), "")
	if b.Len() == 0 {
		t.Error("the backup is empty")
	}
	wantCode(t, f.Front.Backup(canceled(t), &b), moothall.CodeCanceled)
}

// badDisk is a writer that fails.
type badDisk struct{ err error }

func (d badDisk) Write([]byte) (int, error) { return 0, d.err }

func frontBadDisk(t *testing.T, f FrontFixture) {
	want := errors.New("the disk is on fire")
	if err := f.Front.Backup(t.Context(), badDisk{want}); !errors.Is(err, want) {
		t.Errorf("got %v, want the writer's error", err)
	}
	if _, err := f.Front.Health(t.Context()); err != nil {
		t.Errorf("after a failed backup: %v", err)
	}
}
