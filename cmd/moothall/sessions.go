package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall"
)

func newSessions(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "sessions", Short: "List conversations; show, rename, export or delete one", Args: noArgs,
		RunE: a.withClient("sessions", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			list, err := c.Sessions(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(append([]moothall.Session{}, list...))
			}
			a.printSessions(list)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	alsoList(cmd, "List conversations")
	cmd.AddCommand(newSessionShow(a), newSessionRename(a), newSessionDelete(a))
	return cmd
}

// withClient is a command that needs the hall.
func (a *app) withClient(what string, f func(*cobra.Command, moothall.Client, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		client, err := a.connect(cmd.Context(), what)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.leave(client)) }()
		return f(cmd, client, args)
	}
}

// goOn refuses to go on with a conversation that is not there: a slip of the
// pen would begin a new one, without the history and the labels of the one that
// was meant. Without an id there is nothing to go on with.
func goOn(ctx context.Context, c moothall.Client, id moothall.SessionID) error {
	if id == "" {
		return nil
	}
	_, err := c.Session(ctx, id)
	return misnamed(err)
}

func (a *app) printSessions(list []moothall.Session) {
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No conversations yet. Begin one with: moothall chat")
		return
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, s := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.ID, s.Updated.Local().Format("2006-01-02 15:04"), counted(s.Turns, "turn"), s.State, oneLine(s.Title))
	}
	w.Flush()
}

func newSessionShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Print a conversation as the model sees it, as JSON; this is also its export", Args: exactly(1),
		RunE: a.withClient("sessions", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			d, err := c.Session(cmd.Context(), moothall.SessionID(args[0]))
			if err != nil {
				return err
			}
			for _, turn := range d.Asked {
				for i := range turn.Answers {
					turn.Answers[i] = whole(turn.Answers[i])
				}
			}
			return a.printJSON(d)
		}),
	}
}

func newSessionRename(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "rename ID TITLE", Short: "Give a conversation a name", Args: exactly(2),
		RunE: a.withClient("sessions", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			if strings.TrimSpace(args[1]) == "" {
				return usageError{errors.New("the name is empty, and the conversation keeps the one it has")}
			}
			return c.ChangeSession(cmd.Context(), moothall.SessionChange{ID: moothall.SessionID(args[0]), Title: args[1]})
		}),
	}
}

func newSessionDelete(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Delete a conversation and everything in it", Args: exactly(1),
		RunE: a.withClient("sessions", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			return c.ChangeSession(cmd.Context(), moothall.SessionChange{ID: moothall.SessionID(args[0]), Delete: true})
		}),
	}
}
