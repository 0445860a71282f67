package daemon_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
)

// TestStoriesOnTheNetwork plays two stories on the network inside the program:
// a question that the library answers, and a follow-up. Those with tools it
// passes most of the time, which is not enough for a test; docs/model.md says
// how often.
func TestStoriesOnTheNetwork(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), config()
	c.Models.Builtin = "network"
	hall := serve(t, h, c)
	mini := func(m moothall.ModelHealth) bool {
		return m.Name == "moothall-mini" && strings.Contains(m.Detail, "very small")
	}
	if m := settles(func() moothall.ModelHealth { return hall.Model(t.Context()) }, mini); !mini(m) {
		t.Errorf("the model that answers: %+v", m)
	}
	stories := filepath.Join("..", "..", "stories")
	files := []string{filepath.Join(stories, "s1-basic-question.yaml"), filepath.Join(stories, "s2-follow-up.yaml")}
	report, err := daemon.RunStories(t.Context(), join(t, h), files, "", func(o daemon.StoryOutcome) {
		if !o.Passed {
			t.Errorf("%s: %+v", o.Name, o.Turns)
		}
	})
	if err != nil || report.Passed != len(files) {
		t.Errorf("%+v, %v", report, err)
	}
}
