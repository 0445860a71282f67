package rpc

import (
	"moothall"
	pb "moothall/proto/moothall/v1"
)

func healthTo(h moothall.Health) *pb.HealthResponse {
	return &pb.HealthResponse{
		Status: h.Status, Version: h.Version, Home: text(h.Home), Pid: int64(h.PID), Since: timeTo(h.Since),
		Services: mappedMap[string, string](h.Services, func(s moothall.ServiceHealth) *pb.ServiceHealth {
			return &pb.ServiceHealth{Status: string(s.State), Where: s.Where, Detail: text(s.Detail)}
		}),
		Model: &pb.ModelHealth{Status: string(h.Model.State), Provider: h.Model.Provider, Name: h.Model.Name, Detail: text(h.Model.Detail)},
	}
}

func healthFrom(h *pb.HealthResponse) moothall.Health {
	m := h.GetModel()
	return moothall.Health{
		Status: h.GetStatus(), Version: h.GetVersion(), Home: h.GetHome(), PID: int(h.GetPid()), Since: timeFrom(h.GetSince()),
		Services: mappedMap[string, string](h.GetServices(), func(s *pb.ServiceHealth) moothall.ServiceHealth {
			return moothall.ServiceHealth{State: moothall.ServiceState(s.GetStatus()), Where: s.GetWhere(), Detail: s.GetDetail()}
		}),
		Model: moothall.ModelHealth{
			State: moothall.ServiceState(m.GetStatus()), Provider: m.GetProvider(), Name: m.GetName(), Detail: m.GetDetail(),
		},
	}
}

func queryRequestTo(r moothall.QueryRequest) *pb.QueryRequest {
	return &pb.QueryRequest{
		SessionId: string(r.Session), Query: text(r.Query), Mode: string(r.Mode), Personas: textsTo(r.Personas),
		Override: optional(r.Override, overridesTo), Model: r.Model, Context: text(r.Context), Unattended: r.Unattended,
		Rounds: int64(r.Rounds), Replace: r.Replace, Detach: r.Detach, Retry: string(r.Retry), Stay: r.Stay,
	}
}

func queryRequestFrom(r *pb.QueryRequest) moothall.QueryRequest {
	return moothall.QueryRequest{
		Session: moothall.SessionID(r.GetSessionId()), Query: r.GetQuery(), Mode: moothall.QueryMode(r.GetMode()),
		Personas: r.GetPersonas(), Override: optionalFrom(r.GetOverride(), overridesFrom), Model: r.GetModel(),
		Context: r.GetContext(), Unattended: r.GetUnattended(),
		Rounds: int(r.GetRounds()), Replace: r.GetReplace(), Detach: r.GetDetach(), Retry: moothall.QueryID(r.GetRetry()),
		Stay: r.GetStay(),
	}
}

func calledToolTo(t moothall.CalledTool) *pb.CalledTool {
	return &pb.CalledTool{Tool: text(string(t.Tool)), Args: t.Args, Result: text(t.Result), Status: string(t.Status), Ms: t.Millis}
}

func calledToolFrom(t *pb.CalledTool) moothall.CalledTool {
	return moothall.CalledTool{
		Tool: moothall.ToolName(t.GetTool()), Args: t.GetArgs(), Result: t.GetResult(),
		Status: moothall.CallStatus(t.GetStatus()), Millis: t.GetMs(),
	}
}

func eventMarkTo(m moothall.EventMark) *pb.EventMark {
	return &pb.EventMark{Subject: string(m.Subject), Seconds: m.Seconds}
}

func eventMarkFrom(m *pb.EventMark) moothall.EventMark {
	return moothall.EventMark{Subject: moothall.Subject(m.GetSubject()), Seconds: m.GetSeconds()}
}

func answerTo(a moothall.Answer) *pb.Answer {
	return &pb.Answer{
		QueryId: string(a.Query), SessionId: string(a.Session), RespondentId: string(a.Respondent), Text: text(a.Text),
		Thinking: text(a.Thinking), ToolCalls: mapped(a.Tools, calledToolTo), Recalls: mapped(a.Recalls, recallTo),
		StopReason: string(a.Stop), Flags: textsTo(a.Flags), Usage: usageTo(a.Usage), Receipt: receiptTo(a.Receipt),
		Events: namesTo(a.Subjects), EventLog: mapped(a.Log, eventMarkTo),
		Provider: a.Provider, Model: a.Model, Query: text(a.Question), Heard: optional(a.Heard, feedbackTo),
		Deliberations: mapped(a.Deliberations, deliberationTo), TaskId: string(a.Task), Offered: &pb.Offered{Tools: namesTo(a.Offered.Tools), Bytes: int64(a.Offered.Bytes)},
	}
}

