package daemon_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// span is what a collector is sent, as far as this test looks.
type span struct {
	TraceID    string `json:"traceId"`
	Parent     string `json:"parentSpanId"`
	SpanID     string `json:"spanId"`
	Name       string `json:"name"`
	Attributes []struct {
		Key   string                     `json:"key"`
		Value map[string]json.RawMessage `json:"value"`
	} `json:"attributes"`
}

// attribute is one of the span's, as text.
func (s span) attribute(key string) string {
	for _, a := range s.Attributes {
		for _, v := range a.Value {
			if a.Key == key {
				return strings.Trim(string(v), `"`)
			}
		}
	}
	return ""
}

// collector is an OpenTelemetry collector that keeps what it gets.
type collector struct {
	mu    sync.Mutex
	all   []byte
	spans map[string]span // by name
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var m struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []span `json:"spans"`
			} `json:"scopeSpans"`
		} `json:"resourceSpans"`
	}
	if err != nil || r.URL.Path != "/v1/traces" || json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, body...)
	for _, rs := range m.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				c.spans[s.Name] = s
			}
		}
	}
}

// TestTraces: a collector gets spans of the turn, the model and the tool, in
// one trace, and by default nothing of what was said.
func TestTraces(t *testing.T) {
	t.Parallel()
	for _, content := range []bool{false, true} {
		got := &collector{spans: map[string]span{}}
		server := httptest.NewServer(got)
		t.Cleanup(server.Close)
		c := config()
		c.Traces.Endpoint, c.Traces.Content = server.URL, content
		hall, model := scripted(t, home(t.TempDir()), c)
		model.Script(calls("calculate", `{"expression":"61728394506*2"}`), says("It is a quetzal."))
		query(t, hall, `{"query":"how much is a walrus?"}`)
		if err := hall.Shutdown(); err != nil { // sends what is left
			t.Fatal(err)
		}
		turn, chat, tool := got.spans["invoke_agent chat"], got.spans["chat hall:1b"], got.spans["execute_tool calculate"]
		if turn.TraceID == "" || chat.TraceID != turn.TraceID || tool.TraceID != turn.TraceID || chat.Parent != turn.SpanID || tool.Parent != turn.SpanID {
			t.Fatalf("the spans are %+v", got.spans)
		}
		for _, want := range []struct {
			span       span
			key, value string
		}{
			{turn, "gen_ai.operation.name", "invoke_agent"}, {chat, "gen_ai.operation.name", "chat"},
			{chat, "gen_ai.provider.name", "ollama"}, {chat, "gen_ai.request.model", "hall:1b"},
			{tool, "gen_ai.operation.name", "execute_tool"}, {tool, "gen_ai.tool.name", "calculate"}, {tool, "moothall.status", "ok"},
		} {
			if v := want.span.attribute(want.key); v != want.value {
				t.Errorf("%s of %s is %q", want.key, want.span.Name, v)
			}
		}
		// A number so long that no time and no id of the spans holds it by chance.
		for _, words := range []string{"quetzal", "123456789012"} {
			if strings.Contains(string(got.all), words) != content {
				t.Errorf("content=%v: %q in the spans: %v", content, words, !content)
			}
		}
		if strings.Contains(string(got.all), "walrus") && !content {
			t.Error("the question is in the spans")
		}
	}
}
