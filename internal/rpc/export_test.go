package rpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

// What tests need to misbehave: calls that an honest connection refuses to
// make, and claims that it would not send.
var (
	CheckToken = checkToken
	ReadClaim  = readClaim
	ToStatus   = toStatus
)

func FromStatus(err error) error { e, _ := fromStatus(err); return e }

func UncheckedSecrets(c *Conn) moothall.Secrets {
	return secretsClient{c, pb.NewSecretsServiceClient(c.grpc)}
}

func UncheckedAudit(c *Conn) moothall.Audit {
	return auditClient{c, pb.NewAuditServiceClient(c.grpc)}
}

// Reclaim returns a connection like c that sends the given metadata.
func Reclaim(c *Conn, opts DialOptions, metadata map[string]string) (*Conn, error) {
	creds, err := opts.credentials(c.address)
	if err != nil {
		return nil, err
	}
	out := *c
	out.grpc, err = grpc.NewClient("passthrough:///moothall", out.dialOptions(creds, claim(metadata))...)
	return &out, err
}

func (c *Conn) GRPC() *grpc.ClientConn { return c.grpc }

// AwaitReady waits until the connection stands.
func (c *Conn) AwaitReady(ctx context.Context) error {
	for {
		s := c.grpc.GetState()
		if s == connectivity.Ready {
			return nil
		}
		c.grpc.Connect()
		if !c.grpc.WaitForStateChange(ctx, s) {
			return ctx.Err()
		}
	}
}

// The translations that go through JSON.
var (
	JudgementsTo   = judgementsTo
	JudgementsFrom = judgementsFrom
	ReportFrom     = jsonFrom[moothall.Report]
	ReportTo       = jsonTo[moothall.Report]
)

// JudgementsOf is an answer of a peer that sends these bytes.
func JudgementsOf(b ...[]byte) *pb.ListJudgementsResponse {
	return &pb.ListJudgementsResponse{Judgements: b}
}
