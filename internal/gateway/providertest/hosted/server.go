package hosted

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"

	"moothall/internal/gateway/providertest"
)

// Dialect is one wire format, as the server speaks it.
type Dialect interface {
	// Parse reads a request for a generation; false for any other request.
	Parse(r *http.Request, body []byte) (providertest.Request, bool)
	// Pieces renders the output of a reply, piece by piece, without its end.
	Pieces(r providertest.Reply) []string
	// End renders the end of a streamed reply.
	End(r providertest.Reply) string
	// Junk renders bytes where a piece should be.
	Junk(text string) string
	// Fault renders an error in the middle of a stream.
	Fault(message string) string
	// Whole renders a reply that is not streamed.
	Whole(r providertest.Reply) string
	// Refuse renders a failure.
	Refuse(f providertest.Failure) (status int, body string)
	// Other answers any other request.
	Other(w http.ResponseWriter, r *http.Request, body []byte)
}

// Server is a scripted server.
type Server struct {
	*httptest.Server
	dialect   Dialect
	abandoned chan struct{}

	mu       sync.Mutex
	script   []providertest.Reply
	requests []providertest.Request
}

// NewServer starts a server.
func NewServer(d Dialect) *Server {
	s := &Server{dialect: d, abandoned: make(chan struct{}, 64)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Script adds replies to those that the server will give.
func (s *Server) Script(replies ...providertest.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Requests returns the requests for generations so far.
func (s *Server) Requests() []providertest.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Abandoned has one value for each reply that nobody waited for.
func (s *Server) Abandoned() <-chan struct{} { return s.abandoned }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the other side has gone
	}
	request, ok := s.dialect.Parse(r, body)
	if !ok {
		s.dialect.Other(w, r, body)
		return
	}
	reply, ok := s.next(request)
	if !ok {
		http.Error(w, "nothing is left of the script", http.StatusTeapot)
		return
	}
	if reply.Seen != nil {
		reply.Seen()
	}
	if reply.Wait != nil {
		select {
		case <-reply.Wait:
		case <-r.Context().Done():
			s.abandoned <- struct{}{}
			return
		}
	}
	s.answer(w, r, request.Stream, reply)
}

func (s *Server) next(r providertest.Request) (providertest.Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if len(s.script) == 0 {
		return providertest.Reply{}, false
	}
	reply := s.script[0]
	s.script = s.script[1:]
	return reply, true
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, stream bool, reply providertest.Reply) {
	switch {
	case reply.Failure != "":
		status, body := s.dialect.Refuse(reply.Failure)
		if reply.RetryAfter != "" {
			w.Header().Set("Retry-After", reply.RetryAfter)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body) // who does not listen is not missed
	case stream:
		s.stream(w, r, reply)
	case reply.Hang:
		<-r.Context().Done()
		s.abandoned <- struct{}{}
	case reply.Die:
		panic(http.ErrAbortHandler)
	case reply.Garbage != "":
		io.WriteString(w, reply.Garbage)
	default:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, s.dialect.Whole(reply))
	}
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, reply providertest.Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) {
		io.WriteString(w, text)
		http.NewResponseController(w).Flush()
	}
	for _, piece := range s.dialect.Pieces(reply) {
		send(piece)
	}
	switch {
	case reply.Hang:
		<-r.Context().Done()
		s.abandoned <- struct{}{}
	case reply.Die:
		panic(http.ErrAbortHandler)
	case reply.Garbage != "":
		send(s.dialect.Junk(reply.Garbage))
	case reply.Fault != "":
		send(s.dialect.Fault(reply.Fault))
	default:
		send(s.dialect.End(reply))
	}
}

// Object is a JSON object that a dialect writes.
type Object = map[string]any

// JSON encodes what a dialect writes.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return string(b)
}

// Cut divides a text between runes into the pieces that a reply asks for.
func Cut(r providertest.Reply) []string {
	n := r.Pieces
	if n == 0 {
		n = 3
	}
	if r.Text == "" {
		return nil
	}
	runes := []rune(r.Text)
	var out []string
	for part := range slices.Chunk(runes, max(1, (len(runes)+n-1)/n)) {
		out = append(out, string(part))
	}
	return out
}
