package gateway

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"moothall"
)

// chatFamilies are families of models that call tools well for their size,
// best first. Others come after them.
var chatFamilies = []string{
	"qwen3.5", "qwen3", "gptoss", "gpt-oss", "gemma4", "glm4", "mistral", "granite", "qwen2", "llama", "nemotron", "gemma3", "phi", "deepseek",
}

// embedders are models that retrieve well, best first.
var embedders = []string{
	"nomic-embed-text", "embeddinggemma", "qwen3-embedding", "bge-m3", "mxbai-embed", "snowflake-arctic-embed", "all-minilm",
}

// sizes are the upper bounds of classes of models, in billions of parameters.
// Within a class the family matters more than the size.
var sizes = []float64{1, 4, 10, 20, 40}

// Best returns the model that is chosen for chat when nothing is bound, out
// of the cards of one provider: first those whose file is at most memory
// bytes, then those with native tools, then by class of size (under 1, 4, 10,
// 20, 40 billion parameters, or more; larger is better), then by family, then
// by parameters, then by name. Models that only embed and models that answer
// outside the machine are not considered; ok is false when none is left.
func Best(cards []moothall.ModelCard, memory int64) (best moothall.ModelCard, ok bool) {
	return pick(cards, Chats, func(a, b moothall.ModelCard) int {
		pa, pb := billions(a.Parameters), billions(b.Parameters)
		return cmp.Or(
			compareBool(a.Size <= memory, b.Size <= memory),
			cmp.Compare(toolRank(a), toolRank(b)),
			cmp.Compare(sizeClass(pa), sizeClass(pb)),
			cmp.Compare(place(chatFamilies, b.Family), place(chatFamilies, a.Family)),
			cmp.Compare(pa, pb),
			strings.Compare(b.Model, a.Model),
		)
	})
}

// BestEmbedder returns the model that is chosen to embed: by a list of known
// ones, then the smallest, then by name.
func BestEmbedder(cards []moothall.ModelCard) (best moothall.ModelCard, ok bool) {
	return pick(cards, Embeds, func(a, b moothall.ModelCard) int {
		return cmp.Or(
			cmp.Compare(place(embedders, b.Model), place(embedders, a.Model)),
			cmp.Compare(b.Size, a.Size),
			strings.Compare(b.Model, a.Model),
		)
	})
}

func pick(cards []moothall.ModelCard, fit func(moothall.ModelCard) bool, compare func(a, b moothall.ModelCard) int) (moothall.ModelCard, bool) {
	var fits []moothall.ModelCard
	for _, c := range cards {
		if fit(c) && !leaves(c) {
			fits = append(fits, c)
		}
	}
	if len(fits) == 0 {
		return moothall.ModelCard{}, false
	}
	return slices.MaxFunc(fits, compare), true
}

// Embeds reports whether a model makes vectors.
func Embeds(c moothall.ModelCard) bool { return slices.Contains(c.Notes, NoteEmbeds) }

// Chats reports whether a model makes text.
func Chats(c moothall.ModelCard) bool { return !Embeds(c) || slices.Contains(c.Notes, NoteChats) }

func leaves(c moothall.ModelCard) bool {
	return slices.ContainsFunc(c.Notes, func(n string) bool { return strings.HasPrefix(n, NoteOutside) })
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func toolRank(c moothall.ModelCard) int {
	switch c.Tools {
	case AbilityNative:
		return 2
	case AbilityDescribed, AbilityUnknown:
		return 1
	}
	return 0
}

func sizeClass(billions float64) int {
	for i, s := range sizes {
		if billions < s {
			return i
		}
	}
	return len(sizes)
}

// place returns where in a list a name's beginning stands.
func place(list []string, name string) int {
	i := slices.IndexFunc(list, func(s string) bool { return strings.HasPrefix(name, s) })
	if i < 0 {
		return len(list)
	}
	return i
}

// billions reads "7.6B" and "137M".
func billions(s string) float64 {
	s = strings.TrimSpace(strings.ToUpper(s))
	scale := 1.0
	switch {
	case strings.HasSuffix(s, "B"):
	case strings.HasSuffix(s, "M"):
		scale = 1e-3
	case strings.HasSuffix(s, "T"):
		scale = 1e3
	default:
		return 0
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s[:len(s)-1]), 64)
	if err != nil || !(f >= 0) {
		return 0
	}
	return f * scale
}

