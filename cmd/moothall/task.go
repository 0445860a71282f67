package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newTask(a *app) *cobra.Command {
	var flags askFlags
	var asJSON, receipt, detach bool
	cmd := &cobra.Command{
		Use:   "task GOAL...",
		Short: "Have a larger piece of work planned, divided among agents and done",
		Long: "Have a larger piece of work planned, divided among agents and done. The plan is shown, and what becomes\n" +
			"of each part of it. Ctrl-C stops the task; with --detach it goes on by itself in a hall that is up.\n" +
			"With --json the task comes at the end as one object (moothall config schema task).",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return usageError{errors.New(`do what? moothall task "your goal"`)}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r := moothall.QueryRequest{Query: strings.Join(args, " "), Mode: moothall.ModeTask, Detach: detach}
			if asJSON {
				return a.taskJSON(cmd.Context(), r, flags)
			}
			return a.ask(cmd.Context(), r, flags, false, receipt)
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the task as JSON when it is over")
	cmd.Flags().BoolVar(&detach, "detach", false, "do not wait for it; moothall tasks shows how it goes")
	cmd.Flags().BoolVar(&receipt, "receipt", false, "end with what it took, also where nobody watches")
	return cmd
}

// taskJSON does a task and prints it, whatever became of it.
func (a *app) taskJSON(ctx context.Context, r moothall.QueryRequest, flags askFlags) error {
	return a.asked(ctx, "task", r, flags, true, func(client moothall.Client, show *shower, answer moothall.Answer) error {
		t, err := oneTask(ctx, client, answer.Task)
		if err != nil {
			return errors.Join(answerError(answer), err)
		}
		if err := a.printJSON(t); err != nil {
			return err
		}
		return errors.Join(answerError(answer), show.unaskedError())
	})
}

// detachable refuses to leave a task to a hall that ends with this command.
func detachable(c moothall.Client, r moothall.QueryRequest) error {
	if !r.Detach || !daemon.Lone(c) {
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: "task", Message: "no hall is up that could go on with it",
		Remedy: "start one with: moothall up; or leave --detach out and wait for the task",
	}
}

func newTasks(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tasks",
		Short: "Look at tasks and steer them",
		Args:  noArgs,
		RunE: a.withClient("tasks", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			return a.listTasks(cmd.Context(), c, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	alsoList(cmd, "List tasks, newest first")
	cmd.AddCommand(newTasksShow(a), newTasksSteer(a))
	for action, about := range map[string]string{
		"pause": "Let a task wait after the rounds that run", "resume": "Let a paused task go on", "stop": "End a task; what is done stays",
		"approve": "Say yes to a plan that waits for it",
	} {
		cmd.AddCommand(newTasksControl(a, action, about))
	}
	for action, about := range map[string]string{
		"retry": "After a crash: do the part again whose outcome nobody knows", "accept": "After a crash: take it as done", "skip": "After a crash: leave it out",
	} {
		cmd.AddCommand(newTasksAnswer(a, action, about))
	}
	return cmd
}

func (a *app) listTasks(ctx context.Context, c moothall.Client, asJSON bool) error {
	list, err := c.Tasks(ctx, "")
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(append([]moothall.Task{}, list...))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, `No tasks yet. Begin one with: moothall task "your goal"`)
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, t := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.ID, t.Updated.Local().Format("2006-01-02 15:04"), t.State, shortened(t.Goal, 60))
	}
	return w.Flush()
}

// oneTask is the task with an id. Without one the hall would give all of them.
func oneTask(ctx context.Context, c moothall.Client, id moothall.TaskID) (moothall.Task, error) {
	var list []moothall.Task
	var err error
	if id != "" {
		list, err = c.Tasks(ctx, id)
	}
	if err == nil && len(list) == 0 {
		err = &moothall.Error{Code: moothall.CodeNotFound, Op: "task", Message: "there is no task " + string(id), Remedy: "moothall tasks lists those that there are"}
	}
	if err != nil {
		return moothall.Task{}, err
	}
	return list[0], nil
}

