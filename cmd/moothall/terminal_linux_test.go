package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moothall"
	"moothall/internal/moottest/ollamatest"
)

// person sits at a terminal.
type person struct {
	t    *testing.T
	keys *os.File // what the person types, and sees
	seen strings.Builder
}

// sitDown returns a person and the terminal as a program has it.
func sitDown(t *testing.T) (s *person, tty *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keys.Close() })
	s = &person{t: t, keys: keys}
	var n int
	s.control(func(fd int) (err error) {
		if n, err = unix.IoctlGetInt(fd, unix.TIOCGPTN); err == nil {
			err = errors.Join(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0), unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 200}))
		}
		return err
	})
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() }) // not before: its settings would be lost
	return s, tty
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

// echoes reports whether the terminal shows what is typed.
func (s *person) echoes() (yes bool) {
	s.t.Helper()
	s.control(func(fd int) error {
		state, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		yes = err == nil && state.Lflag&unix.ECHO != 0
		return err
	})
	return yes
}

func (s *person) types(keys string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// sit starts a command in a terminal of its own. What comes is how it ended.
func (p program) sit(args ...string) (*person, *exec.Cmd, <-chan error) {
	p.t.Helper()
	s, tty := sitDown(p.t)
	cmd := p.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	return s, cmd, ending(cmd)
}

// ending tells how a command ended.
func ending(cmd *exec.Cmd) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended
}

// over waits for the end of a command.
func over(t *testing.T, ended <-chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		t.Fatal("it goes on")
		return nil
	}
}

// sees waits until the terminal shows something.
func (s *person) sees(what string) {
	s.t.Helper()
	if err := s.keys.SetReadDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
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
	s, _, ended := p.sit("ask", "what?")
	s.sees(`before \u001b]0;pwned\u0007\u001b[2J after`)
	s.sees("left this machine")
	if err := over(t, ended); err != nil {
		t.Error(err)
	}
	model.Script(ollamatest.Reply{Text: evil})
	if out := p.must("", "ask", "what?"); out != evil+"\n" {
		t.Errorf("a program gets %q", out)
	}
}

// TestNoColor: whoever wants no colours gets none, and still sees what happens.
func TestNoColor(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	p.env = append(p.env, "NO_COLOR=1")
	s, _, ended := p.sit("committee", "Tea or coffee?", "--personas", "Guardian")
	s.sees("left this machine")
	if err := over(t, ended); err != nil {
		t.Error(err)
	}
	for rest := s.seen.String(); ; {
		_, after, found := strings.Cut(rest, "\x1b[")
		if !found {
			break
		}
		if !strings.HasPrefix(after, "K") {
			t.Fatalf("there is colour in %q", s.seen.String())
		}
		rest = after
	}
	if !strings.Contains(s.seen.String(), "Guardian is thinking…"+erase) {
		t.Errorf("%q", s.seen.String())
	}
}

// TestMark: a person sees at every answer that the model inside the program gave it,
// and the first time how to get a better one; a program gets the answer alone.
func TestMark(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	s, _, ended := p.sit("chat")
	for _, told := range []string{"builtin/moothall-small: simple rules", "builtin/moothall-small, very small\x1b"} {
		s.sees("> ")
		s.seen.Reset()
		s.types("What is the capital of Japan?\r")
		s.sees(told)
	}
	s.types("/quit\r")
	if err := over(t, ended); err != nil {
		t.Error(err)
	}
	if out := p.must("", "ask", "What is the capital of Japan?"); out != "The capital of Japan is Tokyo.\n" {
		t.Errorf("a program gets %q", out)
	}
}

// TestInterruptAtAQuestion: Ctrl-C ends the question and the turn.
func TestInterruptAtAQuestion(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("models: {ollama: {url: %q}}\n", model.URL)})
	model.Script(shell("echo no"))
	s, cmd, ended := p.sit("ask", "run it")
	s.sees("allow it?")
	s.types("\x03")
	s.sees("cut off: canceled")
	if err := over(t, ended); cmd.ProcessState.ExitCode() != 1 {
		t.Error(err)
	}
}

