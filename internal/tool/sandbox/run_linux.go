//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moothall"
)

// setupTime is how long a cage may take to come up.
const setupTime = 10 * time.Second

// caged is one started command.
type caged struct {
	plan   *plan
	cmd    *exec.Cmd
	group  *group
	status *os.File // what bubblewrap or the helper reports
	life   *os.File // the watcher ends the command when this closes; nil without one
	began  time.Time
	stdout *output
	stderr *output

	said    *bufio.Reader // of status, from a helper
	watcher int           // process id; 0 without one

	mu     sync.Mutex // held by whoever kills, and while nobody may
	inside int        // pidfd of the first process of the namespace; -1 without one
}

func (s *Sandbox) run(ctx context.Context, l Level, c Command) (Result, error) {
	wall, cancel := context.WithTimeout(ctx, or(c.Limits.Wall, time.Hour))
	defer cancel()
	p, err := s.plan(l, c)
	if err != nil {
		return Result{}, err
	}
	g := p.prepare(wall, c.Limits, cancel)
	g.cmd.Stdin, g.cmd.Stdout = c.Stdin, g.stdout
	if err := g.start(); err != nil {
		return Result{}, g.late(ctx, wall, err)
	}
	res, err := g.wait()
	res.TimedOut = errors.Is(wall.Err(), context.DeadlineExceeded) && ctx.Err() == nil
	if ctx.Err() != nil {
		return res, fmt.Errorf("sandbox command: %w", ctx.Err())
	}
	if res.TimedOut || res.Cut {
		err = nil // ended by us: bubblewrap had no status to report
	}
	return res, err
}

// late names the end of the caller's context rather than its consequence.
func (g *caged) late(ctx, wall context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("sandbox command: %w", ctx.Err())
	}
	if wall.Err() != nil {
		return moothall.Fail(moothall.CodeTimeout, "sandbox command", "the sandbox did not come up within the command's time")
	}
	return err
}

func (s *Sandbox) start(ctx context.Context, l Level, c Command) (*Process, error) {
	p, err := s.plan(l, c)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	if c.Limits.Wall > 0 {
		ctx, cancel = context.WithTimeout(ctx, c.Limits.Wall)
	}
	g := p.prepare(ctx, c.Limits, nil)
	in, out, theirs, err := g.streams()
	if err != nil {
		cancel()
		p.forget()
		return nil, err
	}
	err = g.start()
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		cancel()
		_, _ = in.Close(), out.Close()
		return nil, err
	}
	end := func() (Result, error) {
		defer cancel()
		res, err := g.wait()
		res.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
		if ctx.Err() != nil {
			err = nil
		}
		return res, err
	}
	return &Process{in: in, out: out, end: end, stop: cancel}, nil
}

// streams gives a long-lived command pipes of its own, so that waiting for it
// does not close the one that is being read.
func (g *caged) streams() (in, out *os.File, theirs []*os.File, err error) {
	r, in, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("pipe: %w", err)
	}
	out, w, err := os.Pipe()
	if err != nil {
		_, _ = r.Close(), in.Close()
		return nil, nil, nil, fmt.Errorf("pipe: %w", err)
	}
	g.cmd.Stdin, g.cmd.Stdout = r, w
	return in, out, []*os.File{r, w}, nil
}

func (p *plan) prepare(ctx context.Context, l Limits, stop func()) *caged {
	limit := l.withDefaults().Output
	g := &caged{plan: p, inside: -1, stdout: &output{limit: limit, stop: stop}, stderr: &output{limit: limit, stop: stop}}
	g.cmd = exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	g.cmd.Env = append([]string{}, p.env...)
	g.cmd.Dir = "/"
	g.cmd.Stderr = g.stderr
	g.cmd.Cancel = func() error { g.kill(); return nil }
	g.cmd.WaitDelay = 5 * time.Second
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	return g
}

// start brings the cage up, puts the limits around it while it waits, and lets
// it go. After an error nothing is left of it.
func (g *caged) start() error {
	g.began = time.Now()
	files, release, err := g.descriptors()
	if err != nil {
		g.plan.forget()
		return err
	}
	g.cmd.ExtraFiles = files
	err = g.cmd.Start()
	for _, f := range files {
		_ = f.Close()
	}
	if err != nil {
		_, _ = release.Close(), g.status.Close()
		g.plan.forget()
		return &moothall.Error{Code: moothall.CodeUnsupported, Op: "sandbox", Message: "the sandbox program does not start", Err: err}
	}
	if g.plan.level == Landlock {
		g.life, g.said = release, bufio.NewReader(io.LimitReader(g.status, 4096))
	}
	_ = g.status.SetReadDeadline(time.Now().Add(setupTime))
	err = g.arm()
	if err == nil {
		err = g.letGo(release)
	}
	switch {
	case g.plan.level == Bubblewrap:
		_ = release.Close()
	case err == nil:
		err = g.became()
	}
	if err != nil {
		g.kill()
		_, _ = g.wait()
		return g.broken(err)
	}
	return nil
}

