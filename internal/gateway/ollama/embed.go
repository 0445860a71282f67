package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"moothall"
)

const opEmbed = "ollama embed"

// Embed returns one vector a text.
func (p *Provider) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	out := moothall.Embeddings{Embedder: p.o.Name + "/" + r.Model, Vectors: make([][]float32, 0, len(r.Texts))}
	texts := make([]string, len(r.Texts))
	for i, t := range r.Texts {
		texts[i] = prefix(r.Model, r.Purpose) + t
	}
	for batch := range slices.Chunk(texts, p.o.Batch) {
		vectors, err := p.embedBatch(ctx, r.Model, batch)
		if err != nil {
			return moothall.Embeddings{}, err
		}
		out.Vectors = append(out.Vectors, vectors...)
	}
	return out, check(out.Vectors)
}

// check finds a server that mixes models up.
func check(vectors [][]float32) error {
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return moothall.Fail(moothall.CodeUnavailable, opEmbed, "the server's vectors are of different lengths")
		}
	}
	return nil
}

func (p *Provider) embedBatch(ctx context.Context, model string, texts []string) ([][]float32, error) {
	p.mu.Lock()
	old := p.oldBed
	p.mu.Unlock()
	if old {
		return p.embedEach(ctx, model, texts)
	}
	body := map[string]any{"model": model, "input": texts, "truncate": false}
	if k := keepAlive(p.o.KeepAlive); k != "" {
		body["keep_alive"] = k
	}
	var reply struct{ Embeddings [][]float32 }
	err := p.call(ctx, opEmbed, model, "/api/embed", body, &reply)
	if errors.Is(err, errNoPath) {
		p.mu.Lock()
		p.oldBed = true
		p.mu.Unlock()
		return p.embedEach(ctx, model, texts)
	}
	if err != nil {
		return nil, err
	}
	if len(reply.Embeddings) != len(texts) {
		return nil, moothall.Fail(moothall.CodeUnavailable, opEmbed, fmt.Sprintf("the server gave %d vectors for %d texts", len(reply.Embeddings), len(texts)))
	}
	return reply.Embeddings, nil
}

// embedEach is the way of servers before 0.3.
func (p *Provider) embedEach(ctx context.Context, model string, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		var reply struct{ Embedding []float32 }
		err := p.call(ctx, opEmbed, model, "/api/embeddings", map[string]any{"model": model, "prompt": t}, &reply)
		if err != nil {
			return nil, err
		}
		out = append(out, reply.Embedding)
	}
	return out, nil
}
