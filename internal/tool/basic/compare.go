package basic

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moothall"
	"moothall/internal/judge"
	"moothall/internal/tool/answer"
)

const compareSchema = `{"type":"object","additionalProperties":false,"required":["question","answer_a","answer_b"],"properties":{
"question":{"type":"string","minLength":1,"maxLength":20000,"description":"The question that was answered."},
"answer_a":{"type":"string","maxLength":50000,"description":"The first answer."},
"answer_b":{"type":"string","maxLength":50000,"description":"The second answer."},
"criteria":{"type":"string","maxLength":2000,"description":"What makes an answer good. Leave it out for: correct, complete, clear."}}}`

type compareArgs struct {
	Question string `json:"question"`
	A        string `json:"answer_a"`
	B        string `json:"answer_b"`
	Criteria string `json:"criteria"`
}

// CompareData is the result of compare_answers for programs.
type CompareData struct {
	Better  string   `json:"better"` // a, b, tie, unknown
	Reasons []string `json:"reasons"`
	Why     string   `json:"why,omitempty"` // of tie and unknown
}

func compareTool(t *Tools) tool {
	return tool{run: t.compare, spec: moothall.ToolSpec{
		Name: "compare_answers", Aliases: []moothall.ToolName{"compare", "judge_answers"},
		Description: "Ask a critic which of two answers to a question is better. Says a, b, tie or unknown.",
		Parameters:  json.RawMessage(compareSchema),
		Risk:        moothall.RiskNone, ReadOnly: true, Idempotent: true,
		Timeout: 3 * time.Minute, MaxResult: 4 << 10, Origin: "built-in",
	}}
}

func (t *Tools) compare(ctx context.Context, r moothall.ToolRun) (answer.Answer, error) {
	args, err := answer.Arguments[compareArgs](r)
	if err != nil {
		return answer.Answer{}, err
	}
	if t.model == nil {
		return answer.Answer{}, moothall.Fail(moothall.CodeNotConfigured, "compare answers", "no model is set up for comparing")
	}
	var sent []moothall.Egress
	got, err := judge.Compare(ctx, t.asking(r, &sent), judge.Pair{Question: args.Question, A: args.A, B: args.B, Criteria: args.Criteria})
	if err != nil {
		return answer.Answer{Sent: sent}, &moothall.Error{Code: moothall.ErrorCode(err), Op: "compare answers", Message: "the critic's model did not answer", Err: err}
	}
	d := CompareData{Better: strings.ToLower(got.Winner), Reasons: append([]string{}, got.Reasons...)}
	if got.Outcome != moothall.Graded {
		d.Better, d.Why = got.Outcome, got.Feedback // tie, unknown
	}
	return answer.Answer{Text: compareText(d), Data: d, Sent: sent}, nil
}

func compareText(d CompareData) string {
	switch d.Better {
	case moothall.Tied:
		return "Neither answer is better. " + d.Why
	case moothall.Unknown:
		return "It is unknown which answer is better. " + d.Why
	}
	return fmt.Sprintf("Answer %s is better: %s", d.Better, d.Reasons[0])
}

// asking puts the judge's forms to the critic's model, and adds up what that
// sends.
func (t *Tools) asking(r moothall.ToolRun, sent *[]moothall.Egress) judge.Ask {
	return func(ctx context.Context, messages []moothall.Message) (string, error) {
		cold, seed := 0.0, int64(1)
		req := moothall.GenerateRequest{
			Scope: r.Scope, Query: r.Query, Role: moothall.ModelCritic, Priority: moothall.PriorityTask,
			Temperature: &cold, Seed: &seed, MaxTokens: 600, Think: "off", Whole: true, Messages: messages,
		}
		return moothall.Reply(ctx, t.model, req, func(c moothall.Chunk) { *sent = moothall.SumEgress(*sent, c.Sent...) })
	}
}
