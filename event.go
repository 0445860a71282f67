package moothall

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Event says that something happened. It is the envelope of the event plane:
// anyone may listen, nothing gains authority from it.
type Event struct {
	ID          EventID         `json:"id"`
	Subject     Subject         `json:"subject"`
	Type        string          `json:"type"` // names the payload's shape, "query.received/1"
	Time        time.Time       `json:"time"`
	Session     SessionID       `json:"session_id,omitempty"`
	Query       QueryID         `json:"query_id,omitempty"`
	Correlation string          `json:"correlation_id,omitempty"` // the event, call or task that this one answers
	Respondent  RespondentID    `json:"respondent_id,omitempty"`
	Sender      Identity        `json:"sender"`
	Lineage     Lineage         `json:"agent_lineage,omitempty"`
	Trace       string          `json:"trace,omitempty"` // W3C traceparent
	Payload     json.RawMessage `json:"payload,omitempty"`

	// Seq is the event's place in the durable record of the bus, 0 for an
	// event that may be dropped. The bus sets it; publishers leave it 0.
	Seq uint64 `json:"seq,omitempty"`
}

// Delivery is the class of a subject.
type Delivery uint8

// The classes.
const (
	// MustDeliver: stored before the publisher is answered, delivered at
	// least once to every durable consumer.
	MustDeliver Delivery = iota
	// MayDrop: delivered to who keeps up, dropped for who does not.
	MayDrop
)

// Subject names a kind of event. [SubjectToolRequest] and
// [SubjectToolResult] are families: a tool's name follows after a dot.
type Subject string

// The subjects.
const (
	SubjectQueryReceived      Subject = "query.received"
	SubjectResponseThinking   Subject = "response.thinking"
	SubjectResponseDelta      Subject = "response.delta"
	SubjectResponseGeneration Subject = "response.generation"
	SubjectAnswerDialog       Subject = "answer.dialog"
	SubjectToolSchema         Subject = "tool.schema"
	SubjectToolRequest        Subject = "tool.request"
	SubjectToolResult         Subject = "tool.result"
	SubjectMemoryRecalled     Subject = "memory.recalled"
	SubjectMemoryEngram       Subject = "memory.engram"
	SubjectMemoryChanged      Subject = "memory.changed"
	SubjectCritiqueResult     Subject = "critique.result"
	SubjectPairwiseResult     Subject = "pairwise.result"
	SubjectUserFeedback       Subject = "user.feedback"
	SubjectRewardEvent        Subject = "reward.event"
	SubjectAgentSpawned       Subject = "agent.spawned"
	SubjectAgentFinished      Subject = "agent.finished"
	SubjectDeliberation       Subject = "committee.deliberation"
	SubjectTaskPlanned        Subject = "task.planned"
	SubjectTaskStep           Subject = "task.step"
	SubjectTaskFinished       Subject = "task.finished"
	SubjectApprovalRequested  Subject = "approval.requested"
	SubjectApprovalDecided    Subject = "approval.decided"
	SubjectSessionState       Subject = "session.state"
	SubjectSessionCompacted   Subject = "session.compacted"
	SubjectSessionChanged     Subject = "session.changed"
	SubjectHallState          Subject = "hall.state"
	SubjectDeadLetter         Subject = "dead.letter"
)

// SubjectRule is what the bus enforces for one subject.
type SubjectRule struct {
	Subject  Subject
	Family   bool // a name follows: tool.request.web_search
	Delivery Delivery
	// Publishers are the participants that may publish it. A tool that
	// lives on the bus is no identity of the hall; what it may publish is
	// said where it is admitted.
	Publishers []Identity
}

// answerers are the three ways to answer a person.
var answerers = []Identity{ChatHall, CommitteeTable, Orchestrator}

