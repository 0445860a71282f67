package sandbox

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"moothall"
)

// Level is how a cage is built.
type Level string

// The levels, best first.
const (
	Bubblewrap Level = "bubblewrap"
	Landlock   Level = "landlock"
	None       Level = "none"
)

// Options of [Open].
type Options struct {
	// Helper is the argument list that runs [Main] of this package in a new
	// process; [Main] gets what is appended to it. Required.
	Helper []string
	// Bubblewrap is the path of bwrap; "" looks in /usr/bin, /bin and
	// /usr/local/bin, never in PATH.
	Bubblewrap string
	// Levels are those to try, in order; nil is both.
	Levels []Level
	// Hidden are folders and files, absolute, that no command sees, whatever
	// folder of it holds them. Bubblewrap covers them; Landlock cannot, so
	// that there a folder which holds one is refused.
	Hidden []string
	// Shown are places inside hidden ones that can be used all the same.
	Shown []string
	// Logger gets one line per level tried; nil discards.
	Logger *slog.Logger
}

// Sandbox runs commands in a cage. See the package comment.
type Sandbox struct {
	opts Options
	leak func(*plan) // tests only: what a broken installation would do

	cancel context.CancelFunc
	done   chan struct{} // closed when level, why and report are final

	level  Level
	why    string
	report Report
	hasty  bool // a level was left because the machine was busy
}

// Open starts the self-test and returns at once; [Sandbox.Ready] waits for it.
// The self-test ends with ctx or with [Sandbox.Close], whichever is first.
func Open(ctx context.Context, o Options) (*Sandbox, error) { return open(ctx, o, nil) }

func open(ctx context.Context, o Options, leak func(*plan)) (*Sandbox, error) {
	if len(o.Helper) == 0 {
		return nil, moothall.Fail(moothall.CodeInvalid, "open sandbox", "no helper program is set")
	}
	if err := checkHidden(slices.Concat(o.Hidden, o.Shown)); err != nil {
		return nil, err
	}
	if o.Levels == nil {
		o.Levels = []Level{Bubblewrap, Landlock}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Sandbox{opts: o, leak: leak, cancel: cancel, done: make(chan struct{}), level: None}
	go s.choose(ctx)
	return s, nil
}

// Close stops the self-test if it still runs, and waits for it.
func (s *Sandbox) Close() error {
	s.cancel()
	<-s.done
	return nil
}

const prefix = "moothall-cage-"

// Scratch begins the names of temporary folders: after the process that makes
// them, so that [Sweep] knows what a hall left that was killed.
func Scratch() string { return prefix + strconv.Itoa(os.Getpid()) + "-" }

// choose finds the first level that works and proves it.
func (s *Sandbox) choose(ctx context.Context) {
	defer close(s.done)
	var reasons []string
	for _, l := range s.opts.Levels {
		began := time.Now()
		report, err := s.selfTest(ctx, l)
		s.opts.Logger.Debug("sandbox level tried", "level", l, "took", time.Since(began), "err", err)
		if err != nil {
			s.hasty = s.hasty || moothall.ErrorCode(err) == moothall.CodeTimeout
			reasons = append(reasons, fmt.Sprintf("%s: %s", l, reason(err)))
			continue
		}
		s.report = report
		if broken := report.Broken(); len(broken) > 0 {
			s.why = fmt.Sprintf("%s does not hold here: %s", l, describe(broken))
			return
		}
		s.level = l
		s.why = fmt.Sprintf("%s holds: %d probes tried", l, len(report.Probes))
		if len(reasons) > 0 {
			s.why += " (" + strings.Join(reasons, "; ") + ")"
		}
		return
	}
	s.why = "no level works here: " + strings.Join(reasons, "; ")
}

func describe(broken []Probe) string {
	var out []string
	for _, p := range broken {
		out = append(out, p.Name+" ("+p.Detail+")")
	}
	return strings.Join(out, ", ")
}

// Ready waits for the self-test. It returns nil when commands can run, and
// CodeUnsupported with the reason when they cannot; CodeUnavailable when the
// machine was too busy to tell, so that another sandbox may find out.
func (s *Sandbox) Ready(ctx context.Context) error {
	select {
	case <-s.done:
	case <-ctx.Done():
		return fmt.Errorf("sandbox self-test: %w", ctx.Err())
	}
	if s.level != None {
		return nil
	}
	if s.hasty {
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Op: "sandbox", Message: "it is not known yet whether something can run here safely: " + s.why,
			Remedy: "try again when the machine is less busy",
		}
	}
	return &moothall.Error{
		Code: moothall.CodeUnsupported, Op: "sandbox", Message: "nothing can run here safely: " + s.why,
		Remedy: "install bubblewrap and let it use user namespaces, or use Linux 6.12 with Landlock, then start the hall again as an ordinary user",
	}
}

