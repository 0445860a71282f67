package policy_test

import (
	"strings"
	"testing"

	"moothall"
	"moothall/internal/policy"
)

// One label alone keeps private data from where the person did not point, and
// a person's files from what came from outside.
func TestOneLabel(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Generator)
	private := func(c *policy.Call) { c.Labels = moothall.Private }
	outside := func(c *policy.Call) { c.Labels = moothall.Untrusted }
	query := func(known, plain bool) func(*policy.Call) {
		return func(c *policy.Call) {
			c.Sends = append(c.Sends, policy.SendFact{Argument: "query", Known: known, Plain: plain, Doubt: "quotes private text"})
		}
	}
	there, free := at(moothall.PathWrite, "diary.md", true), func(c *policy.Call) {
		c.Paths = append(c.Paths, policy.PathFact{Argument: "path", Access: moothall.PathWrite, Asked: "new.md", Inside: true, Free: true})
	}
	asksSend, asksReplace, nobody := ask(policy.LayerLabels, "sends_private"), ask(policy.LayerLabels, "replaces"), deny(policy.LayerLabels, "unattended")
	once, session := lifted(policy.LayerApproval, "approved"), lifted(policy.LayerApproval, "approved_session")
	runLayer(t, r, map[string]layerCase{
		"none, send":                     {try(t, a, "web_fetch", sends(false)), plain},
		"none, replace":                  {try(t, a, "fs_write", there), plain},
		"private, unknown address":       {try(t, a, "web_fetch", private, sends(false)), asksSend},
		"private, known address":         {try(t, a, "web_fetch", private, sends(true)), plain},
		"private, plain query":           {try(t, a, "web_search", private, query(false, true)), plain},
		"private, query that quotes":     {try(t, a, "web_search", private, query(false, true), query(false, false)), asksSend},
		"private, nothing said of text":  {try(t, a, "web_search", private), asksSend},
		"private, replace":               {try(t, a, "fs_write", private, there), plain},
		"private, remember":              {try(t, a, "memory_write", private), plain},
		"private, send, unattended":      {try(t, a, "web_fetch", private, sends(false), unattended), nobody},
		"private, send, approved":        {try(t, a, "web_fetch", private, sends(false), approved), once},
		"private, send, session":         {try(t, a, "web_fetch", private, sends(false), sessionApproved), asksSend},
		"private, send, relax":           {try(t, a, "web_fetch", private, sends(false), level("relax")), asksSend},
		"private, send, all":             {try(t, a, "web_fetch", private, sends(false), level("all")), lifted(policy.LayerOverride, "all")},
		"both, plain query":              {try(t, a, "web_search", both, query(false, true)), ask(policy.LayerLabels, "sends")},
		"untrusted, replace":             {try(t, a, "fs_write", outside, there), asksReplace},
		"untrusted, new file":            {try(t, a, "fs_write", outside, free), plain},
		"untrusted, one of two":          {try(t, a, "fs_write", outside, free, there), asksReplace},
		"untrusted, remember":            {try(t, a, "memory_write", outside), plain},
		"untrusted, read":                {try(t, a, "fs_read", outside, at(moothall.PathRead, "diary.md", true)), plain},
		"untrusted, replace, unattended": {try(t, a, "fs_write", outside, there, unattended), nobody},
		"untrusted, replace, approved":   {try(t, a, "fs_write", outside, there, approved), once},
		"untrusted, replace, session":    {try(t, a, "fs_write", outside, there, sessionApproved), session},
		"untrusted, replace, relax":      {try(t, a, "fs_write", outside, there, level("relax")), asksReplace},
		"untrusted, replace, all":        {try(t, a, "fs_write", outside, there, level("all")), lifted(policy.LayerOverride, "all")},
	})
}

// A foreign tool is told private data only by a person who knows.
func TestForeignToolIsTold(t *testing.T) {
	t.Parallel()
	r := policy.Compile(policy.Manifest{Types: map[moothall.AgentType]policy.Type{"a": {Allowed: []moothall.ToolName{"x"}}}}, nil)
	a := chain(t, r, "a")
	call := func(risk moothall.Risk, origin string, l moothall.Label, changes ...func(*policy.Call)) policy.Call {
		c := policy.Call{Agent: a, Tool: &moothall.ToolSpec{Name: "x", Risk: risk, Origin: origin}, Name: "x", Lineage: true, Labels: l}
		for _, change := range changes {
			change(&c)
		}
		return c
	}
	told := func(c *policy.Call) { c.Told = true }
	const private, outside = moothall.Private, moothall.Untrusted
	tells, session := ask(policy.LayerLabels, "tells"), lifted(policy.LayerApproval, "approved_session")
	runLayer(t, r, map[string]layerCase{
		"writes":                  {call(moothall.RiskWrite, "mcp:s", private), tells},
		"reads":                   {call(moothall.RiskRead, "mcp:s", private), tells},
		"of the bus":              {call(moothall.RiskRead, "bus:s", private), tells},
		"of nobody":               {call(moothall.RiskRead, "", private), tells},
		"computes":                {call(moothall.RiskNone, "mcp:s", private), tells},
		"reads, both":             {call(moothall.RiskRead, "mcp:s", private|outside), tells},
		"writes, both":            {call(moothall.RiskWrite, "mcp:s", private|outside, told), ask(policy.LayerLabels, "changes")},
		"told what was typed":     {call(moothall.RiskWrite, "mcp:s", private, told), plain},
		"nothing private":         {call(moothall.RiskWrite, "mcp:s", outside), plain},
		"built-in":                {call(moothall.RiskWrite, "built-in", private), plain},
		"unattended":              {call(moothall.RiskWrite, "mcp:s", private, unattended), deny(policy.LayerLabels, "unattended")},
		"approved":                {call(moothall.RiskWrite, "mcp:s", private, approved), lifted(policy.LayerApproval, "approved")},
		"approved for session":    {call(moothall.RiskRead, "mcp:s", private, sessionApproved), session},
		"outside server, session": {call(moothall.RiskSend, "mcp:s", private, sessionApproved), session},
		"relax":                   {call(moothall.RiskRead, "mcp:s", private, level("relax")), tells},
	})
}

// Each concern says what would settle it, and names what it is about.
func TestLabelsExplainThemselves(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Generator)
	doubt := func(c *policy.Call) {
		c.Labels, c.Sends = moothall.Private, []policy.SendFact{{Argument: "query", Doubt: "quotes private text"}}
	}
	outside := func(c *policy.Call) { c.Labels = moothall.Untrusted }
	for name, tt := range map[string]struct {
		call   policy.Call
		reason []string
		allows string
	}{
		"query": {try(t, a, "web_search", doubt), []string{"the query of web_search", "typed", "quotes private text"}, "the person typed"},
		"file":  {try(t, a, "fs_write", outside, at(moothall.PathWrite, "diary.md", true)), []string{`"diary.md"`, "fs_write would change it"}, "a new file"},
	} {
		d := r.Decide(&tt.call)
		for _, want := range tt.reason {
			if !strings.Contains(d.Reason, want) {
				t.Errorf("%s: no %q in %q", name, want, d.Reason)
			}
		}
		if !strings.Contains(d.Allows, tt.allows) || !strings.Contains(d.Allows, "approval") {
			t.Errorf("%s: %q", name, d.Allows)
		}
		tt.call.Unattended = true
		if d := r.Decide(&tt.call); !strings.Contains(d.Allows, tt.allows) || !strings.Contains(d.Allows, "a person present, who approves it") {
			t.Errorf("%s, unattended: %q", name, d.Allows)
		}
	}
}
