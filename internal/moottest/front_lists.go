package moottest

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"moothall"
)

// publish adds an event; the lock is held.
func (f *FakeFront) publish(s moothall.Subject, from moothall.Identity, a moothall.Answer) {
	f.events = append(f.events, moothall.Event{
		ID: moothall.EventID(moothall.NewID()), Subject: s, Type: string(s) + "/1", Time: time.Now().UTC(), Sender: from,
		Session: a.Session, Query: a.Query, Payload: json.RawMessage(`{}`), Seq: uint64(len(f.events) + 1),
	})
	close(f.news)
	f.news = make(chan struct{})
}

// Events streams what is published.
func (f *FakeFront) Events(ctx context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return func(yield func(moothall.Event, error) bool) {
		at, mark := f.start(q), q.Mark
		for {
			list, news := f.after(at)
			for _, e := range list {
				at++
				if chosen(e, q) && !yield(e, nil) {
					return
				}
			}
			if mark && !yield(moothall.Event{Time: time.Now().UTC(), Seq: uint64(at)}, nil) {
				return
			}
			mark = false
			select {
			case <-ctx.Done():
				yield(moothall.Event{}, ctx.Err())
				return
			case <-news:
			}
		}
	}
}

// start is how many events the query skips.
func (f *FakeFront) start(q moothall.EventQuery) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case q.After != "":
		return 1 + slices.IndexFunc(f.events, func(e moothall.Event) bool { return e.ID == q.After })
	case q.AfterSeq > 0:
		return min(int(q.AfterSeq), len(f.events))
	case q.Replay:
		return 0
	}
	return len(f.events)
}

func (f *FakeFront) after(at int) ([]moothall.Event, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := slices.Clone(f.events[at:])
	for i := range list {
		list[i].Payload = bytes.Clone(list[i].Payload)
	}
	return list, f.news
}

func chosen(e moothall.Event, q moothall.EventQuery) bool {
	if q.Session != "" && q.Session != e.Session {
		return false
	}
	return len(q.Subjects) == 0 || slices.ContainsFunc(q.Subjects, func(s moothall.Subject) bool {
		return e.Subject == s || strings.HasPrefix(string(e.Subject), string(s)+".")
	})
}

// Sessions lists conversations, newest first.
func (f *FakeFront) Sessions(ctx context.Context) ([]moothall.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []moothall.Session
	for _, s := range slices.Backward(f.sessions) {
		out = append(out, s.Session)
	}
	return out, ctx.Err()
}

// Session returns one conversation.
func (f *FakeFront) Session(ctx context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	if err := ctx.Err(); err != nil {
		return moothall.SessionDetail{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.session(id)
	if err != nil {
		return moothall.SessionDetail{}, err
	}
	out := *s
	out.Messages, out.Tokens = slices.Clone(s.Messages), maps.Clone(s.Tokens)
	return out, nil
}

// ChangeSession renames or deletes one.
func (f *FakeFront) ChangeSession(ctx context.Context, c moothall.SessionChange) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.session(c.ID)
	if err != nil {
		return err
	}
	if c.Delete {
		f.sessions = slices.DeleteFunc(f.sessions, func(o *moothall.SessionDetail) bool { return o == s })
		return nil
	}
	if c.Title == "" {
		return moothall.Fail(moothall.CodeInvalid, "change session", "the title is empty")
	}
	s.Title = c.Title
	return nil
}

// Tasks lists tasks, or the one named.
func (f *FakeFront) Tasks(ctx context.Context, id moothall.TaskID) ([]moothall.Task, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if id == "" {
		return slices.Clone(f.tasks), nil
	}
	i, err := f.task(id)
	if err != nil {
		return nil, err
	}
	return []moothall.Task{f.tasks[i]}, nil
}

// task finds a task; the lock is held.
func (f *FakeFront) task(id moothall.TaskID) (int, error) {
	i := slices.IndexFunc(f.tasks, func(t moothall.Task) bool { return t.ID == id })
	if i < 0 {
		return 0, moothall.Fail(moothall.CodeNotFound, "task", "there is no task "+string(id))
	}
	return i, nil
}

// ControlTask sets a task's state.
func (f *FakeFront) ControlTask(ctx context.Context, c moothall.TaskControl) (moothall.Task, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Task{}, err
	}
	states := map[string]string{"pause": "paused", "resume": "running", "approve": "running", "stop": "stopped", "words": "running"}
	f.mu.Lock()
	defer f.mu.Unlock()
	i, err := f.task(c.ID)
	if err != nil {
		return moothall.Task{}, err
	}
	state, ok := states[c.Action]
	if !ok {
		return moothall.Task{}, moothall.Fail(moothall.CodeInvalid, "control task", "there is no action "+c.Action)
	}
	f.tasks[i].State, f.tasks[i].Updated = state, time.Now().UTC()
	return f.tasks[i], nil
}

// Participants lists the one participant.
func (f *FakeFront) Participants(ctx context.Context) ([]moothall.Participant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.participants)
	for i := range out {
		out[i].Schema, out[i].Settings = bytes.Clone(out[i].Schema), bytes.Clone(out[i].Settings)
	}
	return out, ctx.Err()
}

// Configure replaces settings.
func (f *FakeFront) Configure(ctx context.Context, name string, settings json.RawMessage) (moothall.Participant, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Participant{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.participants, func(p moothall.Participant) bool { return p.Name == name })
	if i < 0 {
		return moothall.Participant{}, moothall.Fail(moothall.CodeNotFound, "configure", "there is no participant "+name)
	}
	if !json.Valid(settings) {
		return moothall.Participant{}, moothall.Fail(moothall.CodeInvalid, "configure", "the settings are not JSON")
	}
	f.participants[i].Settings = bytes.Clone(settings)
	p := f.participants[i]
	p.Settings = bytes.Clone(settings)
	return p, nil
}
