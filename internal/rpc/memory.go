package rpc

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type memoryServer struct {
	pb.UnimplementedMemoryServiceServer
	entrance[moothall.Memory]
}

func (s memoryServer) WriteMemory(ctx context.Context, r *pb.WriteMemoryRequest) (*pb.WriteMemoryResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	e, err := m.Write(ctx, moothall.WriteRequest{
		Scope: scopeFrom(r), Entry: memoryEntryFrom(r.GetEntry()), From: namesFrom[moothall.MemoryID](r.GetFrom()), Propose: r.GetPropose(),
	})
	return &pb.WriteMemoryResponse{Entry: memoryEntryTo(e)}, err
}

func (s memoryServer) QueryMemory(r *pb.QueryMemoryRequest, st grpc.ServerStreamingServer[pb.QueryMemoryResponse]) error {
	m, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, m.Recall(st.Context(), memoryQueryFrom(r)), recallTo)
}

func (s memoryServer) GetCorrelated(ctx context.Context, r *pb.GetCorrelatedRequest) (*pb.GetCorrelatedResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := m.Correlated(ctx, scopeFrom(r), moothall.MemoryID(r.GetId()), r.GetWhole())
	return &pb.GetCorrelatedResponse{Entries: mapped(list, memoryEntryTo)}, err
}

func (s memoryServer) ListMemories(r *pb.ListMemoriesRequest, st grpc.ServerStreamingServer[pb.ListMemoriesResponse]) error {
	m, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, m.List(st.Context(), memoryListFrom(r)), func(e moothall.MemoryEntry) *pb.ListMemoriesResponse {
		return &pb.ListMemoriesResponse{Entry: memoryEntryTo(e)}
	})
}

func (s memoryServer) AnnotateMemory(ctx context.Context, r *pb.AnnotateMemoryRequest) (*pb.AnnotateMemoryResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.AnnotateMemoryResponse{}, m.Annotate(ctx, moothall.Annotation{
		Scope: scopeFrom(r), Query: moothall.QueryID(r.GetQueryId()), Respondent: moothall.RespondentID(r.GetRespondentId()),
		Notes: turnNotesFrom(r.GetNotes()), Event: moothall.EventID(r.GetEventId()),
	})
}

func (s memoryServer) ReviewMemory(ctx context.Context, r *pb.ReviewMemoryRequest) (*pb.ReviewMemoryResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.ReviewMemoryResponse{}, m.Review(ctx, scopeFrom(r), moothall.MemoryID(r.GetId()), r.GetAccept())
}

func (s memoryServer) ForgetMemory(ctx context.Context, r *pb.ForgetMemoryRequest) (*pb.ForgetMemoryResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	gone, err := m.Forget(ctx, scopeFrom(r), moothall.MemoryID(r.GetId()))
	return &pb.ForgetMemoryResponse{Removed: namesTo(gone)}, err
}

func (s memoryServer) SearchGraph(r *pb.SearchGraphRequest, st grpc.ServerStreamingServer[pb.SearchGraphResponse]) error {
	m, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, m.Graph(st.Context(), graphQueryFrom(r)), func(f moothall.GraphFact) *pb.SearchGraphResponse {
		return &pb.SearchGraphResponse{Fact: factTo(f)}
	})
}

func (s memoryServer) AssertFact(ctx context.Context, r *pb.AssertFactRequest) (*pb.AssertFactResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	f, err := m.Assert(ctx, scopeFrom(r), factFrom(r.GetFact()))
	return &pb.AssertFactResponse{Fact: factTo(f)}, err
}

func (s memoryServer) MergeEntities(ctx context.Context, r *pb.MergeEntitiesRequest) (*pb.MergeEntitiesResponse, error) {
	m, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.MergeEntitiesResponse{}, m.Merge(ctx, moothall.GraphMerge{Scope: scopeFrom(r), Keep: r.GetKeep(), Merge: r.GetMerge()})
}

type memoryClient struct {
	conn *Conn
	stub pb.MemoryServiceClient
}

var _ moothall.Memory = memoryClient{}

func (c memoryClient) Write(ctx context.Context, r moothall.WriteRequest) (moothall.MemoryEntry, error) {
	p, err := call(ctx, c.conn, Memory, c.stub.WriteMemory, &pb.WriteMemoryRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Entry: memoryEntryTo(r.Entry), From: namesTo(r.From), Propose: r.Propose,
	})
	return memoryEntryFrom(p.GetEntry()), err
}

func (c memoryClient) Recall(ctx context.Context, q moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return receive(ctx, c.conn, Memory, c.stub.QueryMemory, memoryQueryTo(q), recallFrom)
}

func (c memoryClient) Correlated(ctx context.Context, s moothall.Scope, id moothall.MemoryID, whole bool) ([]moothall.MemoryEntry, error) {
	p, err := call(ctx, c.conn, Memory, c.stub.GetCorrelated, &pb.GetCorrelatedRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Id: string(id), Whole: whole,
	})
	return mapped(p.GetEntries(), memoryEntryFrom), err
}

func (c memoryClient) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return receive(ctx, c.conn, Memory, c.stub.ListMemories, memoryListTo(l), func(r *pb.ListMemoriesResponse) moothall.MemoryEntry {
		return memoryEntryFrom(r.GetEntry())
	})
}

func (c memoryClient) Annotate(ctx context.Context, a moothall.Annotation) error {
	_, err := call(ctx, c.conn, Memory, c.stub.AnnotateMemory, &pb.AnnotateMemoryRequest{
		SessionId: string(a.Session), AgentLineage: namesTo(a.Lineage), QueryId: string(a.Query), RespondentId: string(a.Respondent),
		Notes: turnNotesTo(a.Notes), EventId: string(a.Event),
	})
	return err
}

func (c memoryClient) Review(ctx context.Context, s moothall.Scope, id moothall.MemoryID, accept bool) error {
	_, err := call(ctx, c.conn, Memory, c.stub.ReviewMemory, &pb.ReviewMemoryRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Id: string(id), Accept: accept,
	})
	return err
}

func (c memoryClient) Forget(ctx context.Context, s moothall.Scope, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	p, err := call(ctx, c.conn, Memory, c.stub.ForgetMemory, &pb.ForgetMemoryRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Id: string(id),
	})
	return namesFrom[moothall.MemoryID](p.GetRemoved()), err
}

func (c memoryClient) Graph(ctx context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return receive(ctx, c.conn, Memory, c.stub.SearchGraph, graphQueryTo(q), func(r *pb.SearchGraphResponse) moothall.GraphFact {
		return factFrom(r.GetFact())
	})
}

func (c memoryClient) Assert(ctx context.Context, s moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error) {
	p, err := call(ctx, c.conn, Memory, c.stub.AssertFact, &pb.AssertFactRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Fact: factTo(f),
	})
	return factFrom(p.GetFact()), err
}

func (c memoryClient) Merge(ctx context.Context, m moothall.GraphMerge) error {
	_, err := call(ctx, c.conn, Memory, c.stub.MergeEntities, &pb.MergeEntitiesRequest{
		SessionId: string(m.Session), AgentLineage: namesTo(m.Lineage), Keep: text(m.Keep), Merge: text(m.Merge),
	})
	return err
}
