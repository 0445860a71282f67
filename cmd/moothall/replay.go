package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"moothall"
)

func newReplay(a *app) *cobra.Command {
	var model, policy, prompt string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay QUERY_ID",
		Short: "Run a recorded turn again and show the difference",
		Long: "Run a recorded turn again and show the difference. Tools give their recorded results; with nothing\n" +
			"changed so does the model, and the answer is the same, byte for byte: if it is not, the command fails,\n" +
			"as it does when a live model gives no answer.",
		Args:    exactly(1),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return filled(cmd, "model", "policy", "prompt") },
		RunE: a.withClient("replay", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			r := moothall.ReplayRequest{Query: moothall.QueryID(args[0]), Model: model}
			var err error
			if r.Policy, err = textFile(policy); err != nil {
				return err
			}
			if r.Prompt, err = textFile(prompt); err != nil {
				return err
			}
			got, err := c.Replay(cmd.Context(), r)
			if err != nil {
				return err
			}
			if asJSON {
				got.Recorded, got.Again = whole(got.Recorded), whole(got.Again)
				got.Differences = append([]string{}, got.Differences...)
				err = a.printJSON(got)
			} else {
				a.printReplay(got)
			}
			live := model != "" || prompt != ""
			failed := live && got.Again.Stop == moothall.StopError && got.Recorded.Stop != moothall.StopError
			if changed := live || policy != ""; err == nil && !got.Same && (failed || !changed) {
				err = errSaid
			}
			return err
		}),
	}
	cmd.Flags().StringVar(&model, "model", "", "with this `MODEL`, live, instead of what was recorded of the model")
	cmd.Flags().StringVar(&policy, "policy", "", "under the manifest in `FILE`")
	cmd.Flags().StringVar(&prompt, "prompt", "", "with the system prompt in `FILE`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print both turns as JSON")
	return cmd
}

func (a *app) printReplay(r moothall.Replayed) {
	for _, d := range r.Differences { // such as that a person would now be asked, which changes no answer
		fmt.Fprintf(a.out, "- %s\n", d)
	}
	if r.Same {
		fmt.Fprintln(a.out, r.Again.Text)
		fmt.Fprintln(a.out, "The same as recorded.")
		return
	}
	fmt.Fprintf(a.out, "recorded:\n%s\nagain:\n%s\n", indent(r.Recorded.Text), indent(r.Again.Text))
}

// textFile reads a file that may be as large as a question; none when no name
// is given.
func textFile(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", &moothall.Error{Code: moothall.CodeNotFound, Op: "read file", Message: "cannot read " + name, Err: err}
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxContext+1))
	switch {
	case err != nil:
		return "", &moothall.Error{Code: moothall.CodeUnavailable, Op: "read file", Message: "cannot read " + name, Err: err}
	case len(b) > maxContext:
		return "", moothall.Fail(moothall.CodeTooLarge, "read file", name+" is larger than 1 MiB")
	case len(b) == 0:
		return "", moothall.Fail(moothall.CodeInvalid, "read file", name+" is empty")
	}
	return string(b), nil
}

// indent sets text off.
func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
