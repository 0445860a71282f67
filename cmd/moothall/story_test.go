package main

import (
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/daemon"
)

// tell writes a story file.
func tell(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const (
	goodStory    = "name: G\nabout: It repeats.\nneeds: [critic]\nturns:\n  - query: hello\n    feedback: {thumbs: 1}\n    expect:\n      contains: [hello]\n      then:\n        - {subject: answer.dialog, count: 1}\n      judgements:\n        - respondent: A\n          payload:\n            reward.feedback.thumbs: {is: 1}\n            reward.reward: {type: integer, min: 0.5}\n"
	badStory     = "name: B\nturns:\n  - query: hello\n    expect: {contains: [\"absent \\u0001\"], lacks: [hello]}\n"
	skippedStory = "name: K\nabout: Not here.\nneeds: [respondent_b]\nturns:\n  - query: hello\n"
)

func TestStoryRun(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	good, bad, skipped := tell(t, goodStory), tell(t, badStory), tell(t, skippedStory)
	h.wants(t, 0, "1 passed, 0 failed\n", "story", "run", good)
	out := h.wants(t, 1, "1 passed, 1 failed, 1 skipped\n", "story", "run", good, bad, skipped)
	for _, want := range []string{"ok    G  It repeats. (", "FAIL  B", "turn 1: \"hello\"", "the answer contains \"hello\"", "the answer was: You said: hello", "its query_id: ", "skip  K", "it needs respondent_b"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	r := parsed[storyReport](t, h.wants(t, 1, "", "story", "run", "--json", good, bad, skipped))
	if r.Passed != 1 || r.Failed != 1 || r.Skipped != 1 || len(r.Stories) != 3 {
		t.Errorf("%+v", r)
	}
	h.wants(t, 1, "0 passed, 0 failed, 1 skipped", "story", "run", skipped)
}

func TestStoryAgainst(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	good := tell(t, goodStory)
	h.wants(t, 0, "1 passed", "story", "run", good, "--against", "http://elsewhere")
	h.wants(t, 0, "1 passed", "story", "run", good, "--against", "http://elsewhere", "--token-file", tell(t, "secret\n"))
	h.wants(t, 2, "http://nowhere", "story", "run", good, "--against", "http://nowhere")
	h.wants(t, 1, "cannot read", "story", "run", good, "--against", "http://elsewhere", "--token-file", "absent")
	for _, flag := range []string{"--against", "--token-file", "--junit", "--model"} { // of a variable that is not set
		if out := h.wants(t, 2, flag+" is empty", "story", "run", good, flag, ""); out != "" {
			t.Errorf("%s: a story was played: %s", flag, out)
		}
	}
}

func TestStoryTimeout(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	h.wants(t, 1, "deadline", "story", "run", tell(t, "name: W\nturns: [{query: wait}]\n"), "--timeout", "50ms")
}

// TestStoryMistakes: a key that does not exist is an error with its line.
func TestStoryMistakes(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	for text, want := range map[string]string{
		"name: X\nturns:\n  - query: q\n    expect:\n      contain: [x]\n":                                        "s.yaml:5",
		"name: X\nturns:\n  - query: q\n    expect:\n      then:\n        - subject: a\n          payloads: {}\n": "s.yaml:7",
		"name: X\nturns:\n  - query: q\n    feedback: {thumbs: 7}\n":                                              "must be from -1 to 1",
		"name: X\nneed: [b]\n": "s.yaml:2",
	} {
		h.wants(t, 2, want, "story", "run", tell(t, text))
		if out := h.wants(t, 2, want, "story", "run", tell(t, goodStory), tell(t, text)); out != "" {
			t.Errorf("a story was played before the mistake in the next was found: %s", out)
		}
	}
	h.wants(t, 1, "\n        it has no turns\n", "story", "run", tell(t, "name: N\n"))
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	file := filepath.Join(t.TempDir(), "r.xml")
	h.wants(t, 1, "1 passed, 1 failed, 1 skipped", "story", "run", "--junit", file, tell(t, goodStory), tell(t, badStory), tell(t, skippedStory))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	s := got.Suite
	if !strings.HasPrefix(string(text), "<?xml") || s.Tests != 3 || s.Failures != 1 || s.Skipped != 1 || s.Errors != 0 || got.Tests != 3 {
		t.Errorf("%s", text)
	}
	if _, err := time.Parse("2006-01-02T15:04:05", s.At); err != nil {
		t.Errorf("the schema wants a time without a zone: %v", err)
	}
	if c := s.Cases; c[0].Failure != nil || c[0].Skipped != nil || c[1].Failure == nil || c[1].Failure.Message == "" || c[2].Skipped == nil {
		t.Errorf("%s", text)
	}
	for _, elements := range [][2]string{{"<testsuites ", "<testsuite "}, {"<testsuite ", "<testcase "}, {"<failure ", "</failure>"}} {
		if a, b := strings.Index(string(text), elements[0]), strings.Index(string(text), elements[1]); a < 0 || b < a {
			t.Errorf("no %s before %s", elements[0], elements[1])
		}
	}
}

// TestJUnitUnwritable: that a report cannot be written is said before the first
// story is played; a run without a report leaves none.
func TestJUnitUnwritable(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	file := filepath.Join(t.TempDir(), "r.xml")
	h.wants(t, 2, "did you mean", "story", "run", "--junit", file, tell(t, "name: X\nturn: []\n"))
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a report that says nothing is left: %v", err)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("older ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	h.wants(t, 2, "did you mean", "story", "run", "--junit", file, tell(t, "name: X\nturn: []\n"))
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "older ") {
		t.Errorf("an older report is gone: %.40s, %v", text, err)
	}
	h.wants(t, 0, "1 passed", "story", "run", "--junit", file, tell(t, goodStory))
	if text, err := os.ReadFile(file); err != nil || xml.Unmarshal(text, new(junitSuites)) != nil || strings.Contains(string(text), "older") {
		t.Errorf("%v in\n%s", err, text)
	}
	if out := h.wants(t, 1, "cannot write", "story", "run", "--junit", filepath.Join(file, "x"), tell(t, goodStory)); strings.Contains(out, "passed") {
		t.Errorf("stories were played: %s", out)
	}
	r := tallied([]daemon.StoryOutcome{{Name: "S", Passed: true}})
	full, err := os.OpenFile(file, os.O_RDONLY, 0) // nothing can be written into it
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var out strings.Builder
	if err := (&app{out: &out}).reportStories(r, time.Now(), storyFlags{junit: file}, &reportFile{File: full}); err == nil || !strings.Contains(out.String(), "1 passed") {
		t.Errorf("%v, and said is %q", err, &out)
	}
}

// FuzzJUnit: whatever a model says, the report is XML.
func FuzzJUnit(f *testing.F) {
	f.Add("S", "a\x00b", "]]>\xff\ufffe")
	f.Fuzz(func(t *testing.T, name, problem, answer string) {
		o := daemon.StoryOutcome{Name: name, Skipped: ""}
		o.Turns = append(o.Turns, struct {
			Query    string        `json:"query"`
			ID       string        `json:"query_id,omitempty"`
			Answer   string        `json:"answer"`
			Took     time.Duration `json:"took_ns"`
			Failures []string      `json:"failures,omitempty"`
		}{Query: name, Answer: answer, Failures: []string{problem}})
		text, err := junit(tallied([]daemon.StoryOutcome{o}), time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		var got junitSuites
		if err := xml.Unmarshal(text, &got); err != nil || got.Suite.Failures != 1 {
			t.Errorf("%v in\n%s", err, text)
		}
	})
}