// subjects is the one table of who may say what, and how surely it is heard.
var subjects = []SubjectRule{
	{SubjectQueryReceived, false, MustDeliver, []Identity{FrontDoor, Person}},
	{SubjectResponseThinking, false, MayDrop, answerers},
	{SubjectResponseDelta, false, MayDrop, answerers},
	{SubjectResponseGeneration, false, MustDeliver, answerers},
	{SubjectAnswerDialog, false, MustDeliver, answerers},
	{SubjectToolSchema, false, MustDeliver, []Identity{ToolBroker}},
	{SubjectToolRequest, true, MustDeliver, []Identity{ToolBroker}},
	{SubjectToolResult, true, MustDeliver, []Identity{ToolBroker}},
	{SubjectMemoryRecalled, false, MustDeliver, append([]Identity{MemoryKeeper}, answerers...)},
	{SubjectMemoryEngram, false, MustDeliver, []Identity{MemoryKeeper}},
	{SubjectMemoryChanged, false, MayDrop, []Identity{MemoryKeeper}},
	{SubjectCritiqueResult, false, MustDeliver, []Identity{Critic}},
	{SubjectPairwiseResult, false, MustDeliver, []Identity{Critic}},
	{SubjectUserFeedback, false, MustDeliver, []Identity{FrontDoor, ChatHall}},
	{SubjectRewardEvent, false, MustDeliver, []Identity{Reward}},
	{SubjectAgentSpawned, false, MustDeliver, []Identity{ToolBroker}},
	{SubjectAgentFinished, false, MustDeliver, []Identity{ToolBroker}},
	{SubjectDeliberation, false, MustDeliver, []Identity{CommitteeTable}},
	{SubjectTaskPlanned, false, MustDeliver, []Identity{Orchestrator}},
	{SubjectTaskStep, false, MustDeliver, []Identity{Orchestrator}},
	{SubjectTaskFinished, false, MustDeliver, []Identity{Orchestrator}},
	{SubjectApprovalRequested, false, MustDeliver, []Identity{ToolBroker}},
	{SubjectApprovalDecided, false, MustDeliver, []Identity{ToolBroker}},
	{SubjectSessionState, false, MustDeliver, answerers},
	{SubjectSessionCompacted, false, MustDeliver, answerers},
	{SubjectSessionChanged, false, MayDrop, []Identity{ChatHall}},
	{SubjectHallState, false, MustDeliver, []Identity{Hall}},
	{SubjectDeadLetter, false, MustDeliver, []Identity{MemoryKeeper, Critic, Reward, ChatHall, FrontDoor, Hall}},
}

// subjectRules finds a rule by its subject; a family stands under its own name.
var subjectRules = func() map[Subject]SubjectRule {
	m := make(map[Subject]SubjectRule, len(subjects))
	for _, r := range subjects {
		m[r.Subject] = r
	}
	return m
}()

// Subjects returns the table of who may say what, and how surely it is heard.
func Subjects() []SubjectRule { return slices.Clone(subjects) }

// Of returns the subject of a family for one name: tool.request.web_search.
func (s Subject) Of(name ToolName) Subject { return s + "." + Subject(name) }

// Rule returns the rule that governs s, for a family's member that of the
// family. The second result is false when s is no subject of the hall.
func (s Subject) Rule() (SubjectRule, bool) {
	if r, ok := subjectRules[s]; ok && !r.Family {
		return r, true
	}
	dot := strings.LastIndexByte(string(s), '.')
	if dot < 0 {
		return SubjectRule{}, false
	}
	r, ok := subjectRules[s[:dot]]
	if !ok || !r.Family || !ValidToken(string(s[dot+1:])) {
		return SubjectRule{}, false
	}
	return r, true
}

// MayPublish reports whether a participant of the hall may publish s.
func (i Identity) MayPublish(s Subject) bool {
	r, ok := s.Rule()
	return ok && slices.Contains(r.Publishers, i)
}

// ValidToken reports whether s can stand as one token of a subject: letters,
// digits, '-' and '_', at most 64 of them.
func ValidToken(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// Validate reports the first thing that keeps the event from being published.
func (e *Event) Validate() error {
	rule, ok := e.Subject.Rule()
	switch {
	case e.ID == "":
		return Fail(CodeInvalid, "event", "no id")
	case len(e.ID) > 128:
		return Fail(CodeInvalid, "event", "id longer than 128 bytes")
	case !ok:
		return Fail(CodeInvalid, "event", "unknown subject "+string(e.Subject))
	case e.Type == "":
		return Fail(CodeInvalid, "event", "no type")
	case e.Time.IsZero():
		return Fail(CodeInvalid, "event", "no time")
	case !ValidToken(string(e.Sender)):
		return Fail(CodeInvalid, "event", "sender is not a name")
	case len(e.Payload) > 0 && !json.Valid(e.Payload):
		return Fail(CodeInvalid, "event", "payload is not JSON")
	case rule.Delivery == MayDrop && e.Seq != 0:
		return Fail(CodeInvalid, "event", "an event that may be dropped has no place in the record")
	}
	return nil
}

// NewEvent returns an event of now with a fresh id. The payload is marshalled
// at once; one that cannot be is a programmer's error and is returned as such.
func NewEvent(subject Subject, payload any) (Event, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the bus takes a payload up to a size, and escaped program text is up to six times as long
	if err := enc.Encode(payload); err != nil {
		return Event{}, &Error{Code: CodeInternal, Op: "event payload", Err: err}
	}
	base := subject
	if r, ok := subject.Rule(); ok {
		base = r.Subject
	}
	return Event{
		ID: EventID(NewID()), Subject: subject, Type: string(base) + "/1",
		Time: time.Now().UTC(), Payload: bytes.TrimSuffix(b.Bytes(), []byte("\n")),
	}, nil
}
