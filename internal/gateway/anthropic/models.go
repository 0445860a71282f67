package anthropic

import (
	"context"
	"net/url"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/wire"
)

type modelInfo struct {
	ID           string `json:"id"`
	MaxInput     int    `json:"max_input_tokens"`
	Capabilities struct {
		Thinking struct {
			Supported *bool `json:"supported"`
		} `json:"thinking"`
	} `json:"capabilities"`
}

// maxPages ends a list that never does.
const maxPages = 50

// List returns a card of each model.
func (p *Provider) List(ctx context.Context) ([]moothall.ModelCard, error) {
	out := []moothall.ModelCard{}
	after := ""
	for range maxPages {
		var page struct {
			Data    []modelInfo `json:"data"`
			HasMore bool        `json:"has_more"`
			LastID  string      `json:"last_id"`
		}
		path := "/v1/models?limit=1000"
		if after != "" {
			path += "&after_id=" + url.QueryEscape(after)
		}
		if err := p.client.JSON(ctx, wire.Request{Path: path}, &page); err != nil {
			return nil, err
		}
		for _, m := range page.Data {
			out = append(out, p.card(m))
		}
		if after = page.LastID; !page.HasMore || after == "" {
			break
		}
	}
	return out, nil
}

// Show returns one card.
func (p *Provider) Show(ctx context.Context, model string) (moothall.ModelCard, error) {
	var m modelInfo
	if err := p.client.JSON(ctx, wire.Request{Path: "/v1/models/" + url.PathEscape(model), Model: model}, &m); err != nil {
		return moothall.ModelCard{}, err
	}
	return p.card(m), nil
}

// card says what is known. All models of the service use tools natively, and
// a schema can always be had, if need be through a tool.
func (p *Provider) card(m modelInfo) moothall.ModelCard {
	return moothall.ModelCard{
		Provider: p.name, Model: m.ID, Family: "claude", Window: m.MaxInput, Streams: true,
		Tools: gateway.AbilityNative, JSON: gateway.AbilityNative, Thinking: ability(m.Capabilities.Thinking.Supported),
		Notes: []string{gateway.NoteVision},
	}
}

func ability(supported *bool) string {
	switch {
	case supported == nil:
		return gateway.AbilityUnknown
	case *supported:
		return gateway.AbilityNative
	}
	return gateway.AbilityNone
}
