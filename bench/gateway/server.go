package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const model = "scripted:1b"

// pace is how the server answers.
type pace struct {
	first, next time.Duration
	tokens      int
}

// serve answers on a free port, says which on out, and ends with in.
func serve(p pace, in io.Reader, out io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/chat", p.ollama)
	mux.HandleFunc("POST /v1/chat/completions", p.openai)
	mux.HandleFunc("GET /api/version", text(`{"version":"0.17.4"}`))
	mux.HandleFunc("GET /api/tags", text(`{"models":[{"name":"`+model+`","model":"`+model+`","details":{"family":"qwen3"}}]}`))
	mux.HandleFunc("POST /api/show", text(`{"capabilities":["completion","tools"],"details":{"family":"qwen3"},"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`))
	mux.HandleFunc("GET /api/ps", text(`{"models":[]}`))
	go func() {
		_, _ = io.Copy(io.Discard, in) // the parent is gone when this returns
		l.Close()
	}()
	fmt.Fprintln(out, "http://"+l.Addr().String())
	_ = http.Serve(l, mux) // ends when the listener is closed
	return nil
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

// stream sends the tokens; line makes one of them a piece of the wire.
func (p pace) stream(w http.ResponseWriter, r *http.Request, line func(content string, last bool) string) {
	began := time.Now()
	_, _ = io.Copy(io.Discard, r.Body)
	flush := http.NewResponseController(w).Flush
	time.Sleep(p.first)
	for i := range p.tokens {
		if i > 0 {
			time.Sleep(p.next)
		}
		content := "word "
		if i == 0 || i == p.tokens-1 {
			content = fmt.Sprintf("@%d ", time.Since(began).Nanoseconds())
		}
		io.WriteString(w, line(content, i == p.tokens-1))
		if flush() != nil {
			return
		}
	}
}

func (p pace) ollama(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	p.stream(w, r, func(content string, last bool) string {
		if last {
			return `{"model":"` + model + `","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"` + content +
				`"},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":10}` + "\n"
		}
		return `{"model":"` + model + `","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"` + content + `"},"done":false}` + "\n"
	})
}

func (p pace) openai(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	p.stream(w, r, func(content string, last bool) string {
		var b strings.Builder
		reason := "null"
		if last {
			reason = `"stop"`
		}
		fmt.Fprintf(&b, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"%s","choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":%s}]}`+"\n\n", model, content, reason)
		if last {
			b.WriteString("data: [DONE]\n\n")
		}
		return b.String()
	})
}
