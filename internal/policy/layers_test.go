package policy_test

import (
	"strings"
	"testing"

	"moothall"
	"moothall/internal/policy"
)

type layerCase struct {
	call policy.Call
	want outcome
}

func runLayer(t *testing.T, r *policy.Rules, cases map[string]layerCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { expect(t, r, c.call, c.want) })
	}
}

var plain = outcome{moothall.Allow, policy.LayerManifest, "allowed"}

func deny(layer, rule string) outcome { return outcome{moothall.Deny, layer, rule} }

func ask(layer, rule string) outcome { return outcome{moothall.Ask, layer, rule} }

func lifted(layer, rule string) outcome { return outcome{moothall.Allow, layer, rule} }

func TestIdentity(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Researcher)
	claim := func(c *policy.Call) { c.Lineage = false }
	mismatch := deny(policy.LayerIdentity, "lineage_mismatch")
	runLayer(t, r, map[string]layerCase{
		"own lineage":       {try(t, a, "memory_read"), plain},
		"another's lineage": {try(t, a, "memory_read", claim), mismatch},
		"even with all":     {try(t, a, "memory_read", claim, level("all")), mismatch},
		"even approved":     {try(t, a, "memory_read", claim, approved), mismatch},
		"no agent":          {try(t, policy.Authority{}, "now", level("all")), deny(policy.LayerIdentity, "unknown_agent")},
	})
}

func TestOverride(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Coder)
	off := func(l string, names ...moothall.ToolName) func(*policy.Call) {
		return overrides(moothall.Overrides{Level: l, Disabled: names})
	}
	asAlias := func(c *policy.Call) { c.Name = "read_file" }
	none := func(c *policy.Call) { c.Tool = nil }
	disabled := deny(policy.LayerOverride, "disabled")
	runLayer(t, r, map[string]layerCase{
		"disabled":                  {try(t, a, "memory_read", off("", "memory_read")), disabled},
		"disabled with all":         {try(t, a, "memory_read", off("all", "memory_read")), disabled},
		"disabled by an alias":      {try(t, a, "memory_read", off("", "recall_memory")), disabled},
		"disabled, called by alias": {try(t, a, "fs_read", off("", "fs_read"), asAlias), disabled},
		"disabled and not there":    {try(t, a, "now", off("", "now"), none), disabled},
		"another is disabled":       {try(t, a, "memory_read", off("", "memory_write")), plain},
		"approval does not help":    {try(t, a, "run_code", off("", "run_code"), approved), disabled},
		"unknown level is none":     {try(t, a, "run_code", level("everything")), ask(policy.LayerApproval, "high_risk")},
		"levels are lower case":     {try(t, a, "run_code", level("ALL")), ask(policy.LayerApproval, "high_risk")},
	})
}

func TestManifest(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Researcher)
	none := func(c *policy.Call) { c.Tool = nil }
	grant := func(g ...moothall.ToolGrant) func(*policy.Call) { return overrides(moothall.Overrides{Grants: g}) }
	notAllowed := deny(policy.LayerManifest, "not_allowed")
	runLayer(t, r, map[string]layerCase{
		"allowed":                {try(t, a, "memory_read"), plain},
		"level none":             {try(t, a, "memory_write", level("none")), plain},
		"another type's":         {try(t, a, "run_shell"), notAllowed},
		"relax does not help":    {try(t, a, "run_shell", level("relax")), notAllowed},
		"approval does not help": {try(t, a, "run_shell", approved), notAllowed},
		"all":                    {try(t, a, "run_shell", level("all")), lifted(policy.LayerOverride, "all")},
		"granted":                {try(t, a, "graph_search", grant(moothall.ToolGrant{Type: policy.Researcher, Tool: "graph_search"})), lifted(policy.LayerOverride, "grant")},
		"granted to another":     {try(t, a, "graph_search", grant(moothall.ToolGrant{Type: policy.Coder, Tool: "graph_search"})), notAllowed},
		"granted, still asked":   {try(t, a, "run_shell", grant(moothall.ToolGrant{Type: policy.Researcher, Tool: "run_shell"})), ask(policy.LayerApproval, "high_risk")},
		"no such tool":           {try(t, a, "now", none), deny(policy.LayerManifest, "unknown_tool")},
		"no such tool, all":      {try(t, a, "now", none, level("all")), deny(policy.LayerManifest, "unknown_tool")},
		"delegating is not calling": {
			try(t, chain(t, r, policy.Orchestrator), "fs_write"), notAllowed,
		},
	})
}