// choice makes and remembers choices.
type choice struct {
	g    *Gateway
	turn chan struct{} // holds one value: the right to look at providers; taken before mu

	mu     sync.Mutex
	made   map[choiceKey]chosen
	noRoom map[string]time.Time // until when a model is passed over, by "provider/model"
}

type choiceKey struct {
	provider string
	embed    bool
}

type chosen struct {
	target target
	notice string // why an earlier provider was passed over
	until  time.Time
}

// choiceLife is how long a choice stands before the providers are looked at
// again.
const choiceLife = time.Minute

// noRoomLife is how long a model is passed over whose server had no room for
// it: what fills the memory may end.
const noRoomLife = 10 * time.Minute

func newChoice(g *Gateway) *choice {
	return &choice{g: g, turn: make(chan struct{}, 1), made: map[choiceKey]chosen{}, noRoom: map[string]time.Time{}}
}

func (c *choice) make(ctx context.Context, w wish) (target, error) {
	made, err := c.look(ctx, w)
	return made.target, err
}

// look returns the choice that stands, or makes one. Of several callers one
// looks at the providers and the others wait for what it finds.
func (c *choice) look(ctx context.Context, w wish) (chosen, error) {
	key := choiceKey{w.provider, w.role == moothall.ModelEmbedder}
	if made, ok := c.standing(key); ok {
		return made, nil
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return chosen{}, ended(ctx, "model choice")
	}
	defer func() { <-c.turn }()
	if made, ok := c.standing(key); ok {
		return made, nil
	}
	made, err := c.fresh(ctx, w, key)
	if err != nil {
		return made, err
	}
	made.until = c.g.o.Now().Add(choiceLife)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made[key] = made
	return made, nil
}

func (c *choice) standing(key choiceKey) (chosen, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	made, ok := c.made[key]
	return made, ok && c.g.o.Now().Before(made.until)
}

// reset forgets all choices.
func (c *choice) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.made)
}

// passOver chooses anew, and a while without this model.
func (c *choice) passOver(t target) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noRoom[t.provider.Name()+"/"+t.model] = c.g.o.Now().Add(noRoomLife)
	clear(c.made)
}

// fits leaves out the models that are passed over.
func (c *choice) fits(p Provider, list []moothall.ModelCard) []moothall.ModelCard {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(list, func(card moothall.ModelCard) bool {
		return c.g.o.Now().Before(c.noRoom[p.Name()+"/"+card.Model])
	})
}

func (c *choice) fresh(ctx context.Context, w wish, key choiceKey) (chosen, error) {
	var passed []string
	for _, p := range c.g.o.Providers {
		if !isLocal(p) && key.provider == "" || key.provider != "" && p.Name() != key.provider {
			continue
		}
		if !isLocal(p) {
			if err := c.g.mayLeave(ctx, w.scope, p.Name(), ""); err != nil {
				return chosen{}, err
			}
		}
		list, err := look(ctx, "model list", p.List)
		if ctx.Err() != nil {
			return chosen{}, ended(ctx, "model choice")
		}
		if err != nil {
			passed = append(passed, p.Name()+" does not answer")
			continue
		}
		all := len(list)
		list = c.fits(p, list)
		best, ok := Best(c.g.cards.merge(list), c.g.o.Memory)
		if key.embed {
			best, ok = BestEmbedder(list)
		}
		if ok {
			return chosen{target: target{provider: p, model: best.Model, chosen: true}, notice: strings.Join(passed, "; ")}, nil
		}
		if len(list) < all {
			passed = append(passed, p.Name()+" has no room in memory for its models")
			continue
		}
		passed = append(passed, p.Name()+" has no model that will do")
	}
	return chosen{}, nothing(key, passed)
}

func nothing(key choiceKey, passed []string) error {
	e := &moothall.Error{
		Code: moothall.CodeNotConfigured, Op: "model choice", Message: "there is no model to answer",
		Remedy: "install Ollama and fetch a model with 'moothall model pull qwen3:4b'",
	}
	if key.embed {
		e.Message, e.Remedy = "there is no model to make embeddings", "fetch one with 'moothall model pull nomic-embed-text'"
	}
	if len(passed) > 0 {
		e.Message += ": " + strings.Join(passed, "; ")
		e.Code = moothall.CodeUnavailable
	}
	return e
}
