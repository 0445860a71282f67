package ollamatest_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/moottest/ollamatest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(int) { http.DefaultClient.CloseIdleConnections() }))
}

// post returns status, content type and body, as curl would show them.
func post(t *testing.T, url, body string) (int, string, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}

// TestStreamOrder checks the order of lines as it was seen on a real server:
// thinking, content, each call alone, an empty last line with the counts.
func TestStreamOrder(t *testing.T) {
	s := ollamatest.New(t, ollamatest.Options{})
	call := ollamatest.Call{ID: "c", Function: ollamatest.Function{Name: "echo", Arguments: json.RawMessage(`{"a":1}`)}}
	s.Script(ollamatest.Reply{Thinking: "hm", Text: "so", Pieces: 1, Calls: []ollamatest.Call{call, call}})
	status, kind, body := post(t, s.URL+"/api/chat", `{"model":"hall:1b","messages":[{"role":"user","content":"a b c"}],"tools":[{"type":"function","function":{"name":"echo"}}]}`)
	if status != 200 || kind != "application/x-ndjson" {
		t.Fatalf("status %d, %s", status, kind)
	}
	var got []string
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		var l map[string]any
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		m := l["message"].(map[string]any)
		switch {
		case l["done"] == true:
			if l["done_reason"] != "stop" || l["prompt_eval_count"] != 7.0 || m["content"] != "" {
				t.Errorf("the last line is %v", l)
			}
			got = append(got, "done")
		case m["tool_calls"] != nil:
			got = append(got, "call")
		case m["thinking"] != nil:
			got = append(got, "thinking")
		default:
			got = append(got, "content")
		}
	}
	if want := "thinking content call call done"; strings.Join(got, " ") != want {
		t.Errorf("the lines are %v, want %s", got, want)
	}
}

// TestRefusals checks statuses and words as they were seen.
func TestRefusals(t *testing.T) {
	s := ollamatest.New(t, ollamatest.Options{})
	hello := `"messages":[{"role":"user","content":"hello"}]`
	tests := map[string]struct {
		path, body string
		status     int
		says       string
	}{
		"unknown model":    {"/api/chat", `{"model":"x",` + hello + `}`, 404, "model 'x' not found"},
		"no model":         {"/api/chat", `{` + hello + `}`, 400, "model is required"},
		"bad JSON":         {"/api/chat", `{"model"`, 400, "unexpected EOF"},
		"empty":            {"/api/chat", ``, 400, "missing request body"},
		"option type":      {"/api/chat", `{"model":"hall:1b","options":{"num_ctx":"many"},` + hello + `}`, 500, "must be of type integer"},
		"no tools":         {"/api/chat", `{"model":"plain:1b","tools":[{}],` + hello + `}`, 400, "does not support tools"},
		"no thinking":      {"/api/chat", `{"model":"plain:1b","think":true,` + hello + `}`, 400, "does not support thinking"},
		"over the window":  {"/api/chat", `{"model":"hall:1b","truncate":false,"options":{"num_ctx":2},` + hello + `}`, 400, "exceeds the context length"},
		"string arguments": {"/api/chat", `{"model":"hall:1b","messages":[{"role":"assistant","tool_calls":[{"function":{"name":"x","arguments":"{}"}}]}]}`, 400, "cannot unmarshal"},
		"load":             {"/api/chat", `{"model":"hall:1b","messages":[]}`, 200, `"done_reason":"load"`},
		"no embeddings":    {"/api/embed", `{"model":"hall:1b","input":["x"]}`, 501, "does not support embeddings"},
		"old path":         {"/api/embeddings", `{"model":"hall:1b","prompt":"x"}`, 500, "does not support embeddings"},
		"unknown path":     {"/api/other", `{}`, 404, "404 page not found"},
	}
	for name, tt := range tests {
		status, _, body := post(t, s.URL+tt.path, tt.body)
		if status != tt.status || !strings.Contains(body, tt.says) {
			t.Errorf("%s: status %d, %s; want %d, %q", name, status, body, tt.status, tt.says)
		}
	}
}

// TestSilentCut is what happens without truncate:false.
func TestSilentCut(t *testing.T) {
	s := ollamatest.New(t, ollamatest.Options{})
	s.Script(ollamatest.Reply{Text: "an invention"})
	_, _, body := post(t, s.URL+"/api/chat", `{"model":"hall:1b","stream":false,"options":{"num_ctx":2},"messages":[{"role":"user","content":"a b c d"}]}`)
	if !strings.Contains(body, `"prompt_eval_count":2`) || !strings.Contains(body, "an invention") {
		t.Errorf("the reply is %s", body)
	}
}
