package daemon

import (
	"context"
	"errors"
	"time"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/policy"
)

// keepCalls is for how long the broker's journal keeps calls that are over.
// The record keeps them for ever.
const keepCalls = 90 * 24 * time.Hour

// openBroker starts the only way to an effect, with the tools behind it.
func (h *Hall) openBroker(ctx context.Context) (stop func(context.Context) error, err error) {
	manifest, err := loadManifest(h.home, h.folders())
	if err != nil {
		return nil, err
	}
	set, err := h.openTools()
	if err != nil {
		return nil, err
	}
	if err := h.checkManifest(manifest, set.tools); err != nil {
		return nil, errors.Join(err, set.close())
	}
	o, err := h.brokerOptions(manifest, set)
	if err != nil {
		return nil, errors.Join(err, set.close())
	}
	b, err := broker.Open(ctx, o)
	if err != nil {
		return nil, errors.Join(err, set.close())
	}
	if _, err := b.Recover(ctx); err != nil {
		return nil, errors.Join(err, b.Close(), set.close())
	}
	if _, err := b.Prune(ctx, time.Now().Add(-keepCalls)); err != nil {
		return nil, errors.Join(err, b.Close(), set.close())
	}
	h.broker, h.tools, h.here.Broker = b, set, b.For
	guests, err := h.openForeign(manifest)
	if err != nil {
		return nil, errors.Join(err, b.Close(), set.close())
	}
	return func(context.Context) error { return errors.Join(guests(), b.Close(), set.close()) }, nil
}

// folders are where tools work whose folders the configuration names.
func (h *Hall) folders() map[moothall.ToolName][]string {
	return map[moothall.ToolName][]string{
		"notes_search": h.places(h.conf.Tools.Notes), "calendar_read": h.places(h.conf.Tools.Calendars),
	}
}

// brokerOptions is what the configuration says of the broker.
func (h *Hall) brokerOptions(m policy.Manifest, set *toolset) (broker.Options, error) {
	c, p := h.conf.Tools, h.peer(moothall.ToolBroker)
	record, err := p.Audit()
	if err != nil {
		return broker.Options{}, err
	}
	secrets, err := p.Secrets()
	if err != nil {
		return broker.Options{}, err
	}
	model, err := p.Gateway()
	if err != nil {
		return broker.Options{}, err
	}
	o := broker.Options{
		DB: h.db, Audit: record, Secrets: secrets, Manifest: m, Tools: set.tools, Inside: set.inside,
		Publish: h.publisher(moothall.ToolBroker), Keys: h.conf.Models.keys(), SearchKeys: h.conf.Search.keys(),
		Offer: c.Offer, Expiry: time.Duration(c.Approvals), Logger: h.log,
	}
	switch c.Rank {
	case "meaning":
		o.Embed = model
	case "model":
		o.Selector = model
	}
	return o, nil
}

// keys are the secrets that model servers need, by server.
func (c ModelsConfig) keys() map[string]moothall.SecretRef {
	out := map[string]moothall.SecretRef{}
	for name, s := range c.Servers {
		if s.Key != "" {
			out[name] = moothall.SecretRef(s.Key)
		}
	}
	return out
}

// checkManifest refuses a manifest with mistakes and logs the rest.
func (h *Hall) checkManifest(m policy.Manifest, tools []moothall.Tool) error {
	specs := make([]moothall.ToolSpec, len(tools))
	for i, t := range tools {
		specs[i] = t.Spec()
	}
	for _, g := range h.conf.Bus.Guests { // their tools come later, under the names that they were admitted with
		for _, name := range g.Tools {
			specs = append(specs, moothall.ToolSpec{Name: moothall.ToolName(name)})
		}
	}
	return checkManifest(h.home.Manifest(), m, specs, func(p policy.Problem) {
		h.log.Info("manifest", "where", p.Where, "says", p.Message)
	})
}
