package moottest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"moothall"
)

// AuditRecord is one entry as a [FakeAudit] keeps it.
type AuditRecord struct {
	Index  uint64
	Caller moothall.Identity
	Entry  moothall.AuditEntry // without its parameters
	Hash   []byte              // SHA-256 of the parameters; nil when there were none
}

// FakeAudit is an audit record in memory.
type FakeAudit struct {
	mu      sync.Mutex
	records []AuditRecord
	refusal error
}

// NewAudit returns an empty record.
func NewAudit() *FakeAudit { return &FakeAudit{} }

// For returns the record as one caller sees it.
func (a *FakeAudit) For(id moothall.Identity) moothall.Audit { return auditFace{a, id} }

// Records returns what was written so far, oldest first.
func (a *FakeAudit) Records() []AuditRecord {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := slices.Clone(a.records)
	for i := range out {
		out[i].Entry.Lineage = slices.Clone(out[i].Entry.Lineage)
		out[i].Hash = bytes.Clone(out[i].Hash)
	}
	return out
}

// Refuse makes every further append fail with err; nil ends that.
func (a *FakeAudit) Refuse(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refusal = err
}

type auditFace struct {
	audit  *FakeAudit
	caller moothall.Identity
}

var _ moothall.Audit = auditFace{}

func (f auditFace) Append(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	for _, e := range entries {
		if err := e.Validate(); err != nil {
			return 0, err
		}
	}
	for _, e := range entries {
		if last, err = f.append(e); err != nil {
			return 0, err
		}
	}
	return last, nil
}

func (f auditFace) append(e moothall.AuditEntry) (uint64, error) {
	r := AuditRecord{Caller: f.caller, Entry: e}
	if e.Params != nil {
		sum := sha256.Sum256(e.Params)
		r.Hash = sum[:]
	}
	r.Entry.Params, r.Entry.Lineage = nil, slices.Clone(e.Lineage)
	if e.Time.IsZero() {
		r.Entry.Time = time.Now().UTC()
	}

	f.audit.mu.Lock()
	defer f.audit.mu.Unlock()
	if f.audit.refusal != nil {
		return 0, f.audit.refusal
	}
	r.Index = uint64(len(f.audit.records))
	f.audit.records = append(f.audit.records, r)
	return r.Index, nil
}
