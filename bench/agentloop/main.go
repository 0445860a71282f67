package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "agentloop:", err)
		stop()
		os.Exit(1)
	}
}

// run is the whole program: the parent compares; a child is the script or a
// contestant.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("agentloop", flag.ContinueOnError)
	var o options
	flags.IntVar(&o.rounds, "rounds", 15, "how many rounds count")
	flags.IntVar(&o.warm, "warm", 2, "how many rounds go before, uncounted")
	flags.IntVar(&o.runs, "runs", 10, "runs in a turn")
	flags.StringVar(&o.node, "node", "node", "folder of the Node contestants; empty leaves them out")
	path := flags.String("out", "", "write the table to this file as well")
	role := flags.String("child", "", "be the script or a contestant; for the program itself")
	url := flags.String("url", "", "address of the script, with -child")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch *role {
	case "":
	case "script":
		return serve(in, out)
	default:
		return contest(*role, *url, in, out)
	}
	if o.rounds < 1 || o.warm < 0 || o.runs < 1 {
		return errors.New("-rounds and -runs must be at least 1, -warm at least 0")
	}
	text, err := compare(ctx, o)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, text); err != nil || *path == "" {
		return err
	}
	return os.WriteFile(*path, []byte(text), 0o644)
}
