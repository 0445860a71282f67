package rpc

import (
	"encoding/json"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

// Judgements and reports cross as JSON: they are for reading, no service
// decides by them.

func jsonTo[T any](v T) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "encode", Err: err}
	}
	return b, nil
}

func jsonFrom[T any](b []byte) (v T, err error) {
	if err = json.Unmarshal(b, &v); err != nil {
		return v, &moothall.Error{Code: moothall.CodeCorrupt, Op: "decode", Message: "the hall sent something that cannot be read", Err: err}
	}
	return v, nil
}

func judgementQueryTo(q moothall.JudgementQuery) *pb.ListJudgementsRequest {
	return &pb.ListJudgementsRequest{
		SessionId: string(q.Session), QueryId: string(q.Query), Since: timeTo(q.Since), Before: timeTo(q.Before), Limit: int64(q.Limit),
	}
}

func judgementQueryFrom(r *pb.ListJudgementsRequest) moothall.JudgementQuery {
	return moothall.JudgementQuery{
		Session: moothall.SessionID(r.GetSessionId()), Query: moothall.QueryID(r.GetQueryId()), Since: timeFrom(r.GetSince()),
		Before: timeFrom(r.GetBefore()), Limit: int(r.GetLimit()),
	}
}

func judgementsTo(list []moothall.Judgement) (*pb.ListJudgementsResponse, error) {
	out := &pb.ListJudgementsResponse{}
	for _, j := range list {
		b, err := jsonTo(j)
		if err != nil {
			return nil, err
		}
		out.Judgements = append(out.Judgements, b)
	}
	return out, nil
}

func judgementsFrom(r *pb.ListJudgementsResponse) (out []moothall.Judgement, _ error) {
	for _, b := range r.GetJudgements() {
		j, err := jsonFrom[moothall.Judgement](b)
		if err != nil {
			return nil, err
		}
		out = append(out, j)
	}
	return out, nil
}

func replayRequestTo(r moothall.ReplayRequest) *pb.ReplayQueryRequest {
	return &pb.ReplayQueryRequest{QueryId: string(r.Query), Model: r.Model, Prompt: text(r.Prompt), Policy: text(r.Policy)}
}

func replayRequestFrom(r *pb.ReplayQueryRequest) moothall.ReplayRequest {
	return moothall.ReplayRequest{Query: moothall.QueryID(r.GetQueryId()), Model: r.GetModel(), Prompt: r.GetPrompt(), Policy: r.GetPolicy()}
}

func replayedTo(r moothall.Replayed) *pb.ReplayQueryResponse {
	return &pb.ReplayQueryResponse{Recorded: answerTo(r.Recorded), Again: answerTo(r.Again), Same: r.Same, Differences: textsTo(r.Differences)}
}

func replayedFrom(r *pb.ReplayQueryResponse) moothall.Replayed {
	return moothall.Replayed{
		Recorded: answerFrom(r.GetRecorded()), Again: answerFrom(r.GetAgain()), Same: r.GetSame(), Differences: r.GetDifferences(),
	}
}