func TestLineage(t *testing.T) {
	t.Parallel()
	r := defaults()
	free := chain(t, r, policy.Orchestrator, policy.Coder)
	under := chain(t, r, policy.Orchestrator, policy.Sysadmin, policy.Coder)
	helper := chain(t, r, policy.Orchestrator, policy.Assistant, policy.Researcher)
	inTree := at(moothall.PathRead, "x", true)
	grant := func(l string, types ...moothall.AgentType) func(*policy.Call) {
		o := moothall.Overrides{Level: l}
		for _, ty := range types {
			o.Grants = append(o.Grants, moothall.ToolGrant{Type: ty, Tool: "graph_search"})
		}
		return overrides(o)
	}
	ancestor := deny(policy.LayerLineage, "ancestor")
	runLayer(t, r, map[string]layerCase{
		"delegated":              {try(t, free, "run_code"), ask(policy.LayerApproval, "high_risk")},
		"parent lacks it":        {try(t, under, "run_code"), ancestor},
		"relax does not help":    {try(t, under, "run_code", level("relax")), ancestor},
		"approval does not help": {try(t, under, "run_code", approved), ancestor},
		"all":                    {try(t, under, "run_code", level("all")), lifted(policy.LayerOverride, "all")},
		"reading below reader":   {try(t, helper, "fs_read", inTree), ancestor},
		"granted to the child":   {try(t, helper, "graph_search", grant("", policy.Researcher)), ancestor},
		"granted to all but one": {try(t, helper, "graph_search", grant("", policy.Researcher, policy.Assistant)), ancestor},
		"granted to each": {
			try(t, helper, "graph_search", grant("", policy.Researcher, policy.Assistant, policy.Orchestrator)),
			lifted(policy.LayerOverride, "grant"),
		},
	})
}

func TestLineageNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Orchestrator, policy.Assistant, policy.Researcher)
	c := try(t, a, "graph_search", overrides(moothall.Overrides{Grants: []moothall.ToolGrant{{Type: policy.Researcher, Tool: "graph_search"}}}))
	d := r.Decide(&c)
	for _, want := range []string{"graph_search in ", "agent_types.orchestrator.delegates", "agent_types.assistant.delegates"} {
		if !strings.Contains(d.Allows, want) {
			t.Errorf("no %q in %q", want, d.Allows)
		}
	}
	if strings.Contains(d.Allows, "researcher") {
		t.Errorf("asks for a grant that is there: %q", d.Allows)
	}
	if strings.Contains(d.Allows, "--") {
		t.Errorf("names an option that no command has: %q", d.Allows)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Coder)
	bare := chain(t, r, policy.Persona)
	grant := overrides(moothall.Overrides{Grants: []moothall.ToolGrant{{Type: policy.Persona, Tool: "fs_read"}}})
	const read, write = moothall.PathRead, moothall.PathWrite
	outside := deny(policy.LayerPaths, "outside")
	runLayer(t, r, map[string]layerCase{
		"inside":                 {try(t, a, "fs_read", at(read, "a.go", true)), plain},
		"outside":                {try(t, a, "fs_read", at(read, "/etc/passwd", false)), outside},
		"one of two outside":     {try(t, a, "fs_read", at(read, "a.go", true), at(read, "../b", false)), outside},
		"no path argument":       {try(t, a, "fs_list"), plain},
		"relax does not help":    {try(t, a, "fs_write", at(write, "/etc/x", false), level("relax")), outside},
		"approval does not help": {try(t, a, "fs_write", at(write, "/etc/x", false), approved), outside},
		"all":                    {try(t, a, "fs_write", at(write, "/etc/x", false), level("all")), lifted(policy.LayerOverride, "all")},
		"no folders at all":      {try(t, bare, "fs_read", at(read, "a.go", true), grant), deny(policy.LayerPaths, "no_folders")},
		"reader asked to write":  {try(t, chain(t, r, policy.Researcher), "fs_read", at(write, "a.go", true)), deny(policy.LayerPaths, "no_folders")},
		"unknown access":         {try(t, chain(t, r, policy.Researcher), "fs_read", at("append", "a.go", true)), deny(policy.LayerPaths, "no_folders")},
	})
}

