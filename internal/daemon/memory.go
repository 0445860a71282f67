package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/graph"
	"moothall/internal/memory"
)

// MemoryConfig says how the hall remembers.
type MemoryConfig struct {
	Mode     string             `yaml:"mode" doc:"How memories are looked for: in stages from names to texts, by words and vectors of the texts at once, or whichever suits what is there." enum:"auto,staged,fused"`
	Embedder string             `yaml:"embedder" doc:"What makes vectors: the embedding model of the gateway where there is one, besides the built-in one, or the built-in one alone." enum:"auto,builtin"`
	Ingest   bool               `yaml:"ingest" doc:"Remember every answered question."`
	Engine   MemoryEngineConfig `yaml:"engine" doc:"Where memories are kept."`
	Graph    GraphConfig        `yaml:"graph" doc:"Where facts about people, places and things are kept."`
	Model    bool               `yaml:"model" doc:"Let a model name memories and read turns; rules do it otherwise, and in place of a very small model."`
	Library  string             `yaml:"library" doc:"Show texts of the program's own library behind memories, and before a question to a model that wants them: when such a model answers, as the built-in one, always, or never." enum:"auto,on,off"`
}

func defaultMemory() MemoryConfig {
	return MemoryConfig{Mode: "auto", Embedder: "auto", Ingest: true, Model: true, Library: libraryAuto, Engine: MemoryEngineConfig{Kind: "sqlite"}, Graph: GraphConfig{Kind: "sqlite"}}
}

// ingest is the memory's durable observer.
var ingest = bus.Durable{Identity: moothall.MemoryKeeper, Name: "ingest", Subjects: memory.Subjects()}

// openMemory starts what the hall remembers with.
func (h *Hall) openMemory(ctx context.Context) (func(context.Context) error, error) {
	c, p := h.conf.Memory, h.peer(moothall.MemoryKeeper)
	record, err := p.Audit()
	if err != nil {
		return nil, err
	}
	model, err := p.Gateway()
	if err != nil {
		return nil, err
	}
	ends, err := h.openEngines(ctx)
	if moothall.ErrorCode(err) == moothall.CodeUnavailable {
		return h.withoutMemory(err), nil
	}
	if err != nil {
		return nil, err
	}
	h.graph = graph.New(h.statements, &graph.Options{Logger: h.log})
	o := memory.Options{
		Engine: h.entries, Audit: record, Graph: facts{h.graph}, Publish: h.lastWord(moothall.MemoryKeeper),
		Dir: h.home.memoryIndex(), Mode: c.Mode, Logger: h.log,
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, homeError("memory index", o.Dir, err)
	}
	if c.Embedder == "auto" {
		o.Embed = model.Embed
	}
	chat := &chatModel{model: model}
	o.Library = h.libraryFor(chat)
	if c.Model {
		o.Model = model
		o.Thinks = func(ctx context.Context) bool { return !chat.wantsRecall(ctx) }
	}
	if h.memory, err = memory.Open(ctx, o); err != nil {
		return nil, err
	}
	h.here.Memory = h.memory.For
	stop := func() {}
	if c.Ingest {
		stop = h.observe(ingest, h.memory.Ingest)
	}
	return func(context.Context) error {
		stop()
		return errors.Join(h.memory.Close(), ends())
	}, nil
}

// openEngines opens where memories and facts are kept.
func (h *Hall) openEngines(ctx context.Context) (ends func() error, err error) {
	entries, end, err := h.memoryEngine(ctx, h.conf.Memory.Engine)
	if err != nil {
		return nil, err
	}
	statements, endGraph, err := h.graphEngine(ctx, h.conf.Memory.Graph)
	if err != nil {
		return nil, errors.Join(err, end.Close())
	}
	h.entries, h.statements = entries, statements
	return func() error { return errors.Join(endGraph.Close(), end.Close()) }, nil
}

// withoutMemory lets the hall go on when an engine's server does not answer:
// questions are answered without recall, and whoever wants it is told why.
func (h *Hall) withoutMemory(why error) func(context.Context) error {
	h.log.Error("the hall has no memory", "err", why)
	h.forgotten = why
	h.here.Memory = func(moothall.Identity) moothall.Memory { return noMemory{why} }
	return nothingToStop
}

// lastWord publishes also when the work that is told of was cut off: what
// was stored is told.
func (h *Hall) lastWord(as moothall.Identity) func(context.Context, moothall.Event) error {
	publish := h.publisher(as)
	return func(ctx context.Context, e moothall.Event) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace/2)
		defer cancel()
		return publish(ctx, e)
	}
}

// observe hands events to a durable observer until the returned function is
// called.
func (h *Hall) observe(d bus.Durable, handle func(context.Context, moothall.Event) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	// What has begun is finished: an event that is cut off comes again only
	// when the bus has waited for its answer, and those behind it wait as long.
	finish := func(ctx context.Context, e moothall.Event) error {
		own, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(Grace/2, cancel) })()
		err := handle(own, e)
		h.copying.RLock() // see [Hall.stage]
		defer h.copying.RUnlock()
		return err
	}
	var work sync.WaitGroup
	work.Go(func() {
		p, err := h.bus.As(d.Identity)
		if err == nil {
			err = p.Observe(ctx, bus.Observer{Name: d.Name, Handle: finish})
		}
		if err != nil && ctx.Err() == nil {
			h.log.Error("an observer no longer hears events", "observer", d.Name, "err", err)
		}
	})
	return func() { cancel(); work.Wait() }
}

// facts is the graph as the memory uses it.
type facts struct{ *graph.Service }

// Forget removes what only this entry supports.
func (f facts) Forget(ctx context.Context, source moothall.MemoryID) error {
	_, err := f.Service.Forget(ctx, moothall.Scope{}, source)
	return err
}

