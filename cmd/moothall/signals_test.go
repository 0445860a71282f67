package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"moothall/internal/moottest/ollamatest"
)

// TestEndsInOrder: a hall stops in order, and says so on the record, also when its
// terminal is closed and when who reads its words is gone before it.
func TestEndsInOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		signal os.Signal
		unread bool
	}{
		"terminal closed": {syscall.SIGHUP, false}, "piped, Ctrl-C": {os.Interrupt, true}, "both": {syscall.SIGHUP, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, nil)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd := p.command("up", "--port", "0")
			cmd.Stdout, cmd.Stderr = w, w
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			said := bufio.NewReader(r)
			for line := ""; !strings.Contains(line, "Ctrl-C stops it"); {
				if line, err = said.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			if c.unread {
				r.Close()
			} else {
				go io.Copy(io.Discard, said)
			}
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with: %v", err)
			}
			if out := p.must("", "audit", "show", "--action", "hall.stop"); out == "" {
				t.Error("the record does not say that it stopped")
			}
		})
	}
}

// TestUnread: a command whose output nobody reads any more ends, without a word on
// that, and the hall that it opened is closed in order.
func TestUnread(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"a list": {"tools", "list"}, "an answer that has no end": {"ask", "how is it?"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := ollamatest.New(t, ollamatest.Options{Respond: func(ollamatest.Chat) ollamatest.Reply {
				return ollamatest.Reply{Text: "It goes on and on.", Hang: true}
			}})
			p := newProgram(t, nil)
			p.env = append(p.env, "OLLAMA_HOST="+model.URL)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			defer w.Close()
			cmd := p.command(args...)
			var errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = w, &errs
			if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 || strings.Contains(errs.String(), "broken pipe") {
				t.Errorf("it ended with: %v, and said: %s", err, &errs)
			}
			if out := p.must("", "audit", "show", "--action", "hall.stop"); out == "" {
				t.Error("the record does not say that the hall stopped")
			}
		})
	}
}
