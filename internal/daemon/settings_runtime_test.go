package daemon_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/critic"
	"moothall/internal/daemon"
)

// settingsOf reads a participant's settings over HTTP.
func settingsOf[T any](t *testing.T, hall *daemon.Hall, name string) T {
	t.Helper()
	resp, body := get(t, hall.URL()+"/participants/"+name)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s", name, resp.Status, body)
	}
	return read[T](t, read[moothall.Participant](t, []byte(body)).Settings)
}

// configured are the notes of the record about changes of settings.
func configured(t *testing.T, h daemon.Home) (out []string) {
	t.Helper()
	for e, err := range daemon.ShowAudit(t.Context(), h, daemon.AuditFilter{Action: moothall.ActionConfigure}, false) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.Note)
	}
	return out
}

// TestSettingsOutlastARestart changes settings at run time. They are in force
// at once and after a restart, until the configuration says something new.
func TestSettingsOutlastARestart(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), graded(config())
	hall := serve(t, h, c)
	sets(t, hall, "critic", `{"share":0.25,"per_hour":7}`)
	sets(t, hall, "reward", `{"conversation":"off"}`)
	sets(t, hall, "respondent_a", `{"temperature":0.5}`)
	want := func(when string, hall *daemon.Hall, share float64, perHour int, conversation string) {
		t.Helper()
		s := settingsOf[critic.Settings](t, hall, "critic")
		if s.Share != share || s.PerHour != perHour || !s.Enabled || len(s.Rubrics) == 0 {
			t.Errorf("%s the critic has %+v", when, s)
		}
		if got := settingsOf[struct{ Conversation string }](t, hall, "reward").Conversation; got != conversation {
			t.Errorf("%s feedback is recognised by %s", when, got)
		}
	}
	want("at once", hall, 0.25, 7, "off")
	stopped(t, hall)
	hall = serve(t, h, c)
	want("after a restart", hall, 0.25, 7, "off")
	if got := settingsOf[struct{ Temperature *float64 }](t, hall, "respondent_a").Temperature; got == nil || *got != 0.5 {
		t.Errorf("after a restart A answers at %v", got)
	}
	stopped(t, hall)
	c.Critic.PerHour = 99 // the person edits the file: of the critic it wins, the others stay
	hall = serve(t, h, c)
	want("after an edit", hall, 1, 99, "off")
	stopped(t, hall)
	hall = serve(t, h, c)
	want("and then", hall, 1, 99, "off")
	notes := strings.Join(configured(t, h), "\n")
	for _, s := range []string{`settings of critic: {"share":0.25,"per_hour":7}`, `settings of reward: {"conversation":"off"}`, "settings of respondent_a"} {
		if strings.Count(notes, s) != 1 {
			t.Errorf("the record has %q not once:\n%s", s, notes)
		}
	}
}

// TestSettingsRefused names what is wrong and leaves everything as it was.
func TestSettingsRefused(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, graded(config()))
	before, _ := json.Marshal(settingsOf[critic.Settings](t, hall, "critic"))
	for _, c := range []struct {
		name, body, says string
		status           int
	}{
		{"critic", `{"share":7}`, "share", http.StatusBadRequest},
		{"critic", `{"shares":0.5}`, "shares", http.StatusBadRequest},
		{"critic", `{"per_hour":"many"}`, "per_hour", http.StatusBadRequest},
		{"critic", `[]`, "object", http.StatusBadRequest},
		{"critic", `{"rubrics":{"a name":{"criteria":"c","scores":["1","2","3","4","5"]}}}`, "a name", http.StatusBadRequest},
		{"critic", `{"rubrics":{"chat":{"criteria":"c","scores":["1","2"]}}}`, "scores", http.StatusBadRequest},
		{"reward", `{"conversation":"by stars"}`, "conversation", http.StatusBadRequest},
		{"respondent_a", `{"temperature":9}`, "temperature", http.StatusBadRequest},
		{"respondent_a", `{"tapes":-1}`, "tapes", http.StatusBadRequest},
		{"respondent_b", `{"enabled":"yes"}`, "enabled", http.StatusBadRequest},
		{"respondent_b", `{"provider":"nobody"}`, "nobody", http.StatusNotImplemented},
		{"respondent_a", `{"provider":"builtin","model":"nothing"}`, "nothing", http.StatusNotFound},
		{"critic", `{"provider":"builtin","model":"nothing"}`, "nothing", http.StatusNotFound},
		{"memory", `{"reindexed":true}`, "reindexed", http.StatusBadRequest},
		{"tools", `{"approved":[]}`, "approved", http.StatusBadRequest},
		{"respondent_c", `{"enabled":true}`, "respondent_c", http.StatusNotFound},
	} {
		resp := put(t, hall.URL()+"/participants/"+c.name, c.body)
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != c.status || !strings.Contains(string(body), c.says) {
			t.Errorf("%s %s: %s %s, %v", c.name, c.body, resp.Status, body, err)
		}
	}
	if after, _ := json.Marshal(settingsOf[critic.Settings](t, hall, "critic")); string(after) != string(before) {
		t.Errorf("it changed from\n%s to\n%s", before, after)
	}
	// Only one got as far as the record, which says what became of it.
	if notes := configured(t, h); len(notes) != 2 || !strings.Contains(notes[1], "settings of critic stay as they were") {
		t.Errorf("the record: %q", notes)
	}
}

// TestRubricRemoved takes a rubric away that was set at run time, which is on
// record, holds at once and after a restart.
func TestRubricRemoved(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, graded(config()))
	before := settingsOf[critic.Settings](t, hall, "critic")
	const own = `{"criteria":"Is it kind?","scores":["1","2","3","4","5"]}`
	sets(t, hall, "critic", `{"rubrics":{"chat":`+own+`,"poem":`+own+`}}`)
	sets(t, hall, "critic", `{"rubrics":{"chat":null,"poem":null}}`)
	if d := cmp.Diff(before, settingsOf[critic.Settings](t, hall, "critic")); d != "" {
		t.Error(d)
	}
	stopped(t, hall)
	hall = serve(t, h, graded(config()))
	if d := cmp.Diff(before, settingsOf[critic.Settings](t, hall, "critic")); d != "" {
		t.Errorf("after a restart: %s", d)
	}
	if notes := configured(t, h); len(notes) != 2 || notes[1] != `settings of critic: {"rubrics":{"chat":null,"poem":null}}` {
		t.Errorf("the record: %q", notes)
	}
}

// TestSettingsThatAreLong: a rubric is longer than the record takes of it.
func TestSettingsThatAreLong(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, graded(config()))
	long := strings.Repeat("kind and käsig ", 100)
	sets(t, hall, "critic", `{"rubrics":{"chat":{"criteria":"`+long+`","scores":["a","b","c","d","e"]}}}`)
	s := settingsOf[critic.Settings](t, hall, "critic")
	if s.Rubrics["chat"].Criteria != long || len(s.Rubrics) < 2 {
		t.Errorf("%+v", s.Rubrics)
	}
	if notes := configured(t, h); len(notes) != 1 || !strings.HasPrefix(notes[0], "settings of critic") {
		t.Errorf("the record: %q", notes)
	}
	stopped(t, hall)
	if report, err := daemon.VerifyAudit(t.Context(), h, nil, ""); err != nil || !report.OK {
		t.Errorf("the record: %+v, %v", report.Findings, err)
	}
}
