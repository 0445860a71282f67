package history

import (
	"sync"

	"moothall"
)

const (
	// defaultRatio is bytes a token before anything was measured: a little
	// low, so that an estimate errs towards too many tokens.
	defaultRatio = 3.4
	// overhead is what a template puts around a message, in bytes.
	overhead = 16
	// imageBytes stands for an image, whose cost in tokens does not depend
	// on its bytes.
	imageBytes = 3000
	// Outside of these bounds a measurement says more about the server (a
	// cut prompt, a count without the cached part) than about the text.
	minRatio, maxRatio = 1.0, 8.0
	// minTokens keeps the template's share from dominating a measurement.
	minTokens = 32
)

// Size returns the bytes that messages take in a prompt, about.
func Size(msgs ...moothall.Message) int {
	n := 0
	for i := range msgs {
		m := &msgs[i]
		n += overhead + len(m.Content) + len(m.ToolName) + len(m.Images)*imageBytes
		for _, c := range m.ToolCalls {
			n += overhead + len(c.Name) + len(c.Arguments)
		}
	}
	return n
}

// Meter turns bytes into tokens, by what the servers measured for each model.
// The zero value is ready; one meter is meant to serve many runs.
type Meter struct {
	parent *Meter // of a fork

	mu     sync.Mutex
	ratios map[string]float64 // bytes a token
}

// Fork returns a meter for one run: it begins with what is known of a model,
// follows the run's own measurements alone, so that the run does not depend
// on what others do meanwhile, and passes them on to m.
func (m *Meter) Fork(model string) *Meter {
	f := MeterAt(model, m.Ratio(model))
	f.parent = m
	return f
}

// MeterAt returns a meter that knows one ratio; 0 means none.
func MeterAt(model string, ratio float64) *Meter {
	m := new(Meter)
	if ratio != 0 {
		m.ratios = map[string]float64{model: ratio}
	}
	return m
}

// Ratio returns the bytes a token that were measured for a model, 0 when
// nothing was.
func (m *Meter) Ratio(model string) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ratios[model]
}

// Observe notes that a model counted size bytes of prompt as so many tokens.
// It reports whether the pair was plausible; the others are ignored.
func (m *Meter) Observe(model string, size, tokens int) bool {
	if tokens < minTokens {
		return false
	}
	ratio := float64(size) / float64(tokens)
	if ratio < minRatio || ratio > maxRatio {
		return false
	}
	if m.parent != nil {
		m.parent.Observe(model, size, tokens)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.ratios[model]; ok {
		ratio = 0.7*old + 0.3*ratio
	}
	if m.ratios == nil {
		m.ratios = make(map[string]float64)
	}
	m.ratios[model] = ratio
	return true
}

// Tokens estimates how many tokens size bytes are for a model.
func (m *Meter) Tokens(model string, size int) int {
	return int(float64(size)/m.ratio(model) + 0.999)
}

// Bytes estimates how many bytes fit into so many tokens of a model.
func (m *Meter) Bytes(model string, tokens int) int {
	return int(float64(tokens) * m.ratio(model))
}

func (m *Meter) ratio(model string) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.ratios[model]; ok {
		return r
	}
	return defaultRatio
}
