package recall

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/tool/answer"
)

// Write is memory_write: something to be remembered.
type Write struct {
	memory moothall.Memory
	o      Options
}

var _ moothall.Tool = (*Write)(nil)

// NewWrite returns the tool.
func NewWrite(m moothall.Memory, o Options) *Write { return &Write{m, o.filled()} }

// The limits of an entry, in bytes; the schema counts characters and is the
// looser of the two.
const (
	maxName = 200
	maxText = 16 << 10
	maxTags = 16
	maxTag  = 64
)

// Spec describes the tool.
func (t *Write) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: "memory_write", Aliases: []moothall.ToolName{"save_memory"},
		Description: "Remembers a fact for later conversations. Some entries are kept as candidates that the person or the orchestrator decides on.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"name":{"type":"string","minLength":1,"maxLength":200,"description":"a short title to find it by"},` +
			`"text":{"type":"string","minLength":1,"maxLength":16384,"description":"what to remember, in whole sentences"},` +
			`"tags":{"type":"array","maxItems":16,"items":{"type":"string","minLength":1,"maxLength":64}}},` +
			`"required":["name","text"],"additionalProperties":false}`),
		Risk: moothall.RiskWrite, Taints: moothall.Private,
		Timeout: timeout, MaxResult: 1 << 10, Origin: "built-in",
	}
}

type writeArguments struct {
	Name string   `json:"name"`
	Text string   `json:"text"`
	Tags []string `json:"tags"`
}

// Run stores or proposes one entry.
func (t *Write) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	a, err := answer.Arguments[writeArguments](r)
	if err != nil {
		return failed(ctx, r, err)
	}
	if err := a.check(); err != nil {
		return failed(ctx, r, err)
	}
	w := t.request(r, a)
	e, err := t.memory.Write(ctx, w)
	if err != nil {
		return failed(ctx, r, err)
	}
	text, state := "Remembered", "stored"
	if w.Propose {
		text, state = "Kept as a candidate, which counts once it is accepted", "proposed"
	}
	out := result(r, moothall.CallOK, text+": "+cut(oneLine(a.Name), maxName)+".")
	out.Data = encode(map[string]any{"id": e.ID, "state": state, "trust": w.Entry.Trust})
	return out, nil
}

// check cleans the arguments and reports the first that cannot be kept.
func (a *writeArguments) check() error {
	a.Name = oneLine(a.Name)
	var tags []string
	for _, tag := range a.Tags {
		if tag = oneLine(tag); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	a.Tags = tags
	fail := func(code moothall.Code, message string) error { return moothall.Fail(code, "memory_write", message) }
	switch {
	case a.Name == "" || strings.TrimSpace(a.Text) == "":
		return fail(moothall.CodeInvalid, "an entry needs a name and a text")
	case len(a.Name) > maxName:
		return fail(moothall.CodeTooLarge, "the name is too long")
	case len(a.Text) > maxText:
		return fail(moothall.CodeTooLarge, "the text is too long; remember the gist, or several entries")
	case len(tags) > maxTags || slices.ContainsFunc(tags, func(s string) bool { return len(s) > maxTag }):
		return fail(moothall.CodeTooLarge, "there are too many tags, or one is too long")
	}
	return nil
}

// request adds what the hall knows of the writer to what the writer said.
func (t *Write) request(r moothall.ToolRun, a writeArguments) moothall.WriteRequest {
	trust := moothall.TrustModel
	if r.Labels.Has(moothall.Untrusted) {
		trust = moothall.TrustExternal
	}
	return moothall.WriteRequest{
		Scope: r.Scope,
		Entry: moothall.MemoryEntry{
			Kind: moothall.Fact, Name: a.Name, Description: cut(oneLine(a.Text), 300), Corpus: a.Text, Tags: a.Tags,
			Created: t.o.Now().UTC(), Source: provenance(r), Trust: trust, Speaker: string(r.Type),
		},
		// Only a root agent's own words are stored at once: a lineage of one.
		Propose: len(r.Lineage) != 1 || trust == moothall.TrustExternal,
	}
}

// provenance says who wrote an entry and when it was said, by the broker's
// knowledge alone.
func provenance(r moothall.ToolRun) string {
	parts := []string{"tool:memory_write"}
	for _, p := range [][2]string{
		{"agent", string(r.Agent)}, {"type", string(r.Type)}, {"lineage", r.Lineage.String()},
		{"session", string(r.Session)}, {"query", string(r.Query)}, {"call", string(r.Call.ID)},
	} {
		if p[1] != "" {
			parts = append(parts, p[0]+":"+oneLine(p[1]))
		}
	}
	return strings.Join(parts, " ")
}
