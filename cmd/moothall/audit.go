package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newAudit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Read and check the record of everything that was done",
		Long:  "Read and check the record of everything that was done. These commands read the files of the home;\nno service has a way to do so.",
		Args:  noArgs, RunE: showHelp,
	}
	cmd.AddCommand(newAuditShow(a), newAuditVerify(a), newAuditProve(a), newAuditCheck(a), newAuditExport(a))
	return cmd
}

// filterFlags reads a filter from flags.
type filterFlags struct {
	since, until                    string
	by, agent, action, tool, status string
	session, query, call            string
	from, to                        uint64
}

func (f *filterFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.since, "since", "", "entries from `TIME` on: 2026-01-31, 2026-01-31T10:00:00Z, or an age such as 2h")
	fl.StringVar(&f.until, "until", "", "entries before `TIME`")
	fl.StringVar(&f.by, "by", "", "entries written by this `IDENTITY`")
	fl.StringVar(&f.agent, "agent", "", "entries of this agent `ID`")
	fl.StringVar(&f.action, "action", "", "entries of this `ACTION`, such as tool.call")
	fl.StringVar(&f.tool, "tool", "", "entries of this tool `NAME`")
	fl.StringVar(&f.status, "status", "", "entries of this `STATUS`, such as denied")
	fl.StringVar(&f.session, "session", "", "entries of this session `ID`")
	fl.StringVar(&f.query, "query", "", "entries of this query `ID`")
	fl.StringVar(&f.call, "call", "", "entries of this call `ID`")
	fl.Uint64Var(&f.from, "from", 0, "entries from number `N` on")
	fl.Uint64Var(&f.to, "to", 0, "entries before number `N`")
}

func (f *filterFlags) filter(cmd *cobra.Command, now time.Time) (daemon.AuditFilter, error) {
	if cmd.Flags().Changed("to") && f.to == 0 { // to the filter that is no end at all
		return daemon.AuditFilter{}, noLess("to", 0, 1)
	}
	out := daemon.AuditFilter{
		From: f.from, To: f.to, By: moothall.Identity(f.by), Agent: moothall.AgentID(f.agent),
		Action: moothall.AuditAction(f.action), Tool: moothall.ToolName(f.tool), Status: moothall.AuditStatus(f.status),
		Session: moothall.SessionID(f.session), Query: moothall.QueryID(f.query), Call: moothall.CallID(f.call),
	}
	var err error
	if out.Since, err = parseTime(f.since, now); err != nil {
		return out, err
	}
	out.Until, err = parseTime(f.until, now)
	return out, err
}

// parseTime reads a day, a moment or an age.
func parseTime(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usageError{fmt.Errorf("%q is no time; write 2026-01-31, 2026-01-31T10:00:00Z, or an age such as 2h", s)}
}

func newAuditShow(a *app) *cobra.Command {
	var flags filterFlags
	var follow, asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print entries of the record",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := flags.filter(cmd, time.Now())
			if err != nil {
				return err
			}
			return a.auditShow(cmd.Context(), f, follow, asJSON)
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with new entries as they come")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func (a *app) auditShow(ctx context.Context, f daemon.AuditFilter, follow, asJSON bool) error {
	home, err := a.homeDir()
	if err != nil {
		return err
	}
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	any := false
	for e, err := range daemon.ShowAudit(ctx, home, f, follow) {
		if err != nil {
			if follow && ctx.Err() != nil {
				return nil
			}
			return err
		}
		if any = true; asJSON {
			err = enc.Encode(e)
		} else {
			err = printEntry(a.out, e)
		}
		if err != nil {
			return err
		}
	}
	if !any && !asJSON {
		fmt.Fprintln(a.out, "The record has no such entries.")
	}
	return nil
}

// printEntry writes an entry on one line, the empty fields left out.
func printEntry(w io.Writer, e daemon.AuditLine) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%6d  %s  %-10s %-15s %-8s", e.Index, e.Time.Local().Format("2006-01-02 15:04:05.000"), e.By, e.Action, e.Status)
	for _, f := range []struct{ name, value string }{
		{"tool", string(e.Tool)}, {"agent", string(e.Agent)}, {"type", string(e.Type)}, {"rule", e.Rule},
		{"session", string(e.Session)}, {"query", string(e.Query)}, {"call", string(e.Call)},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, " %s=%s", f.name, f.value)
		}
	}
	if e.Note != "" {
		fmt.Fprintf(&b, "  %s", e.Note)
	}
	_, err := fmt.Fprintln(w, oneLine(b.String()))
	return err
}

