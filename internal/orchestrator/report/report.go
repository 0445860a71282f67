package report

import (
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/schema"
)

// The statuses of a report.
const (
	Success = "success"
	Partial = "partial"
	Failed  = "failed"
)

// How sure a report is.
const (
	Verified  = "verified"
	Inferred  = "inferred"
	Uncertain = "uncertain"
)

// Where a report has it from.
const (
	FromTools = "tool_output"
	FromModel = "model_knowledge"
	FromWeb   = "web"
)

// Limits of a report.
const (
	MaxSentences  = 3
	MaxSummary    = 1500 // bytes
	MaxArtifacts  = 20
	MaxPath       = 1024
	MaxCandidates = 5
	MaxCandidate  = 600
	MaxReason     = 600
)

// Report is what a subagent returns.
type Report struct {
	Status     string   `json:"status"`
	Summary    string   `json:"summary"`
	Artifacts  []string `json:"artifacts"`
	Quality    string   `json:"result_quality"`
	Source     string   `json:"source"`
	Candidates []string `json:"new_memory_candidates"`
	Reason     *string  `json:"failure_reason"`
}

// text is the published form of a report.
const text = `{
  "type": "object",
  "properties": {
    "status": {"type": "string", "enum": ["success", "partial", "failed"]},
    "summary": {"type": "string"},
    "artifacts": {"type": "array", "items": {"type": "string"}},
    "result_quality": {"type": "string", "enum": ["verified", "inferred", "uncertain"]},
    "source": {"type": "string", "enum": ["tool_output", "model_knowledge", "web"]},
    "new_memory_candidates": {"type": "array", "items": {"type": "string"}},
    "failure_reason": {"type": ["string", "null"]}
  },
  "required": ["status", "summary", "artifacts", "result_quality", "source", "new_memory_candidates", "failure_reason"],
  "additionalProperties": false
}`

// Schema is what a subagent's answer must fit.
func Schema() json.RawMessage { return json.RawMessage(text) }

// Parse reads an answer that must fit the schema. CodeInvalid says in what
// way it does not. The summary is cut to its first sentences, and lists to
// what is sensible.
func Parse(answer string) (Report, error) {
	const op = "report"
	raw, err := schema.Extract(answer)
	if err != nil {
		return Report{}, moothall.Fail(moothall.CodeInvalid, op, err.Error())
	}
	if problems := schema.Check(Schema(), raw); len(problems) > 0 {
		return Report{}, moothall.Fail(moothall.CodeInvalid, op, strings.Join(problems, "; "))
	}
	var r Report
	if err := json.Unmarshal(raw, &r); err != nil {
		return Report{}, &moothall.Error{Code: moothall.CodeInvalid, Op: op, Message: "it cannot be read", Err: err}
	}
	r.tidy()
	if r.Summary == "" && r.Status != Failed {
		return Report{}, moothall.Fail(moothall.CodeInvalid, op, "the summary is empty")
	}
	return r, nil
}

// tidy brings a report into bounds.
func (r *Report) tidy() {
	r.Summary = Clip(Sentences(r.Summary, MaxSentences), MaxSummary)
	r.Artifacts = tidyList(r.Artifacts, MaxArtifacts, func(s string) bool { return len(s) <= MaxPath && !strings.ContainsAny(s, "\x00\n") })
	r.Candidates = tidyList(r.Candidates, MaxCandidates, func(s string) bool { return len(s) <= MaxCandidate })
	if r.Reason != nil {
		reason := Clip(strings.TrimSpace(*r.Reason), MaxReason)
		r.Reason = &reason
		if reason == "" || r.Status == Success {
			r.Reason = nil
		}
	}
	if r.Status != Failed {
		return
	}
	if r.Reason == nil {
		reason := "the agent gave no reason"
		r.Reason = &reason
	}
	// What failed proves nothing.
	r.Quality, r.Candidates = Uncertain, []string{}
}

func tidyList(list []string, most int, fits func(string) bool) []string {
	out := make([]string, 0, min(len(list), most))
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && fits(s) && !slices.Contains(out, s) && len(out) < most {
			out = append(out, s)
		}
	}
	return out
}

// Failure is a report made by the hall itself.
func Failure(reason string) Report {
	reason = Clip(reason, MaxReason)
	return Report{
		Status: Failed, Artifacts: []string{}, Quality: Uncertain, Source: FromModel, Candidates: []string{}, Reason: &reason,
	}
}

// Why is the reason of a failure, or "".
func (r *Report) Why() string {
	if r.Reason == nil {
		return ""
	}
	return *r.Reason
}

// Evidence is what a run itself shows.
type Evidence struct {
	Tools   int  // calls that ended well
	Web     bool // one of them looked at the web
	Checked bool // a check passed
	Early   bool // the run was ended before the agent was done
}

// Against lowers claims that nothing backs. It returns the new report and
// what was lowered, in words.
func (r Report) Against(e Evidence) (Report, []string) {
	var notes []string
	lower := func(field *string, to, why string) {
		if *field != to {
			notes = append(notes, why)
			*field = to
		}
	}
	if r.Status == Failed {
		return r, nil
	}
	switch {
	case e.Web:
		lower(&r.Source, FromWeb, "the source is the web: a tool looked there")
	case r.Source == FromWeb && e.Tools > 0:
		lower(&r.Source, FromTools, "no tool looked at the web")
	case r.Source != FromModel && e.Tools == 0:
		lower(&r.Source, FromModel, "no tool was used")
	}
	if r.Quality == Verified && !e.Checked && e.Tools == 0 {
		lower(&r.Quality, Inferred, "called verified without a tool or a check")
	}
	if e.Early && r.Status == Success {
		lower(&r.Status, Partial, "the run was ended before the agent was done")
	}
	return r, notes
}
