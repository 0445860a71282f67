package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"moothall"
	"moothall/internal/daemon"
)

func newChat(a *app) *cobra.Command {
	var flags askFlags
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Talk with the hall in the terminal",
		Long:  "Talk with the hall in the terminal. " + chatHelp,
		Args:  noArgs,
		RunE: a.withClient("chat", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			if err := goOn(cmd.Context(), c, moothall.SessionID(flags.session)); err != nil {
				return err
			}
			t := &talk{app: a, client: c, session: moothall.SessionID(flags.session), model: flags.model, thinking: flags.thinking}
			return t.run(cmd.Context())
		}),
	}
	flags.add(cmd)
	return cmd
}

const chatHelp = `Ctrl-C stops an answer and keeps the conversation; Ctrl-D or /quit ends.
A line that ends with \ goes on; """ begins and ends a longer text.

  /model [NAME]     show or change the model
  /think            show or hide what the model thinks
  /context          what the conversation takes of the window
  /compact          replace the older part of the conversation by notes on it
  /sessions         list conversations
  /session [ID]     go on with another one, or begin a new one
  /retry            ask the last question again, in its place
  /committee TEXT   let personas deliberate on a question
  /task TEXT        have a larger piece of work planned and done
  /good, /bad       say what you think of the last answer; more words are kept with it
  /undo             take that back
  /help             this
  /quit             end`

// talk is one conversation in the terminal.
type talk struct {
	app      *app
	client   moothall.Client
	session  moothall.SessionID
	model    string
	thinking bool
	last     moothall.QueryRequest // the last question
	place    moothall.QueryID      // the turn that it became; none when it failed
	answered moothall.QueryID      // the turn with the last answer
	marked   bool                  // the person was told what the built-in model is
	lines    lineReader
}

// lineReader gives one line at a time; io.EOF ends the conversation, and so does
// the end of ctx.
type lineReader interface {
	line(ctx context.Context, prompt string) (string, error)
}

// run talks until the person has enough. Ctrl-C ends an answer, not the
// conversation, so the program's own context, which it cancels, is left here.
func (t *talk) run(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	defer stop()
	t.open()
	for ctx.Err() == nil {
		text, err := t.read(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case strings.TrimSpace(text) == "":
		case strings.HasPrefix(text, "/"):
			if done, err := t.command(ctx, text); done || err != nil {
				return err
			}
		default:
			t.ask(ctx, moothall.QueryRequest{Query: text})
		}
	}
	return nil
}

// open prepares the input: an editor with history on a terminal, plain lines
// otherwise.
func (t *talk) open() {
	if !terminal(t.app.in) {
		t.lines = newPlainLines(t.app.in)
		return
	}
	in := t.app.in.(*os.File)
	t.lines = &editor{in: in, terminal: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, bare(t.app.out)}, "")}
	fmt.Fprintln(t.app.out, "Talk with the hall; /help lists commands.")
}

