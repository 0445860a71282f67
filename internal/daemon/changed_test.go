package daemon_test

import (
	"io"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// entries are those of an action on the record, each as its status and note.
func entries(t *testing.T, h daemon.Home, action moothall.AuditAction) (out []string) {
	t.Helper()
	for _, e := range audited(t, h, 0, 0) {
		if e.Action == action {
			out = append(out, string(e.Status)+" "+e.Note)
		}
	}
	return out
}

// TestModelsOnRecord: that a role gets another model, that a model is tried out and
// that one is fetched is on the record, the latter two before and after.
func TestModelsOnRecord(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{
		Models:  []ollamatest.Model{{Name: "here:1b", Family: "f", Window: 8192, Capabilities: []string{"completion"}}},
		Respond: func(ollamatest.Chat) ollamatest.Reply { return says("Well.") },
	})
	h, c := home(t.TempDir()), config()
	c.Models.Ollama.URL = model.URL
	hall := serve(t, h, c)
	if resp := put(t, hall.URL()+"/models/critic", `{"model":"here:1b"}`); resp.StatusCode != 200 {
		t.Fatal(resp.Status)
	}
	if got := strings.Join(entries(t, h, moothall.ActionConfigure), "\n"); got != "ok the model of critic is ollama/here:1b" {
		t.Errorf("the change: %q", got)
	}
	if resp := post(t, hall.URL()+"/models/probe", `{"model":"here:1b"}`); resp.StatusCode != 200 {
		t.Fatal(resp.Status)
	}
	if got := strings.Join(entries(t, h, moothall.ActionModelCall), "\n"); got != "intent probe by front\nok probe by front" {
		t.Errorf("the trial: %q", got)
	}
	for name, end := range map[string]string{ollamatest.PullModel: "ok", "nowhere:1b": "failed"} {
		resp := post(t, hall.URL()+"/models/pull", `{"model":"`+name+`"}`)
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		want := "intent pull of " + name + " by front\n" + end + " pull of " + name + " by front"
		if got := strings.Join(entries(t, h, moothall.ActionConfigure), "\n"); !strings.HasSuffix(got, want) {
			t.Errorf("the fetching: %q, not %q", got, want)
		}
	}
}

// TestNothingDeletedOnRecord: the record does not say of a conversation that is not
// there that it was deleted or renamed.
func TestNothingDeletedOnRecord(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	serve(t, h, config())
	client := join(t, h)
	for _, ch := range []moothall.SessionChange{{ID: "s_none", Delete: true}, {ID: "s_none", Title: "Some"}} {
		if err := client.ChangeSession(t.Context(), ch); moothall.ErrorCode(err) != moothall.CodeNotFound {
			t.Errorf("%+v: %v", ch, err)
		}
	}
	if got := entries(t, h, moothall.ActionSessionChange); len(got) != 0 {
		t.Errorf("on the record is %q", got)
	}
}

// TestReindexOnRecord: that all vectors are made anew is on the record.
func TestReindexOnRecord(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	serve(t, h, config())
	if err := daemon.ReindexMemories(t.Context(), join(t, h), nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(entries(t, h, moothall.ActionMemoryWrite), "\n"); got != "ok reindex by person" {
		t.Errorf("on the record is %q", got)
	}
}

// TestExportsOnRecord: whatever of the memory is exported, that is on the record.
func TestExportsOnRecord(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	for _, what := range []string{moothall.ExportMemories, moothall.ExportGraph, moothall.ExportGraphML} {
		before := len(entries(t, h, moothall.ActionMemoryRead))
		if resp, _ := get(t, hall.URL()+"/export/"+what); resp.StatusCode != 200 {
			t.Fatal(resp.Status)
		}
		if n := len(entries(t, h, moothall.ActionMemoryRead)) - before; n != 1 {
			t.Errorf("an export of %s is %d entries", what, n)
		}
	}
}
