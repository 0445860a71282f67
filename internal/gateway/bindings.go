package gateway

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"moothall"
)

// bindings map roles to models: those made at run time before the configured.
type bindings struct {
	path  string
	fixed []moothall.ModelBinding

	mu   sync.Mutex
	made []moothall.ModelBinding
}

// stateFile is what the state file holds.
type stateFile struct {
	Version  int                     `json:"version"`
	Bindings []moothall.ModelBinding `json:"bindings"`
}

const stateVersion = 1

func openBindings(path string, fixed []moothall.ModelBinding) (*bindings, error) {
	b := &bindings{path: path, fixed: slices.Clone(fixed)}
	if path == "" {
		return b, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, &moothall.Error{
			Code: moothall.CodeUnavailable, Op: "model state", Message: "cannot read " + path, Err: err,
			Remedy: "let this user read it, or move it away; choices made with 'moothall model use' are then lost",
		}
	}
	b.made, err = parseState(text)
	if err != nil {
		return nil, &moothall.Error{
			Code: moothall.CodeCorrupt, Op: "model state", Message: path + " is damaged, or from a later version",
			Remedy: "remove the file; choices made with 'moothall model use' are then lost", Err: err,
		}
	}
	return b, nil
}

// CheckState reports what is wrong with a state file; none is as good.
func CheckState(path string) error {
	_, err := openBindings(path, nil)
	return err
}

func parseState(text []byte) ([]moothall.ModelBinding, error) {
	var s stateFile
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Version != stateVersion {
		return nil, errors.New("unknown version")
	}
	for _, b := range s.Bindings {
		if b.Role == "" || b.Provider == "" || b.Model == "" {
			return nil, errors.New("a binding is not complete")
		}
	}
	return s.Bindings, nil
}

// find returns the binding that governs a role, in the order that the
// package comment gives. The embedder has no stand-in: a model of text makes
// no vectors.
func (b *bindings) find(role moothall.ModelRole, complexity string) (moothall.ModelBinding, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	type key struct {
		role       moothall.ModelRole
		complexity string
	}
	order := []key{{role, complexity}, {role, ""}}
	if role != moothall.ModelEmbedder {
		order = append(order, key{moothall.ModelChat, complexity}, key{moothall.ModelChat, ""})
	}
	for _, k := range order {
		for _, list := range [][]moothall.ModelBinding{b.made, b.fixed} {
			for _, x := range list {
				if x.Role == k.role && x.Complexity == k.complexity {
					return x, true
				}
			}
		}
	}
	return moothall.ModelBinding{}, false
}

// set makes a binding and keeps it. It holds the lock while it writes, so
// that the file is never older than an answer given.
func (b *bindings) set(n moothall.ModelBinding) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	made := slices.DeleteFunc(slices.Clone(b.made), func(o moothall.ModelBinding) bool {
		return o.Role == n.Role && o.Complexity == n.Complexity
	})
	made = append(made, n)
	if b.path != "" {
		if err := writeJSON("model state", b.path, stateFile{stateVersion, made}); err != nil {
			return err
		}
	}
	b.made = made
	return nil
}

// list returns the bindings that are in force.
func (b *bindings) list() []moothall.ModelBinding {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := slices.Clone(b.made)
	for _, f := range b.fixed {
		if !slices.ContainsFunc(out, func(o moothall.ModelBinding) bool { return o.Role == f.Role && o.Complexity == f.Complexity }) {
			out = append(out, f)
		}
	}
	return out
}
