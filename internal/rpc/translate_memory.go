package rpc

import (
	"moothall"
	pb "moothall/proto/moothall/v1"
)

func memoryEntryTo(e moothall.MemoryEntry) *pb.MemoryEntry {
	return &pb.MemoryEntry{
		Id: string(e.ID), Kind: string(e.Kind), Name: text(e.Name), Description: text(e.Description), Tags: textsTo(e.Tags),
		CorrelatingIds: namesTo(e.Correlates), Corpus: text(e.Corpus), CreatedAt: timeTo(e.Created), LastAccessed: timeTo(e.Accessed),
		AccessCount: e.Accesses, SourceProvenance: text(e.Source), Trust: string(e.Trust), Thread: text(e.Thread), Seq: e.Place,
		Speaker: text(e.Speaker), Turn: optional(e.Turn, turnNotesTo),
	}
}

func memoryEntryFrom(e *pb.MemoryEntry) moothall.MemoryEntry {
	return moothall.MemoryEntry{
		ID: moothall.MemoryID(e.GetId()), Kind: moothall.MemoryKind(e.GetKind()), Name: e.GetName(), Description: e.GetDescription(),
		Tags: e.GetTags(), Correlates: namesFrom[moothall.MemoryID](e.GetCorrelatingIds()), Corpus: e.GetCorpus(),
		Created: timeFrom(e.GetCreatedAt()), Accessed: timeFrom(e.GetLastAccessed()), Accesses: e.GetAccessCount(),
		Source: e.GetSourceProvenance(), Trust: moothall.Trust(e.GetTrust()), Thread: e.GetThread(), Place: e.GetSeq(),
		Speaker: e.GetSpeaker(), Turn: optionalFrom(e.GetTurn(), turnNotesFrom),
	}
}

func turnNotesTo(n moothall.TurnNotes) *pb.TurnNotes {
	return &pb.TurnNotes{
		SessionId: string(n.Session), QueryId: string(n.Query), Question: text(n.Question), Answer: text(n.Answer),
		RespondentId: string(n.Respondent), Intent: text(n.Intent), Entities: textsTo(n.Entities), CriticScore: n.Score,
		CriticFeedback: text(n.Feedback), Sentiment: text(n.Sentiment), PairwiseWinner: string(n.Winner), Reward: n.Reward,
	}
}

func turnNotesFrom(n *pb.TurnNotes) moothall.TurnNotes {
	if n == nil {
		return moothall.TurnNotes{}
	}
	return moothall.TurnNotes{
		Session: moothall.SessionID(n.GetSessionId()), Query: moothall.QueryID(n.GetQueryId()), Question: n.GetQuestion(),
		Answer: n.GetAnswer(), Respondent: moothall.RespondentID(n.GetRespondentId()), Intent: n.GetIntent(),
		Entities: n.GetEntities(), Score: n.CriticScore, Feedback: n.GetCriticFeedback(), Sentiment: n.GetSentiment(),
		Winner: moothall.RespondentID(n.GetPairwiseWinner()), Reward: n.Reward,
	}
}

func memoryQueryTo(q moothall.MemoryQuery) *pb.QueryMemoryRequest {
	return &pb.QueryMemoryRequest{
		SessionId: string(q.Session), AgentLineage: namesTo(q.Lineage), Text: text(q.Text), Results: small(q.Results),
		TopK: small(q.TopK), Mode: q.Mode, Rerank: q.Rerank, Weigh: q.Weigh, Whole: q.Whole, Kinds: namesTo(q.Kinds),
		Tags: textsTo(q.Tags), Thread: text(q.Thread), MinTrust: string(q.MinTrust), Since: timeTo(q.Since), Until: timeTo(q.Until),
		Stages: q.Stages, Source: text(q.Source),
	}
}

func memoryQueryFrom(q *pb.QueryMemoryRequest) moothall.MemoryQuery {
	return moothall.MemoryQuery{
		Scope: scopeFrom(q), Text: q.GetText(), Results: int(q.GetResults()), TopK: int(q.GetTopK()), Mode: q.GetMode(),
		Rerank: q.GetRerank(), Weigh: q.GetWeigh(), Whole: q.GetWhole(), Kinds: namesFrom[moothall.MemoryKind](q.GetKinds()),
		Tags: q.GetTags(), Thread: q.GetThread(), MinTrust: moothall.Trust(q.GetMinTrust()), Since: timeFrom(q.GetSince()),
		Until: timeFrom(q.GetUntil()), Stages: q.GetStages(), Source: q.GetSource(),
	}
}

