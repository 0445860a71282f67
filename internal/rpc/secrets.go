package rpc

import (
	"context"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

type secretsServer struct {
	pb.UnimplementedSecretsServiceServer
	entrance[moothall.Secrets]
}

func (s secretsServer) GetSecret(ctx context.Context, r *pb.GetSecretRequest) (*pb.GetSecretResponse, error) {
	secrets, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	v, err := secrets.GetSecret(ctx, moothall.SecretRequest{Scope: scopeFrom(r), Ref: moothall.SecretRef(r.GetRef())})
	if err != nil {
		return nil, err
	}
	return &pb.GetSecretResponse{Value: v.Reveal()}, nil
}

type secretsClient struct {
	conn *Conn
	stub pb.SecretsServiceClient
}

var _ moothall.Secrets = secretsClient{}

func (c secretsClient) GetSecret(ctx context.Context, r moothall.SecretRequest) (moothall.Secret, error) {
	p, err := call(ctx, c.conn, Secrets, c.stub.GetSecret, &pb.GetSecretRequest{
		SessionId: string(r.Session), AgentLineage: namesTo(r.Lineage), Ref: string(r.Ref),
	})
	if err != nil {
		return moothall.Secret{}, err
	}
	return moothall.NewSecret(p.GetValue()), nil
}
