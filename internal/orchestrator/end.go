package orchestrator

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/report"
	"moothall/internal/schema"
)

func clipKept(s string) string { return report.Clip(s, maxKept) }

// end turns the result of a run into the end of the subtask.
func (s *shift) end(ctx context.Context, res *engine.Result) (ending, error) {
	if ctx.Err() != nil {
		return s.cut(ctx)
	}
	s.sub.Stop, s.sub.Gauge = res.Stop, s.voice.gauge
	s.sub.Labels |= res.Labels
	r, err := report.Parse(res.Answer)
	switch {
	case res.Err != nil:
		return s.failed("the model could not answer: " + safe(res.Err)), nil
	case err != nil && res.Stop != moothall.StopDone:
		return s.failed("the agent was ended without a report: " + stopWords(res.Stop)), nil
	case err != nil:
		return s.failed("the agent gave no report in the form that is asked for"), nil
	}
	s.sub.Report = s.weigh(r, res)
	state := journal.SubDone
	if s.sub.Report.Status == report.Failed {
		state = journal.SubFailed
	}
	return ending{Subtask: s.sub, state: state}, nil
}

func stopWords(s moothall.StopReason) string {
	switch s {
	case moothall.StopCap:
		return "it used all its rounds"
	case moothall.StopBudget:
		return "its budget of tokens or time is used up"
	case moothall.StopRepetition:
		return "it repeated itself"
	case moothall.StopLength:
		return "its answer was cut off"
	}
	return string(s)
}

// weigh holds a report against what the run shows.
func (s *shift) weigh(r report.Report, res *engine.Result) report.Report {
	failed := slices.Clone(res.Failed)
	s.sub.Artifacts = s.prove(r.Artifacts)
	unproven := slices.ContainsFunc(s.sub.Artifacts, func(a journal.Artifact) bool { return !a.Proven })
	checked := s.plain && len(failed) == 0 && len(res.Passed) > 0 && !flagged(res, engine.FlagUnchecked)
	if checked {
		s.sub.Checked = res.Passed
	}
	early := res.Stop != moothall.StopDone
	r, notes := r.Against(report.Evidence{Tools: s.good, Web: s.web, Checked: checked, Early: early})
	if unproven && r.Status == report.Success {
		r.Status = report.Partial
		notes = append(notes, "a file that it names is not proven")
	}
	if flagged(res, engine.FlagUnchecked) {
		notes = append(notes, "its check could not be run")
		if r.Status == report.Success && !s.n.Check.Empty() { // what was to be shown is not
			r.Status = report.Partial
		}
	}
	if len(failed) > 0 && s.wrong() && r.Status != report.Failed {
		notes = append(notes, "its check did not pass")
		if len(res.Passed) > 0 {
			r.Status = report.Partial
		} else {
			why := "its check did not pass"
			r.Status, r.Reason, r.Quality, r.Candidates = report.Failed, &why, report.Uncertain, []string{}
		}
	}
	if flagged(res, engine.FlagClaim) {
		notes = append(notes, "it claims something that no tool did")
	}
	s.sub.Notes = append(s.sub.Notes, notes...)
	return r
}

func flagged(res *engine.Result, flag string) bool {
	return slices.ContainsFunc(res.Flags, func(f string) bool { return strings.HasPrefix(f, flag) })
}

// wrong reports whether the last verdict found more than missing files.
func (s *shift) wrong() bool {
	return slices.ContainsFunc(s.verdict.Failed, func(f string) bool { return !strings.HasPrefix(f, fileTrouble) })
}

// prove looks whether files are there, inside, and not empty.
func (s *shift) prove(paths []string) []journal.Artifact {
	out := make([]journal.Artifact, 0, len(paths))
	for _, p := range paths {
		a := journal.Artifact{Path: p}
		if files := s.t.o.opt.Files; files == nil {
			a.Why = "files cannot be looked at here"
		} else {
			size, inside, err := files(p)
			switch {
			case err != nil:
				a.Why = "it is not there"
			case !inside:
				a.Why = "it lies outside of the allowed folders"
			case size <= 0:
				a.Why = "it is empty"
			default:
				a.Size, a.Proven = size, true
			}
		}
		out = append(out, a)
	}
	return out
}

// fileTrouble begins every complaint about a file.
const fileTrouble = "artifacts: "

// check is the engine's check of an answer: files that are claimed must be
// there, and what the plan asks for must hold.
func (s *shift) check(ctx context.Context, answer string) (engine.Verdict, error) {
	s.verdict = engine.Verdict{}
	r, err := report.Parse(answer)
	if err != nil || r.Status == report.Failed {
		return s.verdict, nil // there is nothing to look at
	}
	v := &s.verdict
	for _, a := range s.prove(r.Artifacts) {
		if a.Proven {
			v.Passed = append(v.Passed, a.Path)
		} else {
			v.Failed = append(v.Failed, fileTrouble+a.Path+": "+a.Why+". Name only files that are there, with their full paths.")
		}
	}
	err = s.planned(ctx, answer, r, v)
	return *v, err
}

// planned looks at what the plan asks for.
func (s *shift) planned(ctx context.Context, answer string, r report.Report, v *engine.Verdict) error {
	c := s.n.Check
	if c.Empty() {
		return nil
	}
	s.plain = true
	if c.Contains != "" {
		note(v, strings.Contains(strings.ToLower(r.Summary), strings.ToLower(c.Contains)), "contains", "the summary does not have: "+c.Contains)
	}
	if len(c.Schema) > 0 {
		problems := []string{"it is not JSON"}
		if raw, err := schema.Extract(answer); err == nil {
			problems = schema.Check(c.Schema, json.RawMessage(raw))
		}
		note(v, len(problems) == 0, "schema", "the report does not fit: "+strings.Join(problems, "; "))
	}
	if c.Command == "" {
		return nil
	}
	run := s.t.o.opt.Check
	if run == nil {
		return moothall.Fail(moothall.CodeNotConfigured, "check", "commands cannot be run here")
	}
	found, err := run(ctx, CheckRequest{
		Scope: moothall.Scope{Session: s.t.session, Lineage: s.agent.Lineage}, Agent: s.agent.Handle, Type: s.n.Type,
		Query: s.t.row.Query, Run: s.n.Run, Command: c.Command,
		Tell: func(p moothall.CallProgress) {
			if p.Asked != nil {
				s.t.show(moothall.Step{Kind: string(engine.KindApproval), From: s.n.ID, Text: p.Note, Asked: p.Asked})
			}
		},
	})
	v.Passed, v.Failed = append(v.Passed, found.Passed...), append(v.Failed, found.Failed...)
	return err
}

func note(v *engine.Verdict, ok bool, passed, failed string) {
	if ok {
		v.Passed = append(v.Passed, passed)
	} else {
		v.Failed = append(v.Failed, failed)
	}
}
