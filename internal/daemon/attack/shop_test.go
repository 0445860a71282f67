package attack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// shop is an MCP server over HTTP on this machine, with one tool for each
// description.
type shop struct {
	url   string
	about []string

	mu  sync.Mutex
	got []string // arguments that it was called with
	say map[string]string
}

func newShop(t *testing.T, about []string) *shop {
	t.Helper()
	s := &shop{about: about, say: map[string]string{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/mcp"
	return s
}

func (s *shop) name(i int) string    { return fmt.Sprintf("lookup%d", i) }
func (s *shop) exposed(i int) string { return "mcp_shop_" + s.name(i) }

// ServeHTTP speaks as much of the protocol as a client of tools needs.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err != nil || json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if len(m.ID) == 0 { // a notification
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": s.result(m.Method, m.Params)})
}

func (s *shop) result(method string, params json.RawMessage) any {
	switch method {
	case "initialize":
		return map[string]any{
			"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "shop", "version": "1"},
		}
	case "tools/list":
		list := []any{}
		for i, about := range s.about {
			list = append(list, map[string]any{"name": s.name(i), "description": about, "inputSchema": map[string]any{
				"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}},
			}})
		}
		return map[string]any{"tools": list}
	case "tools/call":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.got = append(s.got, string(params))
		text := "Nothing is in stock."
		if say := s.say[tokens.FindString(string(params))]; say != "" {
			text = say
		}
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
	}
	return map[string]any{}
}

// approveShop lets models use every tool of the shop, as a person would who
// does not read what they approve.
func (w *world) approveShop(t *testing.T, s settings) {
	t.Helper()
	if w.shop == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond) // the server is reached in the background, and nothing says when
	defer again.Stop()
	for {
		all := w.offered(ctx, t)
		if len(all) == len(s.tools) {
			text, err := json.Marshal(map[string]any{"approve": all})
			if err == nil {
				_, err = w.client.Configure(ctx, "tools", text)
			}
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("of %d tools %d are offered", len(s.tools), len(all))
		}
	}
}

// wish is an approval of a tool as it is shown.
type wish struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// offered are the tools that wait for the person.
func (w *world) offered(ctx context.Context, t *testing.T) []wish {
	t.Helper()
	all, err := w.client.Participants(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var shown struct {
		Pending []wish `json:"pending"`
	}
	for _, p := range all {
		if p.Name == "tools" && json.Unmarshal(p.Settings, &shown) != nil {
			t.Fatalf("the settings are %s", p.Settings)
		}
	}
	return shown.Pending
}
