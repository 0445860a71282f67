package ollamatest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The models that a server has when Options name none.
const (
	ChatModel  = "hall:1b"    // tools, thinking
	PlainModel = "plain:1b"   // neither
	EmbedModel = "vectors:1b" // embeddings only
	PullModel  = "distant:1b" // can be pulled
)

// Options configure a server. The zero value is a server of a recent version
// with four models.
type Options struct {
	Version  string  // default 0.17.4
	Models   []Model // default as the constants say
	Pullable []Model // default PullModel
	Legacy   bool    // see the package comment
	Key      string  // wants this bearer token, as a proxy before a server does
	Forget   bool    // record no requests, for long runs
	// Respond answers chats for which the script has no reply; nil means
	// that they are refused.
	Respond func(Chat) Reply
}

// Server is a running server.
type Server struct {
	URL string
	// Abandoned gets a value for each chat whose caller went before its
	// reply was finished.
	Abandoned <-chan struct{}

	o         Options
	abandoned chan struct{}

	mu       sync.Mutex
	models   []Model
	script   []Reply
	requests []Request
}

// Request is one recorded request.
type Request struct {
	Method string
	Path   string
	Body   json.RawMessage
}

// New starts a server that ends with the test.
func New(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{o: o.withDefaults(), abandoned: make(chan struct{}, 1024)}
	s.Abandoned, s.models = s.abandoned, slices.Clone(s.o.Models)
	h := httptest.NewServer(s.handler())
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

func (o Options) withDefaults() Options {
	if o.Version == "" {
		o.Version = "0.17.4"
	}
	if o.Models == nil {
		o.Models = []Model{
			{Name: ChatModel, Family: "qwen3", Parameters: "1.2B", Size: 1 << 30, Window: 40960, Capabilities: []string{"completion", "tools", "thinking"}, Loaded: true},
			{Name: PlainModel, Family: "llama", Parameters: "1.1B", Size: 1 << 30, Window: 8192, Capabilities: []string{"completion"}},
			{Name: EmbedModel, Family: "bert", Parameters: "137M", Size: 1 << 28, Window: 2048, Capabilities: []string{"embedding"}},
		}
	}
	if o.Pullable == nil {
		o.Pullable = []Model{{Name: PullModel, Family: "qwen3", Parameters: "1B", Size: 1 << 30, Window: 4096, Capabilities: []string{"completion", "tools"}}}
	}
	return o
}

// Script adds replies; each chat takes the next one.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Requests returns what was asked of a path so far; "" means of all.
func (s *Server) Requests(path string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, r := range s.requests {
		if path == "" || r.Path == path {
			out = append(out, r)
		}
	}
	return out
}

// Chats returns the chats that were asked for so far.
func (s *Server) Chats() []Chat {
	var out []Chat
	for _, r := range s.Requests("/api/chat") {
		var c Chat
		if json.Unmarshal(r.Body, &c) == nil {
			out = append(out, c)
		}
	}
	return out
}

// Remove takes a model away.
func (s *Server) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = slices.DeleteFunc(s.models, func(m Model) bool { return m.Name == name })
}

// Add makes a model available, in place of one of the same name.
func (s *Server) Add(m Model) {
	s.Remove(m.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models, m)
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	post := func(path string, h func(http.ResponseWriter, *http.Request, []byte)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				plain(w, http.StatusMethodNotAllowed, "405 method not allowed")
				return
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			s.record(r, body)
			switch {
			case s.o.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.o.Key:
				fail(w, http.StatusUnauthorized, "unauthorized")
			case len(body) == 0:
				fail(w, http.StatusBadRequest, "missing request body")
			case !json.Valid(body):
				fail(w, http.StatusBadRequest, "unexpected EOF")
			default:
				h(w, r, body)
			}
		})
	}
	get := func(path string, h func(http.ResponseWriter)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			s.record(r, nil)
			h(w)
		})
	}
	post("/api/chat", s.chat)
	post("/api/show", s.show)
	post("/api/pull", s.pull)
	if !s.o.Legacy {
		post("/api/embed", s.embed)
	}
	post("/api/embeddings", s.embedOne)
	get("/api/tags", s.tags)
	get("/api/ps", s.ps)
	get("/api/version", func(w http.ResponseWriter) { reply(w, map[string]string{"version": s.o.Version}) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.record(r, nil)
		plain(w, http.StatusNotFound, "404 page not found")
	})
	return mux
}

func (s *Server) record(r *http.Request, body []byte) {
	if s.o.Forget {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Body: body})
}

// find returns a model; a name without a tag means :latest.
func (s *Server) find(name string) (Model, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.models {
		if m.Name == name || m.Name == name+":latest" {
			return m, true
		}
	}
	return Model{}, false
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(status)
	io.WriteString(w, text)
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": message})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(v)
}

// words counts tokens in the way of this server.
func words(s string) int { return len(strings.Fields(s)) }
