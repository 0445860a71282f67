// Command moothall is the hall: one program that starts it, talks to it and
// reads its record. Without a command it does what "moothall up" does.
//
// Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 refused.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"moothall"
	"moothall/internal/daemon"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == daemon.HelperCommand {
		os.Exit(daemon.SandboxHelper(os.Args[2:])) // inside the sandbox; nothing else may be set up
	}
	daemon.ForbidDumps()
	daemon.Tune()
	ctx, stop := signal.NotifyContext(context.Background(), enders()...)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	ctx, end := context.WithCancel(ctx)
	defer end()
	undo := func() {}
	defer func() { undo() }()
	written := &output{to: out}
	out, errs = shown(out), shown(errs)
	if !terminal(out) {
		out = written
	}
	a := &app{in: in, out: out, errs: errs, environ: os.Environ(), getenv: os.Getenv, reach: daemon.Reach}
	a.orderly = func() { written.unread, undo = end, unheard() }
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = written.err
	}
	if err != nil && !errors.Is(err, errSaid) && !(unread(written.err) && unread(err)) {
		explain(errs, err)
	}
	return exitCode(err)
}

// output notes what could not be written. Most commands print and do not look
// back, but one whose output is lost, on a full disk, has not done its work.
type output struct {
	to     io.Writer
	err    error  // the first
	unread func() // called when nobody reads it any more; may be nil
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("the output was lost: %w", err)
		if o.unread != nil && unread(err) {
			o.unread()
		}
	}
	return n, err
}

// errSaid ends a command with a failure that it has already shown.
var errSaid = errors.New("failed")

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// misnamed makes err a wrong command line when it says that what the command
// line names is not there.
func misnamed(err error) error {
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return usageError{err}
	}
	return err
}

// explain is the one place where errors become text for a person: what is
// wrong, then what to do about it.
func explain(w io.Writer, err error) {
	text := strings.ReplaceAll(err.Error(), context.Canceled.Error(), "it was stopped")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " ")
		if i == 0 {
			fmt.Fprintf(w, "moothall: %s\n", line)
		} else {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	if remedy := moothall.ErrorRemedy(err); remedy != "" {
		fmt.Fprintf(w, "  try: %s\n", remedy)
	}
}

// exitCode is the one place where errors become exit codes.
func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage), moothall.ErrorCode(err) == moothall.CodeInvalid:
		return 2
	case moothall.ErrorCode(err) == moothall.CodeDenied:
		return 3
	}
	return 1
}
