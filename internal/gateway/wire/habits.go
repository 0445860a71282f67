package wire

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"moothall"
)

// Feature is an optional part of a request that some servers or models do
// not take.
type Feature struct {
	Name  string
	Marks []string // a refusal that holds one of these, in lower case, is about it
}

// Refused are the features that a model is known not to take, by name.
type Refused map[string]bool

// Habits remember what each model does not take, so that a request is turned
// down for it once and not each time. The zero value is ready.
type Habits struct {
	mu sync.Mutex
	of map[string]Refused
}

// maxHabits bounds the models remembered; names come from outside.
const maxHabits = 1000

// Adapt calls try until it succeeds, or fails for a reason that leaving out
// one of the features it used would not mend. try must not have had an effect
// when it returns an error, as is so for a request that was turned down.
func (h *Habits) Adapt(model string, try func(Refused) ([]Feature, error)) error {
	for {
		refused := h.refused(model)
		used, err := try(refused)
		if err == nil {
			return nil
		}
		feature, ok := blamed(err, used, refused)
		if !ok {
			return err
		}
		h.learn(model, feature)
	}
}

// turnsDown are the words in which servers say that they do not take a thing,
// as against a value that is wrong in itself.
var turnsDown = []string{
	"support", "not permitted", "not allowed", "not enabled", "unknown", "unrecognized", "unexpected", "extra ",
	"deprecated", "instead", "cannot find", "only works", "may only", "only the default", "missing", "not accept", "maximum allowed", "at the beginning",
	"with a length of", "with length", "must alternate",
}

// blamed returns the feature that a refusal is about.
func blamed(err error, used []Feature, refused Refused) (string, bool) {
	said, ok := errors.AsType[*Said](err)
	code := moothall.ErrorCode(err)
	if !ok || code != moothall.CodeInvalid && code != moothall.CodeUnsupported {
		return "", false
	}
	text := strings.ToLower(said.Param + " " + said.Message)
	has := func(m string) bool { return strings.Contains(text, m) }
	if !slices.ContainsFunc(turnsDown, has) {
		return "", false
	}
	for _, f := range used {
		if slices.ContainsFunc(f.Marks, has) && !refused[f.Name] {
			return f.Name, true
		}
	}
	return "", false
}

func (h *Habits) refused(model string) Refused {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.of[model])
}

func (h *Habits) learn(model, feature string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil || len(h.of) >= maxHabits && h.of[model] == nil {
		h.of = map[string]Refused{}
	}
	if h.of[model] == nil {
		h.of[model] = Refused{}
	}
	h.of[model][feature] = true
}
