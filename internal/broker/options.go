package broker

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"time"

	"moothall"
	"moothall/internal/policy"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// Migrations are the tables that the broker keeps.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "broker", Files: files}
}

// Embedder is what of the gateway helps discovery.
type Embedder interface {
	Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error)
}

// The ways to offer tools.
const (
	OfferAll = "all" // all that fit in a tenth of the window, else the best few
	OfferFew = "few" // always the best few
)

// Options of [Open]. DB and Audit are required.
type Options struct {
	DB       *store.DB        // with the tables of [Migrations]
	Audit    moothall.Audit   // as the broker
	Secrets  moothall.Secrets // as the broker; nil: tools that need one fail
	Manifest policy.Manifest  // with absolute paths
	Tools    []moothall.Tool  // those there from the start
	// Inside says whether a path may be accessed so, given the folders that
	// may be read and written, asking the file system and not the text. Nil:
	// no path lies anywhere, and every tool that takes one is denied.
	// The first result is the path in its absolute form.
	Inside func(access moothall.PathAccess, reads, writes []string, path string) (string, bool)
	// Exists says whether anything is at a path that lies inside; nil asks
	// the file system.
	Exists  func(path string) bool
	Publish func(context.Context, moothall.Event) error // as the broker; nil: nobody listens

	Embed    Embedder                      // ranks tools by meaning; nil: by words alone
	Selector moothall.Model                // chooses tools by its role; nil: ranking does
	Keys     map[string]moothall.SecretRef // of model providers, by name
	// SearchKeys are those of search engines.
	SearchKeys map[string]moothall.SecretRef
	Offer      string              // [OfferAll] by default
	Finds      []moothall.ToolName // whose results may be sent out again; web_search by default
	// General are tools that few questions name and many need; they are
	// among the few that are offered. memory_read and web_search by default.
	General []moothall.ToolName

	Expiry    time.Duration // of questions; ten minutes by default
	Timeout   time.Duration // of tools that name none; one minute by default
	Grace     time.Duration // for a tool told to stop; two seconds by default
	MaxResult int           // bytes of tools that name none; 32 KiB by default
	Queue     int           // events that may wait for a slow bus; 4096 by default

	Now    func() time.Time // time.Now when nil
	Logger *slog.Logger     // nil discards
}

func (o Options) withDefaults() Options {
	fill(&o.Offer, OfferAll)
	fill(&o.Expiry, 10*time.Minute)
	fill(&o.Timeout, time.Minute)
	fill(&o.Grace, 2*time.Second)
	fill(&o.MaxResult, 32<<10)
	fill(&o.Queue, 4096)
	if o.Inside == nil {
		o.Inside = func(moothall.PathAccess, []string, []string, string) (string, bool) { return "", false }
	}
	if o.Exists == nil {
		o.Exists = exists
	}
	if o.Publish == nil {
		o.Publish = func(context.Context, moothall.Event) error { return nil }
	}
	if o.General == nil {
		o.General = []moothall.ToolName{"memory_read", "web_search"}
	}
	if o.Finds == nil {
		o.Finds = []moothall.ToolName{"web_search"}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// fill sets what is zero.
func fill[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}
