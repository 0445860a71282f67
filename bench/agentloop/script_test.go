package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// ask posts a request with n tool messages and returns the reply.
func ask(t *testing.T, url string, n int, stream bool) string {
	t.Helper()
	messages := []object{{"role": "user", "content": question}}
	for range n {
		messages = append(messages, object{"role": "tool", "content": found})
	}
	raw, err := json.Marshal(object{"messages": messages, "stream": stream})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url, "application/json", strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, err)
	}
	return string(body)
}

func TestScriptCallsUntilTenResultsAreThere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(new(script).handler())
	defer server.Close()
	for _, path := range []string{"/api/chat", "/v1/chat/completions"} {
		for _, stream := range []bool{false, true} {
			for n := range requests {
				got := ask(t, server.URL+path, n, stream)
				if wants := n < calls; strings.Contains(got, toolName) != wants {
					t.Errorf("%s, stream %t, %d results: a call is %t\n%s", path, stream, n, !wants, got)
				}
			}
		}
	}
}

func TestScriptGivesEveryReplyAndCallItsOwnID(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(new(script).handler())
	defer server.Close()
	seen := map[string]bool{}
	for range 20 {
		var reply struct {
			ID      string
			Choices []struct{ Message bareMessage }
		}
		if err := json.Unmarshal([]byte(ask(t, server.URL+"/v1/chat/completions", 0, false)), &reply); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{reply.ID, reply.Choices[0].Message.ToolCalls[0].ID} {
			if id == "" || seen[id] {
				t.Errorf("the id %q is empty or was there before", id)
			}
			seen[id] = true
		}
	}
}

func TestScriptRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	s := new(script)
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/chat", strings.NewReader("{")))
	if w.Code != http.StatusBadRequest || s.asked.Load() != 0 {
		t.Errorf("status %d, counted %d", w.Code, s.asked.Load())
	}
}

// The Node contestants have a copy of the task; it must stay the same.
func TestNodeContestantsHaveTheSameTask(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("node/task.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{model, system, question, answer, toolName, toolText, found} {
		if !strings.Contains(string(raw), "'"+s+"'") {
			t.Errorf("node/task.mjs lacks %q", s)
		}
	}
	if !strings.Contains(string(raw), fmt.Sprintf("calls = %d\n", calls)) {
		t.Error("node/task.mjs has another number of calls")
	}
}
