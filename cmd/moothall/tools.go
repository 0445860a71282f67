package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newTools(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "tools", Short: "See and try what agents can do, and what they may", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newToolsList(a), newToolsShow(a), newToolsCall(a), newToolsScan(a), newToolsPending(a), newToolsApprove(a))
	return cmd
}

func newToolsList(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the tools that the broker knows", Args: noArgs,
		RunE: a.withClient("tools", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			specs, err := c.Broker().Tools(cmd.Context(), moothall.Scope{})
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(map[string]any{"tools": specs})
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "TOOL\tRISK\tFROM\tWHAT IT DOES")
			for _, s := range specs {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Risk, s.Origin, oneLine(sentence(s.Description)))
			}
			return w.Flush()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole definitions as JSON")
	return cmd
}

// sentence is the first one of a description.
func sentence(s string) string {
	if first, _, ok := strings.Cut(s, ". "); ok {
		return first + "."
	}
	return s
}

func newToolsShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Print a tool's definition", Args: exactly(1),
		RunE: a.withClient("tools", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			specs, err := c.Broker().Tools(cmd.Context(), moothall.Scope{})
			if err != nil {
				return err
			}
			var names []string
			for _, s := range specs {
				names = append(names, string(s.Name))
				if s.Goes(moothall.ToolName(args[0])) {
					return a.printJSON(s)
				}
			}
			return moothall.Fail(moothall.CodeNotFound, "tool", fmt.Sprintf("there is no %s; there are %s", args[0], strings.Join(names, ", ")))
		}),
	}
}

// callFlags are those of "tools call".
type callFlags struct {
	as       string
	dry      bool
	asJSON   bool
	session  string
	override string
}

func newToolsCall(a *app) *cobra.Command {
	var flags callFlags
	cmd := &cobra.Command{
		Use:   "call NAME [ARGUMENTS]",
		Short: "Make one call as an agent would, and print what was decided and what came of it",
		Long: "Make one call as an agent of a type would, and print the decision, the layer and rule that\n" +
			"decided, the reason and the result. ARGUMENTS is one JSON object. A denial ends with code 3.",
		Example: `  moothall tools call now` + "\n" +
			`  moothall tools call fs_read '{"path":"/etc/hostname"}' --as researcher --dry-run`,
		Args: between(1, 2),
		RunE: a.withClient("tools", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			call := moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: moothall.ToolName(args[0]), Arguments: json.RawMessage("{}")}
			if len(args) == 2 {
				call.Arguments = json.RawMessage(args[1])
			}
			if !json.Valid(call.Arguments) {
				return usageError{errors.New("the arguments are not JSON; put them in single quotes: '{\"path\":\"…\"}'")}
			}
			if err := goOn(cmd.Context(), c, moothall.SessionID(flags.session)); err != nil {
				return err
			}
			return a.callTool(cmd.Context(), c.Broker(), call, flags)
		}),
	}
	cmd.Flags().StringVar(&flags.as, "as", "generator", "call as an agent of this `TYPE` of the manifest")
	cmd.Flags().BoolVar(&flags.dry, "dry-run", false, "only say what would be decided")
	cmd.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&flags.session, "session", "", "within the session `ID`, with its labels and overrides")
	cmd.Flags().StringVar(&flags.override, "override", "", "for this call only: `LEVEL` relax or all")
	return cmd
}

// called is what "tools call --json" prints.
type called struct {
	Tool     moothall.ToolName   `json:"tool"`
	As       moothall.AgentType  `json:"as"`
	Decision moothall.Verdict    `json:"decision"`
	Layer    string              `json:"layer"`
	Rule     string              `json:"rule"`
	Reason   string              `json:"reason"`
	Allows   string              `json:"allows,omitempty"`
	DryRun   bool                `json:"dry_run,omitempty"`
	Status   moothall.CallStatus `json:"status,omitempty"`
	Result   string              `json:"result,omitempty"`
	Data     json.RawMessage     `json:"data,omitempty"`
	Labels   string              `json:"labels,omitempty"`
	Score    float64             `json:"injection_score,omitempty"`
	Cut      string              `json:"cut,omitempty"`
	Millis   int64               `json:"ms,omitempty"`
}

