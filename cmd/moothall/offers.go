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
	Pending []offer                                    `json:"pending"`
	Users   map[moothall.ToolName][]moothall.AgentType `json:"users"`
	Servers []struct {
		Name      string `json:"name"`
		Connected bool   `json:"connected"`
		Error     string `json:"error"`
	} `json:"servers"`
}

// usable says who may use a tool that was approved. Which agents those are is
// the person's to say as well, and not having said it looks like a tool that
// does not work.
func (o offers) usable(name moothall.ToolName) string {
	kinds := o.Users[name]
	if len(kinds) == 0 {
		return fmt.Sprintf("%s can be used, but no type of agent has it yet. Add it to the allowed_tools of one in manifest.yaml (generator is who\n"+
			"answers in the chat; \"moothall config manifest\" prints the rows in force) and start the hall again.", name)
	}
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = string(k)
	}
	return fmt.Sprintf("%s can be used by: %s.", name, strings.Join(list, ", "))
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
			"manifest.yaml; \"moothall config manifest\" prints what is in force.",
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
			for _, w := range wishes {
				fmt.Fprintln(a.out, o.usable(w.Name))
			}
			return nil
		}),
	}
}
