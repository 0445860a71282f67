package committee_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/committee"
	"moothall/internal/moottest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// line is one reply of a voice.
type line struct {
	think string
	text  string
	call  string // arguments of a call of memory_read
	err   error
	hang  bool // after the text, until the end of ctx
	takes time.Duration
	usage moothall.Usage
}

// cast is a gateway in which each voice has a script of its own. A voice
// without one says its name.
type cast struct {
	moothall.Gateway
	tools string // of every card; native when empty

	mu       sync.Mutex
	scripts  map[string][]line
	requests map[string][]moothall.GenerateRequest
	models   []moothall.ModelRequest // whose cards were asked for
}

const theSelf = "Self"

func newCast(scripts map[string][]line) *cast {
	return &cast{Gateway: moottest.NewGateway(), scripts: scripts, requests: map[string][]moothall.GenerateRequest{}}
}

// voice reads who is meant off the system prompt.
func voice(r moothall.GenerateRequest) string {
	_, name, ok := strings.Cut(r.Messages[0].Content, "Your name is ")
	if !ok {
		return theSelf
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

func (c *cast) ShowModel(_ context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.models = append(c.models, r)
	card := moothall.ModelCard{Provider: "fake", Model: "m", Window: 8192, Tools: "native", Streams: true}
	if c.tools != "" {
		card.Tools = c.tools
	}
	return card, nil
}

func (c *cast) next(r moothall.GenerateRequest) (line, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	who := voice(r)
	r.Messages = slices.Clone(r.Messages)
	c.requests[who] = append(c.requests[who], r)
	if len(c.scripts[who]) == 0 {
		return line{text: "I am " + who + "."}, who
	}
	l := c.scripts[who][0]
	c.scripts[who] = c.scripts[who][1:]
	return l, who
}

func (c *cast) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		l, _ := c.next(r)
		if l.takes > 0 {
			select {
			case <-time.After(l.takes):
			case <-ctx.Done():
				yield(moothall.Chunk{}, ctx.Err())
				return
			}
		}
		chunk := moothall.Chunk{Thinking: l.think, Text: l.text}
		if l.call != "" {
			chunk.ToolCalls = []moothall.ToolCall{{Name: "memory_read", Arguments: json.RawMessage(l.call)}}
		}
		if !yield(chunk, nil) {
			return
		}
		if l.hang {
			<-ctx.Done()
			l.err = ctx.Err()
		}
		if l.err != nil {
			yield(moothall.Chunk{}, l.err)
			return
		}
		if l.usage.Calls == 0 {
			l.usage = moothall.Usage{Calls: 1, PromptTokens: 100, OutputTokens: 10, Total: time.Millisecond}
		}
		yield(moothall.Chunk{Stop: moothall.StopDone, Usage: l.usage, Provider: "fake", Model: "m", Sent: []moothall.Egress{{Host: "models.test", Bytes: 7}}}, nil)
	}
}

// prompt is everything that a voice was sent in its nth call, from 0.
func (c *cast) prompt(t *testing.T, who string, n int) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.requests[who]) <= n {
		t.Fatalf("%s was asked %d times", who, len(c.requests[who]))
	}
	var b strings.Builder
	for _, m := range c.requests[who][n].Messages {
		b.WriteString(string(m.Role) + ": " + m.Content + "\n")
	}
	return b.String()
}

// desk is a broker that remembers who came and went, and whose sessions have
// labels.
type desk struct {
	moothall.Broker
	mu       sync.Mutex
	spawned  []moothall.SpawnRequest
	finished int
	labels   moothall.Label // of the session
}

const segment = "She said that she would rather live by the sea."

