package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moothall"
)

// offers is what of the settings of the participant "tools" these commands
// use.
type offers struct {
	Pending []offer `json:"pending"`
	Servers []struct {
		Name      string `json:"name"`
		Connected bool   `json:"connected"`
		Error     string `json:"error"`
	} `json:"servers"`
}

// offer is one tool that waits.
type offer struct {
	Name        moothall.ToolName `json:"name"`
	Owner       string            `json:"owner"`
	Description string            `json:"description"`
	Parameters  json.RawMessage   `json:"parameters"`
	Hash        string            `json:"hash"`
	Standing    string            `json:"standing"`
	Reason      string            `json:"reason"`
}

// String is all that models would read of the tool: whoever approves it has to
// have seen it. No line of its owner's begins where ours do.
func (o offer) String() string {
	text := fmt.Sprintf("%s (%s, %s)\n%s", o.Name, o.Owner, o.Reason, o.Description)
	if len(o.Parameters) > 0 {
		text += "\narguments: " + string(o.Parameters)
	}
	return strings.ReplaceAll(text, "\n", "\n  ")
}

// foreignTools is the participant that tells of tools of others.
func foreignTools(cmd *cobra.Command, c moothall.Client) (offers, json.RawMessage, error) {
	var o offers
	all, err := c.Participants(cmd.Context())
	if err != nil {
		return o, nil, err
	}
	i := slices.IndexFunc(all, func(p moothall.Participant) bool { return p.Name == "tools" })
	if i < 0 {
		return o, nil, moothall.Fail(moothall.CodeNotConfigured, "tools", "the broker runs elsewhere")
	}
	return o, all[i].Settings, json.Unmarshal(all[i].Settings, &o)
}

func newToolsPending(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "pending", Short: "List the tools of MCP servers and bus processes that wait for your approval", Args: noArgs,
		RunE: a.withClient("tools", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			o, raw, err := foreignTools(cmd, c)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(raw)
			}
			for _, s := range o.Servers {
				if !s.Connected {
					fmt.Fprintf(a.errs, "server %s is not connected: %s\n", s.Name, s.Error)
				}
			}
			if len(o.Pending) == 0 {
				fmt.Fprintln(a.out, "No tool waits for your approval.")
			}
			for _, p := range o.Pending {
				fmt.Fprintln(a.out, p)
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

func newToolsApprove(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "approve NAME...", Short: "Let agents use a tool as its owner describes it now", Args: atLeast(1),
		Long: "Let agents use a tool of an MCP server or a bus process as its owner describes it now. When\n" +
			"the description changes it has to be approved again. Which agents may use it is said in\n" +
			"manifest.yaml.",
		RunE: a.withClient("tools", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			o, _, err := foreignTools(cmd, c)
			if err != nil {
				return err
			}
			type wish struct {
				Name moothall.ToolName `json:"name"`
				Hash string            `json:"hash"`
			}
			var wishes []wish
			for _, name := range args {
				w := wish{Name: moothall.ToolName(name)}
				for _, p := range o.Pending {
					if p.Name == w.Name {
						w.Hash = p.Hash
					}
				}
				wishes = append(wishes, w)
			}
			body, err := json.Marshal(map[string]any{"approve": wishes})
			if err != nil {
				return err
			}
			if _, err := c.Configure(cmd.Context(), "tools", body); err != nil {
				return err
			}
			for _, name := range args {
				fmt.Fprintf(a.out, "%s can be used.\n", name)
			}
			return nil
		}),
	}
}
