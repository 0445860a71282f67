package gateway

import (
	"maps"
	"slices"
	"sync"
	"time"

	"moothall"
)

// Call is the record of one finished call: what it was for and what it cost,
// never what was said.
type Call struct {
	Time     time.Time           `json:"time"` // of its end
	Kind     string              `json:"kind"` // generate, embed, probe
	Caller   moothall.Identity   `json:"caller"`
	Session  moothall.SessionID  `json:"session_id,omitempty"`
	Query    moothall.QueryID    `json:"query_id,omitempty"`
	Lineage  moothall.Lineage    `json:"agent_lineage,omitempty"`
	Role     moothall.ModelRole  `json:"role,omitempty"`
	Provider string              `json:"provider,omitempty"`
	Model    string              `json:"model,omitempty"`
	Hosted   bool                `json:"hosted,omitempty"`
	Priority moothall.Priority   `json:"priority"`
	Wait     time.Duration       `json:"wait"` // for its turn; not part of Usage
	Usage    moothall.Usage      `json:"usage"`
	Sent     []moothall.Egress   `json:"sent,omitempty"` // what left this machine, retries included
	Stop     moothall.StopReason `json:"stop,omitempty"`
	Code     moothall.Code       `json:"code,omitempty"` // of the error, empty when it went well
}

// The kinds of calls.
const (
	KindGenerate = "generate"
	KindEmbed    = "embed"
	KindProbe    = "probe"
)

// Stats is what a gateway has counted since it was opened.
type Stats struct {
	Calls      uint64                                `json:"calls"`
	Failed     uint64                                `json:"failed"`
	Wait       time.Duration                         `json:"wait"`
	ByRole     map[moothall.ModelRole]moothall.Usage `json:"by_role"`
	ByModel    map[string]moothall.Usage             `json:"by_model"` // "provider/model"
	BySession  map[moothall.SessionID]moothall.Usage `json:"by_session"`
	Generating map[string]QueueStats                 `json:"generating"` // by provider
	Embedding  map[string]QueueStats                 `json:"embedding"`
}

// maxSessions is how many sessions the ledger tells apart; the one that was
// first seen longest ago is dropped for a new one.
const maxSessions = 1024

// maxModels is how many models it tells apart; the one that was used longest
// ago is dropped. Names come from callers, and some servers take any.
const maxModels = 256

// ledger adds calls up.
type ledger struct {
	sink func(Call)

	mu     sync.Mutex
	stats  Stats
	order  []moothall.SessionID
	models []string // of stats.ByModel, the one used last in the end
}

func newLedger(sink func(Call)) *ledger {
	return &ledger{sink: sink, stats: Stats{
		ByRole: map[moothall.ModelRole]moothall.Usage{}, ByModel: map[string]moothall.Usage{},
		BySession: map[moothall.SessionID]moothall.Usage{},
	}}
}

func (l *ledger) add(c Call) {
	l.count(c)
	if l.sink == nil {
		return
	}
	// An observer's fault is not the caller's.
	defer func() { _ = recover() }()
	l.sink(c)
}

func (l *ledger) count(c Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &l.stats
	s.Calls++
	s.Wait += c.Wait
	if c.Code != "" {
		s.Failed++
	}
	if c.Provider == "" {
		return // it never came as far as a model
	}
	s.ByRole[c.Role] = sum(s.ByRole[c.Role], c.Usage)
	name := c.Provider + "/" + c.Model
	s.ByModel[name] = sum(s.ByModel[name], c.Usage)
	l.models = append(slices.DeleteFunc(l.models, func(m string) bool { return m == name }), name)
	if len(l.models) > maxModels {
		delete(s.ByModel, l.models[0])
		l.models = l.models[1:]
	}
	if c.Session == "" {
		return
	}
	if _, known := s.BySession[c.Session]; !known {
		l.order = append(l.order, c.Session)
	}
	s.BySession[c.Session] = sum(s.BySession[c.Session], c.Usage)
	if len(l.order) > maxSessions {
		delete(s.BySession, l.order[0])
		l.order = l.order[1:]
	}
}

func sum(a, b moothall.Usage) moothall.Usage {
	return moothall.Usage{
		Calls: a.Calls + b.Calls, PromptTokens: a.PromptTokens + b.PromptTokens, OutputTokens: a.OutputTokens + b.OutputTokens,
		FirstToken: a.FirstToken + b.FirstToken, Total: a.Total + b.Total,
	}
}

// Stats returns a copy of the counts and the state of the queues.
func (g *Gateway) Stats() Stats {
	g.ledger.mu.Lock()
	s := g.ledger.stats
	s.ByRole, s.ByModel, s.BySession = maps.Clone(s.ByRole), maps.Clone(s.ByModel), maps.Clone(s.BySession)
	g.ledger.mu.Unlock()
	s.Generating, s.Embedding = map[string]QueueStats{}, map[string]QueueStats{}
	for name, q := range g.chats {
		s.Generating[name] = q.stats()
	}
	for name, q := range g.embeds {
		s.Embedding[name] = q.stats()
	}
	return s
}
