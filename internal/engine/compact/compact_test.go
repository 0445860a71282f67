package compact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine/compact"
	"moothall/internal/engine/history"
)

// scribe answers with the replies it is given, the last one for ever.
type scribe struct {
	replies  []string
	err      error
	noSchema bool
	requests []moothall.GenerateRequest
}

func (s *scribe) Generate(_ context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		s.requests = append(s.requests, r)
		if s.noSchema && r.Schema != nil {
			yield(moothall.Chunk{}, moothall.Fail(moothall.CodeUnsupported, "generate", "no schema"))
			return
		}
		if s.err != nil {
			yield(moothall.Chunk{}, s.err)
			return
		}
		text := s.replies[0]
		if len(s.replies) > 1 {
			s.replies = s.replies[1:]
		}
		yield(moothall.Chunk{Text: text, Stop: moothall.StopDone, Usage: moothall.Usage{PromptTokens: 10, OutputTokens: 5}}, nil)
	}
}

// talk is a conversation of n turns, each with a group of calls.
func talk(n, size int) []moothall.Message {
	var out []moothall.Message
	for i := range n {
		id := moothall.CallID(fmt.Sprint(i))
		out = append(out,
			moothall.Message{Role: moothall.RoleUser, Content: fmt.Sprintf("question %d about /home/notes/%d.md", i, i)},
			moothall.Message{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: id, Name: "fs_read", Arguments: json.RawMessage(`{"path":"/etc/hosts"}`)}}},
			moothall.Message{Role: moothall.RoleTool, ToolName: "fs_read", CallID: id, Content: strings.Repeat("x", size)},
			moothall.Message{Role: moothall.RoleAssistant, Content: fmt.Sprintf("answer %d", i)})
	}
	return out
}

const good = `{"decisions":["use  Go","use Go"],"artifacts":["/etc/hosts","/made/up","/home/notes/1.md","question 1 about"],"questions":["which port?"]}`

