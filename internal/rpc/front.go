package rpc

import (
	"context"

	"google.golang.org/grpc"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type frontServer struct {
	pb.UnimplementedFrontServer
	entrance[moothall.Front]
}

func (s frontServer) Health(ctx context.Context, _ *pb.HealthRequest) (*pb.HealthResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	h, err := f.Health(ctx)
	return healthTo(h), err
}

func (s frontServer) Query(r *pb.QueryRequest, st grpc.ServerStreamingServer[pb.QueryResponse]) error {
	f, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, f.Query(st.Context(), queryRequestFrom(r)), stepTo)
}

func (s frontServer) StopQuery(ctx context.Context, r *pb.StopQueryRequest) (*pb.StopQueryResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.StopQueryResponse{}, f.Stop(ctx, moothall.QueryID(r.GetQueryId()))
}

func (s frontServer) GiveFeedback(ctx context.Context, r *pb.GiveFeedbackRequest) (*pb.GiveFeedbackResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.GiveFeedbackResponse{}, f.Feedback(ctx, feedbackFrom(r))
}

func (s frontServer) ListJudgements(ctx context.Context, r *pb.ListJudgementsRequest) (*pb.ListJudgementsResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := f.Judgements(ctx, judgementQueryFrom(r))
	if err != nil {
		return nil, err
	}
	return judgementsTo(list)
}

func (s frontServer) GetReport(ctx context.Context, r *pb.GetReportRequest) (*pb.GetReportResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	report, err := f.Report(ctx, timeFrom(r.GetSince()))
	if err != nil {
		return nil, err
	}
	b, err := jsonTo(report)
	return &pb.GetReportResponse{Report: b}, err
}

func (s frontServer) ReplayQuery(ctx context.Context, r *pb.ReplayQueryRequest) (*pb.ReplayQueryResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	got, err := f.Replay(ctx, replayRequestFrom(r))
	return replayedTo(got), err
}

func (s frontServer) WatchEvents(r *pb.WatchEventsRequest, st grpc.ServerStreamingServer[pb.WatchEventsResponse]) error {
	f, err := s.open(st.Context())
	if err != nil {
		return err
	}
	return send(st, f.Events(st.Context(), eventQueryFrom(r)), eventTo)
}

func (s frontServer) ListSessions(ctx context.Context, _ *pb.ListSessionsRequest) (*pb.ListSessionsResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := f.Sessions(ctx)
	return &pb.ListSessionsResponse{Sessions: mapped(list, sessionTo)}, err
}

func (s frontServer) GetSession(ctx context.Context, r *pb.GetSessionRequest) (*pb.GetSessionResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := f.Session(ctx, moothall.SessionID(r.GetSessionId()))
	return sessionDetailTo(d), err
}

func (s frontServer) ChangeSession(ctx context.Context, r *pb.ChangeSessionRequest) (*pb.ChangeSessionResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return &pb.ChangeSessionResponse{}, f.ChangeSession(ctx, moothall.SessionChange{
		ID: moothall.SessionID(r.GetSessionId()), Title: r.GetTitle(), Delete: r.GetDelete(), Compact: r.GetCompact(),
	})
}

func (s frontServer) ListTasks(ctx context.Context, r *pb.ListTasksRequest) (*pb.ListTasksResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := f.Tasks(ctx, moothall.TaskID(r.GetTaskId()))
	return &pb.ListTasksResponse{Tasks: mapped(list, taskTo)}, err
}

func (s frontServer) ControlTask(ctx context.Context, r *pb.ControlTaskRequest) (*pb.ControlTaskResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	t, err := f.ControlTask(ctx, moothall.TaskControl{ID: moothall.TaskID(r.GetTaskId()), Action: r.GetAction(), Words: r.GetWords()})
	return &pb.ControlTaskResponse{Task: taskTo(t)}, err
}

func (s frontServer) ListParticipants(ctx context.Context, _ *pb.ListParticipantsRequest) (*pb.ListParticipantsResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := f.Participants(ctx)
	return &pb.ListParticipantsResponse{Participants: mapped(list, participantTo)}, err
}

func (s frontServer) ConfigureParticipant(ctx context.Context, r *pb.ConfigureParticipantRequest) (*pb.ConfigureParticipantResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	p, err := f.Configure(ctx, r.GetName(), r.GetSettings())
	return &pb.ConfigureParticipantResponse{Participant: participantTo(p)}, err
}

func (s frontServer) Examine(ctx context.Context, r *pb.ExamineRequest) (*pb.ExamineResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	x, err := f.Examine(ctx, moothall.Part(r.GetPart()))
	return examinedTo(x), err
}

func (s frontServer) PreviewCall(ctx context.Context, r *pb.PreviewCallRequest) (*pb.PreviewCallResponse, error) {
	f, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	p, err := f.Preview(ctx, moothall.ApprovalID(r.GetApprovalId()))
	return previewTo(p), err
}

func (s frontServer) Export(r *pb.ExportRequest, st grpc.ServerStreamingServer[pb.ExportResponse]) error {
	f, err := s.open(st.Context())
	if err != nil {
		return err
	}
	w := newChunks(func(b []byte) error { return st.Send(&pb.ExportResponse{Data: b}) })
	if err := f.Export(st.Context(), r.GetWhat(), w); err != nil {
		return err
	}
	return w.Flush()
}

func (s frontServer) Backup(_ *pb.BackupRequest, st grpc.ServerStreamingServer[pb.BackupResponse]) error {
	f, err := s.open(st.Context())
	if err != nil {
		return err
	}
	w := newChunks(func(b []byte) error { return st.Send(&pb.BackupResponse{Data: b}) })
	if err := f.Backup(st.Context(), w); err != nil {
		return err
	}
	return w.Flush()
}
