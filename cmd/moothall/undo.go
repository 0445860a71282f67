package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newUndo(a *app) *cobra.Command {
	var id string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo [FILE]",
		Short: "Take back what an agent did to a file",
		Long: "Without FILE: list what agents changed, newest first; the last two hundred changes are kept.\n" +
			"With FILE: put back what it held before the last change; a file that was not there goes away.\n" +
			"What it holds now is kept, so that undoing once more brings that back. --id goes further back.",
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := a.homeDir()
			if err != nil {
				return err
			}
			list, err := daemon.FileChanges(home)
			if err != nil {
				return err
			}
			if len(args) == 0 && id == "" {
				return a.printChanges(list, asJSON)
			}
			c, err := chosen(list, id, args)
			if err != nil {
				return err
			}
			if err := daemon.UndoFile(home, c); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(c)
			}
			was := "holds again what it held before " + c.When.Local().Format(time.DateTime)
			if c.Made {
				was = "was not there before " + c.When.Local().Format(time.DateTime) + ", and is gone"
			}
			fmt.Fprintf(a.out, "%s %s.\nTo have it back: moothall undo %s\n", c.Path, was, shellWord(c.Path))
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "the change to take back, as the list names it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// shellWord is text as one word of a shell's command line: an agent chose the
// name, and the person copies it.
func shellWord(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+", r)
	}) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// chosen is the change with an id, or the last one of a file: by its path from
// here, or by the end of its path where only one file has that.
func chosen(list []daemon.FileChange, id string, args []string) (daemon.FileChange, error) {
	none := &moothall.Error{Code: moothall.CodeNotFound, Op: "undo", Message: "no such change is kept", Remedy: "moothall undo lists them"}
	if id != "" {
		if i := slices.IndexFunc(list, func(c daemon.FileChange) bool { return c.ID == id && (len(args) == 0 || ends(c.Path, args[0])) }); i >= 0 {
			return list[i], nil
		}
		return daemon.FileChange{}, none
	}
	abs, err := filepath.Abs(args[0])
	if err != nil {
		return daemon.FileChange{}, err
	}
	if i := slices.IndexFunc(list, func(c daemon.FileChange) bool { return c.Path == abs }); i >= 0 {
		return list[i], nil
	}
	i := slices.IndexFunc(list, func(c daemon.FileChange) bool { return ends(c.Path, args[0]) })
	if i < 0 {
		return daemon.FileChange{}, none
	}
	if slices.ContainsFunc(list, func(c daemon.FileChange) bool { return ends(c.Path, args[0]) && c.Path != list[i].Path }) {
		return daemon.FileChange{}, &moothall.Error{Code: moothall.CodeConflict, Op: "undo", Message: "several files end with " + args[0], Remedy: "give the whole path"}
	}
	return list[i], nil
}

// ends reports whether a path ends with whole parts of another.
func ends(path, with string) bool {
	with = filepath.Clean(with)
	return path == with || strings.HasSuffix(path, string(filepath.Separator)+with)
}

func (a *app) printChanges(list []daemon.FileChange, asJSON bool) error {
	if asJSON {
		return a.printJSON(map[string]any{"changes": append([]daemon.FileChange{}, list...)})
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No agent has changed a file yet.")
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WHEN\tFILE\tBEFORE\tID")
	for _, c := range list {
		before := fmt.Sprintf("%d bytes", c.Bytes)
		if c.Made {
			before = "not there"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.When.Local().Format(time.DateTime), oneLine(c.Path), before, c.ID)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.out, "To take the last change of a file back: moothall undo FILE")
	return nil
}