func TestEgress(t *testing.T) {
	t.Parallel()
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{"a": {Allowed: []moothall.ToolName{"x"}}}}
	r := policy.Compile(m, nil)
	a := chain(t, r, "a")
	spec := func(risk moothall.Risk, origin string, sends ...string) *moothall.ToolSpec {
		return &moothall.ToolSpec{Name: "x", Risk: risk, Origin: origin, Sends: sends}
	}
	call := func(s *moothall.ToolSpec, changes ...func(*policy.Call)) policy.Call {
		c := policy.Call{Agent: a, Tool: s, Name: "x", Lineage: true}
		for _, change := range changes {
			change(&c)
		}
		return c
	}
	no := deny(policy.LayerEgress, "no_network")
	runLayer(t, r, map[string]layerCase{
		"built-in":              {call(spec(moothall.RiskSend, "built-in", "url")), plain},
		"of a server":           {call(spec(moothall.RiskSend, "mcp:x", "url")), ask(policy.LayerEgress, "outside_server")},
		"of an approved server": {call(spec(moothall.RiskSend, "mcp:x"), approved), lifted(policy.LayerApproval, "approved")},
		"of the bus":            {call(spec(moothall.RiskSend, "bus:x")), no},
		"of nobody":             {call(spec(moothall.RiskSend, "")), no},
		"reads and sends":       {call(spec(moothall.RiskRead, "built-in", "url")), no},
		"computes and sends":    {call(spec(moothall.RiskNone, "mcp:x", "url")), no},
		"found to send":         {call(spec(moothall.RiskRead, "built-in"), sends(true)), no},
		"reads":                 {call(spec(moothall.RiskRead, "mcp:x")), plain},
		"writes and sends":      {call(spec(moothall.RiskWrite, "mcp:x", "url")), plain},
		"relax does not help":   {call(spec(moothall.RiskSend, "bus:x"), level("relax")), no},
		"approval does not":     {call(spec(moothall.RiskSend, "bus:x"), approved), no},
		"all":                   {call(spec(moothall.RiskSend, "mcp:x"), level("all")), lifted(policy.LayerOverride, "all")},
		"unknown risk is high":  {call(spec("mild", "mcp:x")), ask(policy.LayerApproval, "high_risk")},
		"no risk named is high": {call(spec("", "mcp:x")), ask(policy.LayerApproval, "high_risk")},
	})
}

func TestLabels(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Generator)
	one := func(l moothall.Label) func(*policy.Call) { return func(c *policy.Call) { c.Labels = l } }
	out := at(moothall.PathWrite, "a", true)
	asksSend, asksChange := ask(policy.LayerLabels, "sends"), ask(policy.LayerLabels, "changes")
	nobody := deny(policy.LayerLabels, "unattended")
	once, session := lifted(policy.LayerApproval, "approved"), lifted(policy.LayerApproval, "approved_session")
	runLayer(t, r, map[string]layerCase{
		"untrusted alone, send":        {try(t, a, "web_fetch", one(moothall.Untrusted), sends(false)), plain},
		"both, read":                   {try(t, a, "memory_read", both), plain},
		"both, compute":                {try(t, a, "calculate", both), plain},
		"both, unknown text":           {try(t, a, "web_fetch", both, sends(false)), asksSend},
		"both, known text":             {try(t, a, "web_fetch", both, sends(true)), plain},
		"both, one of two known":       {try(t, a, "web_search", both, sends(true, false)), asksSend},
		"both, nothing said of text":   {try(t, a, "web_search", both), asksSend},
		"both, write":                  {try(t, a, "memory_write", both), asksChange},
		"both, write a file":           {try(t, a, "fs_write", both, out), asksChange},
		"both, run code":               {try(t, a, "run_code", both), asksChange},
		"unattended":                   {try(t, a, "memory_write", both, unattended), nobody},
		"unattended send":              {try(t, a, "web_fetch", both, sends(false), unattended), nobody},
		"unattended known text":        {try(t, a, "web_fetch", both, sends(true), unattended), plain},
		"approved send":                {try(t, a, "web_fetch", both, sends(false), approved), once},
		"approved change":              {try(t, a, "memory_write", both, approved), once},
		"session approved change":      {try(t, a, "memory_write", both, sessionApproved), session},
		"session approved send":        {try(t, a, "web_fetch", both, sends(false), sessionApproved), asksSend},
		"session approved write+send":  {try(t, a, "memory_write", both, sends(false), sessionApproved), asksSend},
		"known text does not free":     {try(t, a, "memory_write", both, sends(true)), asksChange},
		"relax does not help":          {try(t, a, "memory_write", both, level("relax")), asksChange},
		"relax does not help run code": {try(t, a, "run_code", both, level("relax")), asksChange},
		"all":                          {try(t, a, "web_fetch", both, sends(false), level("all"), unattended), lifted(policy.LayerOverride, "all")},
	})
}

