package gateway

import (
	"context"
	"iter"

	"moothall"
)

// Provider reaches the models of one server or one hosted service. The
// children of this package implement it; the daemon passes those that the
// configuration names to [Open]. All types are the vocabulary's: what a wire
// or an SDK looks like stays inside the child.
//
// A provider is safe for concurrent use, keeps nothing of a request after
// the call, and starts no goroutine that outlives one. It translates and
// classifies; it does not queue, retry, account or decide who may call: the
// gateway does. It does not read the environment, and it never follows a
// redirect to another host.
//
// Abilities that not every provider has are interfaces of their own, found
// by assertion: [Local], [Outsider], [Puller], [Residents], [Versioner].
type Provider interface {
	// Name is what configuration, cards and bindings call it: "ollama". It
	// is constant and fit to stand in a file name.
	Name() string

	// Generate asks r.Model, which is set, for the next message. r.Provider,
	// r.Role, r.Complexity and r.Priority have been dealt with and are to be
	// ignored.
	//
	// Chunks come as the server sends them, except that a tool call comes
	// whole, in one chunk, with an id that is unique (made by the provider
	// where the wire has none) and arguments that are valid JSON, as the
	// model wrote them. With r.Whole all text comes in one chunk. The last
	// chunk, and only that one, has Stop set: StopLength when the server says
	// that the output was cut, whatever came; otherwise StopTools when there
	// were calls, and StopDone when there were none. It carries Usage with
	// Calls 1 and the server's counts, an estimate where the server has none.
	// Provider, Model and the times in Usage are the gateway's to fill.
	//
	// Thinking is reported in Thinking where the wire separates it. What the
	// model put into its text stays in the text: reading that is the
	// engine's. Thinking in r.Messages is not sent.
	//
	// An error ends the stream and is an *[moothall.Error]. Once a chunk was
	// yielded, a lost connection, a malformed chunk, an error that the server
	// sends in the stream and a stream without its end are CodeInterrupted.
	// Before that:
	//   - CodeUnavailable: no connection, 5xx, or not its protocol.
	//   - CodeNotFound: no such model.
	//   - CodeTooLarge: the prompt does not fit, or was evidently cut.
	//   - CodeUnsupported: the model cannot do tools, thinking or the schema.
	//   - CodeDenied: the key is missing or refused.
	//   - CodeExhausted: a rate or quota is used up; [RetryAfter] has the wait.
	//   - CodeInvalid: the server says that the request makes no sense.
	// CodeCanceled and CodeTimeout are those of ctx, at any time; [Refusal]
	// and [Broken] do this classification for all providers.
	//
	// When the caller breaks out of the loop or ctx ends, the request to the
	// server is given up before Generate returns.
	Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error]

	// Embed returns one vector a text, in order, whatever batches the wire
	// needs. r.Model is set. The vectors' Embedder is "name/model".
	// CodeUnsupported when the provider or the model makes none.
	Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error)

	// List returns a card of every model that can be used now, complete as
	// far as the server tells. Fields that it does not tell are "unknown".
	// Cards of models that make embeddings carry [NoteEmbeds].
	List(ctx context.Context) ([]moothall.ModelCard, error)

	// Show returns one card. CodeNotFound when there is no such model.
	Show(ctx context.Context, model string) (moothall.ModelCard, error)
}

// Local is the ability to say where a provider is. One that lacks it counts
// as hosted.
type Local interface {
	// Local reports whether the server is on a machine of the person's: its
	// models may be used without being asked for, and its calls are queued.
	Local() bool
}

// Patient is a provider that makes a request ready for one who may not ask
// yet. Others are asked when the caller may.
type Patient interface {
	// GenerateWhen is Generate, but nothing of the request leaves before ready
	// has returned nil. An error of ready ends the call with that error.
	GenerateWhen(ctx context.Context, r moothall.GenerateRequest, ready func() error) iter.Seq2[moothall.Chunk, error]
}

// Outsider is for a local server that passes some of its models' calls on to
// somebody else's machine, as Ollama does with cloud models.
type Outsider interface {
	// Outside returns the host that the model's calls go to, "" when they
	// stay. The gateway treats a model with a host as hosted.
	Outside(ctx context.Context, model string) (string, error)
}

// Puller fetches models.
type Puller interface {
	// Pull fetches a model. The stream ends without an error only when the
	// model is there. CodeNotFound when nobody has it.
	Pull(ctx context.Context, model string) iter.Seq2[moothall.Progress, error]
}

// Residents tells which models are in memory now.
type Residents interface {
	Loaded(ctx context.Context) ([]string, error)
}

// Versioner tells the version of the server.
type Versioner interface {
	Version(ctx context.Context) (string, error)
}

// The values of a card's Tools, JSON and Thinking.
const (
	AbilityNative    = "native"    // the wire has a field for it, and it works
	AbilityDescribed = "described" // works when asked for in the prompt; comes in the text
	AbilityNone      = "none"
	AbilityUnknown   = "unknown"
)

// Notes that cards carry for programs as well as for people.
const (
	NoteEmbeds  = "makes embeddings"
	NoteChats   = "makes embeddings and text" // in addition to NoteEmbeds
	NoteVision  = "reads images"
	NoteOutside = "answers outside this machine: " // the host follows
)