// descriptors are, from 3 on: message, filter, status, go, users; the helper
// needs no filter and no users.
func (g *caged) descriptors() (files []*os.File, release *os.File, err error) {
	text, err := g.plan.message()
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox message: %w", err)
	}
	prog, err := filter(g.plan.level)
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox filter: %w", err)
	}
	texts := [][]byte{text, encode(prog), []byte(stubUsers)}
	var memory []*os.File
	for _, t := range texts {
		f, err := told("cage", t)
		if err != nil {
			closeAll(memory)
			return nil, nil, err
		}
		memory = append(memory, f)
	}
	status, theirs, err := os.Pipe()
	if err != nil {
		closeAll(memory)
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	theirGo, release, err := os.Pipe()
	if err != nil {
		closeAll(append(memory, status, theirs))
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	g.status = status
	if g.plan.level == Landlock {
		closeAll(memory[1:])
		return []*os.File{memory[0], theirs, theirGo}, release, nil
	}
	return []*os.File{memory[0], memory[1], theirs, theirGo, memory[2]}, release, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// arm puts limits around the waiting process.
func (g *caged) arm() error {
	pid := g.cmd.Process.Pid
	if os.Geteuid() == 0 {
		g.group = newGroup(g.plan.tasks)
	}
	if g.plan.level == Bubblewrap {
		var line struct {
			Child int `json:"child-pid"`
		}
		if err := json.NewDecoder(lineReader{g.status}).Decode(&line); err != nil || line.Child <= 0 {
			return fmt.Errorf("bubblewrap did not start: %w", err)
		}
		pid = line.Child
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return fmt.Errorf("first process of the cage: %w", err)
		}
		g.mu.Lock()
		g.inside = fd
		g.mu.Unlock()
		for _, l := range g.plan.limits {
			if err := unix.Prlimit(pid, l.Resource, l.rlimit(), nil); err != nil {
				return fmt.Errorf("limit %d: %w", l.Resource, err)
			}
		}
	}
	return g.group.add(pid)
}

// lineReader gives a decoder one byte at a time, so that it does not swallow
// the next report.
type lineReader struct{ r io.Reader }

func (l lineReader) Read(p []byte) (int, error) { return l.r.Read(p[:min(1, len(p))]) }

// became waits until the helper is the command.
func (g *caged) became() error {
	said, err := io.ReadAll(g.said)
	switch {
	case err != nil:
		return fmt.Errorf("sandbox helper: %w", err)
	case len(said) == 0:
		return errors.New("the sandbox helper ended before it was ready")
	case bytes.IndexByte(said, statusFailed) >= 0:
		_, text, _ := bytes.Cut(said, []byte{statusFailed})
		return errors.New(string(text))
	case g.watcher == 0:
		return errors.New("the sandbox helper is of another version than the hall; start the hall again")
	}
	return nil
}

// broken is the error of a cage that did not come up.
func (g *caged) broken(err error) error {
	text, _ := g.stderr.result()
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	message := "the sandbox does not come up"
	if first != "" {
		message += ": " + first
	}
	code := moothall.CodeUnsupported
	if errors.Is(err, os.ErrDeadlineExceeded) {
		code = moothall.CodeTimeout // on a busy machine
	}
	return &moothall.Error{Code: code, Op: "sandbox", Message: message, Err: err}
}

// kill ends every process of the command.
func (g *caged) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside >= 0 {
		_ = unix.PidfdSendSignal(g.inside, unix.SIGKILL, nil, 0)
	}
	if g.cmd.Process != nil {
		_ = unix.Kill(-g.cmd.Process.Pid, unix.SIGKILL)
	}
}

// wait waits for the end of the command and of all that it left behind. The
// group is killed before the first process is waited for: until then its
// number cannot belong to anybody else.
func (g *caged) wait() (Result, error) {
	for {
		err := unix.Waitid(unix.P_PID, g.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	g.kill()
	if g.inside >= 0 {
		gone(g.inside)
	}
	unwatched := g.unwatch()
	_ = g.cmd.Wait() // after this nobody else calls kill
	res := g.result()
	err := cmp.Or(unwatched, g.reported())
	if g.inside >= 0 {
		_ = unix.Close(g.inside)
	}
	_ = g.status.Close()
	g.group.remove()
	g.plan.forget()
	return res, err
}

// gone waits until the first process of a namespace, and with it all others,
// has ended.
func gone(pidfd int) {
	fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for end := time.Now().Add(setupTime); time.Now().Before(end); {
		if n, err := unix.Poll(fds, 1000); n > 0 || err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

func (g *caged) result() Result {
	res := Result{Took: time.Since(g.began)}
	var cutOut, cutErr bool
	res.Stdout, cutOut = g.stdout.result()
	res.Stderr, cutErr = g.stderr.result()
	res.Cut = cutOut || cutErr
	st, _ := g.cmd.ProcessState.Sys().(syscall.WaitStatus)
	res.Exit = st.ExitStatus()
	if st.Signaled() {
		res.Exit = 128 + int(st.Signal())
	}
	if n := res.Exit - 128; n > 0 && n < 65 {
		res.Signal = unix.SignalName(syscall.Signal(n))
	}
	return res
}

// reported asks bubblewrap's last words whether the command ran at all: its
// own failures look like an exit status otherwise.
func (g *caged) reported() error {
	if g.plan.level != Bubblewrap {
		return nil
	}
	_ = g.status.SetReadDeadline(time.Now().Add(setupTime))
	var line struct {
		Exit *int `json:"exit-code"`
	}
	if err := json.NewDecoder(g.status).Decode(&line); err != nil || line.Exit == nil {
		return g.broken(errors.New("bubblewrap reported no end of the command"))
	}
	return nil
}

func (p *plan) forget() {
	if p.scratch != "" {
		_ = os.RemoveAll(p.scratch)
	}
}
