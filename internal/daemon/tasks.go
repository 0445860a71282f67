package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/orchestrator"
	"moothall/internal/policy"
)

// TasksConfig says how large tasks are worked on.
type TasksConfig struct {
	Parallel      int    `yaml:"parallel" doc:"How many subtasks of one task run at the same time; 1 suits one local model server." min:"1" max:"64"`
	ApprovePlan   string `yaml:"approve_plan" doc:"Whether a plan waits for your yes." enum:"off,ask"`
	Replans       int    `yaml:"replans" doc:"How often the rest is planned anew when something fails; -1 is never." min:"-1" max:"10"`
	Rounds        int    `yaml:"rounds" doc:"Model calls of one subtask." min:"1" max:"200"`
	Minutes       int    `yaml:"minutes" doc:"Time of one subtask." min:"1" max:"1440"`
	TaskTokens    int    `yaml:"task_tokens" doc:"Tokens of one task, shared out among its subtasks; -1 is no limit." min:"-1"`
	SessionTokens int    `yaml:"session_tokens" doc:"Tokens of all tasks of one conversation; -1 is no limit." min:"-1"`
	Verify        string `yaml:"verify" doc:"Whether another agent looks at uncertain results." enum:"once,never"`
}

func defaultTasks() TasksConfig {
	return TasksConfig{
		Parallel: 1, ApprovePlan: orchestrator.ApproveOff, Replans: 2, Rounds: 20, Minutes: 30, TaskTokens: 400_000, SessionTokens: -1,
		Verify: orchestrator.VerifyOnce,
	}
}

// openTasks starts who plans and hands out work.
func (h *Hall) openTasks(ctx context.Context) (func(context.Context) error, error) {
	o, err := h.taskOptions()
	if err != nil {
		return nil, err
	}
	if h.tasks, err = orchestrator.Open(o); err != nil {
		return nil, err
	}
	err = h.join(ctx, "orchestrator", adjustable("how large tasks are planned and worked on", orchestrator.Schema(), h.tasks.Settings, h.tasks.Set))
	if err == nil {
		err = h.tasks.Recover(ctx)
	}
	if err != nil {
		h.tasks.Close()
		return nil, err
	}
	return nothingToStop, nil // Hall.Close begins with it
}

func (h *Hall) taskOptions() (orchestrator.Options, error) {
	p, c := h.peer(moothall.Orchestrator), h.conf.Tasks
	o := orchestrator.Options{
		DB: h.db, Tell: h.publisher(moothall.Orchestrator), Logger: h.log,
		Settings: orchestrator.Settings{
			Parallel: c.Parallel, ApprovePlan: c.ApprovePlan, Replans: c.Replans, Rounds: c.Rounds, Minutes: c.Minutes,
			TaskTokens: c.TaskTokens, SessionTokens: c.SessionTokens, Verify: c.Verify,
		},
	}
	var err error
	if o.Model, err = p.Gateway(); err != nil {
		return o, err
	}
	if o.Broker, err = p.Broker(); err != nil {
		return o, err
	}
	if o.Audit, err = p.Audit(); err != nil {
		return o, err
	}
	if o.Memory, err = p.Memory(); err != nil {
		return o, err
	}
	o.Check = orchestrator.CommandCheck(o.Broker)
	manifest, err := loadManifest(h.home, h.folders())
	o.Files = artifacts(manifest)
	return o, err
}

// artifacts says whether a file that an agent claims to have made is there: in
// a folder that some agent may write to, reached without leaving it.
func artifacts(m policy.Manifest) func(path string) (int64, bool, error) {
	var roots []string
	for _, t := range m.Types {
		for _, dir := range t.Paths[policy.WritePaths] {
			if !slices.Contains(roots, filepath.Clean(dir)) {
				roots = append(roots, filepath.Clean(dir))
			}
		}
	}
	return func(path string) (int64, bool, error) {
		for _, dir := range roots {
			rel, err := filepath.Rel(dir, path)
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			size, err := sizeIn(dir, rel)
			return size, true, err
		}
		return 0, false, nil
	}
}

func sizeIn(dir, name string) (size int64, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	info, err := root.Stat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, moothall.Fail(moothall.CodeInvalid, "artifact", "it is no file")
	}
	return info.Size(), nil
}

// task answers a question by working on it as a task.
func (h *Hall) task(ctx context.Context, a chat.Asked, say func(moothall.Step)) chat.Outcome {
	goal := orchestrator.Goal{
		Session: a.Session, Query: a.Query, Text: a.Input.Content, Words: a.Request.Query, Labels: a.Labels, Unattended: a.Request.Unattended, Model: a.Request.Model,
		History: a.History, Override: a.Request.Override,
	}
	if a.Request.Detach {
		return h.detached(ctx, goal, say)
	}
	var id moothall.TaskID
	got, err := h.tasks.Do(ctx, goal, func(s moothall.Step) {
		if s.Task != nil {
			id = s.Task.ID
		}
		say(s)
	})
	if err != nil {
		out := chat.Failed(err)
		out.Task, out.Ongoing = id, id != "" // it can be found
		return out
	}
	out := chat.Outcome{ByRole: got.ByRole, Task: got.Task.ID}
	out.Answer, out.Thinking, out.Calls, out.Labels, out.Sent = got.Answer, got.Thinking, got.Calls, got.Labels, got.Sent
	out.Usage, out.Stop, out.Flags, out.Err = got.Usage, got.Stop, got.Flags, got.Err
	return out
}

// detached begins a task and answers that it has begun.
func (h *Hall) detached(ctx context.Context, g orchestrator.Goal, say func(moothall.Step)) chat.Outcome {
	t, err := h.tasks.Start(ctx, g)
	if err != nil {
		return chat.Failed(err)
	}
	say(moothall.Step{Kind: "task", Text: t.State, Task: &t})
	out := chat.Outcome{Task: t.ID, Ongoing: true}
	out.Answer, out.Stop = "Task "+string(t.ID)+" has begun.", moothall.StopDone
	return out
}

// Tasks lists tasks, or the one named.
func (f *front) Tasks(ctx context.Context, id moothall.TaskID) ([]moothall.Task, error) {
	return f.hall.tasks.Tasks(ctx, id)
}

// ControlTask steers one.
func (f *front) ControlTask(ctx context.Context, c moothall.TaskControl) (moothall.Task, error) {
	return f.hall.tasks.Control(ctx, c)
}

// TaskSchema is the JSON schema of a task with its plan and its result.
func TaskSchema() []byte { return orchestrator.OutputSchema() }
