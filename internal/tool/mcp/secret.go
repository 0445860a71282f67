package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moothall"
)

const (
	refOpen  = "${secret:"
	refClose = "}"
)

// checkReferences refuses what looks like a reference and is none.
func checkReferences(value string) error {
	_, err := expand(value, func(moothall.SecretRef) (string, error) { return "", nil })
	return err
}

// expand replaces each ${secret:NAME} of a value.
func expand(value string, get func(moothall.SecretRef) (string, error)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		rest, isSecret := strings.CutPrefix("${"+rest, refOpen)
		name, after, closed := strings.Cut(rest, refClose)
		if !isSecret || !closed || !validRef(name) {
			return "", errors.New("only ${secret:NAME} can stand for a value")
		}
		got, err := get(moothall.SecretRef(name))
		if err != nil {
			return "", err
		}
		b.WriteString(got)
		value = after
	}
}

func validRef(name string) bool {
	return name != "" && len(name) <= 128 && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '$' || r == '{'
	})
}

// minSecret is the length from which on a value is looked for in what a
// server says. Shorter ones would be found in any text.
const minSecret = 6

// resolve returns the server with its references replaced, and who hides
// their values again. Errors name the reference, never a value.
func (o Options) resolve(ctx context.Context, s Server) (Server, hider, error) {
	var values []string
	get := func(ref moothall.SecretRef) (string, error) {
		if o.Secret == nil {
			return "", moothall.Fail(moothall.CodeNotConfigured, "mcp secret", "there is no keyring to ask for "+string(ref))
		}
		secret, err := o.Secret(ctx, ref)
		if err != nil {
			return "", &moothall.Error{
				Code: moothall.ErrorCode(err), Op: "mcp secret", Message: "the secret " + string(ref) + " cannot be had", Err: err,
				Remedy: "set it with moothall secrets set " + string(ref),
			}
		}
		values = append(values, string(secret.Reveal()))
		return values[len(values)-1], nil
	}
	var err error
	if s.Env, err = expandAll(s.Env, get); err != nil {
		return s, hider{}, err
	}
	if s.Headers, err = expandAll(s.Headers, get); err != nil {
		return s, hider{}, err
	}
	if _, err := s.check(); err != nil {
		return s, hider{}, moothall.Fail(moothall.CodeInvalid, "mcp secret", fmt.Sprintf("a secret of server %q does not fit where it is used", s.Name))
	}
	return s, newHider(values), nil
}

func expandAll(in map[string]string, get func(moothall.SecretRef) (string, error)) (map[string]string, error) {
	out := maps.Clone(in)
	for name, value := range in {
		v, err := expand(value, get)
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

// hider takes the values that a server was given out of what it says.
type hider struct{ r *strings.Replacer }

func newHider(values []string) hider {
	var pairs []string
	// The longer of two that begin alike comes first, or its end would stay.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, v := range values {
		if len(v) < minSecret {
			continue
		}
		pairs = append(pairs, v, "[secret]")
		if b, err := json.Marshal(v); err == nil && string(b[1:len(b)-1]) != v {
			pairs = append(pairs, string(b[1:len(b)-1]), "[secret]")
		}
	}
	if pairs == nil {
		return hider{}
	}
	return hider{strings.NewReplacer(pairs...)}
}

func (h hider) hide(text string) string {
	if h.r == nil {
		return text
	}
	return h.r.Replace(text)
}
