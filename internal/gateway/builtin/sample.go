package builtin

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
)

// topP is the share of probability that is sampled from: what lies in the tail
// of a very small network is noise.
const topP = 0.95

// sampler chooses tokens.
type sampler struct {
	temperature float64
	rng         *rand.Rand
	can         []candidate
}

type candidate struct {
	id int32
	p  float64
}

// newSampler is greedy unless the request has a temperature. Without a seed
// chance is chance.
func newSampler(r moothall.GenerateRequest) *sampler {
	s := &sampler{}
	if r.Temperature != nil && *r.Temperature > 0 {
		s.temperature = *r.Temperature
	}
	seed := rand.Uint64()
	if r.Seed != nil {
		seed = uint64(*r.Seed)
	}
	s.rng = rand.New(rand.NewPCG(seed, 0x6d6f6f74))
	return s
}

// lean raises what is preferred. The logits are used once, so they are changed
// in place.
func lean(logits []float32, to constrain.Mask) []float32 {
	for i := range to {
		for w := to[i]; w != 0; w &= w - 1 {
			logits[i<<6+bits.TrailingZeros64(w)] += preference
		}
	}
	return logits
}

// pick chooses one of the allowed tokens, where greedy is set the likeliest. -1
// when none is allowed or the logits are no numbers.
func (s *sampler) pick(logits []float32, mask constrain.Mask, greedy bool) int32 {
	best := int32(-1)
	top := float32(math.Inf(-1))
	for id, l := range logits {
		if l > top && mask.Has(int32(id)) {
			best, top = int32(id), l
		}
	}
	if best < 0 || greedy || s.temperature == 0 {
		return best
	}
	return s.draw(logits, mask, float64(top))
}

func (s *sampler) draw(logits []float32, mask constrain.Mask, top float64) int32 {
	s.can = s.can[:0]
	sum := 0.0
	for id, l := range logits {
		if !mask.Has(int32(id)) {
			continue
		}
		// What is e^-20 as likely as the best cannot matter, at 8,192 tokens.
		if x := (float64(l) - top) / s.temperature; x > -20 {
			p := math.Exp(x)
			s.can = append(s.can, candidate{int32(id), p})
			sum += p
		}
	}
	// All that are rarer than this have less than the tail's share together, so
	// they need not be sorted; mostly a handful is left.
	rare := (1 - topP) * sum / float64(len(logits))
	s.can = slices.DeleteFunc(s.can, func(c candidate) bool { return c.p < rare })
	slices.SortFunc(s.can, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.p, a.p), cmp.Compare(a.id, b.id)) })
	kept, n := 0.0, 0
	for n < len(s.can) && kept < topP*sum {
		kept += s.can[n].p
		n++
	}
	at := s.rng.Float64() * kept
	for _, c := range s.can[:n] {
		if at -= c.p; at < 0 {
			return c.id
		}
	}
	return s.can[n-1].id
}

// best is the likeliest token, whatever was allowed.
func best(logits []float32) int32 {
	top := 0
	for id, l := range logits {
		if l > logits[top] {
			top = id
		}
	}
	return int32(top)
}

// logSum is the logarithm of what logits come to together: a logit less this is
// how sure the network is of a token, whatever was allowed.
func logSum(logits []float32) float64 {
	top := slices.Max(logits)
	sum := 0.0
	for _, l := range logits {
		if x := float64(l - top); x > -20 {
			sum += math.Exp(x)
		}
	}
	return float64(top) + math.Log(sum)
}

// How long a loop must go on to be one. Short units stand in rows in honest
// text too: dots, dashes, zeros.
const (
	maxUnit  = 48
	minLoop  = 24 // tokens
	minTimes = 4
)

// circles reports whether tokens end in the same few again and again.
func circles(ids []int32) bool {
	for unit := 1; unit <= maxUnit; unit++ {
		need := max(minLoop, minTimes*unit)
		if len(ids) < need {
			return false
		}
		tail := ids[len(ids)-need:]
		if slices.Equal(tail[unit:], tail[:len(tail)-unit]) {
			return true
		}
	}
	return false
}
