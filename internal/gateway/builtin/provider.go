package builtin

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/builtin/weights"
)

// Name is the provider's, Model that of its only model.
const (
	Name  = "builtin"
	Model = "moothall-mini"
)

// window is what the network was trained for; see [moothall.ModelCard].
const window = 4096

// Options of a provider. The zero value is what the program uses.
type Options struct {
	// Files returns the network and its vocabulary; nil means those that were
	// built into the program. It is called at every load.
	Files func() (model, vocab []byte, ok bool)
	// Idle is how long the network stays in memory unused; 0 means 5 minutes.
	Idle time.Duration
	// Parallel is how many generations run at a time; 0 means 2, so that a
	// person does not wait for work in the background.
	Parallel int
	// Cache bounds the bytes that are kept of prompts; 0 means 48 MiB.
	Cache int64
	// Thought bounds a thought in tokens; 0 means [constrain.DefaultThought].
	Thought int
	Logger  *slog.Logger // nil discards
}

// Provider runs the network.
type Provider struct {
	o    Options
	log  *slog.Logger
	hold holder
}

var (
	_ gateway.Provider = (*Provider)(nil)
	_ gateway.Local    = (*Provider)(nil)
)

// New returns a provider that has loaded nothing yet. CodeUnsupported when the
// program has no weights.
func New(o Options) (*Provider, error) {
	here := o.Files != nil || weights.Here()
	if !here {
		return nil, &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "open built-in model", Message: "this program was built without the weights of the built-in model",
			Remedy: "build it without the tag noweights, or set models.builtin to rules",
		}
	}
	var free func()
	if o.Files == nil {
		o.Files, free = weights.Load, weights.Release
	}
	p := open(o, func() (*bundle, error) { return load(o) })
	p.hold.free = free
	return p, nil
}

func open(o Options, load func() (*bundle, error)) *Provider {
	if o.Idle <= 0 {
		o.Idle = 5 * time.Minute
	}
	if o.Parallel <= 0 {
		o.Parallel = 2
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	p := &Provider{o: o, log: o.Logger}
	p.hold = holder{load: load, idle: o.Idle, slots: make(chan struct{}, o.Parallel), log: o.Logger}
	return p
}

// Close gives the network back and refuses what comes later. Generations that
// run go on to their end.
func (p *Provider) Close() error {
	p.hold.close()
	return nil
}

// Name is "builtin".
func (*Provider) Name() string { return Name }

// Local is true: it is this very process.
func (*Provider) Local() bool { return true }

func (p *Provider) card() moothall.ModelCard {
	return moothall.ModelCard{
		Provider: Name, Model: Model, Family: "moothall", Parameters: "51M", Window: window, Recall: true, Offer: 32,
		Tools: gateway.AbilityNative, JSON: gateway.AbilityNative, Thinking: gateway.AbilityNative, Streams: true, Loaded: p.hold.loaded(),
		Notes: []string{
			"a very small language model inside the program; English only",
			"calls tools, reads their results, fills in forms and recalls what was said; knows no facts by heart and says so",
			"for conversations on anything else, connect a larger model",
		},
	}
}

// List has the one card.
func (p *Provider) List(context.Context) ([]moothall.ModelCard, error) {
	return []moothall.ModelCard{p.card()}, nil
}

// Show has the one card.
func (p *Provider) Show(_ context.Context, model string) (moothall.ModelCard, error) {
	if model != Model {
		return moothall.ModelCard{}, moothall.Fail(moothall.CodeNotFound, "show model", "the built-in provider has only "+Model)
	}
	return p.card(), nil
}

// Embed is not what it does.
func (*Provider) Embed(context.Context, moothall.EmbedRequest) (moothall.Embeddings, error) {
	return moothall.Embeddings{}, moothall.Fail(moothall.CodeUnsupported, "embed", "the built-in model makes no embeddings")
}

// Generate streams an answer.
func (p *Provider) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		out := &sender{yield: yield, whole: r.Whole}
		if err := p.generate(ctx, r, out); err != nil && !out.left {
			yield(moothall.Chunk{}, gateway.Broken(ctx, opGenerate, "the built-in model", "", err, out.started))
		}
	}
}
