package policy

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

//go:embed policy.rego
var regoText string

func newOPA(t table) (engine, error) {
	data := map[string]any{
		"allowed": nested(t.allowed), "ceiling": nested(t.ceiling),
		"limits": map[string]any{"repeats": 3, "calls": 200},
	}
	ctx := context.Background()
	query, err := rego.New(
		rego.Query("data.moothall.verdict"), rego.Module("policy.rego", regoText),
		// The default store copies JSON on every read; this one keeps values
		// in the engine's own form, which is the faster choice for it.
		rego.Store(inmem.NewFromObjectWithOpts(data, inmem.OptReturnASTValuesOnRead(true))),
	).PrepareForEval(ctx)
	if err != nil {
		return engine{}, err
	}
	return engine{"opa", func(f facts) (func() (string, error), error) {
		input, err := ast.InterfaceToValue(opaInput(f))
		return func() (string, error) {
			rs, err := query.Eval(ctx, rego.EvalParsedInput(input))
			if err != nil {
				return "", err
			}
			if len(rs) != 1 {
				return "", fmt.Errorf("%d results", len(rs))
			}
			return rs[0].Expressions[0].Value.(string), nil
		}, err
	}}, nil
}

func opaInput(f facts) map[string]any {
	disabled := map[string]any{}
	for _, n := range f.disabled {
		disabled[n] = true
	}
	return map[string]any{
		"own": f.own(), "above": list(f.above()), "tool": f.tool, "risk": f.risk, "builtin": f.builtIn, "sends": f.sends,
		"known": f.sends && f.known, "level": f.level, "disabled": disabled, "lineage": f.lineage, "labels": f.labels,
		"inside": list(f.inside), "problems": f.problems, "repeats": f.repeats, "calls": f.calls,
		"unattended": f.unattended, "approved": f.approved,
	}
}

func nested(m map[string]map[string]bool) map[string]any {
	out := make(map[string]any, len(m))
	for k, row := range m {
		inner := make(map[string]any, len(row))
		for n, v := range row {
			inner[n] = v
		}
		out[k] = inner
	}
	return out
}

func list[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}
