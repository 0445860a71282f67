package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newModel(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "model", Short: "See, choose, fetch and try models", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newModelList(a), newModelShow(a), newModelUse(a), newModelPull(a), newModelProbe(a), newModelParse(a))
	return cmd
}

// withGateway runs f with the way to models.
func (a *app) withGateway(ctx context.Context, f func(moothall.Gateway) error) (err error) {
	client, err := a.connect(ctx, "model")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.leave(client)) }()
	return f(client.Gateway())
}

func newModelList(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the models that there are, and which does what", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withGateway(cmd.Context(), func(g moothall.Gateway) error {
				cards, bindings, err := g.Models(cmd.Context(), moothall.Scope{})
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(map[string]any{"models": cards, "roles": bindings})
				}
				a.printCards(cards, bindings)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

func (a *app) printCards(cards []moothall.ModelCard, bindings []moothall.ModelBinding) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tPROVIDER\tSIZE\tWINDOW\tTOOLS\tTHINKING\tROLES")
	for _, c := range cards {
		var roles []string
		for _, b := range bindings {
			if b.Provider == c.Provider && b.Model == c.Model {
				roles = append(roles, string(b.Role))
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", c.Model, c.Provider, c.Parameters, c.Window, c.Tools, c.Thinking, strings.Join(roles, ","))
	}
	w.Flush()
	for _, b := range bindings {
		if b.Role == moothall.ModelChat && b.Provider == builtIn {
			about := daemon.BuiltIn(b.Model)
			fmt.Fprintln(a.out, "\n"+strings.ToUpper(about[:1])+about[1:])
			return
		}
	}
}

// nameArg splits "provider/model"; a name without a known provider is a model.
func nameArg(s string) moothall.ModelRequest {
	if provider, model, ok := strings.Cut(s, "/"); ok && !strings.Contains(provider, ".") && !strings.Contains(provider, ":") {
		return moothall.ModelRequest{Provider: provider, Model: model}
	}
	return moothall.ModelRequest{Model: s}
}

func newModelShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show [NAME]", Short: "Print what is known of a model; the one for chat when none is named", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGateway(cmd.Context(), func(g moothall.Gateway) error {
				card, err := g.ShowModel(cmd.Context(), nameArg(strings.Join(args, "")))
				if err != nil {
					return err
				}
				return a.printJSON(card)
			})
		},
	}
}

func newModelUse(a *app) *cobra.Command {
	var role, complexity string
	cmd := &cobra.Command{
		Use: "use PROVIDER/MODEL", Short: "Choose the model of a role, from now on", Args: named,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGateway(cmd.Context(), func(g moothall.Gateway) error {
				card, err := g.ShowModel(cmd.Context(), nameArg(args[0]))
				if err != nil {
					return err
				}
				b := moothall.ModelBinding{Role: moothall.ModelRole(role), Complexity: complexity, Provider: card.Provider, Model: card.Model}
				if err := g.BindModel(cmd.Context(), moothall.Scope{}, b); err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s is now done by %s/%s.\n", role, card.Provider, card.Model)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&role, "role", "chat", "the `ROLE`: chat, orchestrator, coder, researcher, critic, embedder or selector")
	cmd.Flags().StringVar(&complexity, "complexity", "", "only for requests of this `KIND`: simple, reasoning or code")
	return cmd
}

func newModelPull(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "pull NAME", Short: "Fetch a model for the Ollama server", Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGateway(cmd.Context(), func(g moothall.Gateway) error {
				bar := &progressBar{a: a, show: terminal(a.errs)}
				for p, err := range g.PullModel(cmd.Context(), nameArg(args[0])) {
					if err != nil {
						bar.end()
						return err
					}
					bar.report(p)
				}
				bar.end()
				fmt.Fprintf(a.out, "%s is there.\n", args[0])
				return nil
			})
		},
	}
}

// progressBar shows long work: a bar on a terminal, a line a step elsewhere.
type progressBar struct {
	a    *app
	show bool
	step string
	drew bool
}

func (b *progressBar) report(p moothall.Progress) {
	if !b.show {
		if p.Step != b.step {
			fmt.Fprintln(b.a.errs, p.Step)
		}
		b.step = p.Step
		return
	}
	const width = 30
	filled, percent := 0, ""
	if p.Total > 0 {
		filled = int(width * p.Done / p.Total)
		percent = fmt.Sprintf(" %3d %%", 100*p.Done/p.Total)
	}
	fmt.Fprint(bare(b.a.errs), erase)
	fmt.Fprintf(b.a.errs, "[%s%s]%s %s", strings.Repeat("=", filled), strings.Repeat(" ", width-filled), percent, p.Step)
	b.drew = true
}

func (b *progressBar) end() {
	if b.drew {
		fmt.Fprintln(b.a.errs)
	}
}

func newModelProbe(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "probe [NAME]", Short: "Try out what a model can do, and keep the result on its card", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withGateway(cmd.Context(), func(g moothall.Gateway) error {
				card, err := g.ProbeModel(cmd.Context(), nameArg(strings.Join(args, "")))
				if err != nil {
					return err
				}
				return a.printJSON(card)
			})
		},
	}
}

func newModelParse(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "parse",
		Short: "Show how the hall reads a model's raw output",
		Long: "Reads JSON lines from standard input and writes one for each, in order:\n" +
			`  in   {"id", "text", "tools": ["name", …] or full specs, "family"?, "thinking_prefilled"?}` + "\n" +
			`  out  {"id", "calls": [{"name", "arguments"}], "content", "thinking", "layer"}`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return daemon.ParseLines(a.input(cmd.Context()), a.out) },
	}
}