// newDesk has a memory that is private, and untrusted when outside is set.
func newDesk(outside bool) *desk {
	read := moottest.EchoTool("memory_read", moothall.RiskRead)
	read.About.Parameters = json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)
	read.About.Aliases = []moothall.ToolName{"search_memories"}
	corpus := strings.Repeat("Something else altogether was talked about. ", 400) + segment
	read.Do = func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
		// As the real tool: of the corpus, the part that answers.
		found := corpus[strings.Index(corpus, segment):]
		data, err := json.Marshal(map[string]any{"results": []map[string]any{{"id": "m1", "name": "a talk", "text": found, "score": 0.9}}})
		res := moothall.ToolResult{Status: moothall.CallOK, Text: "1 memory, best first:\n" + found, Data: data, Labels: moothall.Private}
		if outside {
			res.Labels |= moothall.Untrusted
		}
		return res, err
	}
	graph := moottest.EchoTool("graph_search", moothall.RiskRead)
	shell := moottest.EchoTool("calculate", moothall.RiskNone)
	b := moottest.NewBroker(read, graph, shell)
	b.Allow("persona", moottest.AgentRules{Tools: []moothall.ToolName{"memory_read", "graph_search", "calculate"}})
	return &desk{Broker: b.For(moothall.CommitteeTable)}
}

func (d *desk) Spawn(ctx context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	a, err := d.Broker.Spawn(ctx, r)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.spawned = append(d.spawned, r)
		a.Labels = d.labels | r.Labels
	}
	return a, err
}

func (d *desk) Finish(ctx context.Context, s moothall.Scope, h moothall.Handle) error {
	err := d.Broker.Finish(ctx, s, h)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.finished++
	}
	return err
}

// table is a committee under test.
type table struct {
	*committee.Committee
	cast *cast
	desk *desk
	told []moothall.Deliberation // all, from the bus
}

// voices are personas by these names, and the Self.
func voices(names ...string) *committee.File {
	f := &committee.File{Self: committee.DefaultSelf()}
	for _, n := range names {
		f.Personas = append(f.Personas, committee.Persona{Name: n, Voice: "You are " + n + "."})
	}
	return f
}

func open(c *cast, d *desk, s committee.Settings, names ...string) *table {
	t := &table{cast: c, desk: d}
	o := committee.Options{
		Model: c, Voices: voices(names...), Settings: s,
		Tell: func(_ context.Context, e moothall.Event) error {
			if err := validate(e); err != nil {
				return err
			}
			var d moothall.Deliberation
			err := json.Unmarshal(e.Payload, &d)
			t.told = append(t.told, d)
			return err
		},
	}
	if d != nil {
		o.Broker = d
	}
	t.Committee = committee.New(o)
	return t
}

// ask asks and holds the outcome to what every outcome promises.
func (tb *table) ask(t *testing.T, ctx context.Context, q committee.Question) (*committee.Outcome, []moothall.Step) {
	t.Helper()
	if q.Text == "" {
		q.Text = "Should I move to Lisbon?"
	}
	q.Query, tb.told = "q1", nil
	var steps []moothall.Step
	o, err := tb.Deliberate(ctx, q, func(s moothall.Step) { steps = append(steps, s) })
	if err != nil {
		t.Fatal(err)
	}
	if tb.desk != nil && tb.desk.finished != len(tb.desk.spawned) {
		t.Errorf("%d agents were spawned and %d finished", len(tb.desk.spawned), tb.desk.finished)
	}
	if n := len(o.Messages); n != 2 || o.Messages[0].Content != q.Text || o.Messages[1].Role != moothall.RoleAssistant {
		t.Errorf("messages to keep: %+v", o.Messages)
	}
	var ends []moothall.Deliberation
	for _, d := range tb.told {
		if d.Status != "thinking" {
			ends = append(ends, d)
		}
	}
	if list(ends) != list(o.Deliberations) {
		t.Errorf("told %s, returned %s", list(ends), list(o.Deliberations))
	}
	if o.Stop == "" {
		t.Error("no stop reason")
	}
	return o, steps
}

// list is deliberations in short: who, round, status.
func list(ds []moothall.Deliberation) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Persona+string(rune('0'+d.Round))+d.Status)
	}
	return strings.Join(out, " ")
}

func contain(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}

func lack(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q is in:\n%s", p, text)
		}
	}
}

// validate holds an event to the rules of the bus, as the committee.
func validate(e moothall.Event) error {
	e.Sender = moothall.CommitteeTable
	return e.Validate()
}