// TestInterruptCompacting: Ctrl-C ends a command that waits for a model, and not
// the conversation.
func TestInterruptCompacting(t *testing.T) {
	t.Parallel()
	begun, never := make(chan struct{}), make(chan struct{})
	defer close(never)
	var asked atomic.Int32
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "In town %d it rains and in town %d the sun shines. ", i*7, i*11)
	}
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		if strings.Contains(c.Messages[0].Content, "decisions") {
			if asked.Add(1) == 1 {
				return ollamatest.Reply{Wait: never, Seen: func() { close(begun) }}
			}
			return ollamatest.Reply{Text: `{"decisions":["it rains and the sun shines"],"artifacts":[],"questions":[]}`}
		}
		return ollamatest.Reply{Text: long.String() + "That is all."}
	}})
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("models: {ollama: {url: %q}}\nmemory: {model: false}\ncritic: {enabled: false}\n", model.URL)})
	s, _, ended := p.sit("chat")
	for i := range 4 {
		s.sees("> ")
		s.seen.Reset()
		s.types(fmt.Sprintf("Question %d, how is the weather?\r", i))
		s.sees("That is all.\r\n")
	}
	s.sees("> ")
	s.types("/compact\r")
	<-begun
	s.types("\x03")
	s.sees("stopped")
	s.types("/compact\r")
	s.sees("compacted: about ")
	s.types("/quit\r")
	if err := over(t, ended); err != nil {
		t.Error(err)
	}
}

// TestChatTerminated: a conversation ends while it waits for the next line, from
// a pipe and from a person, who has the terminal back as it was.
func TestChatTerminated(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	cmd := p.command("chat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "What is the capital of Japan?\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := over(t, ending(cmd)); err != nil {
		t.Error(err)
	}
	s, cmd, ended := p.sit("chat")
	s.sees("> ")
	if s.echoes() {
		t.Error("the terminal is not the editor's")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := over(t, ended); err != nil {
		t.Error(err)
	}
	if !s.echoes() {
		t.Error("the terminal does not show what is typed any more")
	}
}

// TestSecretInterrupted: the terminal shows again what is typed.
func TestSecretInterrupted(t *testing.T) {
	t.Parallel()
	s, tty := sitDown(t)
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		a := &app{in: tty, errs: tty}
		_, err := a.secretValue(ctx, "some.key")
		ended <- err
	}()
	until(t, "nothing is shown", func() bool { return !s.echoes() })
	interrupt()
	if err := over(t, ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !s.echoes() {
		t.Error("the terminal does not show what is typed any more")
	}
	// The read that was left behind ends before its terminal does: it puts the
	// settings back as it found them.
	s.control(func(fd int) error {
		state, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return err
		}
		state.Lflag &^= unix.ECHO
		return unix.IoctlSetTermios(fd, unix.TCSETS, state)
	})
	s.types("\n")
	until(t, "the read is over", s.echoes)
}

// mute is an input from which nothing comes, and nothing breaks a read off.
type mute struct {
	reading chan struct{} // what comes here says that somebody reads
	never   chan struct{}
}

func (m mute) Read([]byte) (int, error) {
	m.reading <- struct{}{}
	<-m.never
	return 0, io.EOF
}

// TestInterruptWhileReading: a command that waits for its input ends with the
// first Ctrl-C.
func TestInterruptWhileReading(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"model", "parse"}, {"tools", "scan"}, {"memory", "search", "--batch"}, {"memory", "import", "-"}, {"audit", "check-proof", "-"},
	} {
		in := mute{make(chan struct{}), make(chan struct{})}
		t.Cleanup(func() { close(in.never) })
		ctx, interrupt := context.WithCancel(t.Context())
		var said strings.Builder
		root := newRoot(&app{
			in: in, out: io.Discard, errs: io.Discard, getenv: func(string) string { return "" },
			dial: func(context.Context, string) (moothall.Client, error) { return newFakeHall(), nil },
		})
		root.SetArgs(args)
		ended := make(chan error, 1)
		go func() { ended <- root.ExecuteContext(ctx) }()
		<-in.reading
		interrupt()
		err := over(t, ended)
		if err == nil {
			t.Errorf("%v is done without its input", args)
			continue
		}
		explain(&said, err)
		if exitCode(err) != 1 || !strings.Contains(said.String(), "it was stopped") {
			t.Errorf("%v: exit code %d, %s", args, exitCode(err), said.String())
		}
	}
}
