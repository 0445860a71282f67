package moothall

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"time"
)

// Identifiers. All but agent types and tool names are made by [NewID].
type (
	// SessionID names one conversation.
	SessionID string
	// QueryID names one turn.
	QueryID string
	// RunID names one execution of the engine.
	RunID string
	// AgentID names one agent instance.
	AgentID string
	// AgentType names a row of the manifest.
	AgentType string
	// ToolName names a tool.
	ToolName string
	// CallID names one tool call; its intent and its outcome share it.
	CallID string
	// EventID names one event; doing an event's work once means once per id.
	EventID string
	// MemoryID names one memory entry.
	MemoryID string
	// TaskID names one task of the orchestrator.
	TaskID string
	// ApprovalID names one question put to a person.
	ApprovalID string
	// RespondentID names the respondent that gave an answer ("A", "B").
	RespondentID string
)

// Lineage is the chain of agents from the root to the one that acts.
type Lineage []AgentID

// String joins the chain for people.
func (l Lineage) String() string {
	parts := make([]string, len(l))
	for i, a := range l {
		parts[i] = string(a)
	}
	return strings.Join(parts, ">")
}

// Identity names a participant of the hall. It is what access is decided by:
// a process proves its identities to a transport, and is handed services
// under them.
type Identity string

// The participants.
const (
	Person         Identity = "person" // whoever runs the commands and opens the page
	Hall           Identity = "hall"   // the daemon itself
	FrontDoor      Identity = "front"
	ChatHall       Identity = "chat"
	CommitteeTable Identity = "committee"
	Orchestrator   Identity = "orchestrator"
	ModelGateway   Identity = "gateway"
	ToolBroker     Identity = "broker"
	MemoryKeeper   Identity = "memory"
	SecretKeeper   Identity = "secrets"
	AuditKeeper    Identity = "audit"
	Searcher       Identity = "search"
	Critic         Identity = "critic"
	Reward         Identity = "reward"
)

// Identities lists every participant, in a stable order.
func Identities() []Identity {
	return []Identity{
		Person, Hall, FrontDoor, ChatHall, CommitteeTable, Orchestrator, ModelGateway,
		ToolBroker, MemoryKeeper, SecretKeeper, AuditKeeper, Searcher, Critic, Reward,
	}
}

// Known reports whether the identity is one of the hall's own.
func (i Identity) Known() bool { return slices.Contains(Identities(), i) }

// Scope says on whose behalf a call is made. Every request carries one. It is
// a statement for the record, never a permission: the broker checks a lineage
// against its own knowledge.
type Scope struct {
	Session SessionID `json:"session_id,omitempty"`
	Lineage Lineage   `json:"agent_lineage,omitempty"`
}

// idClock makes identifiers of one process strictly increasing even within
// one millisecond, so that sorting by id is sorting by creation.
var idClock struct {
	sync.Mutex
	last uint64 // milliseconds << 12 | counter
}

// NewID returns a new identifier: a UUID of version 7, which sorts by time.
func NewID() string {
	now := uint64(time.Now().UnixMilli()) << 12
	idClock.Lock()
	if now <= idClock.last {
		now = idClock.last + 1
	}
	idClock.last = now
	idClock.Unlock()

	var b [16]byte
	rand.Read(b[8:]) // never fails: crypto/rand crashes the program instead
	binary.BigEndian.PutUint64(b[:8], now>>12<<16|0x7000|now&0xfff)
	b[8] = b[8]&0x3f | 0x80

	var s [36]byte
	hex.Encode(s[0:8], b[0:4])
	hex.Encode(s[9:13], b[4:6])
	hex.Encode(s[14:18], b[6:8])
	hex.Encode(s[19:23], b[8:10])
	hex.Encode(s[24:], b[10:])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// IDTime returns when an identifier of [NewID] was made. The second result is
// false for anything else.
func IDTime(id string) (time.Time, bool) {
	if len(id) != 36 || id[8] != '-' || id[13] != '-' || id[14] != '7' || id[18] != '-' || id[23] != '-' {
		return time.Time{}, false
	}
	b, err := hex.DecodeString(id[0:8] + id[9:13])
	if err != nil {
		return time.Time{}, false
	}
	ms := int64(b[0])<<40 | int64(b[1])<<32 | int64(b[2])<<24 | int64(b[3])<<16 | int64(b[4])<<8 | int64(b[5])
	return time.UnixMilli(ms), true
}
