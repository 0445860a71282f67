package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine"
)

// Mode answers a turn in its own way. It is given what it must know of the
// conversation, says what happens, and returns how it ended, also after a
// failure. The session, the record and the telling are not its business.
type Mode func(ctx context.Context, a Asked, say func(moothall.Step)) Outcome

// Asked is a question in its conversation.
type Asked struct {
	Request moothall.QueryRequest
	Session moothall.SessionID
	Query   moothall.QueryID
	Run     moothall.RunID
	History []moothall.Message // before the question
	Input   moothall.Message   // the question, with what goes with it
	Labels  moothall.Label     // that the question brings along
	Tail    string             // date and the like; not kept
}

// Outcome is how a turn ended. Result.Messages are not looked at: what a mode
// adds to the conversation is the answer alone.
type Outcome struct {
	engine.Result
	ByRole        map[moothall.ModelRole]moothall.Usage // Result.Usage under chat when nil
	Deliberations []moothall.Deliberation
	Task          moothall.TaskID
	Ongoing       bool // the task goes on without the turn, with what was switched for it
}

// manner is how a question is answered, as far as that is said with it. Where
// it is asked again and nothing else is said, it is answered so again.
type manner struct {
	Mode     moothall.QueryMode `json:"mode,omitempty"`
	Personas []string           `json:"personas,omitempty"`
	Rounds   int                `json:"rounds,omitempty"`
}

func mannerOf(r moothall.QueryRequest) manner { return manner{r.Mode, r.Personas, r.Rounds} }

// fill completes what asks the same again.
func (m manner) fill(r *moothall.QueryRequest) {
	if r.Mode = cmp.Or(r.Mode, m.Mode); r.Mode != m.Mode {
		return
	}
	if len(r.Personas) == 0 {
		r.Personas = m.Personas
	}
	r.Rounds = cmp.Or(r.Rounds, m.Rounds)
}

// knows reports why a mode cannot be had.
func (c *Chat) knows(m moothall.QueryMode) error {
	switch {
	case m == "" || m == moothall.ModeChat || c.opt.Modes[m] != nil:
		return nil
	case m == moothall.ModeCommittee || m == moothall.ModeTask:
		return moothall.Fail(moothall.CodeNotConfigured, "query", "the mode "+string(m)+" is not there in this hall")
	}
	return moothall.Fail(moothall.CodeInvalid, "query", "there is no mode "+string(m)+"; chat, committee and task are those there are")
}

// inputOf is a question with what goes with it.
func inputOf(r moothall.QueryRequest) moothall.Message {
	m := moothall.Message{Role: moothall.RoleUser, Content: r.Query}
	if r.Context != "" {
		m.Content += contextBegin + strings.ReplaceAll(r.Context, "</context", "< /context") + contextEnd
	}
	return m
}

// What goes with a question stands between these.
const (
	contextBegin = "\n\n<context>\n"
	contextEnd   = "\n</context>"
)

// contextOf is what goes with a question: inputOf makes the same of it again.
func contextOf(m moothall.Message, question string) string {
	if with, ok := strings.CutPrefix(m.Content, question+contextBegin); ok {
		return strings.TrimSuffix(with, contextEnd)
	}
	return ""
}

// brought is what a question brings along: nobody can say who wrote what was
// piped in.
func brought(r moothall.QueryRequest) moothall.Label {
	if r.Context == "" {
		return 0
	}
	return moothall.Untrusted
}

// clock tells a model the time.
func clock(at time.Time) string { return "It is " + at.Format("Monday, 2 January 2006, 15:04") + "." }

// Failed is the outcome of a turn that could not go on.
func Failed(err error) Outcome {
	return Outcome{Result: engine.Result{Stop: moothall.StopError, Err: err}}
}

// answering is how one respondent runs the engine for a question.
type answering struct {
	chat    *Chat
	as      Respondent
	asked   Asked
	agent   moothall.AgentType
	urgent  moothall.Priority
	fresh   bool           // its session was made for it
	spawned moothall.Agent // at the broker; without a handle when there is none
	window  int
	offer   int          // how many tools the model is offered at most; 0: as its window allows
	key     string       // what the meter knows the model by
	safe    func() error // waits until something may be done; nil: at once
}

