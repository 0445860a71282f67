package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sqlite:", err)
		os.Exit(1)
	}
}

// run is the whole program: the parent compares, a child measures one driver
// or takes part in the contest for a lock.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sqlite", flag.ContinueOnError)
	driver := flags.String("driver", "", "measure this driver alone and print JSON")
	contend := flags.String("contend", "", "add to the counter in this file, with -driver")
	rounds := flags.Int("rounds", 3, "how often each driver has its turn")
	dir := flags.String("dir", "", "folder for the files; a temporary one by default")
	small := flags.Bool("small", false, "a hundredth of the rows, to see that it works")
	if err := flags.Parse(args); err != nil {
		return err
	}
	home, err := os.MkdirTemp(*dir, "sqlite")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	scale := full
	if *small {
		scale = hundredth
	}
	switch {
	case *contend != "":
		return addTurns(drivers[*driver], *contend)
	case *driver != "":
		got, err := measure(drivers[*driver], home, scale)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(got)
	}
	return compare(out, home, *rounds, *small)
}

// compare lets the drivers take turns and prints the table.
func compare(out io.Writer, home string, rounds int, small bool) error {
	all := map[string][]figures{}
	for round := range rounds {
		for _, name := range turn(round) {
			got, err := measureApart(name, home, small)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			all[name] = append(all[name], got)
		}
	}
	programs, err := measurePrograms(home)
	if err != nil {
		return err
	}
	for name := range drivers {
		all[name] = append(all[name], programs[name])
	}
	printTable(out, median(all["modernc"]), median(all["ncruces"]))
	return contest(out, home)
}

// turn alternates who goes first.
func turn(round int) []string {
	if round%2 == 0 {
		return []string{"modernc", "ncruces"}
	}
	return []string{"ncruces", "modernc"}
}

// measureApart measures one driver in a process of its own, so that its
// memory is its own.
func measureApart(name, home string, small bool) (figures, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(exe, "-driver", name, "-dir", home, fmt.Sprintf("-small=%t", small))
	cmd.Stderr = os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var got figures
	return got, json.Unmarshal(raw, &got)
}

// contest lets two processes at a time write one file, also one of each
// driver, and says how many of their turns are in the file.
func contest(out io.Writer, home string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	for _, pair := range [][2]string{{"modernc", "modernc"}, {"ncruces", "ncruces"}, {"modernc", "ncruces"}} {
		path := filepath.Join(home, pair[0]+pair[1]+".db")
		if err := newCounter(path); err != nil {
			return err
		}
		var cmds []*exec.Cmd
		for _, name := range pair {
			cmd := exec.Command(exe, "-driver", name, "-contend", path)
			cmd.Stderr = os.Stderr
			if err := cmd.Start(); err != nil {
				return err
			}
			cmds = append(cmds, cmd)
		}
		for _, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				return fmt.Errorf("contest of %v: %w", pair, err)
			}
		}
		n, err := counter(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "two processes, %s and %s: %d of %d turns kept\n", pair[0], pair[1], n, 2*turns)
	}
	return nil
}