func recallTo(r moothall.Recall) *pb.QueryMemoryResponse {
	return &pb.QueryMemoryResponse{
		Stage: r.Stage, Entry: optional(r.Entry, memoryEntryTo), Segment: text(r.Segment), Score: r.Score, Since: mapped(r.Since, factTo),
		Candidates: mapped(r.Candidates, func(c moothall.Candidate) *pb.Candidate {
			return &pb.Candidate{Id: string(c.ID), Name: text(c.Name), Score: c.Score}
		}),
	}
}

func recallFrom(r *pb.QueryMemoryResponse) moothall.Recall {
	return moothall.Recall{
		Stage: r.GetStage(), Entry: optionalFrom(r.GetEntry(), memoryEntryFrom), Segment: r.GetSegment(), Score: r.GetScore(), Since: mapped(r.GetSince(), factFrom),
		Candidates: mapped(r.GetCandidates(), func(c *pb.Candidate) moothall.Candidate {
			return moothall.Candidate{ID: moothall.MemoryID(c.GetId()), Name: c.GetName(), Score: c.GetScore()}
		}),
	}
}

func memoryListTo(l moothall.MemoryList) *pb.ListMemoriesRequest {
	return &pb.ListMemoriesRequest{
		SessionId: string(l.Scope.Session), AgentLineage: namesTo(l.Lineage), Ids: namesTo(l.IDs), Kinds: namesTo(l.Kinds),
		Tags: textsTo(l.Tags), OfSession: string(l.Session), Proposed: l.Proposed, Limit: small(l.Limit), Before: string(l.Before),
	}
}

func memoryListFrom(r *pb.ListMemoriesRequest) moothall.MemoryList {
	return moothall.MemoryList{
		Scope: scopeFrom(r), IDs: namesFrom[moothall.MemoryID](r.GetIds()), Kinds: namesFrom[moothall.MemoryKind](r.GetKinds()),
		Tags: r.GetTags(), Session: moothall.SessionID(r.GetOfSession()), Proposed: r.GetProposed(), Limit: int(r.GetLimit()),
		Before: moothall.MemoryID(r.GetBefore()),
	}
}

func graphQueryTo(q moothall.GraphQuery) *pb.SearchGraphRequest {
	return &pb.SearchGraphRequest{
		SessionId: string(q.Session), AgentLineage: namesTo(q.Lineage), People: textsTo(q.People), Locations: textsTo(q.Locations),
		Text: text(q.Text), Depth: small(q.Depth), At: timeTo(q.At), History: q.History,
	}
}

func graphQueryFrom(q *pb.SearchGraphRequest) moothall.GraphQuery {
	return moothall.GraphQuery{
		Scope: scopeFrom(q), People: q.GetPeople(), Locations: q.GetLocations(), Text: q.GetText(), Depth: int(q.GetDepth()),
		At: timeFrom(q.GetAt()), History: q.GetHistory(),
	}
}

func factTo(f moothall.GraphFact) *pb.GraphFact {
	return &pb.GraphFact{
		Id: f.ID, Subject: text(f.Subject), Relation: text(f.Relation), Object: text(f.Object), From: timeTo(f.From), To: timeTo(f.To),
		Observed: timeTo(f.Observed), Source: string(f.Source), Confidence: f.Confidence, Trust: string(f.Trust),
	}
}

func factFrom(f *pb.GraphFact) moothall.GraphFact {
	return moothall.GraphFact{
		ID: f.GetId(), Subject: f.GetSubject(), Relation: f.GetRelation(), Object: f.GetObject(), From: timeFrom(f.GetFrom()),
		To: timeFrom(f.GetTo()), Observed: timeFrom(f.GetObserved()), Source: moothall.MemoryID(f.GetSource()),
		Confidence: f.GetConfidence(), Trust: moothall.Trust(f.GetTrust()),
	}
}
