package rules

import (
	"context"
	"iter"
	"strings"

	"moothall"
	"moothall/internal/gateway"
)

// Name is the provider's, Model that of its only model.
const (
	Name  = "builtin"
	Model = "moothall-small"
)

// window is generous: nothing here grows with the prompt.
const window = 32768

// Provider answers without any server. The zero value is ready.
type Provider struct{}

var (
	_ gateway.Provider = Provider{}
	_ gateway.Local    = Provider{}
)

// Name is "builtin".
func (Provider) Name() string { return Name }

// Local is true: it is this very process.
func (Provider) Local() bool { return true }

// card says what it can do, and what it is.
func card() moothall.ModelCard {
	return moothall.ModelCard{
		Provider: Name, Model: Model, Family: "moothall", Parameters: "0", Window: window,
		Tools: gateway.AbilityNative, JSON: gateway.AbilityNone, Thinking: gateway.AbilityNative, Streams: true, Loaded: true,
		Notes: []string{"a small responder inside the program, no language model"},
	}
}

// List has the one card.
func (Provider) List(context.Context) ([]moothall.ModelCard, error) {
	return []moothall.ModelCard{card()}, nil
}

// Show has the one card.
func (Provider) Show(_ context.Context, model string) (moothall.ModelCard, error) {
	if model != Model {
		return moothall.ModelCard{}, moothall.Fail(moothall.CodeNotFound, "show model", "the built-in provider has only "+Model)
	}
	return card(), nil
}

// Embed is not what it does.
func (Provider) Embed(context.Context, moothall.EmbedRequest) (moothall.Embeddings, error) {
	return moothall.Embeddings{}, moothall.Fail(moothall.CodeUnsupported, "embed", "the built-in responder makes no embeddings")
}

// Generate answers word by word.
func (p Provider) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		if err := check(r); err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		reply := respond(r)
		thinking := reply.thinking
		if r.Think == "off" {
			thinking = ""
		}
		usage := moothall.Usage{Calls: 1, PromptTokens: promptWords(r), OutputTokens: words(thinking) + words(reply.text)}
		stop := moothall.StopDone
		text, cut := limit(reply.text, r.MaxTokens)
		if cut {
			stop = moothall.StopLength
			usage.OutputTokens = r.MaxTokens
		}
		send := func(c moothall.Chunk) bool {
			if err := ctx.Err(); err != nil {
				yield(moothall.Chunk{}, err)
				return false
			}
			return yield(c, nil)
		}
		if !pieces(thinking, r.Whole, func(s string) bool { return send(moothall.Chunk{Thinking: s}) }) ||
			!pieces(text, r.Whole, func(s string) bool { return send(moothall.Chunk{Text: s}) }) {
			return
		}
		if len(reply.calls) > 0 {
			stop = moothall.StopTools
			if !send(moothall.Chunk{ToolCalls: reply.calls}) {
				return
			}
		}
		send(moothall.Chunk{Stop: stop, Usage: usage})
	}
}

func check(r moothall.GenerateRequest) error {
	switch {
	case r.Model != "" && r.Model != Model:
		return moothall.Fail(moothall.CodeNotFound, "generate", "the built-in provider has only "+Model)
	case len(r.Schema) > 0 && !fills(r.Schema):
		return moothall.Fail(moothall.CodeUnsupported, "generate", "the built-in responder cannot fit an answer to this schema")
	case promptWords(r) > window:
		return moothall.Fail(moothall.CodeTooLarge, "generate", "the conversation is longer than the built-in responder reads")
	}
	return nil
}

// fills reports whether a schema is of a form that it can fill in.
func fills(schema []byte) bool {
	f, _ := formOf(schema)
	return f != noForm
}

func words(s string) int { return len(strings.Fields(s)) }

func promptWords(r moothall.GenerateRequest) int {
	n := 0
	for _, m := range r.Messages {
		n += words(m.Content)
	}
	return n
}

// limit cuts text after so many words; 0 is no limit.
func limit(text string, most int) (string, bool) {
	if most <= 0 {
		return text, false
	}
	n := 0
	for i, c := range text {
		if c == ' ' {
			if n++; n >= most {
				return text[:i], true
			}
		}
	}
	return text, false
}

// pieces hands out text word by word, or whole.
func pieces(text string, whole bool, send func(string) bool) bool {
	if text == "" {
		return true
	}
	if whole {
		return send(text)
	}
	for len(text) > 0 {
		i := strings.IndexByte(text[1:], ' ') + 1
		if i == 0 {
			i = len(text)
		}
		if !send(text[:i]) {
			return false
		}
		text = text[i:]
	}
	return true
}
