package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall"
)

func newApprovals(a *app) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{Use: "approvals", Short: "Answer what agents may do only when you say so", Args: noArgs}
	cmd.RunE = a.withClient("approvals", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
		qs, err := c.Broker().Approvals(cmd.Context(), moothall.Scope{}, all)
		if err != nil {
			return err
		}
		if asJSON {
			return a.printJSON(map[string]any{"approvals": append([]moothall.Approval{}, qs...)})
		}
		return a.printApprovals(qs)
	})
	cmd.Flags().BoolVar(&all, "all", false, "also those that are answered or expired")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	alsoList(cmd, "List the open questions")
	cmd.AddCommand(newApprove(a), newDeny(a))
	return cmd
}

func (a *app) printApprovals(qs []moothall.Approval) error {
	if len(qs) == 0 {
		fmt.Fprintln(a.out, "Nothing waits for an answer.")
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tWHO\tTOOL\tARGUMENTS\tANSWER")
	for _, q := range qs {
		answer := string(q.Answer)
		if answer == "" {
			answer = "open for " + time.Until(q.Expires).Round(time.Second).String()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", q.ID, q.Type, oneLine(string(q.Tool)), oneLine(clip(string(q.Arguments), 60)), answer)
	}
	return w.Flush()
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

func newApprove(a *app) *cobra.Command {
	var session bool
	var arguments string
	cmd := &cobra.Command{
		Use: "approve ID", Short: "Let a call go on", Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d := moothall.ApprovalDecision{ID: moothall.ApprovalID(args[0]), Answer: moothall.ApproveOnce}
			if session {
				d.Answer = moothall.ApproveSession
			}
			if arguments != "" {
				if !json.Valid([]byte(arguments)) {
					return usageError{errors.New("the arguments are not JSON")}
				}
				d.Arguments = json.RawMessage(arguments)
			}
			return a.decide(cmd, d)
		},
	}
	cmd.Flags().BoolVar(&session, "session", false, "and let the same tool go on for the rest of the session")
	cmd.Flags().StringVar(&arguments, "arguments", "", "with these `JSON` arguments instead of the asked ones")
	return cmd
}

func newDeny(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "deny ID", Short: "Refuse a call", Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, moothall.ApprovalDecision{ID: moothall.ApprovalID(args[0]), Answer: moothall.ApproveDenied})
		},
	}
}

func (a *app) decide(cmd *cobra.Command, d moothall.ApprovalDecision) error {
	return a.withClient("approvals", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
		q, err := c.Broker().Decide(cmd.Context(), d)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s of %s: %s\n", q.Tool, q.Type, q.Answer)
		return nil
	})(cmd, nil)
}

// answer puts one question of the broker to the person at the terminal.
func (a *app) answer(ctx context.Context, b moothall.Broker, q moothall.Approval, read func(ctx context.Context, prompt string) (string, error)) error {
	fmt.Fprintf(a.errs, "\nAn agent (%s) wants to call %s with\n  %s\n%s\n", q.Type, q.Tool, q.Arguments, q.Reason.Reason)
	for {
		line, err := read(ctx, "allow it? [o]nce, for this [s]ession, [n]o: ")
		if ctx.Err() != nil {
			return nil // what asked ends by itself, and says so
		}
		answer, known := map[string]moothall.ApprovalAnswer{
			"o": moothall.ApproveOnce, "once": moothall.ApproveOnce, "y": moothall.ApproveOnce, "yes": moothall.ApproveOnce,
			"s": moothall.ApproveSession, "session": moothall.ApproveSession, "n": moothall.ApproveDenied, "no": moothall.ApproveDenied,
		}[strings.ToLower(strings.TrimSpace(line))]
		if err != nil {
			answer, known = moothall.ApproveDenied, true // nobody is there any more
		}
		if !known {
			continue
		}
		_, err = b.Decide(ctx, moothall.ApprovalDecision{Scope: moothall.Scope{Session: q.Session}, ID: q.ID, Answer: answer})
		if moothall.ErrorCode(err) == moothall.CodeConflict {
			fmt.Fprintln(a.errs, "it was answered elsewhere, or too late")
			return nil
		}
		return err
	}
}

// lineOf asks for one line on the terminal.
func (a *app) lineOf(ctx context.Context, prompt string) (string, error) {
	fmt.Fprint(a.errs, prompt)
	line, err := awaited(ctx, func() (string, error) { return bufio.NewReader(a.in).ReadString('\n') })
	if ctx.Err() != nil {
		fmt.Fprintln(a.errs)
	}
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return line, err
}
