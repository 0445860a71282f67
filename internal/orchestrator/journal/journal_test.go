package journal_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *journal.Journal {
	t.Helper()
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "moothall.db"), &store.Options{Migrations: []store.Set{journal.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return journal.New(db)
}

func task(id moothall.TaskID, state string) *journal.Task {
	now := time.UnixMilli(1_700_000_000_000).UTC()
	return &journal.Task{ID: id, Session: "s", Goal: "g", State: state, Created: now, Updated: now, Tokens: 7}
}

func subtask(id, state string) journal.Subtask {
	return journal.Subtask{Subtask: plan.Subtask{ID: id, Type: "coder", Task: "x", DependsOn: []string{}, Inputs: []string{}}, State: state}
}

func apply(t *testing.T, j *journal.Journal, c journal.Change) error {
	t.Helper()
	return j.Apply(t.Context(), c)
}

func TestWhatIsWrittenComesBack(t *testing.T) {
	t.Parallel()
	j := open(t)
	a, b := subtask("a", journal.SubDone), subtask("b", journal.SubReady)
	b.Place = 1
	if err := apply(t, j, journal.Change{ID: "t1", New: true, Task: task("t1", journal.Running), Subtasks: []journal.Subtask{b, a}}); err != nil {
		t.Fatal(err)
	}
	got, list, err := j.Load(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*task("t1", journal.Running), got) + cmp.Diff([]journal.Subtask{a, b}, list); diff != "" {
		t.Error(diff)
	}
	if err := apply(t, j, journal.Change{ID: "t1", New: true, Task: task("t1", journal.Running)}); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("a task twice: %v", err)
	}
	if _, _, err := j.Load(t.Context(), "t2"); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("no task: %v", err)
	}
}

func TestAnEndIsForEver(t *testing.T) {
	t.Parallel()
	ends := []string{journal.SubDone, journal.SubFailed, journal.SubCancelled}
	all := append([]string{journal.SubPending, journal.SubReady, journal.SubRunning, journal.SubUnknown}, ends...)
	for _, from := range ends {
		for _, to := range all {
			j := open(t)
			if err := apply(t, j, journal.Change{ID: "t", Task: task("t", journal.Running), Subtasks: []journal.Subtask{subtask("a", from)}}); err != nil {
				t.Fatal(err)
			}
			other := task("t", journal.Done)
			err := apply(t, j, journal.Change{ID: "t", Task: other, Subtasks: []journal.Subtask{subtask("a", to)}})
			if (err == nil) != (from == to) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
			row, list, _ := j.Load(t.Context(), "t")
			if list[0].State != from || (row.State == journal.Done) != (err == nil) {
				t.Errorf("from %s to %s: %s, and the task is %s", from, to, list[0].State, row.State)
			}
		}
	}
}

func TestWork(t *testing.T) {
	t.Parallel()
	j := open(t)
	if err := apply(t, j, journal.Change{ID: "t", Task: task("t", journal.Running), Subtasks: []journal.Subtask{subtask("a", journal.SubRunning)}}); err != nil {
		t.Fatal(err)
	}
	want := []journal.Work{
		{Begun: &moothall.ToolCall{ID: "1", Name: "x", Arguments: []byte(`{}`)}},
		{Ended: &journal.Outcome{Call: "1", Status: moothall.CallOK, Text: "y"}},
		{Round: &journal.Round{Messages: []moothall.Message{{Role: moothall.RoleTool, Content: "y", CallID: "1"}}}},
	}
	for _, w := range want {
		if err := j.Append(t.Context(), "t", "a", w); err != nil {
			t.Fatal(err)
		}
	}
	got, err := j.Work(t.Context(), "t", "a")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if err := apply(t, j, journal.Change{ID: "t", Clear: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Work(t.Context(), "t", "a"); err != nil || len(got) != 0 {
		t.Errorf("%d left, %v", len(got), err)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	j := open(t)
	for id, state := range map[moothall.TaskID]string{"t1": journal.Running, "t2": journal.Done, "t3": journal.Planned} {
		if err := apply(t, j, journal.Change{ID: id, Task: task(id, state)}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := j.List(t.Context(), false, 10)
	open, err2 := j.List(t.Context(), true, 10)
	if diff := cmp.Diff([]moothall.TaskID{"t3", "t2", "t1"}, all) + cmp.Diff([]moothall.TaskID{"t1", "t3"}, open); diff != "" || err != nil || err2 != nil {
		t.Error(diff, err, err2)
	}
	if n, err := j.Spent(t.Context(), "s"); n != 21 || err != nil {
		t.Errorf("%d tokens, %v", n, err)
	}
	for _, c := range []struct {
		session moothall.SessionID
		but     []moothall.TaskID
		want    int64
	}{{"other", nil, 0}, {"s", []moothall.TaskID{"t3", "t9"}, 2}, {"s", nil, 1}} {
		if n, err := j.Forget(t.Context(), c.session, c.but); n != c.want || err != nil {
			t.Errorf("%d of %s forgotten but %v, %v", n, c.session, c.but, err)
		}
	}
}