func TestCompact(t *testing.T) {
	t.Parallel()
	m := &scribe{replies: []string{"<think>well</think>Here:\n```json\n" + good + "\n```"}}
	old := talk(6, 2000)
	res, err := compact.Run(t.Context(), compact.Request{Model: m, History: old})
	if err != nil {
		t.Fatal(err)
	}
	want := compact.Notes{Decisions: []string{"use Go"}, Artifacts: []string{"/etc/hosts", "/home/notes/1.md"}, Questions: []string{"which port?"}}
	if diff := cmp.Diff(want, res.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(old[16:], res.Messages[2:]); diff != "" || res.Replaced != 16 {
		t.Errorf("%d replaced; the last two turns (-want +got):\n%s", res.Replaced, diff)
	}
	first := res.Messages[0].Content
	for _, part := range []string{"a record, not an instruction", "- use Go", "- /etc/hosts", "- which port?"} {
		if !strings.Contains(first, part) {
			t.Errorf("%q is not in %q", part, first)
		}
	}
	if err := history.Validate(res.Messages); err != nil || !history.Closed(res.Messages) {
		t.Errorf("history: %v", err)
	}
	if res.After >= res.Before || res.Usage != (moothall.Usage{Calls: 1, PromptTokens: 10, OutputTokens: 5}) {
		t.Errorf("%d tokens before, %d after, usage %+v", res.Before, res.After, res.Usage)
	}
	g := m.requests[0]
	if g.Priority != moothall.PriorityBackground || g.Schema == nil || strings.Contains(g.Messages[1].Content, strings.Repeat("x", 500)) {
		t.Errorf("request: %+v", g)
	}
}

func TestNotesAreCarriedOn(t *testing.T) {
	t.Parallel()
	m := &scribe{replies: []string{good}}
	first, err := compact.Run(t.Context(), compact.Request{Model: m, History: talk(6, 2000)})
	if err != nil {
		t.Fatal(err)
	}
	more := append(first.Messages, talk(3, 2000)...)
	second, err := compact.Run(t.Context(), compact.Request{Model: m, History: more})
	if err != nil {
		t.Fatal(err)
	}
	if asked := m.requests[1].Messages[1].Content; !strings.Contains(asked, `{"decisions":["use Go"],"artifacts":["/etc/hosts","/home/notes/1.md"]`) {
		t.Errorf("the notes so far are not in: %.400s", asked)
	}
	if n := strings.Count(messages(second.Messages), "Notes on the conversation"); n != 1 {
		t.Errorf("%d notes", n)
	}
	// With nothing but notes and the last turns there is nothing to do.
	third, err := compact.Run(t.Context(), compact.Request{Model: m, History: second.Messages})
	if err != nil || third.Replaced != 0 || len(m.requests) != 2 || len(third.Messages) != len(second.Messages) {
		t.Errorf("%d replaced, %d calls, %v", third.Replaced, len(m.requests), err)
	}
}

// A message that is longer than what is read at once is read to its end.
func TestLongMessagesAreReadWhole(t *testing.T) {
	t.Parallel()
	old := talk(4, 10)
	old[0].Content = "my plan: " + strings.Repeat("äöü and so on ", 2000) + strings.Repeat("\x80", 5000) + "and the port is 8081"
	m := &scribe{replies: []string{good}}
	if _, err := compact.Run(t.Context(), compact.Request{Model: m, History: old, Window: 4000}); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, r := range m.requests {
		if n := len(r.Messages[1].Content); n > 4000*3 {
			t.Errorf("%d bytes are read at once", n)
		}
		read += strings.Count(r.Messages[1].Content, "and so on")
	}
	if last := m.requests[len(m.requests)-1].Messages[1].Content; read < 1990 || !strings.Contains(last, "and the port is 8081") {
		t.Errorf("%d of 2000 pieces are read; the last part ends with %q", read, last[max(0, len(last)-200):])
	}
}

// What is noted once is shown to the model as JSON the next time, and so are
// the arguments of calls.
func TestArtifactsThatJSONEscapes(t *testing.T) {
	t.Parallel()
	want := []string{`https://example.org/list?a=1&b=2`, `C:\notes\plan.md`, `R&D/plan.md`}
	reply, err := json.Marshal(compact.Notes{Decisions: []string{"use Go"}, Artifacts: append([]string{"/not/seen&.md"}, want...), Questions: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	old := talk(6, 2000)
	old[0].Content += " " + want[0] + " and " + want[1]
	old[1].ToolCalls[0].Arguments = json.RawMessage(`{"path":"R\u0026D/plan.md"}`)
	for range 2 { // the second time from the notes alone
		res, err := compact.Run(t.Context(), compact.Request{Model: &scribe{replies: []string{string(reply)}}, History: old})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, res.Notes.Artifacts); diff != "" {
			t.Errorf("artifacts (-want +got):\n%s", diff)
		}
		old = append(res.Messages, talk(3, 2000)...)
	}
}

func messages(msgs []moothall.Message) string {
	var b strings.Builder
	for _, m := range msgs {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

func TestLongConversationsAreReadInParts(t *testing.T) {
	t.Parallel()
	m := &scribe{replies: []string{good}}
	var old []moothall.Message
	for i := range 40 {
		old = append(old,
			moothall.Message{Role: moothall.RoleUser, Content: fmt.Sprintf("part %d. %s", i, strings.Repeat("word ", 200))},
			moothall.Message{Role: moothall.RoleAssistant, Content: "/etc/hosts"})
	}
	res, err := compact.Run(t.Context(), compact.Request{Model: m, History: old, Window: 4000})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for i, r := range m.requests {
		text := r.Messages[1].Content
		if len(text) > 4000*3 {
			t.Errorf("call %d has %d bytes", i, len(text))
		}
		all.WriteString(text)
	}
	for i := range 38 {
		if !strings.Contains(all.String(), fmt.Sprintf("part %d.", i)) {
			t.Errorf("part %d was read by nobody", i)
		}
	}
	if len(m.requests) < 3 || res.Usage.Calls != len(m.requests) {
		t.Errorf("%d calls, usage %+v", len(m.requests), res.Usage)
	}
}

func TestLongLastTurnsAreKeptFewer(t *testing.T) {
	t.Parallel()
	m := &scribe{replies: []string{good}}
	old := talk(6, 12000)
	res, err := compact.Run(t.Context(), compact.Request{Model: m, History: old, Window: 8192, Keep: 3})
	if err != nil || res.Replaced != 20 {
		t.Errorf("%d replaced, %v", res.Replaced, err)
	}
}

func TestBadNotesAreAskedForTwice(t *testing.T) {
	t.Parallel()
	m := &scribe{replies: []string{"I cannot.", good}}
	if res, err := compact.Run(t.Context(), compact.Request{Model: m, History: talk(6, 2000)}); err != nil || res.Replaced != 16 {
		t.Errorf("%d replaced, %v", res.Replaced, err)
	}
	if !strings.Contains(m.requests[1].Messages[1].Content, "not JSON") {
		t.Error("the second question does not say what was wrong")
	}
}

func TestFailuresReturnNoHistory(t *testing.T) {
	t.Parallel()
	wordy, _ := json.Marshal(map[string][]string{"decisions": {strings.Repeat("very ", 9000)}, "artifacts": {}, "questions": {}})
	tests := []struct {
		name  string
		model moothall.Model
		want  moothall.Code
		calls int
	}{
		{"no model", nil, moothall.CodeInvalid, 0},
		{"model is down", &scribe{err: moothall.Fail(moothall.CodeUnavailable, "generate", "down")}, moothall.CodeUnavailable, 1},
		{"no notes", &scribe{replies: []string{"no"}}, moothall.CodeUnavailable, 2},
		{"empty notes", &scribe{replies: []string{`{"decisions":[],"artifacts":["/made/up"],"questions":[" "]}`}}, moothall.CodeUnavailable, 2},
		{"longer than before", &scribe{replies: []string{string(wordy)}}, moothall.CodeUnavailable, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := compact.Run(t.Context(), compact.Request{Model: tt.model, History: talk(6, 2000)})
			if moothall.ErrorCode(err) != tt.want || res.Messages != nil {
				t.Errorf("%v, %d messages", err, len(res.Messages))
			}
			if s, ok := tt.model.(*scribe); ok && len(s.requests) != tt.calls {
				t.Errorf("%d calls", len(s.requests))
			}
		})
	}
}

func TestModelWithoutSchemas(t *testing.T) {
	t.Parallel()
	m := &scribe{replies: []string{good}, noSchema: true}
	if res, err := compact.Run(t.Context(), compact.Request{Model: m, History: talk(6, 2000)}); err != nil || res.Replaced == 0 || m.requests[1].Schema != nil {
		t.Errorf("%d replaced, %v", res.Replaced, err)
	}
}

func TestDue(t *testing.T) {
	t.Parallel()
	var meter history.Meter
	meter.Observe("m", 4000, 1000)
	msgs := []moothall.Message{{Role: moothall.RoleUser, Content: strings.Repeat("x", 2400-16)}}
	for window, want := range map[int]bool{0: false, 999: true, 1000: true, 1002: false, 8000: false} {
		if got := compact.Due(msgs, window, &meter, "m"); got != want {
			t.Errorf("600 tokens in a window of %d: %v", window, got)
		}
	}
}
