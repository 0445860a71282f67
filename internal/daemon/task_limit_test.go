package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
	"moothall/internal/policy"
)

// TestTaskLimits: whatever is exceeded, the subtask ends with a report that
// says so, and the task with it.
func TestTaskLimits(t *testing.T) {
	t.Parallel()
	one := []string{"first"}
	for name, c := range map[string]struct {
		subtasks []string
		manifest string
		change   func(*stage)
		agent    func(scene) ollamatest.Reply
		state    string
		why      string // in the reason of the last subtask's failure
	}{
		"fan-out": {
			subtasks: []string{"first", "second", "third", "fourth"}, manifest: "limits:\n  spawns: 2\n",
			agent: func(scene) ollamatest.Reply { return reports("Done.") }, state: "partial", why: "spawned as many agents as it may",
		},
		"repetition": {
			subtasks: one, agent: func(s scene) ollamatest.Reply {
				if len(s.chat.Tools) > 0 {
					return with("calculate", "expression", "1+1")
				}
				return says("two")
			}, state: "failed", why: "repeated itself",
		},
		"rounds": {
			subtasks: one, change: func(s *stage) { s.conf.Tasks.Rounds = 3 }, agent: endless, state: "failed", why: "no report in the form",
		},
		"tokens": {
			subtasks: one, change: func(s *stage) { s.conf.Tasks.TaskTokens, s.conf.Tasks.Rounds = 5000, 200 }, agent: endless, state: "failed", why: "budget of tokens",
		},
		"calls": {
			subtasks: one, manifest: "limits:\n  calls: 2\n", agent: func(s scene) ollamatest.Reply {
				if strings.Contains(s.last, "used up its 2 tool calls") {
					return reports("", gaveUp("There are no calls left."))
				}
				return endless(s)
			}, state: "failed", why: "no calls left",
		},
		"no report": {
			subtasks: one, agent: func(scene) ollamatest.Reply { return says("I would rather not.") }, state: "failed", why: "no report in the form",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			act := func(s scene) ollamatest.Reply {
				switch s.who {
				case "planner":
					return manySubtasks(c.subtasks, "assistant")
				case "replanner":
					return says(`{"subtasks":[],"direct":"nothing else can be done"}`)
				case "writer":
					return says("Some of it is done.")
				}
				return c.agent(s)
			}
			s := newStage(t, act, func(s *stage) {
				if c.manifest != "" {
					lay(t, s.home.Manifest(), c.manifest)
				}
				if c.change != nil {
					c.change(s)
				}
			})
			_, task := s.do("Write it down")
			last := task.sub(t, c.subtasks[len(c.subtasks)-1])
			if task.State != c.state || last.State != "failed" || last.Report.Status != report.Failed || !strings.Contains(last.Report.Why(), c.why) {
				t.Errorf("%s, %s: %+v %q", task.State, last.State, last.Report, last.Report.Why())
			}
			if n := len(task.result.Failed); n == 0 || !strings.Contains(strings.Join(task.result.Failed, "\n"), c.why) {
				t.Errorf("the result says %v", task.result.Failed)
			}
			if b := task.result.Tokens; name == "tokens" && (b.Budget != 5000 || b.Used > 2*b.Budget) {
				t.Errorf("%d of %d tokens", b.Used, b.Budget)
			}
		})
	}
}

// endless never comes to an end, and never says the same twice.
func endless(s scene) ollamatest.Reply {
	if len(s.chat.Tools) > 0 {
		return with("calculate", "expression", fmt.Sprint(s.step, "+1"))
	}
	return says(fmt.Sprint("still at ", s.step))
}

// manySubtasks is a plan of subtasks that do not depend on one another.
func manySubtasks(ids []string, kind moothall.AgentType) ollamatest.Reply {
	var list []plan.Subtask
	for _, id := range ids {
		list = append(list, subtask(id, kind, "Do the "+id+"."))
	}
	return planned(list...)
}

// TestSpawnDepth: the fifth agent below a root is one too many, whoever asks
// for it, and an agent that is refused one is told.
func TestSpawnDepth(t *testing.T) {
	t.Parallel()
	own := policy.Manifest{Types: map[moothall.AgentType]policy.Type{}}
	for i := range 6 {
		own.Types[moothall.AgentType(fmt.Sprint("level", i))] = policy.Type{
			Allowed: []moothall.ToolName{"now"}, Spawns: []moothall.AgentType{moothall.AgentType(fmt.Sprint("level", i+1))},
		}
	}
	own.Types["level6"] = policy.Type{Allowed: []moothall.ToolName{"now"}}
	c, _ := newCourt(t, own)
	var a moothall.Agent
	for i := range 6 {
		next, err := c.b.Spawn(t.Context(), moothall.SpawnRequest{
			Scope: moothall.Scope{Session: "deep", Lineage: a.Lineage}, Parent: a.Handle, Type: moothall.AgentType(fmt.Sprint("level", i)),
		})
		if (err == nil) != (i <= 4) || i > 4 && (moothall.ErrorCode(err) != moothall.CodeDenied || !strings.Contains(err.Error(), "deep")) {
			t.Errorf("level %d: %v", i, err)
		}
		if err == nil {
			a = next
		}
	}
}

// TestDelegateDepth: an agent that may hand work no further is told so by the
// broker, and the task ends all the same.
func TestDelegateDepth(t *testing.T) {
	t.Parallel()
	act := func(s scene) ollamatest.Reply {
		next := map[string]string{"sysadmin": "coder", "coder": "researcher"}[s.who]
		switch {
		case s.who == "planner":
			return planned(subtask("deep", "sysadmin", "Go deep."))
		case s.step == 0 && next != "":
			return with("delegate", "agent_type", next, "task", "Go deep.")
		case strings.Contains(s.last, "this deep"):
			return reports("I did it myself, since nobody may be called from here.")
		}
		return reports("It was done below.")
	}
	s := newStage(t, act, func(s *stage) { lay(t, s.home.Manifest(), "limits:\n  depth: 2\n") })
	a, task := s.do("Check how deep it goes")
	if got := did(a); task.State != "done" || !slices.Contains(got, "delegate denied") || !slices.Contains(got, "delegate ok") || len(s.played("researcher")) > 0 {
		t.Errorf("%s, %v, %d researchers", task.State, got, len(s.played("researcher")))
	}
}
