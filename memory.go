package moothall

import (
	"context"
	"iter"
	"strings"
	"time"
)

// MemoryKind tells the sorts of entries apart.
type MemoryKind string

// The kinds.
const (
	Engram   MemoryKind = "engram"   // one turn
	Fact     MemoryKind = "fact"     // something told or learnt
	Document MemoryKind = "document" // a text of the person's
)

// Trust says where an entry's content comes from; the trust of something made
// from several entries is the least of theirs.
type Trust string

// The levels of trust, rising.
const (
	TrustExternal Trust = "external" // from the web, a tool or a foreign file
	TrustModel    Trust = "model"    // said by a model
	TrustPerson   Trust = "person"   // said by the person
)

// MemoryEntry is one thing remembered. Embeddings stay in the service.
type MemoryEntry struct {
	ID          MemoryID   `json:"id"`
	Kind        MemoryKind `json:"kind"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Tags        []string   `json:"tags,omitempty"`
	Correlates  []MemoryID `json:"correlating_ids,omitempty"`
	Corpus      string     `json:"corpus"`
	Created     time.Time  `json:"created_at"`
	Accessed    time.Time  `json:"last_accessed,omitzero"`
	Accesses    int64      `json:"access_count"`
	Source      string     `json:"source_provenance"`
	Trust       Trust      `json:"trust"`
	Thread      string     `json:"thread,omitempty"` // a dialogue that the entry is a turn of
	Place       int64      `json:"seq,omitempty"`    // its place there
	Speaker     string     `json:"speaker,omitempty"`
	Turn        *TurnNotes `json:"turn,omitempty"` // of an engram
}

// TurnNotes is what an engram knows beyond its text.
type TurnNotes struct {
	Session    SessionID    `json:"session_id"`
	Query      QueryID      `json:"query_id"`
	Question   string       `json:"query"`
	Answer     string       `json:"answer"`
	Respondent RespondentID `json:"respondent_id"`
	Intent     string       `json:"intent,omitempty"`
	Entities   []string     `json:"entities,omitempty"`
	Score      *float64     `json:"critic_score,omitempty"`
	Feedback   string       `json:"critic_feedback,omitempty"`
	Sentiment  string       `json:"sentiment,omitempty"`
	Winner     RespondentID `json:"pairwise_winner,omitempty"`
	Reward     *float64     `json:"reward,omitempty"`
}

// Unseen reports whether the answer was given in the shadow and did not win
// against the one that was shown: nobody wants to be reminded of it.
func (t *TurnNotes) Unseen() bool {
	return t.Respondent != "" && t.Respondent != "A" && t.Winner != t.Respondent
}

// WriteRequest stores an entry. With Propose it only joins the queue of
// candidates that the orchestrator or a person decides on.
type WriteRequest struct {
	Scope
	Entry   MemoryEntry
	From    []MemoryID // entries that this one was made from
	Propose bool
}

// MemoryQuery asks for memories.
type MemoryQuery struct {
	Scope
	Text     string
	Results  int // 0 means 5
	TopK     int // candidates of the first stage; 0 means 20
	Mode     string
	Rerank   bool
	Weigh    bool // by critic score, reward and recency
	Whole    bool // corpora instead of extracted segments
	Kinds    []MemoryKind
	Tags     []string
	Thread   string
	MinTrust Trust
	Source   string // a part of the provenance, in capitals or small letters
	Since    time.Time
	Until    time.Time
	Stages   bool // also stream the candidates of each stage
}

// Candidate is one entry under consideration in one stage.
type Candidate struct {
	ID    MemoryID `json:"id"`
	Name  string   `json:"name"`
	Score float64  `json:"score"`
}

// Recall is one piece of a query's answer: either a stage with its
// candidates, or an entry with the segment that answers the query.
type Recall struct {
	Stage      string       `json:"stage"` // names, descriptions, corpus, fused, cache, library
	Candidates []Candidate  `json:"candidates,omitempty"`
	Entry      *MemoryEntry `json:"entry,omitempty"`
	Segment    string       `json:"segment,omitempty"`
	Score      float64      `json:"score,omitempty"`
	Since      []GraphFact  `json:"since,omitempty"` // what holds now in place of what the entry says
}

// MemoryList asks for entries by their properties, newest first.
type MemoryList struct {
	Scope
	IDs      []MemoryID
	Kinds    []MemoryKind
	Tags     []string
	Session  SessionID
	Proposed bool // the queue of candidates instead
	Limit    int
	Before   MemoryID // page on from here; CodeNotFound when it is gone
}

// MemoryDetail is an entry, and what it is linked to without the texts.
type MemoryDetail struct {
	Entry      MemoryEntry   `json:"entry"`
	Correlated []MemoryEntry `json:"correlated"`
}

// ShowMemory reads one entry; CodeNotFound when there is none.
func ShowMemory(ctx context.Context, m Memory, id MemoryID) (MemoryDetail, error) {
	for e, err := range m.List(ctx, MemoryList{IDs: []MemoryID{id}, Limit: 1}) {
		if err != nil {
			return MemoryDetail{}, err
		}
		linked, err := m.Correlated(ctx, Scope{}, id, false)
		return MemoryDetail{Entry: e, Correlated: append([]MemoryEntry{}, linked...)}, err
	}
	return MemoryDetail{}, &Error{
		Code: CodeNotFound, Op: "memory", Message: "there is no memory " + string(id),
		Remedy: "moothall memory list names those that there are",
	}
}

// Annotation adds what was learnt later to an engram.
type Annotation struct {
	Scope
	Query      QueryID
	Respondent RespondentID
	Notes      TurnNotes // non-empty fields are set
	Event      EventID   // for doing it once
}

// GraphQuery asks the knowledge graph.
type GraphQuery struct {
	Scope
	People    []string
	Locations []string
	Text      string
	Depth     int
	At        time.Time // zero means now
	History   bool      // with what WAS
}

// GraphFact is one statement with its validity.
type GraphFact struct {
	ID         string    `json:"id"`
	Subject    string    `json:"subject"`
	Relation   string    `json:"relation"`
	Object     string    `json:"object"`
	From       time.Time `json:"from,omitzero"`
	To         time.Time `json:"to,omitzero"` // zero: IS; else WAS until then
	Observed   time.Time `json:"observed"`
	Source     MemoryID  `json:"source"`
	Confidence float64   `json:"confidence"`
	Trust      Trust     `json:"trust"`
}

// Words are what a fact says, without when.
func (f GraphFact) Words() string {
	return f.Subject + " " + strings.ReplaceAll(f.Relation, "_", " ") + " " + f.Object
}

// GraphMerge says that two names are one thing.
type GraphMerge struct {
	Scope
	Keep  string
	Merge string
}

// Memory remembers.
type Memory interface {
	// Write stores or proposes an entry and returns it as stored.
	Write(ctx context.Context, r WriteRequest) (MemoryEntry, error)
	// Recall streams a query's stages (when asked) and then its results.
	Recall(ctx context.Context, q MemoryQuery) iter.Seq2[Recall, error]
	// Correlated returns what an entry is linked to: descriptions, or whole
	// entries when whole is set.
	Correlated(ctx context.Context, s Scope, id MemoryID, whole bool) ([]MemoryEntry, error)
	// List streams entries by property.
	List(ctx context.Context, l MemoryList) iter.Seq2[MemoryEntry, error]
	// Annotate adds scores and feedback to the engram of a turn.
	Annotate(ctx context.Context, a Annotation) error
	// Review accepts or rejects a proposed entry.
	Review(ctx context.Context, s Scope, id MemoryID, accept bool) error
	// Forget removes an entry and everything derived from it, and returns
	// what was removed.
	Forget(ctx context.Context, s Scope, id MemoryID) ([]MemoryID, error)
	// Graph streams the facts that match.
	Graph(ctx context.Context, q GraphQuery) iter.Seq2[GraphFact, error]
	// Assert adds a fact; one that it supersedes is closed, not deleted.
	Assert(ctx context.Context, s Scope, f GraphFact) (GraphFact, error)
	// Merge joins two names of one thing.
	Merge(ctx context.Context, m GraphMerge) error
}