// request says what the engine is to run.
func (a *answering) request(ctx context.Context) (engine.Request, error) {
	c := a.chat
	provider, model := a.as.Provider, a.as.Model
	if a.asked.Request.Model != "" && a.urgent == moothall.PriorityPerson {
		provider, model = "", a.asked.Request.Model // the person's choice, which may name its provider
	}
	card := c.card(ctx, provider, model)
	a.window, a.offer, a.key = card.Window, card.Offer, provider+"/"+model
	r := engine.Request{
		Model: c.opt.Model, Scope: moothall.Scope{Session: a.asked.Session}, Query: a.asked.Query, Run: a.asked.Run,
		Role: moothall.ModelChat, Provider: provider, ModelName: model, Priority: a.urgent, Window: card.Window,
		Temperature: a.as.Temperature, Think: a.as.Think,
		System: c.opt.System, History: a.asked.History, Input: []moothall.Message{a.asked.Input}, Tail: a.asked.Tail,
		Abilities: engine.AbilitiesOf(card), Meter: c.meter, Now: c.opt.Now, Recalls: engine.RecallsOf,
	}
	if c.opt.Library != nil && card.Recall {
		r.Abilities.Recall, r.Retrieve = true, a.readUp
	}
	err := a.offerTools(ctx, &r)
	return r, err
}

// cardAge is for how long a model's card is taken as it was: its server is
// asked three things for one, and a person's next question comes soon.
const cardAge = 10 * time.Second

// agedCard is a card and when it was shown.
type agedCard struct {
	card moothall.ModelCard
	at   time.Time
}

// card is what a model can do; nothing is known of one whose card cannot be
// had: the call itself will say what is wrong.
func (c *Chat) card(ctx context.Context, provider, model string) moothall.ModelCard {
	key, now := provider+"/"+model, c.opt.Now()
	c.mu.Lock()
	known, ok := c.cards[key]
	c.mu.Unlock()
	if ok && now.Sub(known.at) < cardAge {
		return known.card
	}
	card, err := c.opt.Model.ShowModel(ctx, moothall.ModelRequest{Provider: provider, Model: model})
	if err != nil {
		c.opt.Logger.Debug("no card for the model", "err", err)
		return card
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.cards) > 100 {
		clear(c.cards) // of models that were named once
	}
	c.cards[key] = agedCard{card, now}
	return card
}

// earlySpawner is a broker that gives an agent out before it is on record, and
// holds back whatever it does until then. Fresh says that session and query
// were made for it.
type earlySpawner interface {
	SpawnEarly(ctx context.Context, r moothall.SpawnRequest, fresh bool) (moothall.Agent, error)
}

// offerTools gets an agent at the broker and what it may use. A hall without
// a broker answers without tools.
func (a *answering) offerTools(ctx context.Context, r *engine.Request) error {
	b := a.chat.opt.Broker
	if b == nil {
		return nil
	}
	q := a.asked.Request
	spawn := b.Spawn
	if early, ok := b.(earlySpawner); ok {
		spawn = func(ctx context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
			return early.SpawnEarly(ctx, r, a.fresh)
		}
	}
	agent, err := spawn(ctx, moothall.SpawnRequest{
		Scope: r.Scope, Type: a.agent, Query: a.asked.Query, Words: q.Query, Labels: a.asked.Labels,
		Unattended: q.Unattended || a.urgent != moothall.PriorityPerson,
	})
	if moothall.ErrorCode(err) == moothall.CodeNotConfigured {
		return nil
	}
	if err != nil {
		return err
	}
	a.spawned = agent
	r.Broker, r.Handle, r.Scope.Lineage = b, agent.Handle, agent.Lineage
	r.Tools, err = b.Discover(ctx, moothall.DiscoverRequest{Scope: r.Scope, Agent: agent.Handle, Task: q.Query, Window: r.Window, Limit: a.offer})
	if r.Abilities.Tools == engine.ToolsNone {
		r.Retrieve = a.lookUp(*r)
	}
	return err
}

