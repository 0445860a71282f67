package broker

import (
	"context"
	"strings"
	"time"

	"moothall"
	"moothall/internal/store"
)

// Unfinished is a call that a crash cut off: whether it had its effect is
// not known.
type Unfinished struct {
	Session    moothall.SessionID
	Call       moothall.CallID
	Agent      moothall.AgentID
	Type       moothall.AgentType
	Lineage    moothall.Lineage
	Tool       moothall.ToolName
	Query      moothall.QueryID
	Run        moothall.RunID
	Idempotent bool // it may be made again under the same id
	Began      time.Time
}

// Recover ends what a dead process left open: calls become
// unknown_after_crash, questions expire, agents are gone. Each goes on record
// once; only a crash within Recover itself can put one there twice. It
// returns the calls, for whoever wants to look after them.
func (b *Broker) Recover(ctx context.Context) ([]Unfinished, error) {
	calls, err := b.unfinished(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range calls {
		if err := b.unknown(ctx, u); err != nil {
			return calls, err
		}
	}
	if err := b.expireQuestions(ctx); err != nil {
		return calls, err
	}
	return calls, b.endAgents(ctx)
}

// chain reads a lineage as String wrote it.
func chain(s string) moothall.Lineage {
	var out moothall.Lineage
	for id := range strings.SplitSeq(s, ">") {
		out = append(out, moothall.AgentID(id))
	}
	return out
}

// sessionID is the person's name of a session; one that has none is known by
// its first agent.
func sessionID(key string) moothall.SessionID {
	if strings.HasPrefix(key, "agent:") {
		return ""
	}
	return moothall.SessionID(key)
}

func (b *Broker) unfinished(ctx context.Context) ([]Unfinished, error) {
	var out []Unfinished
	err := b.opt.DB.Read(ctx, func(tx *store.Tx) error {
		out = nil
		rows, err := tx.Query(ctx, `SELECT session, id, agent, agent_type, lineage, tool, query, run, idempotent, began
			FROM broker_calls WHERE status = 'intent' AND boot <> ? ORDER BY began, id`, b.boot)
		if err != nil {
			return err
		}
		for rows.Next() {
			var u Unfinished
			var session, lineage string
			var began int64
			if err := rows.Scan(&session, &u.Call, &u.Agent, &u.Type, &lineage, &u.Tool, &u.Query, &u.Run, &u.Idempotent, &began); err != nil {
				return err
			}
			u.Session, u.Lineage, u.Began = moothall.SessionID(session), chain(lineage), time.UnixMilli(began).UTC()
			out = append(out, u)
		}
		return rows.Err()
	})
	return out, err
}

// unknown puts a call of unknown outcome on record. The record comes first:
// what is there twice can be seen, what is missing cannot.
func (b *Broker) unknown(ctx context.Context, u Unfinished) error {
	scope := moothall.Scope{Session: sessionID(string(u.Session)), Lineage: u.Lineage}
	if _, err := b.opt.Audit.Append(ctx, moothall.AuditEntry{
		Scope: scope, Agent: u.Agent, AgentType: u.Type, Action: moothall.ActionToolCall, Tool: u.Tool,
		Status: moothall.StatusUnknown, Call: u.Call, Query: u.Query, Run: u.Run, Rule: LayerJournal + "/unknown_after_crash",
	}); err != nil {
		return err
	}
	err := b.writes.do(func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE broker_calls SET status = 'unknown_after_crash' WHERE session = ? AND id = ? AND status = 'intent'`,
			string(u.Session), string(u.Call))
		return err
	})
	if err == nil && moothall.ValidToken(string(u.Tool)) {
		b.tell(moothall.SubjectToolResult.Of(u.Tool), about{scope.Session, u.Query, u.Lineage, string(u.Call), u.Type},
			resultEvent{Call: u.Call, Tool: u.Tool, Agent: u.Agent, Status: moothall.CallUnknown})
	}
	return err
}

func (b *Broker) expireQuestions(ctx context.Context) error {
	type left struct {
		moothall.Approval
		call    moothall.CallID
		lineage moothall.Lineage
	}
	var open []left
	err := b.opt.DB.Read(ctx, func(tx *store.Tx) error {
		open = nil
		rows, err := tx.Query(ctx, `SELECT id, session, query, agent, agent_type, tool, arguments, reason, labels, asked, expires, answer, answered,
			call, lineage FROM broker_approvals WHERE answer = '' AND boot <> ? ORDER BY id`, b.boot)
		if err != nil {
			return err
		}
		for rows.Next() {
			var l left
			var lineage string
			l.Approval, err = scanApproval(func(dest ...any) error { return rows.Scan(append(dest, &l.call, &lineage)...) })
			if err != nil {
				return err
			}
			l.lineage = chain(lineage)
			open = append(open, l)
		}
		return rows.Err()
	})
	if err != nil {
		return err
	}
	for _, l := range open {
		if _, err := b.opt.Audit.Append(ctx, moothall.AuditEntry{
			Scope: moothall.Scope{Session: l.Session, Lineage: l.lineage}, Agent: l.Agent, AgentType: l.Type, Action: moothall.ActionApproval,
			Tool: l.Tool, Status: moothall.StatusDenied, Call: l.call, Query: l.Query, Rule: "approval/expired", Note: "by a restart",
		}); err != nil {
			return err
		}
		if err := b.writes.do(func(tx *store.Tx) error { return b.close(tx, l.ID, moothall.ApproveExpired, nil) }); err != nil {
			return err
		}
		l.Answer, l.Answered = moothall.ApproveExpired, b.opt.Now().UTC()
		b.tell(moothall.SubjectApprovalDecided, about{l.Session, l.Query, l.lineage, string(l.call), l.Type}, l.Approval)
	}
	return nil
}

func (b *Broker) endAgents(ctx context.Context) error {
	type row struct {
		id      moothall.AgentID
		kind    moothall.AgentType
		session moothall.SessionID
		query   moothall.QueryID
		lineage string
	}
	var left []row
	err := b.opt.DB.Read(ctx, func(tx *store.Tx) error {
		left = nil
		rows, err := tx.Query(ctx, `SELECT id, type, session, query, lineage FROM broker_agents WHERE ended = 0 AND boot <> ? ORDER BY id`, b.boot)
		if err != nil {
			return err
		}
		for rows.Next() {
			var r row
			if err := rows.Scan(&r.id, &r.kind, &r.session, &r.query, &r.lineage); err != nil {
				return err
			}
			left = append(left, r)
		}
		return rows.Err()
	})
	if err != nil {
		return err
	}
	for _, r := range left {
		w := about{r.session, r.query, chain(r.lineage), string(r.id), r.kind}
		if _, err := b.opt.Audit.Append(ctx, moothall.AuditEntry{
			Scope: moothall.Scope{Session: r.session, Lineage: w.lineage}, Agent: r.id, AgentType: r.kind,
			Action: moothall.ActionRunEnd, Status: moothall.StatusUnknown, Query: r.query, Note: "ended by a restart",
		}); err != nil {
			return err
		}
		if err := b.writes.do(func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE broker_agents SET ended = ?, why = 'restart' WHERE id = ?`, b.opt.Now().UnixMilli(), string(r.id))
			return err
		}); err != nil {
			return err
		}
		b.tell(moothall.SubjectAgentFinished, w, finishedEvent{Agent: r.id, Type: r.kind, Why: "restart"})
	}
	return nil
}
