package memory

import (
	"context"

	"moothall"
)

// recordWrite puts a change on record, before it is made.
func (s *Service) recordWrite(ctx context.Context, who moothall.Identity, scope moothall.Scope, note string, params []byte) error {
	return s.record(ctx, moothall.AuditEntry{
		Scope: scope, Action: moothall.ActionMemoryWrite, Status: moothall.StatusOK, Note: note + " by " + string(who), Params: params,
	})
}

// recordFailed adds that what was put on record did not happen.
func (s *Service) recordFailed(ctx context.Context, scope moothall.Scope, note string) {
	ctx, cancel := detached(ctx)
	defer cancel()
	if err := s.record(ctx, moothall.AuditEntry{
		Scope: scope, Action: moothall.ActionMemoryWrite, Status: moothall.StatusFailed, Note: note,
	}); err != nil {
		s.o.Logger.Error("a failed write is not on record", "err", err)
	}
}

// recordRead puts a read on record; it may share a flush with others.
func (s *Service) recordRead(ctx context.Context, who moothall.Identity, scope moothall.Scope, note string, params []byte) error {
	return s.record(ctx, moothall.AuditEntry{
		Scope: scope, Action: moothall.ActionMemoryRead, Status: moothall.StatusOK, Note: note + " by " + string(who), Params: params, Relaxed: true,
	})
}

func (s *Service) record(ctx context.Context, e moothall.AuditEntry) error {
	_, err := s.o.Audit.Append(ctx, ofAgent(e))
	return err
}

// ofAgent names the agent that an entry's lineage ends with.
func ofAgent(e moothall.AuditEntry) moothall.AuditEntry {
	if len(e.Lineage) > 0 {
		e.Agent = e.Lineage[len(e.Lineage)-1]
	}
	return e
}

// detached lets work be finished that the caller no longer waits for.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), closing)
}

// tellChange says that something is remembered otherwise than before, so that
// whoever shows it looks again. What it is stays where it is kept.
func (s *Service) tellChange(ctx context.Context, scope moothall.Scope) {
	s.tell(ctx, moothall.SubjectMemoryChanged, scope, nil, struct{}{})
}

// tell publishes an event. The bus is not the record: memory goes on when it
// cannot be heard.
func (s *Service) tell(ctx context.Context, subject moothall.Subject, scope moothall.Scope, turn *moothall.TurnNotes, payload any) {
	e, err := moothall.NewEvent(subject, payload)
	if err == nil {
		e.Time, e.Session, e.Lineage, e.Sender = s.o.Now().UTC(), scope.Session, scope.Lineage, moothall.MemoryKeeper
		if turn != nil {
			e.Session, e.Query, e.Respondent = turn.Session, turn.Query, turn.Respondent
		}
		err = s.o.Publish(ctx, e)
	}
	if err != nil {
		s.o.Logger.Warn("an event could not be published", "subject", subject, "err", err)
	}
}