// lookUp asks the memory for a model that cannot ask by itself, through the
// broker as everything.
func (a *answering) lookUp(r engine.Request) func(context.Context, string) ([]moothall.Recall, error) {
	return func(ctx context.Context, question string) ([]moothall.Recall, error) {
		if a.safe != nil {
			if err := a.safe(); err != nil {
				return nil, err
			}
		}
		args, err := json.Marshal(map[string]string{"query": question})
		if err != nil {
			return nil, err
		}
		call := moothall.CallRequest{
			Scope: r.Scope, Agent: r.Handle, Query: r.Query, Run: r.Run,
			Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: engine.MemoryRead, Arguments: args},
		}
		for p, err := range r.Broker.Execute(ctx, call) {
			if p.Result != nil {
				moothall.NoteSent(ctx, p.Result.Sent...)
			}
			switch {
			case err != nil:
				return nil, err
			case p.Result != nil && p.Result.Status != moothall.CallOK:
				return nil, moothall.Fail(moothall.CodeUnavailable, "look up", p.Result.Text)
			case p.Result != nil:
				a.spawned.Labels |= p.Result.Labels
				return engine.RecallsOf(*p.Result), nil
			}
		}
		return nil, moothall.Fail(moothall.CodeInternal, "look up", "the broker gave no result")
	}
}

// readUp looks into the library. It is the program's own text and none of the
// person's: nobody has to be asked, and nothing is waited for.
func (a *answering) readUp(ctx context.Context, _ string) ([]moothall.Recall, error) {
	return a.chat.opt.Library(ctx, a.asked.Request.Query, lastSaid(a.asked.History), atHand(a.asked.History)), nil
}

// A text at hand is one of the last few exchanges, and has some length.
const (
	recentTurns = 6
	textRoom    = 16 << 10 // bytes of each that are looked at
	shortText   = 80       // bytes that a sum has, or the time
	longMessage = 240      // bytes that a question hardly has
)

// What somebody tells of themselves or theirs, how they say what they want to
// know, and a sentence with another after it.
var (
	ofTheirs = regexp.MustCompile(`(?i)^(?:(?:hey|hi|hello|ok|okay|so|well|and|also|btw|by the way)\b\W*)*(?:my|our|we|we're|we've|i|i'm|i've)\b`)
	wanting  = regexp.MustCompile(`(?i)\bi(?:'d| would| was| am|'m)? (?:want|need|like to|love to|wonder|wondering|don't|do not|looking|curious|mean|meant)\b`)
	sentence = regexp.MustCompile(`[.!]\s+\p{Lu}`)
)

// atHand are the texts that somebody may be asking about: what tools read for
// them, what they pasted, and what they told, in the last few exchanges.
func atHand(history []moothall.Message) string {
	var b strings.Builder
	turns := 0
	for _, m := range slices.Backward(history) {
		switch {
		case m.Role == moothall.RoleUser:
			turns++
			if len(m.Content) >= longMessage || strings.Count(m.Content, "\n") > 2 || tells(m.Content) {
				b.WriteString(clip(m.Content, textRoom) + "\n")
			}
		case m.Role == moothall.RoleTool && len(m.Content) >= shortText:
			b.WriteString(clip(m.Content, textRoom) + "\n")
		}
		if turns == recentTurns {
			break
		}
	}
	return b.String()
}

// tells reports whether a message is more than a question or a wish.
func tells(message string) bool {
	if len(sentence.FindAllString(message, 2)) == 2 {
		return true
	}
	return ofTheirs.MatchString(message) && !wanting.MatchString(message) && !strings.Contains(message, "?")
}

// lastRoom is how many bytes of an answer tell what it was about.
const lastRoom = 600

// lastSaid is the question before and the words of its answer.
func lastSaid(history []moothall.Message) string {
	var question, answer string
	for _, m := range history {
		switch {
		case m.Role == moothall.RoleUser:
			question, answer = m.Content, ""
		case m.Role == moothall.RoleAssistant && m.Content != "":
			answer = m.Content
		}
	}
	question, _, _ = strings.Cut(question, "\n\n<context>")
	return strings.TrimSpace(clip(question, lastRoom) + "\n" + clip(answer, lastRoom))
}

// finish gives the agent back.
func (a *answering) finish(ctx context.Context) {
	if a.spawned.Handle == "" {
		return
	}
	scope := moothall.Scope{Session: a.asked.Session, Lineage: a.spawned.Lineage}
	if err := a.chat.opt.Broker.Finish(ctx, scope, a.spawned.Handle); err != nil {
		a.chat.opt.Logger.Warn("an agent could not be ended", "agent", a.spawned.ID, "err", err)
	}
}
