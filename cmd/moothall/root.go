package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"moothall"
	"moothall/internal/daemon"
)

// app is what every command has: its streams, its environment and the global
// flags.
type app struct {
	in        io.Reader
	out, errs io.Writer
	environ   []string
	getenv    func(string) string

	home   string            // --home
	config string            // --config
	set    map[string]string // what flags set, by configuration path

	// orderly is called before a hall is opened that is to be closed in order: a
	// command whose output nobody reads any more ends then as with Ctrl-C. May be nil.
	orderly func()
	// dial opens the hall for a command; nil: the home's, see connect.
	dial func(ctx context.Context, what string) (moothall.Client, error)
	// reach opens the hall at an address of its API; nil: it cannot be.
	reach func(address, token string) (moothall.Client, error)
}

// newRoot builds the whole command tree.
func newRoot(a *app) *cobra.Command {
	a.set = map[string]string{}
	up := newUp(a)
	root := &cobra.Command{
		Use:   "moothall",
		Short: "A hall on your own machine where AI agents meet, act, and are held to account",
		Long: "Moothall is a hall on your own machine where AI agents meet, deliberate, act, and are\n" +
			"held to account. Without a command it starts the hall, like \"moothall up\".",
		Args:          noArgs,
		RunE:          up.RunE,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return filled(cmd, "home", "config")
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{wrongFlag(cmd, err)} })
	root.PersistentFlags().StringVar(&a.home, "home", a.getenv("MOOTHALL_HOME"), "keep everything in `DIR` instead of the XDG folders")
	root.PersistentFlags().StringVar(&a.config, "config", a.getenv("MOOTHALL_CONFIG"), "read the configuration from `FILE`")
	root.Flags().AddFlagSet(up.Flags())
	root.AddCommand(up, newServe(a), newDoctor(a), newConfig(a), newAudit(a), newAsk(a), newChat(a), newCommittee(a), newTask(a), newTasks(a), newSessions(a), newModel(a), newTools(a), newApprovals(a), newSecrets(a), newMemory(a), newGraph(a), newStory(a), newFeedback(a), newCritic(a), newRespondents(a), newReplay(a), newParticipants(a), newUndo(a), newBackup(a), newRestore(a), newCerts(a), newBus(a), newVersion(a))
	root.SetOut(a.out) // which the next line takes down
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion": // it takes any word for a wish for help
			c.Args, c.RunE = noArgs, showHelp
			for _, shell := range c.Commands() {
				shell.Args = noArgs
			}
		case "help": // so does it
			c.Args = func(_ *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				if err != nil {
					return usageError{err}
				}
				return noArgs(about, rest)
			}
		}
	}
	return root
}

// wrongFlag says of a flag's value that it is none, without what the parser of
// numbers calls itself.
func wrongFlag(cmd *cobra.Command, err error) error {
	why := errors.Unwrap(err)
	if why == nil {
		return err
	}
	return fmt.Errorf("%s; see: %s --help", strings.TrimSuffix(err.Error(), ": "+why.Error()), cmd.CommandPath())
}

// alsoList gives a command that lists by itself the word for that, which people
// try first.
func alsoList(cmd *cobra.Command, about string) {
	list := &cobra.Command{Use: "list", Short: about, Args: noArgs, RunE: cmd.RunE}
	list.Flags().AddFlagSet(cmd.Flags())
	cmd.AddCommand(list)
}

// noArgs is cobra.NoArgs with our exit code.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%q is no command of %s; see: %s --help", args[0], cmd.CommandPath(), cmd.CommandPath())}
	}
	return nil
}

// between is cobra.RangeArgs with our exit code and the usage line.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError{fmt.Errorf("usage: %s", cmd.UseLine())}
		}
		return nil
	}
}

func exactly(n int) cobra.PositionalArgs { return between(n, n) }
func atMost(n int) cobra.PositionalArgs  { return between(0, n) }
func atLeast(n int) cobra.PositionalArgs { return between(n, math.MaxInt) }

