package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moothall/internal/moottest/ollamatest"
)

// person sits at a terminal in which the program runs.
type person struct {
	t    *testing.T
	keys *os.File // what the person types, and sees
	cmd  *exec.Cmd
	seen strings.Builder
}

// sit starts a command in a terminal of its own.
func (p program) sit(args ...string) *person {
	p.t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { keys.Close() })
	s := &person{t: p.t, keys: keys, cmd: p.command(args...)}
	var n int
	s.control(func(fd int) (err error) {
		if n, err = unix.IoctlGetInt(fd, unix.TIOCGPTN); err == nil {
			err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
		}
		return err
	})
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	defer tty.Close()
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	if err := keys.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		p.t.Fatal(err)
	}
	return s
}

// control asks the terminal itself.
func (s *person) control(ask func(fd int) error) {
	s.t.Helper()
	raw, err := s.keys.SyscallConn()
	if err != nil {
		s.t.Fatal(err)
	}
	var asked error
	err = raw.Control(func(fd uintptr) { asked = ask(int(fd)) })
	if err := errors.Join(err, asked); err != nil {
		s.t.Fatal(err)
	}
}

// sees waits until the terminal shows something.
func (s *person) sees(what string) {
	s.t.Helper()
	b := make([]byte, 4096)
	for !strings.Contains(s.seen.String(), what) {
		n, err := s.keys.Read(b)
		if err != nil {
			s.t.Fatalf("%q does not come: %v\n%q", what, err, s.seen.String())
		}
		s.seen.Write(b[:n])
	}
}

// TestTerminalObeysNoModel: the terminal shows what a model wants it to do.
func TestTerminalObeysNoModel(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("models: {ollama: {url: %q}}\n", model.URL)})
	const evil = "before \x1b]0;pwned\a\x1b[2J after"
	model.Script(ollamatest.Reply{Text: evil})
	s := p.sit("ask", "what?")
	s.sees(`before \u001b]0;pwned\u0007\u001b[2J after`)
	s.sees("left this machine")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	model.Script(ollamatest.Reply{Text: evil})
	if out := p.must("", "ask", "what?"); out != evil+"\n" {
		t.Errorf("a program gets %q", out)
	}
}
