package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newStory(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "story", Short: "Play acceptance stories", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newStoryRun(a))
	return cmd
}

// storyFlags say where stories are played and how they are reported.
type storyFlags struct {
	against, tokenFile string
	model, junit       string
	asJSON, shadow     bool
	timeout            time.Duration
}

func newStoryRun(a *app) *cobra.Command {
	var f storyFlags
	cmd := &cobra.Command{
		Use:   "run [FILE|FOLDER]...",
		Short: "Play stories and say which passed; the exit code tells",
		Long: "Play stories and say which passed; the exit code tells. When no hall runs on the home, one is opened\n" +
			"for them, with a second respondent; if no search is configured, the pages in the file web.json beside\n" +
			"the stories stand for the web.\n" +
			"With --against they are told to a hall elsewhere, over HTTP; its token is read from --token-file,\n" +
			"else from the variable MOOTHALL_TOKEN. A story that needs a part which the hall does not have is\n" +
			"skipped and says so; when nothing could be played at all, the run has failed.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := filled(cmd, "against", "token-file", "junit", "model"); err != nil {
				return err
			}
			if len(args) == 0 {
				args = []string{"stories"}
			}
			return a.runStories(cmd.Context(), args, f)
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	cmd.Flags().StringVar(&f.junit, "junit", "", "also write a JUnit report to `FILE`")
	cmd.Flags().StringVar(&f.model, "model", "", "ask this `MODEL` instead of the one for chat")
	cmd.Flags().StringVar(&f.against, "against", "", "play them against the hall at `URL`, as in http://127.0.0.1:8765")
	cmd.Flags().StringVar(&f.tokenFile, "token-file", "", "`FILE` with that hall's token")
	cmd.Flags().BoolVar(&f.shadow, "respondent-b", true, "let a second respondent answer too, in a hall that is opened for the stories")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 0, "give up when the whole run takes longer than `DURATION`; 0 never does")
	return cmd
}

func (a *app) runStories(ctx context.Context, files []string, f storyFlags) (err error) {
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	to, err := openReport(f.junit)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	client, err := a.storyHall(ctx, files, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.leave(client)) }()
	show := &storyShower{app: a, quiet: f.asJSON, terminal: terminal(a.errs)}
	began := time.Now()
	report, err := daemon.RunStories(ctx, watched{client, show}, files, f.model, show.outcome)
	if err != nil {
		return misnamed(err)
	}
	return a.reportStories(tallied(report.Stories), began, f, to)
}

// storyHall is who the stories are told to.
func (a *app) storyHall(ctx context.Context, files []string, f storyFlags) (moothall.Client, error) {
	if f.against == "" {
		if err := a.useCannedWeb(files); err != nil {
			return nil, err
		}
		if f.shadow {
			a.set["chat.respondent_b.enabled"] = "true"
		}
		return a.connect(ctx, "story")
	}
	if a.reach == nil {
		return nil, moothall.Fail(moothall.CodeUnsupported, "stories", "this program cannot reach a hall over HTTP")
	}
	token := a.getenv("MOOTHALL_TOKEN")
	if f.tokenFile != "" {
		text, err := textFile(f.tokenFile)
		if err != nil {
			return nil, err
		}
		token = firstLine(text)
	}
	return a.reach(f.against, token)
}

// useCannedWeb lets the pages beside the stories stand for the web, unless
// the person has configured the real one.
func (a *app) useCannedWeb(args []string) error {
	if a.dial != nil {
		return nil
	}
	_, loaded, err := a.load()
	if err != nil || loaded.Search.Any() {
		return err
	}
	for _, arg := range args {
		for _, file := range []string{filepath.Join(arg, "web.json"), filepath.Join(filepath.Dir(arg), "web.json")} {
			if _, err := os.Stat(file); err == nil {
				a.set["search.canned"] = file
				return nil
			}
		}
	}
	return nil
}

// storyReport is how a run of stories went.
type storyReport struct {
	Passed  int                   `json:"passed"`
	Failed  int                   `json:"failed"`
	Skipped int                   `json:"skipped"`
	Stories []daemon.StoryOutcome `json:"stories"`
}

func tallied(list []daemon.StoryOutcome) storyReport {
	r := storyReport{Stories: append([]daemon.StoryOutcome{}, list...)}
	for _, o := range list {
		switch {
		case o.Skipped != "":
			r.Skipped++
		case o.Passed:
			r.Passed++
		default:
			r.Failed++
		}
	}
	return r
}

// reportStories prints and writes the report, and fails when a story did or
// none was played.
func (a *app) reportStories(r storyReport, began time.Time, f storyFlags, to *reportFile) error {
	if f.asJSON {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		line := fmt.Sprintf("%d passed, %d failed", r.Passed, r.Failed)
		if r.Skipped > 0 {
			line += fmt.Sprintf(", %d skipped", r.Skipped)
		}
		fmt.Fprintln(a.out, line)
	}
	if to != nil {
		text, err := junit(r, began)
		if err == nil {
			err = to.replace(text)
		}
		if err != nil {
			return noReport(f.junit, err)
		}
	}
	if r.Failed > 0 || r.Passed == 0 {
		return errSaid
	}
	return nil
}

// storyShower shows a run as it goes.
type storyShower struct {
	app      *app
	quiet    bool // the report comes as JSON
	terminal bool
}

// asking shows on a person's terminal what is being played.
func (s *storyShower) asking(question string) {
	if s.terminal {
		fmt.Fprint(bare(s.app.errs), erase)
		faint(s.app.errs, s.app.color(s.app.errs), fmt.Sprintf("%.70s…", question))
	}
}

func (s *storyShower) outcome(o daemon.StoryOutcome) {
	if s.terminal {
		fmt.Fprint(bare(s.app.errs), erase)
	}
	if !s.quiet {
		printOutcome(s.app.out, o)
	}
}

func printOutcome(w io.Writer, o daemon.StoryOutcome) {
	if o.Skipped != "" {
		fmt.Fprintf(w, "skip  %s  %s\n        %s\n", o.Name, o.About, o.Skipped)
		return
	}
	verdict := "ok  "
	if !o.Passed {
		verdict = "FAIL"
	}
	fmt.Fprintf(w, "%s  %s  %s (%d ms)\n", verdict, o.Name, o.About, o.Took.Milliseconds())
	if len(o.Turns) == 0 {
		fmt.Fprintln(w, "        it has no turns")
	}
	for i, t := range o.Turns {
		if len(t.Failures) == 0 {
			continue
		}
		fmt.Fprintf(w, "        turn %d: %q\n", i+1, t.Query)
		for _, f := range t.Failures {
			fmt.Fprintf(w, "          %s\n", f)
		}
		fmt.Fprintf(w, "          the answer was: %.200s\n", t.Answer)
		if t.ID != "" {
			fmt.Fprintf(w, "          its query_id: %s\n", t.ID)
		}
	}
}
