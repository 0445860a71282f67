package builtin

import (
	"context"

	"moothall"
)

// Reply is what a scripted network says.
type Reply struct {
	IDs  []int32
	Sure float32                         // how far the logit of each token stands out
	Near map[int]map[int32]float32       // by place: tokens that stand out nearly as much, and how much less
	Feed func(ctx context.Context) error // called before each step; may be nil
}

// Words is a tokenizer.
type Words = vocabulary

// NewScripted returns a provider over a network that says what next returns for
// each prompt.
func NewScripted(o Options, window int, words Words, next func(prompt []int32) Reply) *Provider {
	return open(o, func() (*bundle, error) { return newBundle(&scripted{window, words.Size(), next}, words), nil })
}

type scripted struct {
	most, size int
	next       func(prompt []int32) Reply
}

func (s *scripted) window() int  { return s.most }
func (s *scripted) put(sequence) {}

func (s *scripted) get(ids []int32) sequence {
	return &script{Reply: s.next(ids), prompt: len(ids), logits: make([]float32, s.size)}
}

type script struct {
	Reply
	prompt, fed int
	logits      []float32
}

func (s *script) Len() int { return s.fed }

func (s *script) Feed(ctx context.Context, ids []int32) ([]float32, error) {
	s.fed += len(ids)
	if s.Reply.Feed != nil {
		if err := s.Reply.Feed(ctx); err != nil {
			return nil, err
		}
	}
	clear(s.logits)
	if at := s.fed - s.prompt; at < len(s.IDs) {
		s.logits[s.IDs[at]] = s.Sure
		for id, less := range s.Near[at] {
			s.logits[id] = s.Sure - less
		}
	}
	return s.logits, ctx.Err()
}

// Circles is for tests.
func Circles(ids []int32) bool { return circles(ids) }

// Read reads the evidence of a conversation.
var Read = evidence

// Cut runs pieces through a stopper.
func Cut(stops []string, pieces ...string) (out []string, hit bool) {
	s := stopper{stops: stops}
	for _, p := range pieces {
		text, stop := s.add(p)
		out = append(out, text)
		if stop {
			return out, true
		}
	}
	return append(out, s.rest()), false
}

// Restate is what a thought that says a question in full does to logits.
func Restate(messages []moothall.Message, encode func([]int32, string) []int32, thought string, logits []float32) {
	r := restating{messages: messages, encode: encode}
	r.weigh(logits, thought)
}
