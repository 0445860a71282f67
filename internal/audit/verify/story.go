package verify

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"moothall"
)

// story follows what entries say about each other: effects begun and ended,
// starts and stops, recoveries. Nothing in it makes a log not OK.
type story struct {
	intents map[moothall.CallID]intent
	started int64 // index of the last hall.start without its stop, or -1
	kept    map[string]bool
	found   []Finding
}

// intent counts the effects begun under one call id: a call may pass through
// several services, each with an intent of its own.
type intent struct {
	index  uint64
	action moothall.AuditAction
	open   int
}

func newStory() story {
	return story{intents: map[moothall.CallID]intent{}, kept: map[string]bool{}, started: -1}
}

func (s *story) take(e *Entry) {
	switch e.Action {
	case moothall.ActionHallStart:
		if s.started >= 0 {
			s.tell(Info, s.started, "the hall that started here did not stop in order")
		}
		s.started = int64(e.Index)
	case moothall.ActionHallStop:
		s.started = -1
	case moothall.ActionRecovered:
		_, file, _ := strings.Cut(e.Note, "kept in ")
		s.kept[file] = true
		s.tell(Warning, int64(e.Index), "recovered after a crash: "+e.Note)
	}
	if e.Call != "" {
		s.takeCall(e)
	}
}

func (s *story) takeCall(e *Entry) {
	was := s.intents[e.Call]
	switch {
	case e.Status == moothall.StatusIntent:
		if was.open == 0 {
			was.index, was.action = e.Index, e.Action
		}
		was.open++
		s.intents[e.Call] = was
	case e.Status == moothall.StatusAsked: // a question is no outcome
	case was.open > 1:
		was.open--
		s.intents[e.Call] = was
	case was.open == 1:
		delete(s.intents, e.Call)
	}
}

func (s *story) tell(severity Severity, index int64, what string) {
	s.found = append(s.found, Finding{Severity: severity, Where: fmt.Sprintf("entry %d", index), What: what})
}

// summarise adds to the report what the entries add up to.
func (c *checker) summarise(limit int) {
	s := &c.story
	c.report.Findings = append(c.report.Findings, s.found...)
	if s.started >= 0 {
		c.report.add(Info, "", fmt.Sprintf("entry %d", s.started), "the hall that started here has not stopped")
	}
	c.openIntents(limit)
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "torn-") && !s.kept[f.Name()] {
			c.report.add(Warning, "", f.Name(), "was cut off by a recovery that no entry tells of")
		}
	}
}

func (c *checker) openIntents(limit int) {
	type openCall struct {
		call moothall.CallID
		intent
	}
	var open []openCall
	for call, i := range c.story.intents {
		open = append(open, openCall{call, i})
	}
	slices.SortFunc(open, func(a, b openCall) int { return cmp.Compare(a.index, b.index) })
	for i, o := range open {
		if i == limit {
			c.report.add(Warning, "", "log", "%d more intents have no outcome", len(open)-limit)
			return
		}
		c.report.add(Warning, "", fmt.Sprintf("entry %d", o.index),
			"the intent %s of call %s has no outcome: it is under way, or a crash came between", o.action, o.call)
	}
}
