package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall"
)

func newParticipants(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "participants", Short: "List the parts of the hall; show or change their settings", Args: noArgs,
		RunE: a.withClient("participants", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			list, err := c.Participants(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(append([]moothall.Participant{}, list...))
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, p := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Name, p.State, clipped(p.Settings, 60), p.About)
			}
			return w.Flush()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	alsoList(cmd, "List the parts of the hall")
	cmd.AddCommand(newParticipantShow(a), newParticipantSet(a))
	return cmd
}

// clipped is JSON on one line that is not too long for a list.
func clipped(raw json.RawMessage, most int) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	if runes := []rune(b.String()); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return b.String()
}

func findParticipant(cmd *cobra.Command, c moothall.Client, name string) (moothall.Participant, error) {
	list, err := c.Participants(cmd.Context())
	if err != nil {
		return moothall.Participant{}, err
	}
	var found moothall.Participant
	for _, p := range list {
		if p.Name == name && (found.Name == "" || len(p.Settings) > 0) {
			found = p
		}
	}
	if found.Name == "" {
		return found, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "participant", Message: "there is no participant " + name, Remedy: "moothall participants lists them",
		}
	}
	return found, nil
}

func newParticipantShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Print a participant with its settings and their schema, as JSON", Args: exactly(1),
		RunE: a.withClient("participants", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			p, err := findParticipant(cmd, c, args[0])
			if err != nil {
				return err
			}
			return a.printJSON(p)
		}),
	}
}

func newParticipantSet(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME JSON|KEY=VALUE...",
		Short: "Change a participant's settings, from now on",
		Long: "Change a participant's settings, from now on; what is not named stays as it is. Give them as a JSON\n" +
			"object or by name, with dots for what lies inside, as in: moothall participants set respondent_b enabled=true temperature=0.7\n" +
			"null takes away what may be missing, as in: moothall participants set critic rubrics.chat=null",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError{fmt.Errorf("usage: %s", cmd.UseLine())}
			}
			return nil
		},
		RunE: a.withClient("participants", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			p, err := findParticipant(cmd, c, args[0])
			if err != nil {
				return err
			}
			settings, err := newSettings(p, args[1:])
			if err != nil {
				return err
			}
			p, err = c.Configure(cmd.Context(), p.Name, settings)
			if err != nil {
				return err
			}
			return a.printJSON(p.Settings)
		}),
	}
}

// newSettings reads what follows the name: only what is to change, the hall
// keeps the rest.
func newSettings(p moothall.Participant, args []string) (json.RawMessage, error) {
	if strings.HasPrefix(strings.TrimSpace(args[0]), "{") {
		if len(args) > 1 || !json.Valid([]byte(args[0])) {
			return nil, usageError{errors.New("settings are one JSON object, or KEY=VALUE several times")}
		}
		return json.RawMessage(args[0]), nil
	}
	settings := map[string]any{}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok || key == "" {
			return nil, usageError{fmt.Errorf("%q is not KEY=VALUE", arg)}
		}
		path := strings.Split(key, ".")
		put(settings, path, settingValue(p.Schema, path, value))
	}
	return json.Marshal(settings)
}

// put sets a value inside of maps, which it makes where they are missing.
func put(at map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		inner, ok := at[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			at[key] = inner
		}
		at = inner
	}
	at[path[len(path)-1]] = value
}

// settingValue takes a value for JSON where it is some, unless the schema
// says that the setting is text.
func settingValue(schema json.RawMessage, path []string, text string) any {
	var v any
	if isText(schema, path) || json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return json.RawMessage(text)
}

func isText(schema json.RawMessage, path []string) bool {
	for _, key := range path {
		var s struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if json.Unmarshal(schema, &s) != nil {
			return false
		}
		schema = s.Properties[key]
	}
	var s struct {
		Type any `json:"type"`
	}
	return json.Unmarshal(schema, &s) == nil && s.Type == "string"
}