func newAuditVerify(a *app) *cobra.Command {
	var anchor, key string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that the record is whole and unchanged; the exit code tells",
		Long: "Check every entry, every signed head and that nothing is missing.\n\n" +
			"Whoever can write the home's files can make a whole record anew. To notice that, keep a head\n" +
			"elsewhere (verify --json prints it as last_head) and give it back with --anchor.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := filled(cmd, "anchor", "key"); err != nil {
				return err
			}
			return a.auditVerify(cmd.Context(), anchor, key, asJSON)
		},
	}
	cmd.Flags().StringVar(&anchor, "anchor", "", "`FILE` with a head that was kept elsewhere: the record must extend it")
	cmd.Flags().StringVar(&key, "key", "", "trust this verifier `KEY` instead of the one in the home")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (a *app) auditVerify(ctx context.Context, anchorFile, key string, asJSON bool) error {
	home, err := a.homeDir()
	if err != nil {
		return err
	}
	var anchor []byte
	if anchorFile != "" {
		if anchor, err = os.ReadFile(anchorFile); err != nil {
			return usageError{err}
		}
		if anchor = bytes.TrimRight(anchor, "\r\n "); len(anchor) == 0 {
			return usageError{fmt.Errorf("%s holds no head, so nothing would be compared", anchorFile)}
		}
		anchor = append(anchor, '\n') // what printed or sent it may have added one
	}
	report, err := daemon.VerifyAudit(ctx, home, anchor, key)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(report)
	} else {
		printReport(a.out, report)
	}
	if err == nil && !report.OK {
		err = errSaid
	}
	return err
}

func printReport(w io.Writer, r daemon.AuditReport) {
	if r.OK {
		fmt.Fprintf(w, "The record is whole: %d entries, %d covered by %d signed heads.\n", r.Entries, r.Signed, r.Heads)
	} else {
		fmt.Fprintf(w, "The record is NOT whole: %d entries could be read, %d covered by %d signed heads.\n", r.Entries, r.Signed, r.Heads)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "  %s: %s: %s\n", f.Severity, f.Where, f.What)
		if f.Remedy != "" {
			fmt.Fprintf(w, "    try: %s\n", f.Remedy)
		}
	}
}

func newAuditProve(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "prove N",
		Short: "Print a proof that entry N is in the record, for anybody to check",
		Args:  exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				return usageError{fmt.Errorf("%q is no entry's number", args[0])}
			}
			home, err := a.homeDir()
			if err != nil {
				return err
			}
			proof, err := daemon.ProveAudit(home, n)
			if err != nil {
				return err
			}
			return a.printJSON(proof)
		},
	}
}

func newAuditCheck(a *app) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "check-proof FILE",
		Short: "Check a proof without the record; - reads standard input",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := filled(cmd, "key"); err != nil {
				return err
			}
			in := a.input(cmd.Context())
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return usageError{err}
				}
				defer f.Close()
				in = f
			}
			var p daemon.AuditProof
			err := json.NewDecoder(io.LimitReader(in, 1<<20)).Decode(&p)
			if stopped := cmd.Context().Err(); stopped != nil {
				return stopped
			}
			if err != nil {
				return usageError{fmt.Errorf("the proof cannot be read: %w", err)}
			}
			trusted := key
			if trusted == "" {
				trusted = p.Key
			}
			if err := p.Check(trusted); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "Entry %d is in the record signed by %s:\n%s\n", p.Index, trusted, p.Record)
			if key == "" {
				fmt.Fprintln(a.out, "The key is the one that the proof itself names; give the one you trust with --key.")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the verifier `KEY` that you trust")
	return cmd
}

func newAuditExport(a *app) *cobra.Command {
	var flags filterFlags
	var format, file string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write entries for other programs",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := flags.filter(cmd, time.Now())
			if err != nil {
				return err
			}
			home, err := a.homeDir()
			if err != nil {
				return err
			}
			if file == "" {
				return daemon.ExportAudit(home, a.out, format, f)
			}
			return daemon.ExportAuditTo(home, file, format, f)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&format, "format", "jsonl", "`FORMAT`: jsonl or csv")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE`, which must not exist, instead of standard output")
	return cmd
}
