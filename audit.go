package moothall

import (
	"context"
	"time"
)

// AuditAction says what was done or about to be done.
type AuditAction string

// The actions.
const (
	ActionHallStart     AuditAction = "hall.start"
	ActionHallStop      AuditAction = "hall.stop"
	ActionRecovered     AuditAction = "audit.recovered" // a torn tail was cut off
	ActionAccess        AuditAction = "access"          // a caller asked for a service
	ActionToolCall      AuditAction = "tool.call"
	ActionMemoryRead    AuditAction = "memory.read"
	ActionMemoryWrite   AuditAction = "memory.write"
	ActionSpawn         AuditAction = "agent.spawn"
	ActionRunEnd        AuditAction = "run.end"
	ActionSessionChange AuditAction = "session.change"
	ActionApproval      AuditAction = "approval"
	ActionSecret        AuditAction = "secret.use"
	ActionModelCall     AuditAction = "model.call"
	ActionConfigure     AuditAction = "configure" // settings were changed while the hall ran
	ActionBackup        AuditAction = "home.backup"
	ActionRestore       AuditAction = "home.restore"
)

// AuditStatus says how far an action got.
type AuditStatus string

// The statuses. An entry with [StatusIntent] is written before the effect and
// is followed by one entry of the same [CallID] with another status.
const (
	StatusIntent  AuditStatus = "intent"
	StatusOK      AuditStatus = "ok"
	StatusDenied  AuditStatus = "denied"
	StatusAsked   AuditStatus = "asked"
	StatusFailed  AuditStatus = "failed"
	StatusUnknown AuditStatus = "unknown_after_crash"
)

// AuditEntry is one line of the record. Nothing in it may be a secret, a
// parameter or content: Params is hashed with the log's own key on arrival
// and is not stored.
type AuditEntry struct {
	Scope
	Time      time.Time   // when it happened; the writer fills in now when zero
	Agent     AgentID     // who acted
	AgentType AgentType   // and of which type
	Action    AuditAction // required
	Tool      ToolName
	Status    AuditStatus // required
	Call      CallID      // ties an outcome to its intent
	Query     QueryID
	Run       RunID
	Rule      string // "layer/rule" of a decision
	Note      string // a short remark by the program, never content; 200 bytes at most
	Params    []byte // hashed, never stored

	// Relaxed entries guard no effect (a read): they may wait a few
	// milliseconds to share a disk flush with others.
	Relaxed bool
}

// Validate reports the first thing that keeps the entry out of the record.
func (e *AuditEntry) Validate() error {
	switch {
	case e.Action == "":
		return Fail(CodeInvalid, "audit entry", "no action")
	case e.Status == "":
		return Fail(CodeInvalid, "audit entry", "no status")
	case len(e.Note) > 200:
		return Fail(CodeInvalid, "audit entry", "note longer than 200 bytes")
	case len(e.Lineage) > 32:
		return Fail(CodeInvalid, "audit entry", "lineage deeper than 32")
	}
	return nil
}

// Audit is the record's only face: entries go in, nothing comes out. Reading
// is the person's, from the files.
type Audit interface {
	// Append makes entries durable, in their order, and returns the index of
	// the last in the log. An effect may happen only after Append has
	// returned without error. CodeTampered and CodeCorrupt mean that the log
	// refuses all writing, CodeExhausted that the disk is full, CodeInvalid
	// that an entry is not acceptable.
	Append(ctx context.Context, entries ...AuditEntry) (last uint64, err error)
}

// Enqueuer is an [Audit] that can be given entries before they are durable.
type Enqueuer interface {
	// Enqueue gives entries their place before all that is appended afterwards,
	// and returns the index of the last. They are durable when wait, which must
	// be called once, has returned nil; otherwise they are not in the log, and
	// the index is another's.
	Enqueue(ctx context.Context, entries ...AuditEntry) (last uint64, wait func() error, err error)
}

// OnRecord puts a call on the record before and after it is made, as e says,
// under an id of its own: who asks a model answers for it. What cannot be on the
// record is refused and not made; lost is why its end is not there. The end is
// written also when the caller no longer waits, for as long as patience.
func OnRecord(ctx context.Context, a Audit, e AuditEntry, patience time.Duration, call func() (well bool)) (refused, lost error) {
	e.Status, e.Call = StatusIntent, CallID(NewID())
	if _, err := a.Append(ctx, e); err != nil {
		return err, nil
	}
	e.Status = StatusFailed
	if call() {
		e.Status = StatusOK
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	_, lost = a.Append(after, e)
	return nil, lost
}

// Enqueue begins to append entries. They are durable when recorded returns nil,
// and last is then the index of the last of them. An Audit that is no
// [Enqueuer] is waited for here.
func Enqueue(ctx context.Context, a Audit, entries ...AuditEntry) (last uint64, recorded func() error) {
	var err error
	if q, ok := a.(Enqueuer); ok {
		last, recorded, err = q.Enqueue(ctx, entries...)
	} else {
		last, err = a.Append(ctx, entries...)
	}
	if err != nil || recorded == nil {
		recorded = func() error { return err }
	}
	return last, recorded
}
