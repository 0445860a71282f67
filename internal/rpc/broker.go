package rpc

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type brokerServer struct {
	pb.UnimplementedToolBrokerServer
	entrance[moothall.Broker]
}

func (s brokerServer) SpawnAgent(ctx context.Context, r *pb.SpawnAgentRequest) (*pb.SpawnAgentResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	a, err := b.Spawn(ctx, spawnRequestFrom(r))
	return agentTo(a), err
}

func (s brokerServer) FinishAgent(ctx context.Context, r *pb.FinishAgentRequest) (*pb.FinishAgentResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.FinishAgentResponse{}, b.Finish(ctx, scopeFrom(r), moothall.Handle(r.GetHandle()))
}

func (s brokerServer) DiscoverTools(ctx context.Context, r *pb.DiscoverToolsRequest) (*pb.DiscoverToolsResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	tools, err := b.Discover(ctx, discoverRequestFrom(r))
	return &pb.DiscoverToolsResponse{Tools: mapped(tools, toolSpecTo)}, err
}

func (s brokerServer) ValidateCall(ctx context.Context, r *pb.ValidateCallRequest) (*pb.ValidateCallResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := b.Validate(ctx, callRequestFrom(r))
	return &pb.ValidateCallResponse{Decision: decisionTo(d)}, err
}

func (s brokerServer) ExecuteTool(r *pb.ExecuteToolRequest, st grpc.ServerStreamingServer[pb.ExecuteToolResponse]) error {
	b, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, b.Execute(st.Context(), callRequestFrom(r)), callProgressTo)
}

func (s brokerServer) ListTools(ctx context.Context, r *pb.ListToolsRequest) (*pb.ListToolsResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	tools, err := b.Tools(ctx, scopeFrom(r))
	return &pb.ListToolsResponse{Tools: mapped(tools, toolSpecTo)}, err
}

func (s brokerServer) ListApprovals(ctx context.Context, r *pb.ListApprovalsRequest) (*pb.ListApprovalsResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := b.Approvals(ctx, scopeFrom(r), r.GetAll())
	return &pb.ListApprovalsResponse{Approvals: mapped(list, approvalTo)}, err
}

func (s brokerServer) DecideApproval(ctx context.Context, r *pb.DecideApprovalRequest) (*pb.DecideApprovalResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	a, err := b.Decide(ctx, moothall.ApprovalDecision{
		Scope: scopeFrom(r), ID: moothall.ApprovalID(r.GetId()), Answer: moothall.ApprovalAnswer(r.GetAnswer()), Arguments: r.GetArguments(),
	})
	return &pb.DecideApprovalResponse{Approval: approvalTo(a)}, err
}

func (s brokerServer) SetOverrides(ctx context.Context, r *pb.SetOverridesRequest) (*pb.SetOverridesResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	o, err := b.Override(ctx, scopeFrom(r), overridesFrom(r.GetOverrides()))
	return &pb.SetOverridesResponse{Overrides: overridesTo(o)}, err
}

func (s brokerServer) GetProviderKey(ctx context.Context, r *pb.GetProviderKeyRequest) (*pb.GetProviderKeyResponse, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := b.ProviderKey(ctx, moothall.KeyRequest{Scope: scopeFrom(r), Provider: r.GetProvider(), Ref: moothall.SecretRef(r.GetRef())})
	if err != nil {
		return nil, err
	}
	return &pb.GetProviderKeyResponse{Value: v.Reveal()}, nil
}

type brokerClient struct {
	conn *Conn
	stub pb.ToolBrokerClient
}

var _ moothall.Broker = brokerClient{}

func (c brokerClient) Spawn(ctx context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.SpawnAgent, spawnRequestTo(r))
	return agentFrom(p), err
}

func (c brokerClient) Finish(ctx context.Context, s moothall.Scope, h moothall.Handle) error {
	_, err := call(ctx, c.conn, Broker, c.stub.FinishAgent, &pb.FinishAgentRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Handle: string(h),
	})
	return err
}

func (c brokerClient) Discover(ctx context.Context, r moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.DiscoverTools, discoverRequestTo(r))
	return mapped(p.GetTools(), toolSpecFrom), err
}

func (c brokerClient) Validate(ctx context.Context, r moothall.CallRequest) (moothall.Decision, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.ValidateCall, &pb.ValidateCallRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Handle: string(r.Agent),
		QueryId: string(r.Query), RunId: string(r.Run), Call: toolCallTo(r.Call),
	})
	return decisionFrom(p.GetDecision()), err
}

func (c brokerClient) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return receive(ctx, c.conn, Broker, c.stub.ExecuteTool, &pb.ExecuteToolRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Handle: string(r.Agent),
		QueryId: string(r.Query), RunId: string(r.Run), Call: toolCallTo(r.Call),
	}, callProgressFrom)
}

func (c brokerClient) Tools(ctx context.Context, s moothall.Scope) ([]moothall.ToolSpec, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.ListTools, &pb.ListToolsRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage),
	})
	return mapped(p.GetTools(), toolSpecFrom), err
}

func (c brokerClient) Approvals(ctx context.Context, s moothall.Scope, all bool) ([]moothall.Approval, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.ListApprovals, &pb.ListApprovalsRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), All: all,
	})
	return mapped(p.GetApprovals(), approvalFrom), err
}

func (c brokerClient) Decide(ctx context.Context, d moothall.ApprovalDecision) (moothall.Approval, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.DecideApproval, &pb.DecideApprovalRequest{
		SessionId: string(d.Session), AgentLineage: namesTo(d.Lineage), Id: string(d.ID), Answer: string(d.Answer), Arguments: d.Arguments,
	})
	return approvalFrom(p.GetApproval()), err
}

func (c brokerClient) Override(ctx context.Context, s moothall.Scope, o moothall.Overrides) (moothall.Overrides, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.SetOverrides, &pb.SetOverridesRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Overrides: overridesTo(o),
	})
	return overridesFrom(p.GetOverrides()), err
}

func (c brokerClient) ProviderKey(ctx context.Context, r moothall.KeyRequest) (moothall.Secret, error) {
	p, err := call(ctx, c.conn, Broker, c.stub.GetProviderKey, &pb.GetProviderKeyRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Provider: r.Provider, Ref: string(r.Ref),
	})
	if err != nil {
		return moothall.Secret{}, err
	}
	return moothall.NewSecret(p.GetValue()), nil
}
