package rpc

import (
	"moothall"
	pb "moothall/proto/moothall/v1"
)

func spawnRequestTo(r moothall.SpawnRequest) *pb.SpawnAgentRequest {
	return &pb.SpawnAgentRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), ParentHandle: string(r.Parent), AgentType: string(r.Type),
		QueryId: string(r.Query), TaskId: string(r.Task), Unattended: r.Unattended, Words: text(r.Words), Labels: labelTo(r.Labels),
		Aside: r.Aside,
	}
}

func spawnRequestFrom(r *pb.SpawnAgentRequest) moothall.SpawnRequest {
	return moothall.SpawnRequest{
		Scope: scopeFrom(r), Parent: moothall.Handle(r.GetParentHandle()), Type: moothall.AgentType(r.GetAgentType()),
		Query: moothall.QueryID(r.GetQueryId()), Task: moothall.TaskID(r.GetTaskId()), Unattended: r.GetUnattended(), Words: r.GetWords(), Labels: labelFrom(r.GetLabels()),
		Aside: r.GetAside(),
	}
}

func agentTo(a moothall.Agent) *pb.SpawnAgentResponse {
	return &pb.SpawnAgentResponse{
		AgentId: string(a.ID), AgentType: string(a.Type), Lineage: namesTo(a.Lineage), Tools: namesTo(a.Tools),
		Labels: labelTo(a.Labels), Handle: string(a.Handle),
	}
}

func agentFrom(a *pb.SpawnAgentResponse) moothall.Agent {
	return moothall.Agent{
		ID: moothall.AgentID(a.GetAgentId()), Type: moothall.AgentType(a.GetAgentType()),
		Lineage: namesFrom[moothall.AgentID](a.GetLineage()), Tools: namesFrom[moothall.ToolName](a.GetTools()),
		Labels: labelFrom(a.GetLabels()), Handle: moothall.Handle(a.GetHandle()),
	}
}

func discoverRequestTo(r moothall.DiscoverRequest) *pb.DiscoverToolsRequest {
	return &pb.DiscoverToolsRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Handle: string(r.Agent), Task: text(r.Task),
		Window: int64(r.Window), Limit: small(r.Limit),
	}
}

func discoverRequestFrom(r *pb.DiscoverToolsRequest) moothall.DiscoverRequest {
	return moothall.DiscoverRequest{
		Scope: scopeFrom(r), Agent: moothall.Handle(r.GetHandle()), Task: r.GetTask(), Window: int(r.GetWindow()), Limit: int(r.GetLimit()),
	}
}

// callRequestFrom reads a call to be judged or made; both look alike.
func callRequestFrom(r interface {
	GetSessionId() string
	GetAgentLineage() []string
	GetHandle() string
	GetQueryId() string
	GetRunId() string
	GetCall() *pb.ToolCall
}) moothall.CallRequest {
	return moothall.CallRequest{
		Scope: scopeFrom(r), Agent: moothall.Handle(r.GetHandle()), Query: moothall.QueryID(r.GetQueryId()),
		Run: moothall.RunID(r.GetRunId()), Call: toolCallFrom(r.GetCall()),
	}
}

func callProgressTo(p moothall.CallProgress) *pb.ExecuteToolResponse {
	return &pb.ExecuteToolResponse{Note: text(p.Note), Asked: optional(p.Asked, approvalTo), Result: optional(p.Result, toolResultTo)}
}

func callProgressFrom(r *pb.ExecuteToolResponse) moothall.CallProgress {
	return moothall.CallProgress{Note: r.GetNote(), Asked: optionalFrom(r.GetAsked(), approvalFrom), Result: optionalFrom(r.GetResult(), toolResultFrom)}
}

func approvalTo(a moothall.Approval) *pb.Approval {
	return &pb.Approval{
		Id: string(a.ID), SessionId: string(a.Session), QueryId: string(a.Query), AgentId: string(a.Agent), AgentType: string(a.Type),
		ToolName: string(a.Tool), Arguments: a.Arguments, Reason: decisionTo(a.Reason), Labels: labelTo(a.Labels),
		Asked: timeTo(a.Asked), Expires: timeTo(a.Expires), Answer: string(a.Answer), Answered: timeTo(a.Answered),
	}
}

func approvalFrom(a *pb.Approval) moothall.Approval {
	return moothall.Approval{
		ID: moothall.ApprovalID(a.GetId()), Session: moothall.SessionID(a.GetSessionId()), Query: moothall.QueryID(a.GetQueryId()),
		Agent: moothall.AgentID(a.GetAgentId()), Type: moothall.AgentType(a.GetAgentType()), Tool: moothall.ToolName(a.GetToolName()),
		Arguments: a.GetArguments(), Reason: decisionFrom(a.GetReason()), Labels: labelFrom(a.GetLabels()),
		Asked: timeFrom(a.GetAsked()), Expires: timeFrom(a.GetExpires()), Answer: moothall.ApprovalAnswer(a.GetAnswer()),
		Answered: timeFrom(a.GetAnswered()),
	}
}

func overridesTo(o moothall.Overrides) *pb.Overrides {
	return &pb.Overrides{
		Level: o.Level, Disabled: namesTo(o.Disabled), Once: o.Once, Lasts: durationTo(o.Lasts), QueryId: string(o.Query),
		Grants: mapped(o.Grants, func(g moothall.ToolGrant) *pb.ToolGrant {
			return &pb.ToolGrant{AgentType: string(g.Type), Tool: string(g.Tool)}
		}),
	}
}

func overridesFrom(o *pb.Overrides) moothall.Overrides {
	return moothall.Overrides{
		Level: o.GetLevel(), Disabled: namesFrom[moothall.ToolName](o.GetDisabled()), Once: o.GetOnce(), Lasts: durationFrom(o.GetLasts()),
		Query: moothall.QueryID(o.GetQueryId()),
		Grants: mapped(o.GetGrants(), func(g *pb.ToolGrant) moothall.ToolGrant {
			return moothall.ToolGrant{Type: moothall.AgentType(g.GetAgentType()), Tool: moothall.ToolName(g.GetTool())}
		}),
	}
}
