package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// What every contestant is told and must come back with.
const (
	calls    = 10 // of the tool, in a run
	requests = calls + 1
	model    = "scripted"
	system   = "You are a helpful assistant. Use the tool until you can answer."
	question = "Look up the ten parts and say when you have them."
	answer   = "All ten parts are there."
	toolName = "lookup"
	toolText = "Looks up one part by its number."
	toolArgs = `{"type":"object","properties":{"part":{"type":"integer","description":"The number of the part"}},"required":["part"],"additionalProperties":false}`
	found    = "part found"
)

// script is the scripted model. It keeps no state of a conversation: the
// number of tool messages in a request decides what comes next.
type script struct {
	asked atomic.Int64 // chats; also what makes ids unique
}

// serve listens on a free port of this machine, says which, and serves until
// in ends: a parent that dies takes the script with it.
func serve(in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "http://"+l.Addr().String()); err != nil {
		return err
	}
	server := &http.Server{Handler: new(script).handler()}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	_, err = io.Copy(io.Discard, in)
	server.Close()
	<-ended
	return err
}

func (s *script) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/chat", s.ollama)
	mux.HandleFunc("POST /v1/chat/completions", s.openAI)
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{
			"capabilities": []string{"completion", "tools"},
			"model_info":   map[string]any{"general.architecture": "script", "script.context_length": 32768},
		})
	})
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]string{"version": "0.20.0"})
	})
	mux.HandleFunc("GET /asked", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.asked.Load()) })
	return mux
}

// chatRequest is what both wires have in common.
type chatRequest struct {
	Stream   bool `json:"stream"`
	Messages []struct {
		Role string `json:"role"`
	} `json:"messages"`

	size int
	id   int64
}

// read takes a request apart. The script answers nobody's unreadable request.
func (s *script) read(w http.ResponseWriter, r *http.Request) (chatRequest, bool) {
	var c chatRequest
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return c, false
	}
	c.size, c.id = len(raw), s.asked.Add(1)
	return c, true
}

// results is how many tool messages the request has.
func (c chatRequest) results() int {
	n := 0
	for _, m := range c.Messages {
		if m.Role == "tool" {
			n++
		}
	}
	return n
}

// arguments differ from call to call, since a loop may well refuse to make
// the same call over and over.
func (c chatRequest) arguments() string { return fmt.Sprintf(`{"part":%d}`, c.results()+1) }

func (c chatRequest) callID() string { return fmt.Sprintf("call_%d", c.id) }

func (c chatRequest) done() bool { return c.results() >= calls }

// pieces are the answer as a stream has it.
func pieces() []string { return strings.SplitAfter(answer, " ") }

// writeJSON writes a whole reply. What fails is the asker's loss.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
