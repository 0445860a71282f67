package ollamatest

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
	"unicode/utf8"
)

// Reply is what the server does with one chat: it sends Thinking, Text and
// Calls, then does what the first of the faults that is set says, and
// otherwise sends the last line.
type Reply struct {
	Seen  func()          // called when the request was read; may be nil
	Wait  <-chan struct{} // send nothing, not even headers, before this is closed or the caller goes
	Delay time.Duration   // between lines

	Thinking     string
	Text         string
	Pieces       int      // into how many lines thinking and text are cut; 0 means 3
	Lines        []string // the text line by line, instead of Text and Pieces
	Calls        []Call
	DoneReason   string // default stop
	PromptTokens int    // default counted; -1 leaves the count out, as old servers do for a cached prompt
	OutputTokens int    // default counted

	Status     int // refuse with this status
	Message    string
	RetryAfter string

	Hang      bool   // send nothing more until the caller goes
	Die       bool   // drop the connection
	Garbage   string // a line that is no JSON, then the end of the body
	ErrorLine string // a line {"error": ...} under status 200
	NoDone    bool   // end the body properly, without the last line, or with one that says that it is not
}

// lines writes one JSON object a line.
type lines struct {
	w     http.ResponseWriter
	flush http.Flusher
	enc   *json.Encoder
}

func newLines(w http.ResponseWriter) lines {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	return lines{w, w.(http.Flusher), json.NewEncoder(w)}
}

func (l lines) send(v any) {
	l.enc.Encode(v)
	l.flush.Flush()
}

// line is one object of a chat's stream.
type line struct {
	Model           string  `json:"model"`
	CreatedAt       string  `json:"created_at"`
	Message         Message `json:"message"`
	Done            bool    `json:"done"`
	DoneReason      string  `json:"done_reason,omitempty"`
	TotalDuration   int64   `json:"total_duration,omitempty"`
	PromptEvalCount int     `json:"prompt_eval_count,omitempty"`
	EvalCount       int     `json:"eval_count,omitempty"`
}

func (s *Server) give(w http.ResponseWriter, r *http.Request, c Chat, reply Reply) {
	finished := false
	defer func() {
		if !finished && r.Context().Err() != nil {
			s.abandoned <- struct{}{}
		}
	}()
	if reply.Seen != nil {
		reply.Seen()
	}
	if reply.Wait != nil {
		select {
		case <-reply.Wait:
		case <-r.Context().Done():
			return
		}
	}
	if reply.Status != 0 {
		if reply.RetryAfter != "" {
			w.Header().Set("Retry-After", reply.RetryAfter)
		}
		fail(w, reply.Status, reply.Message)
	} else if c.Stream != nil && !*c.Stream {
		s.whole(w, r, c, reply)
	} else {
		s.stream(w, r, c, reply)
	}
	finished = r.Context().Err() == nil
}

func (s *Server) whole(w http.ResponseWriter, r *http.Request, c Chat, next Reply) {
	switch {
	case next.Hang:
		<-r.Context().Done()
		return
	case next.Die:
		panic(http.ErrAbortHandler)
	case next.Garbage != "":
		io.WriteString(w, next.Garbage)
		return
	case next.ErrorLine != "":
		fail(w, http.StatusInternalServerError, next.ErrorLine)
		return
	}
	l := last(c, next)
	for _, s := range next.Lines {
		next.Text += s
	}
	if next.NoDone { // the server gives what it has as if that were all
		l = line{Model: c.Model, CreatedAt: created, Message: Message{Role: "assistant"}}
	}
	l.Message.Content, l.Message.Thinking, l.Message.ToolCalls = next.Text, next.Thinking, next.Calls
	reply(w, l)
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, c Chat, reply Reply) {
	if reply.Die && reply.Text == "" && reply.Thinking == "" && len(reply.Calls) == 0 {
		panic(http.ErrAbortHandler)
	}
	out := newLines(w)
	for _, m := range reply.messages() {
		if reply.Delay > 0 {
			select {
			case <-time.After(reply.Delay):
			case <-r.Context().Done():
			}
		}
		if r.Context().Err() != nil {
			return
		}
		out.send(line{Model: c.Model, CreatedAt: created, Message: m})
	}
	switch {
	case reply.Hang:
		<-r.Context().Done()
	case reply.Die:
		panic(http.ErrAbortHandler)
	case reply.Garbage != "":
		io.WriteString(w, reply.Garbage+"\n")
	case reply.ErrorLine != "":
		out.send(map[string]string{"error": reply.ErrorLine})
	case reply.NoDone:
	default:
		out.send(last(c, reply))
	}
}

const created = "2026-01-02T03:04:05.678901234Z"

func last(c Chat, r Reply) line {
	return line{
		Model: c.Model, CreatedAt: created, Message: Message{Role: "assistant"}, Done: true, DoneReason: r.DoneReason,
		TotalDuration: 1_000_000, PromptEvalCount: max(r.PromptTokens, 0), EvalCount: r.OutputTokens,
	}
}

// messages cuts a reply into the messages of its lines.
func (r Reply) messages() []Message {
	var out []Message
	for _, s := range pieces(r.Thinking, r.Pieces) {
		out = append(out, Message{Role: "assistant", Thinking: s})
	}
	text := r.Lines
	if text == nil {
		text = pieces(r.Text, r.Pieces)
	}
	for _, s := range text {
		out = append(out, Message{Role: "assistant", Content: s})
	}
	for _, c := range r.Calls {
		out = append(out, Message{Role: "assistant", ToolCalls: []Call{c}})
	}
	return out
}

// pieces cuts s into about n pieces where no character is torn.
func pieces(s string, n int) []string {
	if n == 0 {
		n = 3
	}
	size := max(1, (len(s)+n-1)/n)
	var out []string
	for s != "" {
		i := min(size, len(s))
		for i < len(s) && !utf8.RuneStart(s[i]) {
			i++
		}
		out, s = append(out, s[:i]), s[i:]
	}
	return out
}
