package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"moothall"
)

// Options configure a [Server].
type Options struct {
	// Client is the hall. Required.
	Client moothall.Client
	// Metrics answers GET /metrics; nil leaves the path unserved.
	Metrics http.Handler
	// Hosts are names, beyond addresses and localhost, that the Host header
	// may carry.
	Hosts []string
	// Token, when not empty, must come as a bearer token with every request.
	Token string
	// Headless leaves the page out.
	Headless bool
	// MaxBody bounds a request's body in bytes; 0 means 1 MiB.
	MaxBody int64
	// Logger gets requests that failed by our fault; nil discards.
	Logger *slog.Logger
}

// Limits of every request. Streams extend their own write deadline as they go.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	maxBody       = 1 << 20
)

// Server answers HTTP. Safe for concurrent use.
type Server struct {
	opt   Options
	http  *http.Server
	hub   *hub
	stats stats

	stop  context.CancelFunc // ends the hub and open streams
	work  sync.WaitGroup
	start sync.Once
}

// New returns a server that is not listening yet.
func New(o Options) *Server {
	if o.MaxBody == 0 {
		o.MaxBody = maxBody
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{opt: o, hub: newHub(ringSize)}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.http = &http.Server{
		Handler:           s.guard(s.mux(s.routes(ctx))),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
	}
	return s
}

// Handler is the guarded handler, for tests and for embedding.
func (s *Server) Handler() http.Handler { return s.http.Handler }

// Serve answers on l until Close. It returns nil after Close.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "serve http", Err: err}
	}
	return nil
}

// Close ends open streams, lets short requests finish until ctx is done, and
// waits for everything that it started.
func (s *Server) Close(ctx context.Context) error {
	s.stop()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	s.work.Wait()
	return err
}

// health answers GET /health.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	h, err := s.opt.Client.Health(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	status := http.StatusOK
	if h.Status != "ok" {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, Health{h, s.opt.MaxBody})
}
