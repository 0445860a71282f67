//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"moothall"
)

// What the probing process may use, small enough to be tried quickly.
const (
	testTasks    = 48
	testFileSize = 1 << 20
)

// ground is what the self-test sets up around the cage.
type ground struct {
	question
	base   string
	closes []func() error
}

// selfTest runs every probe in one cage of the level, then looks at what is
// left outside. An error means that the level does not start here.
func (s *Sandbox) selfTest(ctx context.Context, l Level) (Report, error) {
	g, err := newGround(ctx, l)
	if err != nil {
		return Report{}, err
	}
	defer g.close()
	text, err := json.Marshal(g.question)
	if err != nil {
		return Report{}, fmt.Errorf("self-test: %w", err)
	}
	res, err := s.runProbe(ctx, l, g, text)
	if err != nil {
		return Report{}, err
	}
	if res.TimedOut || res.Signal == "SIGKILL" || res.Signal == "SIGXCPU" {
		return Report{}, moothall.Fail(moothall.CodeTimeout, "sandbox self-test",
			"the probing process was cut off, as on a machine that is short of time or memory")
	}
	report := Report{Level: l}
	if err := json.Unmarshal(res.Stdout, &report.Probes); err != nil {
		return Report{}, &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "sandbox self-test", Err: err,
			Message: fmt.Sprintf("the probing process ended with status %d: %.200s", res.Exit, bytes.TrimSpace(res.Stderr)),
		}
	}
	if missing := len(Probes()) - len(report.Probes); missing != 0 {
		return Report{}, moothall.Fail(moothall.CodeUnsupported, "sandbox self-test", fmt.Sprintf("%d probes were not tried", missing))
	}
	g.inspect(report.Probes)
	if l == Landlock && !s.refuses(g) {
		flag(report.Probes, "hidden folder", "a folder that holds one was not refused")
	}
	return report, nil
}

func (s *Sandbox) runProbe(ctx context.Context, l Level, g *ground, text []byte) (Result, error) {
	self := s.opts.Helper[0]
	c := Command{
		Argv: append(slices.Clone(s.opts.Helper), "probe"), Stdin: bytes.NewReader(text),
		Reads: []string{self}, Writes: []string{g.Inside},
		Limits: Limits{Wall: 20 * time.Second, CPU: 10 * time.Second, Processes: testTasks, FileSize: testFileSize},
	}
	around := *s
	around.opts.Hidden, around.opts.Shown = []string{g.Hidden}, nil
	around.leak = func(p *plan) {
		p.env = append(p.env, g.Variable+"="+g.Secret)
		if s.leak != nil {
			s.leak(p)
		}
	}
	return around.run(ctx, l, c)
}

// refuses asks for a folder that holds the hidden one. Landlock cannot take a
// part of a folder away.
func (s *Sandbox) refuses(g *ground) bool {
	around := *s
	around.opts.Hidden, around.opts.Shown = []string{g.Hidden}, nil
	p, err := around.plan(Landlock, Command{Argv: s.opts.Helper, Reads: []string{g.base}})
	if p != nil {
		p.forget()
	}
	return moothall.ErrorCode(err) == moothall.CodeDenied
}

// newGround hides a folder inside of the one that may be written. At the level
// that would refuse this, it lies outside.
func newGround(ctx context.Context, l Level) (*ground, error) {
	base, err := os.MkdirTemp("", Scratch())
	if err != nil {
		return nil, fmt.Errorf("self-test folder: %w", err)
	}
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	g := &ground{base: base}
	g.question = question{
		Outside: filepath.Join(base, "outside"), Inside: filepath.Join(base, "inside"),
		Secret: rand.Text(), Variable: "MOOTHALL_CANARY", Hall: os.Getpid(),
		Forks: 2 * testTasks, FileSize: 1 << 30,
	}
	g.Canary = filepath.Join(g.Outside, "canary")
	g.Hidden = filepath.Join(g.Inside, "around", "hidden")
	if l == Landlock {
		g.Hidden = filepath.Join(base, "around", "hidden")
	}
	err = errors.Join(
		os.Mkdir(g.Outside, 0o755), os.Mkdir(g.Inside, 0o755), os.MkdirAll(g.Hidden, 0o755),
		os.WriteFile(filepath.Join(g.Hidden, "canary"), []byte(g.Secret), 0o644),
		os.WriteFile(g.Canary, []byte(g.Secret), 0o644),
		os.Symlink(g.Canary, filepath.Join(g.Inside, "link")),
		g.listen(ctx),
	)
	if err != nil {
		g.close()
		return nil, fmt.Errorf("self-test folder: %w", err)
	}
	return g, nil
}

// listen opens what the cage must not reach.
func (g *ground) listen(ctx context.Context) error {
	var lc net.ListenConfig
	tcp, err := lc.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	g.closes = append(g.closes, tcp.Close)
	g.TCP = tcp.Addr().(*net.TCPAddr).Port
	udp, err := lc.ListenPacket(ctx, "udp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	g.closes = append(g.closes, udp.Close)
	g.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	// The name of a socket holds a hundred bytes, and the folder's may be
	// longer: it is short from where the probing process works, and here.
	inside, err := os.Open(g.Inside)
	if err != nil {
		return err
	}
	defer inside.Close()
	g.Unix, g.Abstract = "s", "@moothall-"+g.Secret
	for _, name := range []string{fmt.Sprintf("/proc/self/fd/%d/%s", inside.Fd(), g.Unix), g.Abstract} {
		u, err := lc.Listen(ctx, "unix", name)
		if err != nil {
			return err
		}
		u.(*net.UnixListener).SetUnlinkOnClose(false) // the folder goes as a whole
		g.closes = append(g.closes, u.Close)
	}
	return nil
}

// inspect trusts its own eyes more than the cage's words: what changed outside
// counts, whatever a call returned.
func (g *ground) inspect(probes []Probe) {
	if text, err := os.ReadFile(g.Canary); err != nil || string(text) != g.Secret {
		flag(probes, "write outside", "a file outside was changed")
	}
	if names, err := os.ReadDir(g.Outside); err != nil || len(names) != 1 {
		flag(probes, "write outside", "a file was made outside")
	}
	if st, err := os.Stat(g.Canary); err != nil || st.Mode().Perm()&^0o644 != 0 || st.ModTime().Unix() == 1 {
		flag(probes, "change mode outside", "a file outside has another mode or time")
	}
	if names, err := os.ReadDir(g.Hidden); err != nil || len(names) != 1 {
		flag(probes, "hidden folder", "a hidden folder was changed or moved")
	}
}

// flag marks a probe as one that got through.
func flag(probes []Probe, name, detail string) {
	for i := range probes {
		if probes[i].Name == name {
			probes[i].Held, probes[i].Detail = false, detail
		}
	}
}

func (g *ground) close() {
	for _, c := range g.closes {
		_ = c()
	}
	_ = os.RemoveAll(g.base)
}
