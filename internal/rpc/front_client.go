package rpc

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"time"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type frontClient struct {
	conn *Conn
	stub pb.FrontClient
}

var _ moothall.Front = frontClient{}

func (c frontClient) Health(ctx context.Context) (moothall.Health, error) {
	p, err := call(ctx, c.conn, Front, c.stub.Health, &pb.HealthRequest{})
	return healthFrom(p), err
}

func (c frontClient) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return receive(ctx, c.conn, Front, c.stub.Query, queryRequestTo(r), stepFrom)
}

func (c frontClient) Stop(ctx context.Context, id moothall.QueryID) error {
	_, err := call(ctx, c.conn, Front, c.stub.StopQuery, &pb.StopQueryRequest{QueryId: string(id)})
	return err
}

func (c frontClient) Feedback(ctx context.Context, f moothall.Feedback) error {
	_, err := call(ctx, c.conn, Front, c.stub.GiveFeedback, feedbackTo(f))
	return err
}

func (c frontClient) Judgements(ctx context.Context, q moothall.JudgementQuery) ([]moothall.Judgement, error) {
	p, err := call(ctx, c.conn, Front, c.stub.ListJudgements, judgementQueryTo(q))
	if err != nil {
		return nil, err
	}
	return judgementsFrom(p)
}

func (c frontClient) Report(ctx context.Context, since time.Time) (moothall.Report, error) {
	p, err := call(ctx, c.conn, Front, c.stub.GetReport, &pb.GetReportRequest{Since: timeTo(since)})
	if err != nil {
		return moothall.Report{}, err
	}
	return jsonFrom[moothall.Report](p.GetReport())
}

func (c frontClient) Replay(ctx context.Context, r moothall.ReplayRequest) (moothall.Replayed, error) {
	p, err := await(ctx, c.conn, Front, c.stub.ReplayQuery, replayRequestTo(r))
	return replayedFrom(p), err
}

func (c frontClient) Events(ctx context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return receive(ctx, c.conn, Front, c.stub.WatchEvents, eventQueryTo(q), eventFrom)
}

func (c frontClient) Sessions(ctx context.Context) ([]moothall.Session, error) {
	p, err := call(ctx, c.conn, Front, c.stub.ListSessions, &pb.ListSessionsRequest{})
	return mapped(p.GetSessions(), sessionFrom), err
}

func (c frontClient) Session(ctx context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	p, err := call(ctx, c.conn, Front, c.stub.GetSession, &pb.GetSessionRequest{SessionId: string(id)})
	return sessionDetailFrom(p), err
}

func (c frontClient) ChangeSession(ctx context.Context, s moothall.SessionChange) error {
	send := call[pb.ChangeSessionRequest, pb.ChangeSessionResponse]
	if s.Compact {
		send = await
	}
	_, err := send(ctx, c.conn, Front, c.stub.ChangeSession, &pb.ChangeSessionRequest{
		SessionId: string(s.ID), Title: text(s.Title), Delete: s.Delete, Compact: s.Compact,
	})
	return err
}

func (c frontClient) Tasks(ctx context.Context, id moothall.TaskID) ([]moothall.Task, error) {
	p, err := call(ctx, c.conn, Front, c.stub.ListTasks, &pb.ListTasksRequest{TaskId: string(id)})
	return mapped(p.GetTasks(), taskFrom), err
}

func (c frontClient) ControlTask(ctx context.Context, t moothall.TaskControl) (moothall.Task, error) {
	p, err := call(ctx, c.conn, Front, c.stub.ControlTask, &pb.ControlTaskRequest{
		TaskId: string(t.ID), Action: t.Action, Words: text(t.Words),
	})
	return taskFrom(p.GetTask()), err
}

func (c frontClient) Participants(ctx context.Context) ([]moothall.Participant, error) {
	p, err := call(ctx, c.conn, Front, c.stub.ListParticipants, &pb.ListParticipantsRequest{})
	return mapped(p.GetParticipants(), participantFrom), err
}

// Configure waits for a model: the memory may be told to make all vectors anew.
func (c frontClient) Configure(ctx context.Context, name string, settings json.RawMessage) (moothall.Participant, error) {
	p, err := await(ctx, c.conn, Front, c.stub.ConfigureParticipant, &pb.ConfigureParticipantRequest{Name: name, Settings: settings})
	return participantFrom(p.GetParticipant()), err
}

func (c frontClient) Examine(ctx context.Context, p moothall.Part) (moothall.Examined, error) {
	x, err := call(ctx, c.conn, Front, c.stub.Examine, &pb.ExamineRequest{Part: string(p)})
	return examinedFrom(x), err
}

func (c frontClient) Preview(ctx context.Context, id moothall.ApprovalID) (moothall.Preview, error) {
	p, err := call(ctx, c.conn, Front, c.stub.PreviewCall, &pb.PreviewCallRequest{ApprovalId: string(id)})
	return previewFrom(p), err
}

// Export ends the call when w fails.
func (c frontClient) Export(ctx context.Context, what string, w io.Writer) error {
	r := &pb.ExportRequest{What: what}
	return pour(w, "write export", receive(ctx, c.conn, Front, c.stub.Export, r, (*pb.ExportResponse).GetData))
}

// Backup ends the call when w fails.
func (c frontClient) Backup(ctx context.Context, w io.Writer) error {
	return pour(w, "write backup", receive(ctx, c.conn, Front, c.stub.Backup, &pb.BackupRequest{}, (*pb.BackupResponse).GetData))
}

// pour writes the pieces of a stream.
func pour(w io.Writer, op string, pieces iter.Seq2[[]byte, error]) error {
	for piece, err := range pieces {
		if err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return &moothall.Error{Code: moothall.CodeUnavailable, Op: op, Message: "cannot write the copy", Err: err}
		}
	}
	return nil
}