func (a *app) callTool(ctx context.Context, b moothall.Broker, call moothall.ToolCall, flags callFlags) (err error) {
	session := moothall.SessionID(flags.session)
	if session == "" {
		session = moothall.SessionID(moothall.NewID())
	}
	scope, query := moothall.Scope{Session: session}, moothall.QueryID(moothall.NewID())
	if flags.override != "" {
		if _, err := b.Override(ctx, scope, moothall.Overrides{Level: flags.override, Once: true, Query: query}); err != nil {
			return err
		}
	}
	words := string(call.Arguments) // what the person typed is the call itself
	if flags.dry {
		words = "" // what is only asked about must not be the person's own for the rest of the session
	}
	agent, err := b.Spawn(ctx, moothall.SpawnRequest{
		Scope: scope, Type: moothall.AgentType(flags.as), Query: query, Words: words, Unattended: !terminal(a.in), Aside: true,
	})
	if err != nil {
		return misnamed(err)
	}
	defer func() { err = errors.Join(err, b.Finish(context.WithoutCancel(ctx), scope, agent.Handle)) }()
	r := moothall.CallRequest{Scope: scope, Agent: agent.Handle, Call: call}
	out := called{Tool: call.Name, As: agent.Type, DryRun: flags.dry}
	if flags.dry {
		d, err := b.Validate(ctx, r)
		if err != nil {
			return err
		}
		out.decided(d)
	} else if err := a.execute(ctx, b, r, &out); err != nil {
		return err
	}
	return a.printCalled(out, flags.asJSON)
}

func (c *called) decided(d moothall.Decision) {
	c.Decision, c.Layer, c.Rule, c.Reason, c.Allows = d.Verdict, d.Layer, d.Rule, d.Reason, d.Allows
}

// execute makes the call, asking the person where the broker asks.
func (a *app) execute(ctx context.Context, b moothall.Broker, r moothall.CallRequest, out *called) error {
	for p, err := range b.Execute(ctx, r) {
		if err != nil {
			return err
		}
		if p.Asked != nil {
			if err := a.answer(ctx, b, *p.Asked, a.lineOf); err != nil {
				return err
			}
		}
		if p.Result == nil {
			continue
		}
		out.decided(p.Result.Decision)
		out.Tool, out.Status, out.Result, out.Data = p.Result.Name, p.Result.Status, p.Result.Text, p.Result.Data
		out.Labels, out.Score, out.Cut, out.Millis = p.Result.Labels.String(), p.Result.Score, p.Result.Cut, p.Result.Took.Milliseconds()
	}
	return nil
}

// printCalled shows a call and turns a denial into the command's failure.
func (a *app) printCalled(c called, asJSON bool) error {
	if asJSON {
		if err := a.printJSON(c); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.out, "%s: layer %s, rule %s\n%s\n", c.Decision, c.Layer, c.Rule, c.Reason)
		if c.Allows != "" {
			fmt.Fprintf(a.out, "to allow it: %s\n", c.Allows)
		}
		if c.Status != "" && c.Status != moothall.CallDenied {
			fmt.Fprintf(a.out, "\n%s\n", c.Result)
		}
		if c.Labels != "" {
			fmt.Fprintf(a.errs, "labels: %s, injection score %.2f\n", c.Labels, c.Score)
		}
	}
	switch {
	case c.Decision == moothall.Deny || c.Status == moothall.CallDenied:
		return errRefused
	case c.Status == moothall.CallFailed, c.Status == moothall.CallUnavailable, c.Status == moothall.CallUnknown:
		return errSaid
	}
	return nil
}

// errRefused ends a command with code 3; what was refused is shown already.
var errRefused = fmt.Errorf("%w%w", errSaid, moothall.Fail(moothall.CodeDenied, "call", "refused"))

func newToolsScan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "scan",
		Short: "Show what the firewall finds in text from outside",
		Long: "Reads JSON lines from standard input and writes one for each, in order:\n" +
			`  in   {"id", "text"}` + "\n" +
			`  out  {"id", "score", "findings": [{"rule", "where", "text"}]}` + "\n" +
			"Harmless text has no findings. The score never decides anything: the policy does.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return daemon.ScanLines(a.input(cmd.Context()), a.out) },
	}
}
