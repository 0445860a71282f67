package rpc

import (
	"moothall"
	pb "moothall/proto/moothall/v1"
)

func generateRequestTo(r moothall.GenerateRequest) *pb.GenerateRequest {
	return &pb.GenerateRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), QueryId: string(r.Query), Role: string(r.Role),
		Complexity: r.Complexity, Provider: r.Provider, Model: r.Model, Messages: mapped(r.Messages, messageTo),
		Tools: mapped(r.Tools, toolSpecTo), Schema: r.Schema, Think: r.Think, Temperature: r.Temperature, Seed: r.Seed,
		MaxTokens: int64(r.MaxTokens), Window: int64(r.Window), Stop: textsTo(r.Stop), Priority: string(r.Priority), Whole: r.Whole,
	}
}

func generateRequestFrom(r *pb.GenerateRequest) moothall.GenerateRequest {
	return moothall.GenerateRequest{
		Scope: scopeFrom(r), Query: moothall.QueryID(r.GetQueryId()), Role: moothall.ModelRole(r.GetRole()),
		Complexity: r.GetComplexity(), Provider: r.GetProvider(), Model: r.GetModel(),
		Messages: mapped(r.GetMessages(), messageFrom), Tools: mapped(r.GetTools(), toolSpecFrom), Schema: r.GetSchema(),
		Think: r.GetThink(), Temperature: r.Temperature, Seed: r.Seed, MaxTokens: int(r.GetMaxTokens()),
		Window: int(r.GetWindow()), Stop: r.GetStop(), Priority: moothall.Priority(r.GetPriority()), Whole: r.GetWhole(),
	}
}

func chunkTo(c moothall.Chunk) *pb.GenerateResponse {
	return &pb.GenerateResponse{
		Thinking: text(c.Thinking), Text: text(c.Text), ToolCalls: mapped(c.ToolCalls, toolCallTo), Stop: string(c.Stop),
		Usage: usageTo(c.Usage), Provider: c.Provider, Model: c.Model, Sent: mapped(c.Sent, egressTo), Note: text(c.Note),
	}
}

func chunkFrom(r *pb.GenerateResponse) moothall.Chunk {
	return moothall.Chunk{
		Thinking: r.GetThinking(), Text: r.GetText(), ToolCalls: mapped(r.GetToolCalls(), toolCallFrom),
		Stop: moothall.StopReason(r.GetStop()), Usage: usageFrom(r.GetUsage()), Provider: r.GetProvider(), Model: r.GetModel(),
		Sent: mapped(r.GetSent(), egressFrom), Note: r.GetNote(),
	}
}

func embedRequestTo(r moothall.EmbedRequest) *pb.EmbedRequest {
	return &pb.EmbedRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Provider: r.Provider, Model: r.Model,
		Purpose: r.Purpose, Texts: textsTo(r.Texts), Priority: string(r.Priority),
	}
}

func embedRequestFrom(r *pb.EmbedRequest) moothall.EmbedRequest {
	return moothall.EmbedRequest{
		Scope: scopeFrom(r), Provider: r.GetProvider(), Model: r.GetModel(), Purpose: r.GetPurpose(),
		Texts: r.GetTexts(), Priority: moothall.Priority(r.GetPriority()),
	}
}

func embeddingsTo(e moothall.Embeddings) *pb.EmbedResponse {
	return &pb.EmbedResponse{
		Embedder: e.Embedder,
		Vectors:  mapped(e.Vectors, func(v []float32) *pb.Vector { return &pb.Vector{Values: v} }),
	}
}

func embeddingsFrom(r *pb.EmbedResponse) moothall.Embeddings {
	return moothall.Embeddings{Embedder: r.GetEmbedder(), Vectors: mapped(r.GetVectors(), (*pb.Vector).GetValues)}
}

func modelCardTo(c moothall.ModelCard) *pb.ModelCard {
	return &pb.ModelCard{
		Provider: c.Provider, Model: c.Model, Family: c.Family, Parameters: c.Parameters, Digest: c.Digest, Size: c.Size,
		Window: int64(c.Window), Tools: c.Tools, Json: c.JSON, Thinking: c.Thinking, StreamsTools: c.Streams, Loaded: c.Loaded,
		Recall: c.Recall, Offer: int64(c.Offer),
		Probed: timeTo(c.Probed), Notes: textsTo(c.Notes),
	}
}

func modelCardFrom(c *pb.ModelCard) moothall.ModelCard {
	return moothall.ModelCard{
		Provider: c.GetProvider(), Model: c.GetModel(), Family: c.GetFamily(), Parameters: c.GetParameters(),
		Digest: c.GetDigest(), Size: c.GetSize(), Window: int(c.GetWindow()), Tools: c.GetTools(), JSON: c.GetJson(),
		Thinking: c.GetThinking(), Streams: c.GetStreamsTools(), Loaded: c.GetLoaded(),
		Recall: c.GetRecall(), Offer: int(c.GetOffer()), Probed: timeFrom(c.GetProbed()),
		Notes: c.GetNotes(),
	}
}

func bindingTo(b moothall.ModelBinding) *pb.ModelBinding {
	return &pb.ModelBinding{Role: string(b.Role), Complexity: b.Complexity, Provider: b.Provider, Model: b.Model}
}

func bindingFrom(b *pb.ModelBinding) moothall.ModelBinding {
	return moothall.ModelBinding{
		Role: moothall.ModelRole(b.GetRole()), Complexity: b.GetComplexity(), Provider: b.GetProvider(), Model: b.GetModel(),
	}
}

// modelRequestFrom reads the requests that name a model; they look alike.
func modelRequestFrom(r interface {
	GetSessionId() string
	GetAgentLineage() []string
	GetProvider() string
	GetModel() string
}) moothall.ModelRequest {
	return moothall.ModelRequest{Scope: scopeFrom(r), Provider: r.GetProvider(), Model: r.GetModel()}
}
