package rpc

import (
	"context"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type auditServer struct {
	pb.UnimplementedAuditServiceServer
	entrance[moothall.Audit]
}

func (s auditServer) Append(ctx context.Context, r *pb.AppendRequest) (*pb.AppendResponse, error) {
	a, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	index, err := a.Append(ctx, auditEntryFrom(r))
	return &pb.AppendResponse{Index: index}, err
}

type auditClient struct {
	conn *Conn
	stub pb.AuditServiceClient
}

var _ moothall.Audit = auditClient{}

func (c auditClient) Append(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, err error) {
	for _, e := range entries {
		r, err := call(ctx, c.conn, Audit, c.stub.Append, auditEntryTo(e))
		if err != nil {
			return 0, err
		}
		last = r.GetIndex()
	}
	return last, nil
}

// auditEntryTo keeps the difference between no parameters and empty ones:
// their hashes differ.
func auditEntryTo(e moothall.AuditEntry) *pb.AppendRequest {
	return &pb.AppendRequest{
		SessionId: string(e.Session), AgentLineage: namesTo(e.Lineage), Time: timeTo(e.Time), AgentId: string(e.Agent),
		AgentType: string(e.AgentType), Action: string(e.Action), ToolName: text(string(e.Tool)), Status: string(e.Status),
		CallId: string(e.Call), QueryId: string(e.Query), RunId: string(e.Run), Rule: e.Rule, Note: text(e.Note),
		Params: e.Params, Relaxed: e.Relaxed,
	}
}

func auditEntryFrom(r *pb.AppendRequest) moothall.AuditEntry {
	return moothall.AuditEntry{
		Scope: scopeFrom(r), Time: timeFrom(r.GetTime()), Agent: moothall.AgentID(r.GetAgentId()),
		AgentType: moothall.AgentType(r.GetAgentType()), Action: moothall.AuditAction(r.GetAction()),
		Tool: moothall.ToolName(r.GetToolName()), Status: moothall.AuditStatus(r.GetStatus()), Call: moothall.CallID(r.GetCallId()),
		Query: moothall.QueryID(r.GetQueryId()), Run: moothall.RunID(r.GetRunId()), Rule: r.GetRule(), Note: r.GetNote(),
		Params: r.GetParams(), Relaxed: r.GetRelaxed(),
	}
}
