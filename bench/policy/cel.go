package policy

import (
	_ "embed"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

//go:embed policy.cel
var celText string

func newCEL(t table) (engine, error) {
	sets := cel.MapType(cel.StringType, cel.MapType(cel.StringType, cel.BoolType))
	options := []cel.EnvOption{
		cel.Variable("allowed", sets), cel.Variable("ceiling", sets),
		cel.Variable("above", cel.ListType(cel.StringType)), cel.Variable("inside", cel.ListType(cel.BoolType)),
		cel.Variable("disabled", cel.MapType(cel.StringType, cel.BoolType)),
	}
	for _, name := range []string{"own", "tool", "level"} {
		options = append(options, cel.Variable(name, cel.StringType))
	}
	for _, name := range []string{"risk", "labels", "problems", "repeats", "calls"} {
		options = append(options, cel.Variable(name, cel.IntType))
	}
	for _, name := range []string{"builtin", "sends", "known", "lineage", "unattended", "approved"} {
		options = append(options, cel.Variable(name, cel.BoolType))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		return engine{}, err
	}
	ast, issues := env.Compile(celText)
	if issues.Err() != nil {
		return engine{}, issues.Err()
	}
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return engine{}, err
	}
	allowed, ceiling := celSets(t.allowed), celSets(t.ceiling)
	return engine{"cel", func(f facts) (func() (string, error), error) {
		vars, err := cel.NewActivation(celInput(f, allowed, ceiling))
		return func() (string, error) {
			out, _, err := program.Eval(vars)
			if err != nil {
				return "", err
			}
			return string(out.(types.String)), nil
		}, err
	}}, nil
}

// celSets holds values in the engine's own form, so that it converts nothing
// while it is timed.
func celSets(m map[string]map[string]bool) ref.Val {
	out := make(map[ref.Val]ref.Val, len(m))
	for k, row := range m {
		out[types.String(k)] = celSet(row)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, out)
}

func celSet(m map[string]bool) ref.Val {
	out := make(map[ref.Val]ref.Val, len(m))
	for k, v := range m {
		out[types.String(k)] = types.Bool(v)
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, out)
}

func celInput(f facts, allowed, ceiling ref.Val) map[string]any {
	disabled := map[string]bool{}
	for _, n := range f.disabled {
		disabled[n] = true
	}
	var above, inside []ref.Val
	for _, t := range f.above() {
		above = append(above, types.String(t))
	}
	for _, in := range f.inside {
		inside = append(inside, types.Bool(in))
	}
	return map[string]any{
		"allowed": allowed, "ceiling": ceiling, "disabled": celSet(disabled),
		"above": types.NewRefValList(types.DefaultTypeAdapter, above), "inside": types.NewRefValList(types.DefaultTypeAdapter, inside),
		"own": types.String(f.own()), "tool": types.String(f.tool), "level": types.String(f.level),
		"risk": types.Int(f.risk), "labels": types.Int(f.labels), "problems": types.Int(f.problems),
		"repeats": types.Int(f.repeats), "calls": types.Int(f.calls), "builtin": types.Bool(f.builtIn), "sends": types.Bool(f.sends),
		"known": types.Bool(f.sends && f.known), "lineage": types.Bool(f.lineage), "unattended": types.Bool(f.unattended), "approved": types.Bool(f.approved),
	}
}
