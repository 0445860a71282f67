package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"

	"moothall"
	"moothall/internal/gateway"
)

const opPull = "ollama pull"

// Pull fetches a model.
func (p *Provider) Pull(ctx context.Context, model string) iter.Seq2[moothall.Progress, error] {
	return func(yield func(moothall.Progress, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if err := p.pull(ctx, model, yield); err != nil {
			yield(moothall.Progress{}, err)
		}
	}
}

func (p *Provider) pull(ctx context.Context, model string, yield func(moothall.Progress, error) bool) error {
	if model == "" {
		return moothall.Fail(moothall.CodeInvalid, opPull, "no model named")
	}
	resp, err := p.send(ctx, opPull, model, "/api/pull", map[string]any{"model": model, "name": model, "stream": true})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	p.forget(model)
	for lines, started := newLineReader(resp.Body), false; ; started = true {
		b, err := lines.next()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // success is said, never left to be guessed
		}
		if err != nil {
			return p.broken(ctx, opPull, err, started)
		}
		var l pullLine
		if err := json.Unmarshal(b, &l); err != nil {
			return p.malformed(opPull, err, started)
		}
		if l.Error != "" {
			return p.pullRefusal(model, l.Error)
		}
		if !yield(moothall.Progress{Step: l.Status, Done: l.Completed, Total: l.Total}, nil) || l.Status == "success" {
			return nil
		}
	}
}

func (p *Provider) pullRefusal(model, said string) error {
	r := gateway.Refusal{Provider: p.o.Name, Model: model, Message: said}
	if strings.Contains(said, "file does not exist") || strings.Contains(said, "manifest unknown") {
		r.Code = moothall.CodeNotFound
		return &moothall.Error{
			Code: r.Code, Op: opPull, Message: "there is no model " + model + " to be had",
			Remedy: "check the name; https://ollama.com/library lists models",
		}
	}
	return r.Err(opPull)
}
