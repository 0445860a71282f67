package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"moothall"
)

// cards keep what probes found, one file a model.
type cards struct {
	dir string

	mu    sync.Mutex
	known map[cardKey]moothall.ModelCard
}

type cardKey struct{ provider, model string }

// openCards reads the folder. A card that cannot be read is left out with a
// warning: the next probe writes it anew.
func openCards(dir string, log *slog.Logger) (*cards, error) {
	c := &cards{dir: dir, known: map[cardKey]moothall.ModelCard{}}
	if dir == "" {
		return c, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fileError("model cards", dir, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "model cards", Message: dir + " cannot be the folder of model cards", Err: err}
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		card, whole := parseCard(text)
		if !whole {
			log.Warn("a model's card is damaged or cannot be read; moothall model probe writes it anew", "file", name, "error", err)
			continue
		}
		c.known[cardKey{card.Provider, card.Model}] = card
	}
	return c, nil
}

func parseCard(text []byte) (moothall.ModelCard, bool) {
	var card moothall.ModelCard
	err := json.Unmarshal(text, &card)
	return card, err == nil && card.Provider != "" && card.Model != "" && !card.Probed.IsZero()
}

// put keeps a probed card.
func (c *cards) put(card moothall.ModelCard) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir != "" {
		if err := writeJSON("model card", filepath.Join(c.dir, fileName(card)), card); err != nil {
			return err
		}
	}
	c.known[cardKey{card.Provider, card.Model}] = card
	return nil
}

// fileName is readable where it can be, and unique: models' names hold
// characters that file names cannot, and some systems fold case.
func fileName(card moothall.ModelCard) string {
	sum := sha256.Sum256([]byte(card.Provider + "\x00" + card.Model))
	plain := strings.Map(func(r rune) rune {
		if r < 128 && moothall.ValidToken(string(r)) || r == '.' {
			return r
		}
		return '_'
	}, card.Model)
	plain = strings.Trim(plain[:min(len(plain), 64)], ".")
	return card.Provider + "-" + plain + "-" + hex.EncodeToString(sum[:6]) + ".json"
}

// complete adds to a provider's card what a probe of the same weights found.
func (c *cards) complete(card moothall.ModelCard) moothall.ModelCard {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.known[cardKey{card.Provider, card.Model}]
	if !ok || p.Digest != card.Digest {
		return card
	}
	card.Tools, card.JSON, card.Thinking, card.Streams, card.Probed = p.Tools, p.JSON, p.Thinking, p.Streams, p.Probed
	card.Notes = slices.Clone(card.Notes)
	for _, n := range p.Notes {
		if !slices.Contains(card.Notes, n) {
			card.Notes = append(card.Notes, n)
		}
	}
	return card
}

// merge completes a list.
func (c *cards) merge(list []moothall.ModelCard) []moothall.ModelCard {
	out := make([]moothall.ModelCard, len(list))
	for i, card := range list {
		out[i] = c.complete(card)
	}
	return out
}