// named is one argument that says something: an empty one, of a variable that a
// script forgot to set, would be taken for what is there by default.
func named(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
		return usageError{fmt.Errorf("usage: %s", cmd.UseLine())}
	}
	return nil
}

// filled refuses flags that were given and say nothing, as of a variable that a
// script forgot to set: less would be checked, or another home taken, than was
// meant.
func filled(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := cmd.Flag(name); f != nil && f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return usageError{fmt.Errorf("--%s is empty; give it a value, or leave it out", name)}
		}
	}
	return nil
}

// noLess refuses a number below the least that a flag can be: it would be taken
// for none at all.
func noLess(flag string, n, least int) error {
	if n < least {
		return usageError{fmt.Errorf("--%s is at least %d, not %d", flag, least, n)}
	}
	return nil
}

// known is cobra.OnlyValidArgs with our exit code and the usage line.
func known(cmd *cobra.Command, args []string) error {
	if cobra.OnlyValidArgs(cmd, args) != nil {
		return usageError{fmt.Errorf("usage: %s", cmd.UseLine())}
	}
	return nil
}

// homeDir resolves --home.
func (a *app) homeDir() (daemon.Home, error) { return daemon.FindHome(a.home, a.getenv) }

// load resolves the home and reads the configuration.
func (a *app) load() (daemon.Home, daemon.Loaded, error) {
	h, err := a.homeDir()
	if err != nil {
		return h, daemon.Loaded{}, err
	}
	l, err := daemon.LoadConfig(h, a.config, a.environ, a.set)
	return h, l, misnamed(err)
}

// logger is the program's own log, on standard error.
func (a *app) logger(c daemon.Config) *slog.Logger { return c.Log.Logger(a.errs) }

// printJSON writes one value for programs.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// awaited is what read gives, unless ctx ends before. Nothing breaks a read from
// a person or a pipe off; one that nobody waits for any more is left behind, since
// the program is about to end.
func awaited[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type given struct {
		value T
		err   error
	}
	done := make(chan given, 1)
	go func() {
		v, err := read()
		done <- given{v, err}
	}()
	select {
	case g := <-done:
		return g.value, g.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// readFunc reads.
type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// input is standard input until ctx ends: Ctrl-C reaches a command that waits
// for more.
func (a *app) input(ctx context.Context) io.Reader {
	return readFunc(func(p []byte) (int, error) {
		b, err := awaited(ctx, func() ([]byte, error) {
			own := make([]byte, len(p)) // a read that is left behind must not write into p
			n, err := a.in.Read(own)
			return own[:n], err
		})
		return copy(p, b), err
	})
}

// leave ends what a command has to do with a hall. One of its own may still be at
// work for a while, which a person who looks at a prompt that does not come is told.
func (a *app) leave(c moothall.Client) error {
	if terminal(a.errs) {
		defer time.AfterFunc(silence, func() {
			fmt.Fprintln(a.errs, "the memory is still hearing of it; Ctrl-C leaves that to the next command")
		}).Stop()
	}
	return c.Close()
}

// silence is how long a person waits without wondering.
const silence = 1500 * time.Millisecond

// export writes a new file, or to standard output when none is named. A file that
// does not hold everything goes away.
func (a *app) export(file string, write func(io.Writer) error) error {
	if file == "" {
		return write(a.out)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return &moothall.Error{
			Code: moothall.CodeConflict, Op: "export", Message: file + " is there already",
			Remedy: "choose another name; an export never replaces a file", Err: err,
		}
	}
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return nil
}

// color reports whether to write in colour: to a person, unless NO_COLOR says
// that it is not wanted (https://no-color.org).
func (a *app) color(w io.Writer) bool { return terminal(w) && a.getenv("NO_COLOR") == "" }

// terminal reports whether a stream, read or written, is a person's.
func terminal(stream any) bool {
	switch s := stream.(type) {
	case *screen:
		return true
	case *os.File:
		return term.IsTerminal(int(s.Fd()))
	}
	return false
}
