package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moothall/internal/daemon"
)

func newUp(a *app) *cobra.Command {
	var port int
	var headless, shadow bool
	var model, modelB string
	var warmth float64
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the hall and keep it running",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("port") {
				a.set["front.port"] = strconv.Itoa(port)
			}
			if headless {
				a.set["front.headless"] = "true"
			}
			if model != "" {
				a.set["chat.model"] = model
			}
			if shadow || cmd.Flags().Changed("model-b") || cmd.Flags().Changed("temperature-b") {
				a.set["chat.respondent_b.enabled"] = "true"
			}
			if cmd.Flags().Changed("model-b") {
				a.set["chat.respondent_b.model"] = modelB
			}
			if cmd.Flags().Changed("temperature-b") {
				a.set["chat.respondent_b.temperature"] = strconv.FormatFloat(warmth, 'g', -1, 64)
			}
			return a.up(cmd.Context())
		},
	}
	cmd.Flags().IntVar(&port, "port", 8765, "serve the page and the API on port `N`; 0 takes a free one")
	cmd.Flags().BoolVar(&headless, "headless", false, "serve only the API, without the page")
	cmd.Flags().StringVar(&model, "model", "", "answer with this `MODEL` instead of the one for chat")
	cmd.Flags().BoolVar(&shadow, "respondent-b", false, "let a second respondent answer each question unseen, for comparison")
	cmd.Flags().StringVar(&modelB, "model-b", "", "its `MODEL`; the one for chat when empty")
	cmd.Flags().Float64Var(&warmth, "temperature-b", 0, "its temperature; the model's own when absent")
	return cmd
}

// up starts the hall, says where to look, and waits.
func (a *app) up(ctx context.Context) error {
	defer unheard()()
	home, loaded, err := a.load()
	if err != nil {
		return err
	}
	hall, err := daemon.Open(ctx, daemon.Options{Home: home, Config: loaded.Config, Logger: a.logger(loaded.Config)})
	if err != nil {
		return err
	}
	if err := hall.Serve(ctx); err != nil {
		return errors.Join(err, hall.Shutdown())
	}
	a.greet(ctx, hall, loaded.Config)
	err = hall.Wait(ctx)
	if ctx.Err() != nil {
		fmt.Fprintln(a.errs, "moothall: stopping; again to stop at once")
	}
	return errors.Join(err, hall.Shutdown())
}

// greet says where to look.
func (a *app) greet(ctx context.Context, hall *daemon.Hall, c daemon.Config) {
	fmt.Fprintf(a.out, "Moothall %s is up.\n", daemon.Version())
	if c.Front.Headless {
		fmt.Fprintf(a.out, "  API      %s/health\n", hall.URL())
	} else {
		fmt.Fprintf(a.out, "  page     %s\n", hall.URL())
	}
	fmt.Fprintf(a.out, "  files    %s\n", hall.Home().Data)
	if !c.Front.Loopback() {
		fmt.Fprintf(a.out, "  token    in %s; every request must carry it\n", hall.Home().Token())
	}
	m := hall.Model(ctx)
	fmt.Fprintf(a.out, "  model    %s\n", strings.Trim(m.Provider+"/"+m.Name, "/"))
	if m.Detail != "" {
		fmt.Fprintf(a.out, "           %s\n", m.Detail)
	}
	fmt.Fprintln(a.out, "Ctrl-C stops it. In another terminal: moothall chat, moothall doctor, moothall audit show --follow.")
}

func newServe(a *app) *cobra.Command {
	return &cobra.Command{
		Use:       "serve SERVICE",
		Short:     "Run one service alone, for a hall in another process",
		Long:      "Run one service in a process of its own. The configuration says where: services.SERVICE.at,\nthe same line with which moothall up finds it.",
		ValidArgs: []string{"audit"},
		Args:      exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.serve(cmd.Context(), args[0])
		},
	}
}

func (a *app) serve(ctx context.Context, service string) error {
	defer unheard()()
	home, loaded, err := a.load()
	if err != nil {
		return err
	}
	one, err := daemon.ServeOne(ctx, daemon.Options{Home: home, Config: loaded.Config, Logger: a.logger(loaded.Config)}, service)
	if err != nil {
		return err
	}
	for _, at := range one.At() {
		fmt.Fprintf(a.out, "Moothall's %s service answers at %s.\n", service, at)
	}
	fmt.Fprintf(a.out, "  files    %s\n", one.Home().Data)
	<-ctx.Done()
	return one.Shutdown()
}
