package rpc

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type searchServer struct {
	pb.UnimplementedSearchServiceServer
	entrance[moothall.Search]
}

func (s searchServer) Search(r *pb.SearchRequest, st grpc.ServerStreamingServer[pb.SearchResponse]) error {
	search, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, search.Search(st.Context(), searchRequestFrom(r)), searchResultTo)
}

func (s searchServer) Fetch(ctx context.Context, r *pb.FetchRequest) (*pb.FetchResponse, error) {
	search, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	page, err := search.Fetch(ctx, moothall.FetchRequest{Scope: scopeFrom(r), URL: r.GetUrl(), Max: int(r.GetMax())})
	return pageTo(page), err
}

type searchClient struct {
	conn *Conn
	stub pb.SearchServiceClient
}

var _ moothall.Search = searchClient{}

func (c searchClient) Search(ctx context.Context, r moothall.SearchRequest) iter.Seq2[moothall.SearchResult, error] {
	return receive(ctx, c.conn, Search, c.stub.Search, searchRequestTo(r), searchResultFrom)
}

func (c searchClient) Fetch(ctx context.Context, r moothall.FetchRequest) (moothall.Page, error) {
	p, err := call(ctx, c.conn, Search, c.stub.Fetch, &pb.FetchRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Url: text(r.URL), Max: int64(r.Max),
	})
	return pageFrom(p), err
}

func searchRequestTo(r moothall.SearchRequest) *pb.SearchRequest {
	return &pb.SearchRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Query: text(r.Query), Limit: small(r.Limit),
		Language: r.Language, Since: timeTo(r.Since), Summaries: r.Summaries, Page: text(r.Page),
	}
}

func searchRequestFrom(r *pb.SearchRequest) moothall.SearchRequest {
	return moothall.SearchRequest{
		Scope: scopeFrom(r), Query: r.GetQuery(), Limit: int(r.GetLimit()), Language: r.GetLanguage(),
		Since: timeFrom(r.GetSince()), Summaries: r.GetSummaries(), Page: r.GetPage(),
	}
}

func searchResultTo(r moothall.SearchResult) *pb.SearchResponse {
	return &pb.SearchResponse{
		Title: text(r.Title), SourceUrl: text(r.URL), Snippet: text(r.Snippet), Claim: text(r.Claim), Summary: text(r.Summary),
		Confidence: r.Confidence, Date: timeTo(r.Date), Provider: r.Provider, Sent: mapped(r.Sent, egressTo),
	}
}

func searchResultFrom(r *pb.SearchResponse) moothall.SearchResult {
	return moothall.SearchResult{
		Title: r.GetTitle(), URL: r.GetSourceUrl(), Snippet: r.GetSnippet(), Claim: r.GetClaim(), Summary: r.GetSummary(),
		Confidence: r.GetConfidence(), Date: timeFrom(r.GetDate()), Provider: r.GetProvider(), Sent: mapped(r.GetSent(), egressFrom),
	}
}

func pageTo(p moothall.Page) *pb.FetchResponse {
	return &pb.FetchResponse{
		Url: text(p.URL), Title: text(p.Title), Text: text(p.Text), Date: timeTo(p.Date), Language: text(p.Language),
		Cut: text(p.Cut), Sent: mapped(p.Sent, egressTo),
	}
}

func pageFrom(p *pb.FetchResponse) moothall.Page {
	return moothall.Page{
		URL: p.GetUrl(), Title: p.GetTitle(), Text: p.GetText(), Date: timeFrom(p.GetDate()), Language: p.GetLanguage(),
		Cut: p.GetCut(), Sent: mapped(p.GetSent(), egressFrom),
	}
}
