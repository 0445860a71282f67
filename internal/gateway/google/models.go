package google

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/wire"
)

type modelInfo struct {
	Name     string   `json:"name"` // "models/x"
	Window   int      `json:"inputTokenLimit"`
	Methods  []string `json:"supportedGenerationMethods"`
	Thinking *bool    `json:"thinking"`
}

const (
	maxPages = 50 // ends a list that never does
	maxBatch = 100
)

// List returns a card of each model that generates or embeds.
func (p *Provider) List(ctx context.Context) ([]moothall.ModelCard, error) {
	out := []moothall.ModelCard{}
	token := ""
	for range maxPages {
		var page struct {
			Models []modelInfo `json:"models"`
			Next   string      `json:"nextPageToken"`
		}
		path := "/models?pageSize=1000"
		if token != "" {
			path += "&pageToken=" + url.QueryEscape(token)
		}
		if err := p.client.JSON(ctx, wire.Request{Path: path}, &page); err != nil {
			return nil, err
		}
		for _, m := range page.Models {
			if m.generates() || m.embeds() {
				out = append(out, p.card(m))
			}
		}
		if token = page.Next; token == "" {
			break
		}
	}
	return out, nil
}

// Show returns one card.
func (p *Provider) Show(ctx context.Context, model string) (moothall.ModelCard, error) {
	var m modelInfo
	if err := p.client.JSON(ctx, wire.Request{Path: modelPath(model, ""), Model: model}, &m); err != nil {
		return moothall.ModelCard{}, err
	}
	return p.card(m), nil
}

func (m modelInfo) generates() bool { return slices.Contains(m.Methods, "generateContent") }
func (m modelInfo) embeds() bool    { return slices.Contains(m.Methods, "embedContent") }

// card says what the service tells, and that Gemini models use tools and
// schemas; of the others it is not known.
func (p *Provider) card(m modelInfo) moothall.ModelCard {
	name := strings.TrimPrefix(m.Name, "models/")
	c := moothall.ModelCard{
		Provider: p.name, Model: name, Window: m.Window, Streams: true,
		Tools: gateway.AbilityUnknown, JSON: gateway.AbilityUnknown, Thinking: gateway.AbilityUnknown,
	}
	c.Family, _, _ = strings.Cut(name, "-")
	switch {
	case m.embeds() && !m.generates():
		c.Tools, c.JSON, c.Thinking, c.Streams = gateway.AbilityNone, gateway.AbilityNone, gateway.AbilityNone, false
	case c.Family == "gemini":
		c.Tools, c.JSON = gateway.AbilityNative, gateway.AbilityNative
	}
	if m.embeds() {
		c.Notes = append(c.Notes, gateway.NoteEmbeds)
	}
	if m.embeds() && m.generates() {
		c.Notes = append(c.Notes, gateway.NoteChats)
	}
	if m.Thinking != nil && *m.Thinking {
		c.Thinking = gateway.AbilityNative
	}
	return c
}

type embedRequest struct {
	Model    string  `json:"model"`
	Content  content `json:"content"`
	TaskType string  `json:"taskType,omitempty"`
}

type embedBatch struct {
	Requests []embedRequest `json:"requests"`
}

// Embed returns one vector a text, made for its purpose.
func (p *Provider) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	out := moothall.Embeddings{Embedder: p.name + "/" + r.Model}
	task := map[string]string{"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}[r.Purpose]
	for texts := range slices.Chunk(r.Texts, maxBatch) {
		var batch embedBatch
		for _, text := range texts {
			name := strings.TrimPrefix(modelPath(r.Model, ""), "/")
			batch.Requests = append(batch.Requests, embedRequest{name, content{Parts: []part{{Text: text}}}, task})
		}
		vectors, err := p.embed(ctx, r.Model, batch)
		if err != nil {
			return moothall.Embeddings{}, err
		}
		out.Vectors = append(out.Vectors, vectors...)
	}
	return out, nil
}

func (p *Provider) embed(ctx context.Context, model string, batch embedBatch) ([][]float32, error) {
	s, err := p.client.Send(ctx, wire.Request{Path: modelPath(model, ":batchEmbedContents"), Model: model, Body: batch})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var reply struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
	}
	if err := s.JSON(&reply); err != nil {
		return nil, err
	}
	if len(reply.Embeddings) != len(batch.Requests) {
		return nil, s.Malformed(errors.New("not one vector a text"))
	}
	var out [][]float32
	for _, e := range reply.Embeddings {
		out = append(out, e.Values)
	}
	return out, nil
}
