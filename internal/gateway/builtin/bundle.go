package builtin

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/nn"
	"moothall/internal/gateway/builtin/token"
)

// sequence is what a generation needs of a network: [nn.Context] is one.
type sequence interface {
	Len() int
	Feed(ctx context.Context, ids []int32) ([]float32, error)
}

// network hands out sequences that begin as wanted.
type network interface {
	window() int
	get(ids []int32) sequence
	put(s sequence)
}

// vocabulary is a tokenizer: [token.Tokenizer] is one.
type vocabulary interface {
	Encode(dst []int32, text string) []int32
	Piece(id int32) []byte
	Size() int
}

// bundle is the network and all that belongs to it.
type bundle struct {
	net   network
	words vocabulary
	vocab *constrain.Vocab
	none  int32 // begins a thought that no tool fits
	reads fork  // whether a thought about a text quotes it or says that it tells of other things

	mu       sync.Mutex // guards grammars
	grammars map[[sha256.Size]byte]*constrain.Grammar
}

func newBundle(n network, words vocabulary) *bundle {
	return &bundle{
		net: n, words: words, vocab: constrain.NewVocab(words.Size(), words.Piece), none: words.Encode(nil, noneFits)[0], reads: parting(words, quotes, ofOther),
		grammars: map[[sha256.Size]byte]*constrain.Grammar{},
	}
}

// fork is where two ways to go on part.
type fork struct {
	until      string // what they have in common
	way, other int32  // the tokens that come then
}

// parting is the fork of two texts, of which neither begins with the other.
func parting(words vocabulary, way, other string) fork {
	a, b := words.Encode(nil, way), words.Encode(nil, other)
	var until []byte
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		until = append(until, words.Piece(a[0])...)
		a, b = a[1:], b[1:]
	}
	return fork{string(until), a[0], b[0]}
}

// load opens the files.
func load(o Options) (*bundle, error) {
	model, vocab, ok := o.Files()
	if !ok {
		return nil, moothall.Fail(moothall.CodeUnsupported, "open built-in model", "the weights of the built-in model are not there")
	}
	words, err := token.Open(vocab)
	if err != nil {
		return nil, err
	}
	m, err := nn.Open(model)
	if err != nil {
		return nil, err
	}
	if m.Config().Vocab != words.Size() {
		return nil, moothall.Fail(moothall.CodeCorrupt, "open built-in model", "network and vocabulary do not belong together")
	}
	return newBundle(&cached{nn.NewCache(m, nn.CacheOptions{Bytes: o.Cache}), m.Config().Window}, words), nil
}

// cached is a network with its cache.
type cached struct {
	cache *nn.Cache
	most  int
}

func (c *cached) window() int              { return c.most }
func (c *cached) get(ids []int32) sequence { return c.cache.Get(ids) }

func (c *cached) put(s sequence) {
	if s, ok := s.(*nn.Context); ok {
		c.cache.Put(s)
	}
}

// maxGrammars bounds how many sets of tools and schemas are remembered.
const maxGrammars = 16

// grammar makes one, or returns it with the masks that it has collected.
func (b *bundle) grammar(of any, make func() (*constrain.Grammar, error)) (*constrain.Grammar, error) {
	raw, err := json.Marshal(of)
	if err != nil {
		return make() // parameters that are no JSON: such a tool takes none
	}
	key := sha256.Sum256(raw)
	b.mu.Lock()
	defer b.mu.Unlock()
	if g := b.grammars[key]; g != nil {
		return g, nil
	}
	g, err := make()
	if err != nil {
		return nil, err
	}
	if len(b.grammars) >= maxGrammars {
		clear(b.grammars)
	}
	b.grammars[key] = g
	return g, nil
}

func (b *bundle) calls(tools []moothall.ToolSpec) (*constrain.Grammar, error) {
	if len(tools) == 0 {
		return nil, nil
	}
	type named struct {
		Name       moothall.ToolName
		Parameters json.RawMessage
		Paths      []moothall.PathArgument
	}
	var key []named
	for _, t := range tools {
		key = append(key, named{t.Name, t.Parameters, t.Paths})
	}
	return b.grammar(key, func() (*constrain.Grammar, error) { return constrain.Calls(b.vocab, tools), nil })
}

func (b *bundle) answer(schema json.RawMessage) (*constrain.Grammar, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	return b.grammar(schema, func() (*constrain.Grammar, error) { return constrain.Answer(b.vocab, schema) })
}