// Level is the one in use; [None] also while the self-test runs.
func (s *Sandbox) Level() Level {
	if !s.tested() {
		return None
	}
	return s.level
}

// Hasty reports a self-test that found no level, and might have on a machine
// with more time; false while it runs.
func (s *Sandbox) Hasty() bool { return s.tested() && s.level == None && s.hasty }

// Why says in words how the level was found, for a person.
func (s *Sandbox) Why() string {
	if !s.tested() {
		return "the self-test still runs"
	}
	return s.why
}

// Report is that of the self-test at start; empty until it is done.
func (s *Sandbox) Report() Report {
	if !s.tested() {
		return Report{Level: None}
	}
	r := s.report
	r.Level, r.Probes = s.level, slices.Clone(r.Probes)
	return r
}

func (s *Sandbox) tested() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// SelfTest tries the forbidden things again, at the level in use. It changes
// nothing about the sandbox.
func (s *Sandbox) SelfTest(ctx context.Context) (Report, error) {
	if err := s.Ready(ctx); err != nil {
		return s.Report(), err
	}
	return s.selfTest(ctx, s.level)
}

// Run executes a command to its end. Errors mean that it did not run or that
// ctx ended; in both cases no process of it is left.
func (s *Sandbox) Run(ctx context.Context, c Command) (Result, error) {
	if err := s.Ready(ctx); err != nil {
		return Result{}, err
	}
	c.Limits.Wall = or(c.Limits.Wall, 30*time.Second)
	c.Limits.CPU = or(c.Limits.CPU, 30*time.Second)
	return s.run(ctx, s.level, c)
}

// Start executes a command that is talked to over its standard streams. The
// process ends with ctx, or when [Process.Close] is called.
func (s *Sandbox) Start(ctx context.Context, c Command) (*Process, error) {
	if err := s.Ready(ctx); err != nil {
		return nil, err
	}
	return s.start(ctx, s.level, c)
}

// Process is a running command. Read is its standard output, Write its
// standard input; each may be used by one goroutine at a time.
type Process struct {
	in  io.WriteCloser
	out io.ReadCloser
	end func() (Result, error)

	once sync.Once
	stop func()
	res  Result
	err  error
}

var _ io.ReadWriteCloser = (*Process)(nil)

// Read reads standard output. It ends with io.EOF when the process does.
func (p *Process) Read(b []byte) (int, error) { return p.out.Read(b) }

// Write writes to standard input.
func (p *Process) Write(b []byte) (int, error) { return p.in.Write(b) }

// CloseWrite ends standard input and leaves the process running.
func (p *Process) CloseWrite() error { return p.in.Close() }

// Wait waits for the end of the process; it or Close must be called. Read standard output to its end
// first: what is left unread is lost. Stderr of the result is capped.
func (p *Process) Wait() (Result, error) {
	p.once.Do(func() { p.res, p.err = p.end() })
	return p.res, p.err
}

// LastWords waits as Wait does and returns the beginning of what the process
// wrote to standard error.
func (p *Process) LastWords() string {
	res, _ := p.Wait()
	return string(res.Stderr)
}

// Close kills the process with all its children and waits for it.
func (p *Process) Close() error {
	p.stop()
	_ = p.in.Close()
	_, _ = p.Wait()
	return p.out.Close()
}
