package gateway

import (
	"cmp"
	"context"
	"time"

	"moothall"
)

// Health says which model answers a person now.
type Health struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Chosen   bool   `json:"chosen"` // nothing is bound
	Hosted   bool   `json:"hosted"`
	OK       bool   `json:"ok"`
	// Notice says, when OK, which server was passed over, and otherwise what
	// is wrong; Remedy what helps.
	Notice string `json:"notice,omitempty"`
	Remedy string `json:"remedy,omitempty"`
}

// healthPatience bounds the look at a server. It is not asked to generate.
const healthPatience = 2 * time.Second

// Health looks at a model, as a request would name it; where it names none, at
// that of chat. A hosted one counts as well when it may be used: it is not asked.
func (g *Gateway) Health(ctx context.Context, provider, model string) Health {
	ctx, _, done, err := g.begin(ctx)
	if err != nil {
		return Health{Notice: err.Error()}
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	t, notice, err := g.chatNow(ctx, wish{role: moothall.ModelChat, provider: provider, model: model})
	h := Health{Provider: provider, Model: cmp.Or(t.model, model), Chosen: t.chosen, Hosted: t.hosted, Notice: notice}
	if t.provider != nil {
		h.Provider = t.provider.Name()
	}
	if err == nil && !t.hosted {
		_, err = look(ctx, "model health", t.show)
		err = g.listed(ctx, t, err)
	}
	if err != nil {
		err = coded(ctx, "model health", err)
		h.Notice, h.Remedy = err.Error(), moothall.ErrorRemedy(err)
		return h
	}
	h.OK = true
	return h
}

// chatNow routes a person's next question.
func (g *Gateway) chatNow(ctx context.Context, w wish) (target, string, error) {
	t, err := g.route(ctx, w)
	if err != nil || !t.chosen {
		return t, "", err
	}
	made, err := g.choice.look(ctx, w)
	return t, made.notice, err
}
