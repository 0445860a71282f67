package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

// askFlags are what both ways of asking share.
type askFlags struct {
	session, model string
	thinking       bool
}

func (f *askFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.session, "session", "", "go on with the conversation `ID`")
	cmd.Flags().StringVar(&f.model, "model", "", "ask this `MODEL` instead of the one for chat")
	cmd.Flags().BoolVar(&f.thinking, "thinking", false, "show what the model thinks")
}

func newAsk(a *app) *cobra.Command {
	var flags askFlags
	var asJSON, receipt bool
	cmd := &cobra.Command{
		Use:   "ask QUESTION...",
		Short: "Ask one question and print the answer",
		Long: "Ask one question and print the answer. What comes on standard input goes along as context.\n" +
			"With --json the answer comes as one object, the same that POST /query gives. On a terminal, or with\n" +
			"--receipt, a last line on standard error says which model answered, what the turn cost and what left this machine.",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return usageError{errors.New(`ask what? moothall ask "your question"`)}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ask(cmd.Context(), moothall.QueryRequest{Query: strings.Join(args, " ")}, flags, asJSON, receipt)
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole answer as JSON")
	cmd.Flags().BoolVar(&receipt, "receipt", false, "end with what the turn cost and touched, on standard error")
	return cmd
}

// maxContext bounds what is read from standard input.
const maxContext = 1 << 20

// piped returns what was piped in; nothing when a person sits there.
func piped(ctx context.Context, in io.Reader) (string, error) {
	if terminal(in) {
		return "", nil
	}
	b, err := awaited(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, maxContext+1)) })
	if err == nil && len(b) > maxContext {
		err = moothall.Fail(moothall.CodeTooLarge, "standard input", "more than 1 MiB cannot go along with a question")
	}
	return string(b), err
}

// shower shows turns of a client on the streams of the command.
func (a *app) shower(c moothall.Client, flags askFlags, quiet bool) *shower {
	s := &shower{out: a.out, errs: a.errs, thinking: flags.thinking, quiet: quiet, live: terminal(a.errs), color: a.color(a.errs), lone: daemon.Lone(c)}
	s.asked = func(ctx context.Context, q moothall.Approval) error { return a.answer(ctx, c.Broker(), q, a.lineOf) }
	return s
}

func (a *app) ask(ctx context.Context, r moothall.QueryRequest, flags askFlags, asJSON, receipt bool) error {
	return a.asked(ctx, "ask", r, flags, asJSON, func(_ moothall.Client, show *shower, answer moothall.Answer) error {
		if asJSON {
			if err := a.printJSON(whole(answer)); err != nil {
				return err
			}
		} else if receipt || show.live {
			show.line(receiptLine(answer))
		}
		if err := answerError(answer); err != nil {
			return err
		}
		return show.unaskedError()
	})
}

// asked asks one question, with what is piped in, and hands its answer on.
func (a *app) asked(ctx context.Context, what string, r moothall.QueryRequest, flags askFlags, quiet bool, then func(moothall.Client, *shower, moothall.Answer) error) (err error) {
	text, err := piped(ctx, a.in)
	if err != nil {
		return err
	}
	client, err := a.connect(ctx, what)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.leave(client)) }()
	if err := detachable(client, r); err != nil {
		return err
	}
	if err := goOn(ctx, client, moothall.SessionID(flags.session)); err != nil {
		return err
	}
	show := a.shower(client, flags, quiet)
	r.Session, r.Context, r.Model, r.Unattended = moothall.SessionID(flags.session), text, flags.model, !terminal(a.in)
	answer, err := show.turn(ctx, client, r)
	if err != nil {
		return err
	}
	return then(client, show, answer)
}

// answerError makes a turn that did not end well a failure of the command.
func answerError(a moothall.Answer) error {
	switch a.Stop {
	case moothall.StopInterrupted, moothall.StopError, moothall.StopCanceled:
	default:
		return nil
	}
	e := &moothall.Error{
		Code: moothall.CodeInterrupted, Op: "answer", Message: "it was cut off: " + string(a.Stop), Remedy: "ask again with --session " + string(a.Session),
	}
	for _, f := range a.Flags {
		if why, ok := strings.CutPrefix(f, "failed: "); ok {
			e.Message = why
		}
	}
	if a.Task != "" {
		e.Op, e.Remedy = "task", "moothall tasks show "+string(a.Task)+" tells how far it got"
	}
	return e
}

// connect reaches the hall of the home, or opens one for this command.
func (a *app) connect(ctx context.Context, what string) (moothall.Client, error) {
	if a.dial != nil {
		return a.dial(ctx, what)
	}
	home, loaded, err := a.load()
	if err != nil {
		return nil, err
	}
	if a.orderly != nil {
		a.orderly()
	}
	return daemon.Connect(ctx, home, loaded.Config, what, a.logger(loaded.Config))
}

// shower shows a turn as it happens.
type shower struct {
	out, errs io.Writer
	thinking  bool // show what the model thinks
	quiet     bool // show nothing, only collect
	live      bool // on a person's terminal: what is going on is shown while it is
	color     bool
	lone      bool // the hall is this command's own: nobody else reaches it

	// asked puts a question of the broker to the person.
	asked func(context.Context, moothall.Approval) error

	planned string              // the plan that was shown last
	spoken  bool                // the answer came piece by piece
	open    string              // kind of what stands on the current line
	unasked []moothall.ToolName // refused because nobody was there to be asked
}

