package chat

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moothall"
	"moothall/internal/engine/history"
	"moothall/internal/store"
)

// Options are what a chat needs. All but Model, DB and Audit may be left out.
type Options struct {
	DB     *store.DB        // with the tables of [Migrations]
	Model  moothall.Gateway // as chat
	Broker moothall.Broker  // as chat; nil, or one that is not configured: no tools
	Audit  moothall.Audit   // as chat
	Tell   teller           // publishes as chat; nil: nobody listens
	// Received publishes query.received as the front, which let it in.
	Received teller
	// Override is the broker's, as the front: what the person switched for a
	// question. Nil: a question that comes with some is refused.
	Override func(context.Context, moothall.Scope, moothall.Overrides) (moothall.Overrides, error)
	// Modes are further ways to answer than one run of the engine.
	Modes map[moothall.QueryMode]Mode
	// Hear recognises feedback on the answer before in what a person says. A
	// model that it asks belongs to the turn: asked is given all of its chunks.
	Hear func(ctx context.Context, text, before string, asked func(moothall.Chunk)) (moothall.Feedback, bool)
	// Graded returns the grade of an answer, where there is one yet.
	Graded func(context.Context, moothall.QueryID) (moothall.Critique, bool)
	// Library looks up what the program itself knows, for a model whose card
	// says that it is better with that; before is the question before and the
	// words of its answer, text what was read or pasted lately. Nil: there is
	// none.
	Library func(ctx context.Context, question, before, text string) []moothall.Recall
	// OnRecord reads from the record, from an index on, what it has of turns.
	// Nil: it takes no entries before they are durable, so that it cannot lack
	// one that a receipt names.
	OnRecord func(ctx context.Context, from uint64) (map[moothall.QueryID]OnRecord, error)
	Settings Settings
	System   string           // the system prompt; a default when empty
	Now      func() time.Time // time.Now when nil
	Logger   *slog.Logger     // nil discards
}

// OnRecord is what the record has of a turn.
type OnRecord struct {
	Run moothall.RunID
	End uint64 // the index of its last entry; 0: it is not there
}

// Chat answers people. Make one with [New].
type Chat struct {
	opt      Options
	sessions *sessions
	meter    *history.Meter
	settings settings

	mu        sync.Mutex
	rooms     map[moothall.SessionID]*room // sessions with a query
	running   map[moothall.QueryID]running // queries, waiting or not
	shadows   map[*shadow]bool             // of B, at work
	shrinking map[moothall.SessionID]bool  // being compacted
	cards     map[string]agedCard          // shown lately, by provider and name
	closed    bool

	life context.Context // of what runs beside conversations
	end  context.CancelFunc
	tell context.Context // of telling what happened
	hush context.CancelFunc
	// mouths has a place for each herald that speaks.
	mouths chan struct{}
	work   sync.WaitGroup
}

// New returns a chat that has done nothing yet.
func New(o Options) *Chat {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.System == "" {
		o.System = systemPrompt
	}
	if o.Tell == nil {
		o.Tell = func(context.Context, moothall.Event) error { return nil }
	}
	if o.Received == nil {
		o.Received = o.Tell
	}
	c := &Chat{
		opt: o, sessions: &sessions{db: o.DB, now: o.Now}, meter: &history.Meter{},
		rooms: map[moothall.SessionID]*room{}, running: map[moothall.QueryID]running{}, shadows: map[*shadow]bool{},
		shrinking: map[moothall.SessionID]bool{}, cards: map[string]agedCard{},
	}
	c.settings.s = o.Settings
	c.life, c.end = context.WithCancel(context.Background())
	c.tell, c.hush = context.WithCancel(context.Background())
	c.mouths = make(chan struct{}, 16)
	return c
}

// systemPrompt is short: small models lose themselves in long ones.
const systemPrompt = `You are the assistant of Moothall, a program that runs on the person's own machine.
Answer what is asked, briefly and truthfully, in the person's language.
If you do not know something, say so. Never claim to have done something that you did not do.`

// lastWords is how long a closing chat tells what has happened. What of an
// answer is not told by then is told after the next start.
const lastWords = 3 * time.Second

// Close stops the queries that run, ends what runs beside conversations, and
// has what has happened told, for a while.
func (c *Chat) Close() {
	c.mu.Lock()
	c.closed = true
	for _, r := range c.running {
		r.stop(errClosing)
	}
	c.mu.Unlock()
	c.end()
	late := time.AfterFunc(lastWords, c.hush)
	defer late.Stop()
	c.work.Wait()
	c.hush()
}