func answerFrom(a *pb.Answer) moothall.Answer {
	return moothall.Answer{
		Query: moothall.QueryID(a.GetQueryId()), Session: moothall.SessionID(a.GetSessionId()),
		Respondent: moothall.RespondentID(a.GetRespondentId()), Text: a.GetText(), Thinking: a.GetThinking(),
		Tools: mapped(a.GetToolCalls(), calledToolFrom), Recalls: mapped(a.GetRecalls(), recallFrom),
		Stop: moothall.StopReason(a.GetStopReason()), Flags: a.GetFlags(), Usage: usageFrom(a.GetUsage()),
		Receipt: receiptFrom(a.GetReceipt()), Subjects: namesFrom[moothall.Subject](a.GetEvents()), Log: mapped(a.GetEventLog(), eventMarkFrom),
		Provider: a.GetProvider(), Model: a.GetModel(), Question: a.GetQuery(), Heard: optionalFrom(a.GetHeard(), feedbackFrom),
		Deliberations: mapped(a.GetDeliberations(), deliberationFrom), Task: moothall.TaskID(a.GetTaskId()),
		Offered: moothall.Offered{Tools: namesFrom[moothall.ToolName](a.GetOffered().GetTools()), Bytes: int(a.GetOffered().GetBytes())},
	}
}

func deliberationTo(d moothall.Deliberation) *pb.Deliberation {
	return &pb.Deliberation{
		Persona: text(d.Persona), Round: int64(d.Round), Status: d.Status, Response: text(d.Response), Thinking: text(d.Thinking),
		ToolTrace: mapped(d.Tools, calledToolTo), Usage: usageTo(d.Usage), Error: text(d.Error), Color: text(d.Color),
	}
}

func deliberationFrom(d *pb.Deliberation) moothall.Deliberation {
	return moothall.Deliberation{
		Persona: d.GetPersona(), Round: int(d.GetRound()), Status: d.GetStatus(), Response: d.GetResponse(), Thinking: d.GetThinking(),
		Tools: mapped(d.GetToolTrace(), calledToolFrom), Usage: usageFrom(d.GetUsage()), Error: d.GetError(), Color: d.GetColor(),
	}
}

func stepTo(s moothall.Step) *pb.QueryResponse {
	return &pb.QueryResponse{
		Kind: s.Kind, Text: text(s.Text), Call: optional(s.Call, toolCallTo), Result: optional(s.Result, toolResultTo),
		Asked: optional(s.Asked, approvalTo), Recall: optional(s.Recall, recallTo), From: text(s.From), Answer: optional(s.Answer, answerTo),
		Deliberation: optional(s.Deliberation, deliberationTo), Task: optional(s.Task, taskTo),
	}
}

func stepFrom(s *pb.QueryResponse) moothall.Step {
	return moothall.Step{
		Kind: s.GetKind(), Text: s.GetText(), Call: optionalFrom(s.GetCall(), toolCallFrom),
		Result: optionalFrom(s.GetResult(), toolResultFrom), Recall: optionalFrom(s.GetRecall(), recallFrom),
		Asked: optionalFrom(s.GetAsked(), approvalFrom), From: s.GetFrom(), Answer: optionalFrom(s.GetAnswer(), answerFrom),
		Deliberation: optionalFrom(s.GetDeliberation(), deliberationFrom), Task: optionalFrom(s.GetTask(), taskFrom),
	}
}

func feedbackTo(f moothall.Feedback) *pb.GiveFeedbackRequest {
	return &pb.GiveFeedbackRequest{
		QueryId: string(f.Query), RespondentId: string(f.Respondent), Thumbs: small(f.Thumbs), Stars: small(f.Stars),
		Comment: text(f.Comment), Undo: f.Undo, Said: f.Said,
	}
}

func feedbackFrom(r *pb.GiveFeedbackRequest) moothall.Feedback {
	return moothall.Feedback{
		Query: moothall.QueryID(r.GetQueryId()), Respondent: moothall.RespondentID(r.GetRespondentId()), Thumbs: int(r.GetThumbs()),
		Stars: int(r.GetStars()), Comment: r.GetComment(), Undo: r.GetUndo(), Said: r.GetSaid(),
	}
}

