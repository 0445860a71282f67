package daemon

import (
	"context"
	"errors"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/chat"
	"moothall/internal/daemon/conf"
	"moothall/internal/policy"
)

// Replay runs a recorded turn again. Another policy is a manifest, read as
// manifest.yaml is.
func (f *front) Replay(ctx context.Context, r moothall.ReplayRequest) (moothall.Replayed, error) {
	var decide chat.Decider
	if r.Policy != "" {
		m, err := f.hall.otherManifest(r.Policy)
		if err != nil {
			return moothall.Replayed{}, err
		}
		decide = f.hall.reconsider(m)
	}
	return f.hall.chat.Replay(ctx, r, decide)
}

// otherManifest reads a manifest that is given as text. Its file, if there is
// one, is known to who asks alone, and what is wrong with it is said to them: a
// cause would not cross to another process.
func (h *Hall) otherManifest(text string) (policy.Manifest, error) {
	m, err := readManifest(conf.Sources{File: "policy", Data: []byte(text)}, h.home, h.folders())
	if wrong, ok := errors.AsType[*conf.Problems](err); ok {
		err = moothall.Fail(moothall.CodeInvalid, "read policy", "it has mistakes:\n"+wrong.Error())
	}
	return m, err
}

// reconsider decides by another manifest about calls that were made once.
func (h *Hall) reconsider(m policy.Manifest) chat.Decider {
	return func(ctx context.Context, session moothall.SessionID, call moothall.ToolCall, labels moothall.Label) moothall.Decision {
		d, err := h.broker.Reconsider(ctx, m, broker.Past{Session: session, Type: policy.Generator, Call: call, Labels: labels})
		if err != nil {
			return moothall.Decision{Verdict: moothall.Deny, Rule: "unavailable", Reason: err.Error()}
		}
		return d
	}
}
