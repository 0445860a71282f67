package hosted

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"

	"moothall"
	"moothall/internal/gateway"
)

// Chunking is how many bytes of a reply arrive at once; 0 means all.
type Chunking int

// Replay plays an archive and returns it as it should be: with what was sent
// and what came in the place of what was expected. Its sections, in order:
//
//	ask    a moothall.GenerateRequest in JSON; begins a generation
//	sent   method, path and body of a request that the provider must make
//	reply  status, header lines, an empty line and the body that it gets
//	want   what the caller gets: one line for thinking, text, each call, the end
//
// A generation may take several requests. open makes a provider for a server
// at base; one provider serves the whole archive.
func Replay(ctx context.Context, archive []byte, n Chunking, open func(base string) (gateway.Provider, error)) ([]byte, error) {
	in := txtar.Parse(archive)
	out := &txtar.Archive{Comment: in.Comment}
	s := &player{chunk: n}
	server := httptest.NewServer(s)
	defer server.Close()
	p, err := open(server.URL)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(in.Files); {
		if in.Files[i].Name != "ask" {
			return nil, fmt.Errorf("section %s where an ask should be", in.Files[i].Name)
		}
		var r moothall.GenerateRequest
		if err := json.Unmarshal(in.Files[i].Data, &r); err != nil {
			return nil, fmt.Errorf("ask: %w", err)
		}
		out.Files = append(out.Files, in.Files[i])
		for i++; i < len(in.Files) && in.Files[i].Name != "ask"; i++ {
			if in.Files[i].Name == "reply" {
				s.replies = append(s.replies, in.Files[i].Data)
			}
		}
		want := play(ctx, p, r)
		out.Files = append(out.Files, s.take()...)
		out.Files = append(out.Files, txtar.File{Name: "want", Data: []byte(want)})
	}
	return txtar.Format(out), nil
}

// play generates and writes down what came.
func play(ctx context.Context, p gateway.Provider, r moothall.GenerateRequest) string {
	var b, text, thinking strings.Builder
	var calls []moothall.ToolCall
	end := "nothing\n"
	for c, err := range p.Generate(ctx, r) {
		text.WriteString(c.Text)
		thinking.WriteString(c.Thinking)
		calls = append(calls, c.ToolCalls...)
		switch {
		case err != nil:
			end = fmt.Sprintf("error %s: %v\n", moothall.ErrorCode(err), err)
			if wait, ok := gateway.RetryAfter(err); ok {
				end += "wait " + wait.String() + "\n"
			}
		case c.Stop != "":
			end = fmt.Sprintf("stop %s\nusage %d %d\n", c.Stop, c.Usage.PromptTokens, c.Usage.OutputTokens)
		}
	}
	if thinking.Len() > 0 {
		fmt.Fprintf(&b, "thinking %q\n", thinking.String())
	}
	if text.Len() > 0 {
		fmt.Fprintf(&b, "text %q\n", text.String())
	}
	for _, c := range calls {
		id := string(c.ID)
		if len(id) == len("call_")+32 {
			id = "made" // by the provider, new each time
		}
		fmt.Fprintf(&b, "call %s %s %s\n", id, c.Name, c.Arguments)
	}
	return b.String() + end
}

// player is a server that gives prepared replies and writes down requests.
type player struct {
	chunk Chunking

	mu      sync.Mutex
	replies [][]byte
	files   []txtar.File
}

func (s *player) take() []txtar.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	files := s.files
	for _, r := range s.replies {
		files = append(files, txtar.File{Name: "reply (not asked for)", Data: r})
	}
	s.files, s.replies = nil, nil
	return files
}

// ServeHTTP gives the next reply.
func (s *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, body, "", "  ") != nil {
		pretty.Write(body)
	}
	sent := fmt.Sprintf("%s %s\n%s\n", r.Method, r.URL.RequestURI(), strings.TrimSpace(pretty.String()))
	s.mu.Lock()
	s.files = append(s.files, txtar.File{Name: "sent", Data: []byte(sent)})
	var reply []byte
	if len(s.replies) > 0 {
		reply, s.replies = s.replies[0], s.replies[1:]
		s.files = append(s.files, txtar.File{Name: "reply", Data: reply})
	}
	s.mu.Unlock()
	if err := s.give(w, reply); err != nil {
		http.Error(w, err.Error(), http.StatusTeapot)
	}
}

// give writes a reply in chunks. A reply that ends in a line "CUT" breaks off
// there.
func (s *player) give(w http.ResponseWriter, reply []byte) error {
	br := bufio.NewReader(bytes.NewReader(reply))
	first, err := br.ReadString('\n')
	status, convErr := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || convErr != nil {
		return errors.New("the archive has no reply to this")
	}
	for {
		line, err := br.ReadString('\n')
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if err != nil || !ok {
			break
		}
		w.Header().Set(name, strings.TrimSpace(value))
	}
	body, err := io.ReadAll(br)
	if err != nil {
		return err
	}
	body, cut := bytes.CutSuffix(body, []byte("CUT\n"))
	w.WriteHeader(status)
	size := int(s.chunk)
	if size == 0 {
		size = len(body) + 1
	}
	for len(body) > 0 {
		n := min(size, len(body))
		w.Write(body[:n])
		http.NewResponseController(w).Flush()
		body = body[n:]
	}
	if cut {
		panic(http.ErrAbortHandler)
	}
	return nil
}