func eventQueryTo(q moothall.EventQuery) *pb.WatchEventsRequest {
	return &pb.WatchEventsRequest{
		SessionId: string(q.Session), Subjects: namesTo(q.Subjects), After: string(q.After), AfterSeq: q.AfterSeq, Replay: q.Replay,
		Mark: q.Mark,
	}
}

func eventQueryFrom(r *pb.WatchEventsRequest) moothall.EventQuery {
	return moothall.EventQuery{
		Subjects: namesFrom[moothall.Subject](r.GetSubjects()), Session: moothall.SessionID(r.GetSessionId()),
		After: moothall.EventID(r.GetAfter()), AfterSeq: r.GetAfterSeq(), Replay: r.GetReplay(), Mark: r.GetMark(),
	}
}

func sessionTo(s moothall.Session) *pb.Session {
	return &pb.Session{
		Id: string(s.ID), Title: text(s.Title), Created: timeTo(s.Created), Updated: timeTo(s.Updated), Turns: int64(s.Turns),
		State: s.State, Labels: labelTo(s.Labels),
	}
}

func sessionFrom(s *pb.Session) moothall.Session {
	return moothall.Session{
		ID: moothall.SessionID(s.GetId()), Title: s.GetTitle(), Created: timeFrom(s.GetCreated()), Updated: timeFrom(s.GetUpdated()),
		Turns: int(s.GetTurns()), State: s.GetState(), Labels: labelFrom(s.GetLabels()),
	}
}

func sessionDetailTo(d moothall.SessionDetail) *pb.GetSessionResponse {
	return &pb.GetSessionResponse{
		Session: sessionTo(d.Session), Messages: mapped(d.Messages, messageTo), Window: int64(d.Window),
		Tokens: mappedMap[string, string](d.Tokens, func(n int) int64 { return int64(n) }),
		Asked:  mapped(d.Asked, turnTo), Queue: mapped(d.Queue, turnTo),
	}
}

func sessionDetailFrom(r *pb.GetSessionResponse) moothall.SessionDetail {
	return moothall.SessionDetail{
		Session: sessionFrom(r.GetSession()), Messages: mapped(r.GetMessages(), messageFrom), Window: int(r.GetWindow()),
		Tokens: mappedMap[string, string](r.GetTokens(), func(n int64) int { return int(n) }),
		Asked:  mapped(r.GetAsked(), turnFrom), Queue: mapped(r.GetQueue(), turnFrom),
	}
}

func turnTo(t moothall.Turn) *pb.Turn {
	return &pb.Turn{QueryId: string(t.Query), Query: text(t.Asked), State: t.State, Time: timeTo(t.Time), Answers: mapped(t.Answers, answerTo)}
}

func turnFrom(t *pb.Turn) moothall.Turn {
	return moothall.Turn{
		Query: moothall.QueryID(t.GetQueryId()), Asked: t.GetQuery(), State: t.GetState(), Time: timeFrom(t.GetTime()),
		Answers: mapped(t.GetAnswers(), answerFrom),
	}
}

func taskTo(t moothall.Task) *pb.Task {
	return &pb.Task{
		Id: string(t.ID), SessionId: string(t.Session), Goal: text(t.Goal), State: t.State, Created: timeTo(t.Created),
		Updated: timeTo(t.Updated), Plan: t.Plan, Result: t.Result,
	}
}

func taskFrom(t *pb.Task) moothall.Task {
	return moothall.Task{
		ID: moothall.TaskID(t.GetId()), Session: moothall.SessionID(t.GetSessionId()), Goal: t.GetGoal(), State: t.GetState(),
		Created: timeFrom(t.GetCreated()), Updated: timeFrom(t.GetUpdated()), Plan: t.GetPlan(), Result: t.GetResult(),
	}
}

func participantTo(p moothall.Participant) *pb.Participant {
	return &pb.Participant{Name: p.Name, Status: string(p.State), About: text(p.About), Schema: p.Schema, Settings: p.Settings, Figures: p.Figures}
}

func participantFrom(p *pb.Participant) moothall.Participant {
	return moothall.Participant{
		Name: p.GetName(), State: moothall.ServiceState(p.GetStatus()), About: p.GetAbout(), Schema: p.GetSchema(), Settings: p.GetSettings(),
		Figures: p.GetFigures(),
	}
}
