package rpc

import (
	"time"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

func messageTo(m moothall.Message) *pb.Message {
	return &pb.Message{
		Role: string(m.Role), Content: text(m.Content), Thinking: text(m.Thinking),
		ToolCalls: mapped(m.ToolCalls, toolCallTo), ToolName: string(m.ToolName),
		ToolCallId: string(m.CallID), Images: m.Images,
	}
}

func messageFrom(m *pb.Message) moothall.Message {
	return moothall.Message{
		Role: moothall.Role(m.GetRole()), Content: m.GetContent(), Thinking: m.GetThinking(),
		ToolCalls: mapped(m.GetToolCalls(), toolCallFrom), ToolName: moothall.ToolName(m.GetToolName()),
		CallID: moothall.CallID(m.GetToolCallId()), Images: m.GetImages(),
	}
}

func toolCallTo(c moothall.ToolCall) *pb.ToolCall {
	return &pb.ToolCall{Id: string(c.ID), Name: text(string(c.Name)), Arguments: c.Arguments, Origin: text(string(c.Origin))}
}

func toolCallFrom(c *pb.ToolCall) moothall.ToolCall {
	return moothall.ToolCall{
		ID: moothall.CallID(c.GetId()), Name: moothall.ToolName(c.GetName()), Arguments: c.GetArguments(), Origin: moothall.CallID(c.GetOrigin()),
	}
}

func toolSpecTo(s moothall.ToolSpec) *pb.ToolSpec {
	return &pb.ToolSpec{
		Name: string(s.Name), Aliases: namesTo(s.Aliases), Description: text(s.Description), Parameters: s.Parameters,
		Risk: string(s.Risk), ReadOnly: s.ReadOnly, Idempotent: s.Idempotent, Taints: labelTo(s.Taints),
		Timeout: durationTo(s.Timeout), MaxResult: int64(s.MaxResult), Secrets: namesTo(s.Secrets), Origin: s.Origin,
		Paths: mapped(s.Paths, pathArgumentTo), Sends: s.Sends,
	}
}

func toolSpecFrom(s *pb.ToolSpec) moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: moothall.ToolName(s.GetName()), Aliases: namesFrom[moothall.ToolName](s.GetAliases()),
		Description: s.GetDescription(), Parameters: s.GetParameters(), Risk: moothall.Risk(s.GetRisk()),
		ReadOnly: s.GetReadOnly(), Idempotent: s.GetIdempotent(), Taints: labelFrom(s.GetTaints()),
		Timeout: durationFrom(s.GetTimeout()), MaxResult: int(s.GetMaxResult()),
		Secrets: namesFrom[moothall.SecretRef](s.GetSecrets()), Origin: s.GetOrigin(),
		Paths: mapped(s.GetPaths(), pathArgumentFrom), Sends: s.GetSends(),
	}
}

func pathArgumentTo(p moothall.PathArgument) *pb.PathArgument {
	return &pb.PathArgument{Name: p.Name, Access: string(p.Access)}
}

func pathArgumentFrom(p *pb.PathArgument) moothall.PathArgument {
	return moothall.PathArgument{Name: p.GetName(), Access: moothall.PathAccess(p.GetAccess())}
}

func toolResultTo(r moothall.ToolResult) *pb.ToolResult {
	return &pb.ToolResult{
		CallId: string(r.Call), Name: text(string(r.Name)), Status: string(r.Status), Text: text(r.Text), Data: r.Data,
		Labels: labelTo(r.Labels), InjectionScore: r.Score, Cut: text(r.Cut), Took: durationTo(r.Took),
		Decision: decisionTo(r.Decision), Sent: mapped(r.Sent, egressTo),
	}
}

func toolResultFrom(r *pb.ToolResult) moothall.ToolResult {
	return moothall.ToolResult{
		Call: moothall.CallID(r.GetCallId()), Name: moothall.ToolName(r.GetName()), Status: moothall.CallStatus(r.GetStatus()),
		Text: r.GetText(), Data: r.GetData(), Labels: labelFrom(r.GetLabels()), Score: r.GetInjectionScore(), Cut: r.GetCut(),
		Took: durationFrom(r.GetTook()), Decision: decisionFrom(r.GetDecision()), Sent: mapped(r.GetSent(), egressFrom),
	}
}

func egressTo(e moothall.Egress) *pb.Egress {
	return &pb.Egress{Host: text(e.Host), Bytes: e.Bytes}
}

func egressFrom(e *pb.Egress) moothall.Egress {
	return moothall.Egress{Host: e.GetHost(), Bytes: e.GetBytes()}
}

func decisionTo(d moothall.Decision) *pb.Decision {
	return &pb.Decision{Verdict: string(d.Verdict), Layer: d.Layer, Rule: d.Rule, Reason: text(d.Reason), Allows: text(d.Allows)}
}