func TestArguments(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Generator)
	wrong := func(c *policy.Call) {
		c.Problems = []string{"query: missing", "a", "b", "c", strings.Repeat("d", 9000)}
	}
	large := func(c *policy.Call) { c.Oversize = true }
	runLayer(t, r, map[string]layerCase{
		"problems":               {try(t, a, "web_search", wrong), deny(policy.LayerArguments, "schema")},
		"problems, all":          {try(t, a, "web_search", wrong, level("all")), deny(policy.LayerArguments, "schema")},
		"oversize":               {try(t, a, "web_search", large), deny(policy.LayerArguments, "too_large")},
		"oversize, all":          {try(t, a, "web_search", large, level("all")), deny(policy.LayerArguments, "too_large")},
		"approval does not help": {try(t, a, "run_code", wrong, approved), deny(policy.LayerArguments, "schema")},
	})
	c := try(t, a, "web_search", wrong)
	if d := r.Decide(&c); !strings.Contains(d.Reason, "query: missing") || !strings.Contains(d.Reason, "and 2 more") {
		t.Errorf("the model cannot learn from %q", d.Reason)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Generator)
	count := func(repeats, calls int) func(*policy.Call) {
		return func(c *policy.Call) { c.Repeats, c.Calls = repeats, calls }
	}
	same, calls := deny(policy.LayerLimits, "same_call"), deny(policy.LayerLimits, "calls")
	runLayer(t, r, map[string]layerCase{
		"third time":             {try(t, a, "now", count(2, 2)), plain},
		"fourth time":            {try(t, a, "now", count(3, 3)), same},
		"last call":              {try(t, a, "now", count(0, 199)), plain},
		"one too many":           {try(t, a, "now", count(0, 200)), calls},
		"repeats, all":           {try(t, a, "now", count(3, 3), level("all")), same},
		"calls, all":             {try(t, a, "now", count(0, 200), level("all")), calls},
		"approval does not help": {try(t, a, "run_code", count(3, 3), approved), same},
	})
}

func TestApproval(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Coder)
	runLayer(t, r, map[string]layerCase{
		"high risk":        {try(t, a, "run_code"), ask(policy.LayerApproval, "high_risk")},
		"write":            {try(t, a, "memory_write"), plain},
		"unattended":       {try(t, a, "run_code", unattended), deny(policy.LayerApproval, "unattended")},
		"relax":            {try(t, a, "run_code", level("relax")), lifted(policy.LayerOverride, "relax")},
		"relax unattended": {try(t, a, "run_code", level("relax"), unattended), lifted(policy.LayerOverride, "relax")},
		"all":              {try(t, a, "run_code", level("all"), unattended), lifted(policy.LayerOverride, "all")},
		"approved":         {try(t, a, "run_code", approved), lifted(policy.LayerApproval, "approved")},
		"session approved": {try(t, a, "run_code", sessionApproved), lifted(policy.LayerApproval, "approved_session")},
	})
}
