package daemon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// post asks over HTTP.
func post(t *testing.T, url, body string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// TestStories plays the stories on the built-in model and a canned web.
func TestStories(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	c := judgedConfig()
	c.Search.Canned = filepath.Join("..", "..", "stories", "web.json")
	serve(t, h, c)
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	report, err := daemon.RunStories(t.Context(), client, []string{filepath.Join("..", "..", "stories")}, "", func(o daemon.StoryOutcome) {
		if !o.Passed {
			t.Errorf("%s: %+v", o.Name, o.Turns)
		}
	})
	if err != nil || report.Passed < 8 || report.Passed < len(report.Stories) {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestQueryOverHTTP(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	resp := post(t, hall.URL()+"/query", `{"query":"What is the capital of France?"}`)
	var a moothall.Answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode != 200 {
		t.Fatal(resp.Status, err)
	}
	if !strings.Contains(a.Text, "Paris") || a.Thinking == "" || len(a.Log) == 0 || a.Tools == nil || a.Recalls == nil {
		t.Errorf("%+v", a)
	}
	if _, body := get(t, hall.URL()+"/sessions"); !strings.Contains(body, string(a.Session)) {
		t.Errorf("sessions: %s", body)
	}
	if _, body := get(t, hall.URL()+"/sessions/"+string(a.Session)); !strings.Contains(body, "Paris") {
		t.Errorf("session: %s", body)
	}
	if _, body := get(t, hall.URL()+"/metrics"); !strings.Contains(body, `moothall_model_calls_total{role="chat"} 1`) {
		t.Error("the call was not counted")
	}
	for body, want := range map[string]int{`{"query":""}`: 400, `{"qury":"x"}`: 400, `{`: 400, `{"query":"x","mode":"dance"}`: 400, `{"query":"` + strings.Repeat("x", 2<<20) + `"}`: 413} {
		if resp := post(t, hall.URL()+"/query", body); resp.StatusCode != want {
			t.Errorf("%.40s: %s, want %d", body, resp.Status, want)
		}
	}
	if resp := post(t, hall.URL()+"/query", `{"query":"x"}`, "Content-Type: text/plain"); resp.StatusCode != 400 {
		t.Errorf("a form post: %s", resp.Status)
	}
}

func TestQueryStreams(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	resp := post(t, hall.URL()+"/query", `{"query":"What is the capital of France?"}`, "Accept: text/event-stream")
	seen := map[string]int{}
	var text string
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			seen[kind]++
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var s moothall.Step
			if err := json.Unmarshal([]byte(data), &s); err != nil {
				t.Fatal(err)
			}
			if s.Kind == "delta" {
				text += s.Text
			}
		}
	}
	if seen["thinking"] == 0 || seen["delta"] < 3 || seen["final"] != 1 || !strings.Contains(text, "Paris") {
		t.Errorf("%v, %q", seen, text)
	}
}

// answering plays a hall that asks an Ollama server something and says when
// the first words are there.
func answering(args []string) error {
	c := config()
	c.Models.Ollama.URL = args[1]
	ctx := context.Background()
	hall, err := daemon.Open(ctx, daemon.Options{Home: home(args[0]), Config: c})
	if err != nil {
		return err
	}
	if err := hall.Serve(ctx); err != nil {
		return err
	}
	client, err := daemon.Connect(ctx, home(args[0]), c, "test", nil)
	if err != nil {
		return err
	}
	for s, err := range client.Query(ctx, moothall.QueryRequest{Session: "long", Query: args[2]}) {
		if err != nil {
			return err
		}
		if s.Kind == "delta" || s.Kind == "final" {
			fmt.Println(s.Kind)
		}
	}
	return hall.Shutdown()
}

// TestKillInMidAnswer kills the hall while a model speaks. The session opens
// again with everything up to the last finished round, marked as cut off, and
// goes on.
func TestKillInMidAnswer(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	model.Script(
		ollamatest.Reply{Text: "The first answer."},
		ollamatest.Reply{Text: strings.Repeat("and on ", 50), Hang: true},
	)
	dir := t.TempDir()
	first := child(t, "answering", dir, model.URL, "first question")
	if out, err := first.Output(); err != nil || !strings.Contains(string(out), "final") {
		t.Fatalf("%s, %v", out, err)
	}
	cmd := child(t, "answering", dir, model.URL, "second question")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "delta\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out)
	cmd.Wait()

	c := config()
	c.Models.Ollama.URL = model.URL
	model.Script(ollamatest.Reply{Text: "The third answer."})
	client, err := daemon.Connect(t.Context(), home(dir), c, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	d, err := client.Session(t.Context(), "long")
	if err != nil || d.State != "interrupted" || len(d.Messages) != 3 || d.Messages[1].Content != "The first answer." {
		t.Fatalf("after the kill: %+v, %v", d, err)
	}
	var got moothall.Answer
	for s, err := range client.Query(t.Context(), moothall.QueryRequest{Session: "long", Query: "third question"}) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Answer != nil {
			got = *s.Answer
		}
	}
	if got.Text != "The third answer." {
		t.Errorf("%+v", got)
	}
	report, err := daemon.VerifyAudit(t.Context(), home(dir), nil, "")
	if err != nil || !report.OK {
		t.Errorf("the record: %+v, %v", report.Findings, err)
	}
}