func shortened(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

func newTasksShow(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a task, its plan and what came of it",
		Args:  exactly(1),
		RunE: a.withClient("tasks", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			t, err := oneTask(cmd.Context(), c, moothall.TaskID(args[0]))
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(t)
			}
			return printTask(a.out, t, a.color(a.out))
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func newTasksSteer(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "steer ID WORDS...",
		Short: "Say something to the agents of a task, from their next round on",
		Args:  atLeast(2),
		RunE: a.withClient("tasks", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			return a.control(cmd.Context(), c, moothall.TaskControl{ID: moothall.TaskID(args[0]), Action: "steer", Words: strings.Join(args[1:], " ")})
		}),
	}
}

func newTasksControl(a *app, action, about string) *cobra.Command {
	return &cobra.Command{
		Use: action + " ID", Short: about, Args: exactly(1),
		RunE: a.withClient("tasks", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			return a.control(cmd.Context(), c, moothall.TaskControl{ID: moothall.TaskID(args[0]), Action: action})
		}),
	}
}

func newTasksAnswer(a *app, action, about string) *cobra.Command {
	return &cobra.Command{
		Use: action + " ID [SUBTASK]", Short: about, Args: between(1, 2),
		RunE: a.withClient("tasks", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			return a.control(cmd.Context(), c, moothall.TaskControl{ID: moothall.TaskID(args[0]), Action: action, Words: strings.Join(args[1:], "")})
		}),
	}
}

func (a *app) control(ctx context.Context, c moothall.Client, t moothall.TaskControl) error {
	got, err := c.ControlTask(ctx, t)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "Task %s is %s.\n", got.ID, got.State)
	return nil
}

// taskPlan is what is shown of a task's plan.
type taskPlan struct {
	Subtasks []struct {
		ID        string   `json:"id"`
		Type      string   `json:"agent_type"`
		Task      string   `json:"task"`
		DependsOn []string `json:"depends_on"`
		State     string   `json:"state"`
		Question  string   `json:"question"`
		Report    *struct {
			Status  string  `json:"status"`
			Summary string  `json:"summary"`
			Quality string  `json:"result_quality"`
			Reason  *string `json:"failure_reason"`
		} `json:"report"`
	} `json:"subtasks"`
	Tokens struct{ Used, Budget int } `json:"tokens"`
}

// marks are the signs of a subtask's states.
var marks = map[string]string{"done": "✓", "failed": "✗", "cancelled": "–", "running": "▸", "unknown_after_crash": "?"}

// printTask shows a whole task.
func printTask(w io.Writer, t moothall.Task, color bool) error {
	fmt.Fprintf(w, "%s  %s\n%s\n", t.ID, t.State, t.Goal)
	if err := printPlan(w, t, color); err != nil {
		return err
	}
	var result struct {
		Answer string `json:"answer"`
	}
	if len(t.Result) > 0 && json.Unmarshal(t.Result, &result) == nil && result.Answer != "" {
		fmt.Fprintf(w, "\n%s\n", result.Answer)
	}
	return nil
}

// printPlan shows a task's subtasks, one a line, and what they report.
func printPlan(w io.Writer, t moothall.Task, color bool) error {
	var p taskPlan
	if len(t.Plan) == 0 {
		return nil
	}
	if err := json.Unmarshal(t.Plan, &p); err != nil {
		return &moothall.Error{Code: moothall.CodeCorrupt, Op: "show task", Message: "its plan cannot be read", Err: err}
	}
	for _, s := range p.Subtasks {
		mark := marks[s.State]
		if mark == "" {
			mark = "·"
		}
		after := ""
		if len(s.DependsOn) > 0 {
			after = " after " + strings.Join(s.DependsOn, ", ")
		}
		fmt.Fprintf(w, "%s %s ", mark, s.ID)
		faint(w, color, fmt.Sprintf("(%s%s, %s)", s.Type, after, s.State))
		fmt.Fprintf(w, " %s\n", shortened(s.Task, 90))
		if s.Question != "" {
			fmt.Fprintf(w, "    %s\n", s.Question)
		}
		if r := s.Report; r != nil {
			fmt.Fprint(w, "    ")
			faint(w, color, fmt.Sprintf("%s, %s:", r.Status, r.Quality))
			fmt.Fprintf(w, " %s\n", r.Summary)
			if r.Reason != nil && *r.Reason != "" {
				fmt.Fprintf(w, "    %s\n", *r.Reason)
			}
		}
	}
	return nil
}