// read gives one question, of one line or of several.
func (t *talk) read(ctx context.Context) (string, error) {
	text, err := t.lines.line(ctx, "> ")
	if err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), `"""`); ok {
		return t.block(ctx, rest)
	}
	for strings.HasSuffix(text, `\`) {
		text = strings.TrimSuffix(text, `\`)
		more, err := t.lines.line(ctx, "… ")
		if t.fileEnded(err) {
			break
		}
		if err != nil {
			return "", err
		}
		text += "\n" + more
	}
	return text, nil
}

// block reads up to the closing quotes.
func (t *talk) block(ctx context.Context, text string) (string, error) {
	for {
		if body, ok := strings.CutSuffix(strings.TrimRight(text, " "), `"""`); ok {
			return strings.Trim(body, "\n"), nil
		}
		more, err := t.lines.line(ctx, "… ")
		if t.fileEnded(err) {
			return strings.Trim(text, "\n"), nil
		}
		if err != nil {
			return "", err
		}
		text += "\n" + more
	}
}

// fileEnded reports that no more comes of a text that was to go on: what there
// is of it is asked. A person who ends in the middle wants it dropped.
func (t *talk) fileEnded(err error) bool { return errors.Is(err, io.EOF) && !terminal(t.app.in) }

// ask shows one turn. What goes wrong with it does not end the conversation.
func (t *talk) ask(ctx context.Context, r moothall.QueryRequest) {
	r.Session, r.Model, r.Unattended = t.session, t.model, !terminal(t.app.in)
	t.last, t.place = r, r.Retry
	turn, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	show := t.app.shower(t.client, askFlags{thinking: t.thinking}, false)
	show.asked = func(turn context.Context, q moothall.Approval) error {
		return t.app.answer(turn, t.client.Broker(), q, func(_ context.Context, prompt string) (string, error) {
			return t.lines.line(ctx, prompt) // a read that is left behind would take the next question
		})
	}
	answer, err := show.turn(turn, t.client, r)
	if answer.Session != "" {
		t.session, t.answered, t.place = answer.Session, answer.Query, answer.Query
	}
	if answer.Stop == moothall.StopCanceled {
		fmt.Fprintln(t.app.errs, "stopped; /retry asks again")
		return
	}
	if show.live && answer.Provider == builtIn {
		show.line(t.mark(answer))
	}
	if err == nil {
		err = errors.Join(answerError(answer), show.unaskedError())
	}
	if err != nil {
		explain(t.app.errs, err)
	}
}

// mark says that the model inside the program has answered, and the first time
// what that is and how to get a better one.
func (t *talk) mark(a moothall.Answer) string {
	if t.marked {
		return answeredBy(a)
	}
	t.marked = true
	return a.Provider + "/" + a.Model + ": " + daemon.BuiltIn(a.Model)
}

// command does what begins with a slash. True ends the conversation.
func (t *talk) command(ctx context.Context, text string) (done bool, err error) {
	name, arg, _ := strings.Cut(strings.TrimSpace(text), " ")
	arg = strings.TrimSpace(arg)
	work, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	switch name {
	case "/quit", "/exit", "/q":
		return true, nil
	case "/think":
		t.thinking = !t.thinking
		fmt.Fprintf(t.app.out, "thinking is shown: %v\n", t.thinking)
	case "/model":
		err = t.chooseModel(work, arg)
	case "/context":
		err = t.context(work)
	case "/compact":
		err = t.compact(work)
	case "/sessions":
		var list []moothall.Session
		if list, err = t.client.Sessions(work); err == nil {
			t.app.printSessions(list)
		}
	case "/session":
		if err = goOn(work, t.client, moothall.SessionID(arg)); err == nil {
			t.session, t.last = moothall.SessionID(arg), moothall.QueryRequest{} // asked again it would lead back
			fmt.Fprintln(t.app.out, "the next question belongs there")
		}
	case "/retry":
		if t.last.Query == "" {
			fmt.Fprintln(t.app.out, "there is no question yet")
			return false, nil
		}
		t.last.Retry = t.place
		t.ask(ctx, t.last)
	case "/committee", "/task":
		if arg == "" {
			fmt.Fprintln(t.app.out, name+" what? The question stands behind it.")
			return false, nil
		}
		t.ask(ctx, moothall.QueryRequest{Query: arg, Mode: moothall.QueryMode(name[1:])})
	case "/good":
		err = t.opine(work, moothall.Feedback{Thumbs: 1, Comment: arg})
	case "/bad":
		err = t.opine(work, moothall.Feedback{Thumbs: -1, Comment: arg})
	case "/undo":
		err = t.opine(work, moothall.Feedback{Undo: true})
	default:
		fmt.Fprintln(t.app.out, chatHelp)
	}
	switch {
	case err != nil && work.Err() != nil:
		fmt.Fprintln(t.app.errs, "stopped")
	case err != nil:
		explain(t.app.errs, err)
	}
	return false, nil
}

func (t *talk) chooseModel(ctx context.Context, name string) error {
	card, err := t.client.Gateway().ShowModel(ctx, nameArg(name))
	if err != nil {
		return err
	}
	if name != "" {
		t.model = card.Model
	}
	fmt.Fprintf(t.app.out, "%s/%s, window %d, tools %s, thinking %s\n", card.Provider, card.Model, card.Window, card.Tools, card.Thinking)
	return nil
}

// opine says what the person thinks of the last answer.
func (t *talk) opine(ctx context.Context, f moothall.Feedback) error {
	if t.answered == "" {
		fmt.Fprintln(t.app.out, "there is no answer yet")
		return nil
	}
	f.Query = t.answered
	if err := t.client.Feedback(ctx, f); err != nil {
		return err
	}
	fmt.Fprintln(t.app.out, "noted")
	return nil
}

func (t *talk) compact(ctx context.Context) error {
	if t.session == "" {
		fmt.Fprintln(t.app.out, "nothing was said yet")
		return nil
	}
	before, err := t.client.Session(ctx, t.session)
	if err != nil {
		return err
	}
	if err := t.client.ChangeSession(ctx, moothall.SessionChange{ID: t.session, Compact: true}); err != nil {
		return err
	}
	after, err := t.client.Session(ctx, t.session)
	if err != nil {
		return err
	}
	if len(after.Messages) == len(before.Messages) {
		fmt.Fprintln(t.app.out, "it is short enough to stay as it is")
		return nil
	}
	fmt.Fprintf(t.app.out, "compacted: about %d tokens of %d\n", together(after), together(before))
	return nil
}

// context shows what the conversation takes.
func (t *talk) context(ctx context.Context) error {
	if t.session == "" {
		fmt.Fprintln(t.app.out, "nothing was said yet")
		return nil
	}
	d, err := t.client.Session(ctx, t.session)
	if err != nil {
		return err
	}
	for _, part := range slices.Sorted(maps.Keys(d.Tokens)) {
		fmt.Fprintf(t.app.out, "%-10s about %d tokens\n", part, d.Tokens[part])
	}
	fmt.Fprintf(t.app.out, "%-10s about %d of %d\n", "together", together(d), d.Window)
	return nil
}

// together is how many tokens a conversation takes.
func together(d moothall.SessionDetail) (total int) {
	for _, n := range d.Tokens {
		total += n
	}
	return total
}

// plainLines reads from a pipe.
type plainLines struct{ s *bufio.Scanner }

func newPlainLines(in io.Reader) *plainLines {
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxContext+2) // with the end of the line
	return &plainLines{s}
}

func (p *plainLines) line(ctx context.Context, _ string) (string, error) {
	return awaited(ctx, func() (string, error) {
		if p.s.Scan() {
			return p.s.Text(), nil
		}
		err := p.s.Err()
		switch {
		case err == nil:
			err = io.EOF
		case errors.Is(err, bufio.ErrTooLong):
			err = moothall.Fail(moothall.CodeTooLarge, "standard input", "a line of more than 1 MiB cannot be asked")
		}
		return "", err
	})
}

// editor reads from a person, with history. The terminal is raw only while a
// line is read, so that Ctrl-C means what it always means during an answer.
type editor struct {
	in       *os.File
	terminal *term.Terminal
}

func (e *editor) line(ctx context.Context, prompt string) (string, error) {
	state, err := term.MakeRaw(int(e.in.Fd()))
	if err != nil {
		return "", err
	}
	defer term.Restore(int(e.in.Fd()), state)
	e.terminal.SetPrompt(prompt)
	if w, h, err := term.GetSize(int(e.in.Fd())); err == nil {
		_ = e.terminal.SetSize(w, h) // a wrong width only wraps lines oddly
	}
	return awaited(ctx, e.terminal.ReadLine)
}