func decisionFrom(d *pb.Decision) moothall.Decision {
	return moothall.Decision{
		Verdict: moothall.Verdict(d.GetVerdict()), Layer: d.GetLayer(), Rule: d.GetRule(), Reason: d.GetReason(), Allows: d.GetAllows(),
	}
}

func usageTo(u moothall.Usage) *pb.Usage {
	if u == (moothall.Usage{}) {
		return nil // every chunk of a stream but the last has none
	}
	return &pb.Usage{
		Calls: int64(u.Calls), PromptTokens: int64(u.PromptTokens), OutputTokens: int64(u.OutputTokens),
		FirstToken: durationTo(u.FirstToken), Total: durationTo(u.Total),
	}
}

func usageFrom(u *pb.Usage) moothall.Usage {
	return moothall.Usage{
		Calls: int(u.GetCalls()), PromptTokens: int(u.GetPromptTokens()), OutputTokens: int(u.GetOutputTokens()),
		FirstToken: durationFrom(u.GetFirstToken()), Total: durationFrom(u.GetTotal()),
	}
}

// roleUsageTo is usageTo for a map, whose values cannot be absent.
func roleUsageTo(u moothall.Usage) *pb.Usage {
	if w := usageTo(u); w != nil {
		return w
	}
	return &pb.Usage{}
}

func receiptTo(r moothall.Receipt) *pb.Receipt {
	return &pb.Receipt{
		ByRole: mappedMap[moothall.ModelRole, string](r.ByRole, roleUsageTo), Tools: namesTo(r.Tools), Refused: namesTo(r.Refused),
		Labels: labelTo(r.Labels), Sent: mapped(r.Sent, egressTo), AuditFirst: r.AuditFirst, AuditLast: r.AuditLast,
		Times: timesTo(r.Times),
	}
}

func receiptFrom(r *pb.Receipt) moothall.Receipt {
	return moothall.Receipt{
		ByRole: mappedMap[string, moothall.ModelRole](r.GetByRole(), usageFrom), Tools: namesFrom[moothall.ToolName](r.GetTools()),
		Refused: namesFrom[moothall.ToolName](r.GetRefused()), Labels: labelFrom(r.GetLabels()),
		Sent: mapped(r.GetSent(), egressFrom), AuditFirst: r.GetAuditFirst(), AuditLast: r.GetAuditLast(),
		Times: timesFrom(r.GetTimes()),
	}
}

func timesTo(t moothall.Times) *pb.Times {
	return &pb.Times{
		TotalNs: int64(t.Total), FirstTokenNs: int64(t.First), WaitingNs: int64(t.Waiting), ModelsNs: int64(t.Models), ToolsNs: int64(t.Tools),
	}
}

func timesFrom(t *pb.Times) moothall.Times {
	return moothall.Times{
		Total: time.Duration(t.GetTotalNs()), First: time.Duration(t.GetFirstTokenNs()), Waiting: time.Duration(t.GetWaitingNs()),
		Models: time.Duration(t.GetModelsNs()), Tools: time.Duration(t.GetToolsNs()),
	}
}

func progressTo(p moothall.Progress) *pb.PullModelResponse {
	return &pb.PullModelResponse{Progress: &pb.Progress{Step: text(p.Step), Done: p.Done, Total: p.Total}}
}

func progressFrom(r *pb.PullModelResponse) moothall.Progress {
	p := r.GetProgress()
	return moothall.Progress{Step: p.GetStep(), Done: p.GetDone(), Total: p.GetTotal()}
}

func eventTo(e moothall.Event) *pb.WatchEventsResponse {
	return &pb.WatchEventsResponse{Event: &pb.Event{
		Id: string(e.ID), Subject: string(e.Subject), Type: e.Type, Time: timeTo(e.Time), SessionId: string(e.Session),
		QueryId: string(e.Query), CorrelationId: e.Correlation, RespondentId: string(e.Respondent), Sender: string(e.Sender),
		AgentLineage: namesTo(e.Lineage), Trace: e.Trace, Payload: e.Payload, Seq: e.Seq,
	}}
}

func eventFrom(r *pb.WatchEventsResponse) moothall.Event {
	e := r.GetEvent()
	return moothall.Event{
		ID: moothall.EventID(e.GetId()), Subject: moothall.Subject(e.GetSubject()), Type: e.GetType(), Time: timeFrom(e.GetTime()),
		Session: moothall.SessionID(e.GetSessionId()), Query: moothall.QueryID(e.GetQueryId()), Correlation: e.GetCorrelationId(),
		Respondent: moothall.RespondentID(e.GetRespondentId()), Sender: moothall.Identity(e.GetSender()),
		Lineage: namesFrom[moothall.AgentID](e.GetAgentLineage()), Trace: e.GetTrace(), Payload: e.GetPayload(), Seq: e.GetSeq(),
	}
}
