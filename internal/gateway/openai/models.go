package openai

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/wire"
)

// modelInfo is a model as the servers describe it; all but the id is there
// with some of them only.
type modelInfo struct {
	ID          string `json:"id"`
	MaxModelLen int    `json:"max_model_len"` // vLLM
	Meta        struct {
		Window  int   `json:"n_ctx"`       // llama.cpp, as loaded
		Trained int   `json:"n_ctx_train"` // llama.cpp, as trained
		Size    int64 `json:"size"`
	} `json:"meta"`
}

// List returns a card of each model.
func (p *Provider) List(ctx context.Context) ([]moothall.ModelCard, error) {
	var list struct {
		Data []modelInfo `json:"data"`
	}
	if err := p.client.JSON(ctx, wire.Request{Path: "/models"}, &list); err != nil {
		return nil, err
	}
	out := []moothall.ModelCard{}
	for _, m := range list.Data {
		if m.ID != "" {
			out = append(out, p.card(m))
		}
	}
	return out, nil
}

// Show returns one card. It reads the list: not all servers can show one.
func (p *Provider) Show(ctx context.Context, model string) (moothall.ModelCard, error) {
	list, err := p.List(ctx)
	if err != nil {
		return moothall.ModelCard{}, err
	}
	i := slices.IndexFunc(list, func(c moothall.ModelCard) bool { return c.Model == model })
	if i < 0 {
		return moothall.ModelCard{}, gateway.Refusal{
			Provider: p.name, Model: model, Code: moothall.CodeNotFound, Message: "there is no model " + model,
		}.Err("model card")
	}
	return list[i], nil
}

// card says what is known without trying. The wire itself does not tell what
// a model can do, but its name may tell that it makes vectors.
func (p *Provider) card(m modelInfo) moothall.ModelCard {
	c := moothall.ModelCard{
		Provider: p.name, Model: m.ID, Size: m.Meta.Size,
		Window: cmp.Or(m.MaxModelLen, m.Meta.Window, m.Meta.Trained),
		Tools:  gateway.AbilityUnknown, JSON: gateway.AbilityUnknown, Thinking: gateway.AbilityUnknown,
	}
	if strings.Contains(strings.ToLower(m.ID), "embed") {
		c.Notes = append(c.Notes, gateway.NoteEmbeds)
	}
	return c
}

type embedRequest struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
}

type embedReply struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// Embed returns one vector a text. The wire knows no purpose.
func (p *Provider) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	out := moothall.Embeddings{Embedder: p.name + "/" + r.Model}
	for batch := range slices.Chunk(r.Texts, p.batch) {
		vectors, err := p.embed(ctx, r.Model, batch)
		if err != nil {
			return moothall.Embeddings{}, err
		}
		out.Vectors = append(out.Vectors, vectors...)
	}
	return out, nil
}

func (p *Provider) embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	s, err := p.client.Send(ctx, wire.Request{Path: "/embeddings", Model: model, Body: embedRequest{model, texts, "float"}})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var reply embedReply
	if err := s.JSON(&reply); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, d := range reply.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= len(out) || len(d.Embedding) == 0 {
			return nil, s.Malformed(errors.New("a vector that is empty or of no text"))
		}
		out[i] = d.Embedding
	}
	if slices.ContainsFunc(out, func(v []float32) bool { return v == nil }) {
		return nil, s.Malformed(errors.New("a text without a vector"))
	}
	return out, nil
}