// turn asks and shows until the answer is there.
func (s *shower) turn(ctx context.Context, c moothall.Client, r moothall.QueryRequest) (moothall.Answer, error) {
	var answer moothall.Answer
	for step, err := range c.Query(ctx, r) {
		if err != nil {
			s.end()
			return answer, err
		}
		if step.Answer != nil {
			answer = *step.Answer
		}
		if step.Asked != nil {
			s.end()
			if err := s.asked(ctx, *step.Asked); err != nil {
				return answer, err
			}
		}
		if r := step.Result; r != nil && r.Decision.Verdict == moothall.Deny && r.Decision.Rule == "unattended" {
			s.unasked = append(s.unasked, r.Name)
		}
		if !s.quiet {
			s.step(step)
		}
		if err := s.waiting(step); err != nil {
			s.end()
			return answer, err
		}
	}
	s.end()
	if !s.quiet && !s.spoken && answer.Text != "" { // a task is answered at its end
		fmt.Fprintln(s.out, answer.Text)
	}
	if f := answer.Heard; f != nil && !s.quiet {
		s.line(heardLine(*f))
	}
	return answer, nil
}

// waiting says of a plan that waits for the person's yes how to give it. In a
// hall that was opened for this command nobody else can: there it ends.
func (s *shower) waiting(step moothall.Step) error {
	if step.Kind != "task" || step.From != "" || step.Task == nil || step.Task.State != "planned" {
		return nil
	}
	if s.lone {
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Op: "task", Message: "its plan waits for your yes, and no hall is up in which you could give it",
			Remedy: "start one with: moothall up, and ask again; or set tasks.approve_plan to off",
		}
	}
	s.line("the plan waits for your yes; in another terminal: moothall tasks approve " + string(step.Task.ID))
	return nil
}

// heardLine tells the person that his words were taken for feedback.
func heardLine(f moothall.Feedback) string {
	kind := "praise of"
	if f.Thumbs < 0 {
		kind = "a complaint about"
	}
	return fmt.Sprintf("noted as %s the answer before; to take it back: moothall feedback %s --undo", kind, f.Query)
}

// unaskedError makes a turn in which a call was refused because nobody could
// be asked a failure of the command: a script must not take the answer for
// one that the tool helped with.
func (s *shower) unaskedError() error {
	if len(s.unasked) == 0 {
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeDenied, Op: "ask", Message: fmt.Sprintf("%s was refused: nobody was there to be asked", s.unasked[0]),
		Remedy: "ask on a terminal, where you can answer",
	}
}

func (s *shower) step(step moothall.Step) {
	switch step.Kind {
	case "delta":
		s.spoken = true
		s.write("text", s.out, step.Text)
	case "thinking":
		if s.thinking {
			s.write("thinking", s.errs, step.Text)
		}
	case "status":
		if s.live { // only until more comes
			s.end()
			faint(s.errs, s.color, step.Text+"…")
			s.open = "status"
		}
	case "persona":
		s.persona(step.Deliberation)
	case "task":
		s.task(step)
	case "tool_call":
		if step.Call != nil {
			s.line(fmt.Sprintf("%s→ %s %s", who(step.From), step.Call.Name, step.Call.Arguments))
		}
	case "tool_result":
		if step.Result != nil {
			s.line(fmt.Sprintf("%s← %s %s (%d ms)", who(step.From), step.Result.Name, step.Result.Status, step.Result.Took.Milliseconds()))
		}
	}
}

// who names a persona or subagent before what it does.
func who(from string) string {
	if from == "" {
		return ""
	}
	return from + " "
}

// persona shows what a persona said, when it has.
func (s *shower) persona(d *moothall.Deliberation) {
	if d == nil {
		return
	}
	if d.Status == "thinking" {
		s.step(moothall.Step{Kind: "status", Text: d.Persona + " is thinking"})
		return
	}
	s.end()
	if err := daemon.RenderDeliberation(bare(s.errs), *d, s.color); err != nil {
		s.line(err.Error())
	}
}

// task shows a plan when it is made, and each part of it as it changes.
func (s *shower) task(step moothall.Step) {
	if step.Task == nil {
		return
	}
	planned := step.From == "" && (step.Text == "planned" || step.Text == "running")
	if step.From == "" && !planned || planned && s.planned == string(step.Task.Plan) {
		return
	}
	if planned {
		s.planned = string(step.Task.Plan)
	}
	s.end()
	if err := printPlan(s.errs, *step.Task, s.color); err != nil {
		s.line(err.Error())
	}
}

// write goes on with text of one kind, on a line of its own.
func (s *shower) write(kind string, w io.Writer, text string) {
	if s.open != "" && s.open != kind {
		s.end()
	}
	if s.open == "" && kind == "thinking" && s.color {
		fmt.Fprint(bare(w), dim)
	}
	s.open = kind
	fmt.Fprint(w, text)
}

// line shows one remark.
func (s *shower) line(text string) {
	if text == "" {
		return
	}
	s.end()
	faint(s.errs, s.color, text)
	fmt.Fprintln(s.errs)
}

// end finishes the line that is open.
func (s *shower) end() {
	switch s.open {
	case "text":
		fmt.Fprintln(s.out)
	case "thinking":
		if s.color {
			fmt.Fprint(bare(s.errs), normal)
		}
		fmt.Fprintln(s.errs)
	case "status":
		fmt.Fprint(bare(s.errs), erase)
	}
	s.open = ""
}
