package rpc

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type gatewayServer struct {
	pb.UnimplementedModelGatewayServer
	entrance[moothall.Gateway]
}

func (s gatewayServer) Generate(r *pb.GenerateRequest, st grpc.ServerStreamingServer[pb.GenerateResponse]) error {
	g, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, g.Generate(st.Context(), generateRequestFrom(r)), chunkTo)
}

func (s gatewayServer) Embed(ctx context.Context, r *pb.EmbedRequest) (*pb.EmbedResponse, error) {
	g, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := g.Embed(ctx, embedRequestFrom(r))
	return embeddingsTo(v), err
}

func (s gatewayServer) ListModels(ctx context.Context, r *pb.ListModelsRequest) (*pb.ListModelsResponse, error) {
	g, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	cards, bindings, err := g.Models(ctx, scopeFrom(r))
	return &pb.ListModelsResponse{Cards: mapped(cards, modelCardTo), Bindings: mapped(bindings, bindingTo)}, err
}

func (s gatewayServer) ShowModel(ctx context.Context, r *pb.ShowModelRequest) (*pb.ShowModelResponse, error) {
	g, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	card, err := g.ShowModel(ctx, modelRequestFrom(r))
	return &pb.ShowModelResponse{Card: modelCardTo(card)}, err
}

func (s gatewayServer) BindModel(ctx context.Context, r *pb.BindModelRequest) (*pb.BindModelResponse, error) {
	g, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.BindModelResponse{}, g.BindModel(ctx, scopeFrom(r), bindingFrom(r.GetBinding()))
}

func (s gatewayServer) PullModel(r *pb.PullModelRequest, st grpc.ServerStreamingServer[pb.PullModelResponse]) error {
	g, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, g.PullModel(st.Context(), modelRequestFrom(r)), progressTo)
}

func (s gatewayServer) ProbeModel(ctx context.Context, r *pb.ProbeModelRequest) (*pb.ProbeModelResponse, error) {
	g, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	card, err := g.ProbeModel(ctx, modelRequestFrom(r))
	return &pb.ProbeModelResponse{Card: modelCardTo(card)}, err
}

type gatewayClient struct {
	conn *Conn
	stub pb.ModelGatewayClient
}

var _ moothall.Gateway = gatewayClient{}

func (c gatewayClient) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return receive(ctx, c.conn, Gateway, c.stub.Generate, generateRequestTo(r), chunkFrom)
}

func (c gatewayClient) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	p, err := await(ctx, c.conn, Gateway, c.stub.Embed, embedRequestTo(r))
	return embeddingsFrom(p), err
}

func (c gatewayClient) Models(ctx context.Context, s moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	p, err := call(ctx, c.conn, Gateway, c.stub.ListModels, &pb.ListModelsRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage),
	})
	return mapped(p.GetCards(), modelCardFrom), mapped(p.GetBindings(), bindingFrom), err
}

func (c gatewayClient) ShowModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	p, err := call(ctx, c.conn, Gateway, c.stub.ShowModel, &pb.ShowModelRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Provider: r.Provider, Model: r.Model,
	})
	return modelCardFrom(p.GetCard()), err
}

func (c gatewayClient) BindModel(ctx context.Context, s moothall.Scope, b moothall.ModelBinding) error {
	_, err := call(ctx, c.conn, Gateway, c.stub.BindModel, &pb.BindModelRequest{
		SessionId: string(s.Session), AgentLineage: namesTo(s.Lineage), Binding: bindingTo(b),
	})
	return err
}

func (c gatewayClient) PullModel(ctx context.Context, r moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return receive(ctx, c.conn, Gateway, c.stub.PullModel, &pb.PullModelRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Provider: r.Provider, Model: r.Model,
	}, progressFrom)
}

func (c gatewayClient) ProbeModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	p, err := await(ctx, c.conn, Gateway, c.stub.ProbeModel, &pb.ProbeModelRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Provider: r.Provider, Model: r.Model,
	})
	return modelCardFrom(p.GetCard()), err
}