// MemoryImport says what came of an import.
type MemoryImport struct {
	Lines     int64 `json:"lines"`
	Stored    int64 `json:"stored"`
	Unchanged int64 `json:"unchanged"`
}

// ImportMemories stores entries from JSON lines: in this process when the
// command brought its own hall, else piece by piece in the one that runs.
func ImportMemories(ctx context.Context, c moothall.Client, r io.Reader, report func(moothall.Progress)) (MemoryImport, error) {
	if o, ok := c.(*owned); ok && o.hall.memory != nil {
		got, err := o.hall.memory.Import(ctx, moothall.Person, r, memory.ImportOptions{Progress: report})
		return MemoryImport(got), err
	}
	var out MemoryImport
	err := memory.Pieces(r, importPiece, func(lines []byte) error {
		var got MemoryImport
		if err := configureFor(ctx, c, memorySettings{Import: string(lines)}, &got); err != nil {
			return err
		}
		out.Lines, out.Stored, out.Unchanged = out.Lines+got.Lines, out.Stored+got.Stored, out.Unchanged+got.Unchanged
		report(moothall.Progress{Step: "import", Done: out.Lines})
		return nil
	})
	return out, err
}

// importPiece is how many bytes go to a running hall at once.
const importPiece = 1 << 20

// ExportMemories writes every entry as a JSON line.
func ExportMemories(ctx context.Context, c moothall.Client, w io.Writer) error {
	return c.Export(ctx, moothall.ExportMemories, w)
}

// ExportGraph writes the knowledge graph as json or graphml.
func ExportGraph(ctx context.Context, c moothall.Client, format string, w io.Writer) error {
	what, ok := map[graph.Format]string{graph.JSON: moothall.ExportGraph, graph.GraphML: moothall.ExportGraphML}[graph.Format(format)]
	if !ok {
		return moothall.Fail(moothall.CodeInvalid, "export", "the graph has no format "+clip(format, 40)+"; it is json or graphml")
	}
	return c.Export(ctx, what, w)
}

// export writes what is remembered.
func (h *Hall) export(ctx context.Context, what string, w io.Writer) error {
	const op = "export"
	if h.memory == nil {
		return moothall.Fail(moothall.CodeUnsupported, op, "the memory is kept elsewhere")
	}
	switch what {
	case moothall.ExportMemories:
		_, err := h.memory.Export(ctx, moothall.Person, w, nil)
		return err
	case moothall.ExportGraph:
		return h.exportGraph(ctx, w, graph.JSON)
	case moothall.ExportGraphML:
		return h.exportGraph(ctx, w, graph.GraphML)
	}
	return moothall.Fail(moothall.CodeInvalid, op, "there is no export "+clip(what, 40)+"; memories, graph and graphml are those there are")
}

// exportGraph writes the graph, on the record as any reading of it.
func (h *Hall) exportGraph(ctx context.Context, w io.Writer, format graph.Format) error {
	record, err := h.peer(moothall.MemoryKeeper).Audit()
	if err != nil {
		return err
	}
	if _, err := record.Append(ctx, moothall.AuditEntry{
		Action: moothall.ActionMemoryRead, Status: moothall.StatusOK, Note: "export graph by " + string(moothall.Person), Relaxed: true,
	}); err != nil {
		return err
	}
	return h.graph.Export(ctx, w, format)
}

// GraphLines puts facts into words.
func GraphLines(facts []moothall.GraphFact) []string { return graph.LinesAt(facts, time.Now()) }

// ReindexMemories makes all vectors anew.
func ReindexMemories(ctx context.Context, c moothall.Client, report func(moothall.Progress)) error {
	if o, ok := c.(*owned); ok && o.hall.memory != nil {
		return o.hall.memory.Reindex(ctx, report)
	}
	return configureFor(ctx, c, memorySettings{Reindex: true}, nil)
}

// memoryKeeper names the participant; memorySettings is what it is asked to
// do by the person's commands.
const memoryKeeper = "memory"

type memorySettings struct {
	Reindex bool   `json:"reindex,omitempty"`
	Import  string `json:"import,omitempty"` // JSON lines
}

func configureFor(ctx context.Context, c moothall.Client, s memorySettings, into any) error {
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	p, err := c.Configure(ctx, memoryKeeper, body)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(p.Settings, into)
}

// memoryParticipant shows figures.
func (h *Hall) memoryParticipant(ctx context.Context) (moothall.Participant, error) {
	p := moothall.Participant{Name: memoryKeeper, State: moothall.ServiceOK, About: "what the hall remembers"}
	stats, err := h.memory.Stats(ctx)
	if err != nil {
		return p, err
	}
	known, err := h.graph.Stats(ctx)
	if err != nil {
		return p, err
	}
	p.Settings, err = json.Marshal(map[string]any{"memory": stats, "graph": known})
	return p, err
}

// configureMemory does what the settings ask for and returns what came of it.
func (h *Hall) configureMemory(ctx context.Context, raw json.RawMessage) (moothall.Participant, error) {
	var s memorySettings
	if err := readSettings(raw, &s); err != nil {
		return moothall.Participant{}, err
	}
	p := moothall.Participant{Name: memoryKeeper, State: moothall.ServiceOK}
	switch {
	case s.Reindex:
		return p, h.memory.Reindex(ctx, nil)
	case s.Import != "":
		got, err := h.memory.Import(ctx, moothall.Person, strings.NewReader(s.Import), memory.ImportOptions{})
		if err != nil {
			return p, err
		}
		p.Settings, err = json.Marshal(MemoryImport(got))
		return p, err
	}
	return h.memoryParticipant(ctx)
}
