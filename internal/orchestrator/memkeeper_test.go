package orchestrator_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/journal"
)

// slate is a journal in memory. What it holds survives a crash of the
// orchestrator, as a file does.
type slate struct {
	mu    sync.Mutex
	tasks map[moothall.TaskID]journal.Task
	order []moothall.TaskID
	subs  map[moothall.TaskID][]journal.Subtask
	work  map[string][]journal.Work
	ends  map[string]int // how often a subtask came to an end
	wrong []string
	tick  func(step string) error
}

var _ orchestrator.Keeper = (*slate)(nil)

func newSlate() *slate {
	return &slate{
		tasks: map[moothall.TaskID]journal.Task{}, subs: map[moothall.TaskID][]journal.Subtask{}, work: map[string][]journal.Work{},
		ends: map[string]int{}, tick: func(string) error { return nil },
	}
}

// clone cuts every tie to what the orchestrator has in memory.
func clone[T any](v T) T {
	var out T
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

func (s *slate) Apply(_ context.Context, c journal.Change) error {
	if err := s.tick("apply"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.tasks[c.ID]; !there {
		s.order = append(s.order, c.ID)
	}
	if c.Task != nil {
		s.tasks[c.ID] = clone(*c.Task)
	}
	for _, n := range c.Subtasks {
		s.put(c.ID, clone(n))
	}
	for _, id := range c.Clear {
		delete(s.work, string(c.ID)+id)
	}
	return nil
}

func (s *slate) put(task moothall.TaskID, n journal.Subtask) {
	i := slices.IndexFunc(s.subs[task], func(o journal.Subtask) bool { return o.ID == n.ID })
	if i < 0 {
		s.subs[task] = append(s.subs[task], n)
		return
	}
	old := s.subs[task][i]
	if journal.SubEnded(old.State) && old.State != n.State {
		s.wrong = append(s.wrong, n.ID+" went from "+old.State+" to "+n.State)
	}
	if !journal.SubEnded(old.State) && journal.SubEnded(n.State) {
		s.ends[n.ID]++
	}
	s.subs[task][i] = n
}

func (s *slate) Append(_ context.Context, task moothall.TaskID, id string, w journal.Work) error {
	if err := s.tick("append"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.work[string(task)+id] = append(s.work[string(task)+id], clone(w))
	return nil
}

func (s *slate) Work(_ context.Context, task moothall.TaskID, id string) ([]journal.Work, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.work[string(task)+id]), nil
}

func (s *slate) Load(_ context.Context, id moothall.TaskID) (journal.Task, []journal.Subtask, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tasks[id]
	if !ok {
		return t, nil, moothall.Fail(moothall.CodeNotFound, "task", "there is none")
	}
	return clone(t), clone(s.subs[id]), nil
}

func (s *slate) List(_ context.Context, open bool, _ int) ([]moothall.TaskID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.order), func(id moothall.TaskID) bool { return open && journal.Ended(s.tasks[id].State) }), nil
}

func (s *slate) Spent(context.Context, moothall.SessionID) (int, error) {
	return 0, nil
}
func (s *slate) Forget(context.Context, moothall.SessionID, []moothall.TaskID) (int64, error) {
	return 0, nil
}

// check holds what a finished task left against what must be.
func (s *slate) check(t testing.TB, id moothall.TaskID) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.wrong {
		t.Error(w)
	}
	if !journal.Ended(s.tasks[id].State) {
		t.Errorf("the task is %s", s.tasks[id].State)
	}
	for _, n := range s.subs[id] {
		if !journal.SubEnded(n.State) {
			t.Errorf("%s is %s", n.ID, n.State)
		}
		if s.ends[n.ID] != 1 {
			t.Errorf("%s came to an end %d times", n.ID, s.ends[n.ID])
		}
		if len(s.work[string(id)+n.ID]) > 0 {
			t.Errorf("%s has left its work", n.ID)
		}
	}
}
