package rpc

import (
	"context"
	"fmt"
	"iter"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

// DialOptions change how a [Conn] connects.
type DialOptions struct {
	// Token proves the identity over h2c; see [Token].
	Token string
	// TLS is needed for mtls.
	TLS *Material
	// ServerName is the participant whose name the server's certificate
	// must carry; empty means [moothall.Hall].
	ServerName moothall.Identity
	// ServerUIDs are the users that may be behind a unix socket; empty
	// means any, which is right where the folder belongs to the hall.
	ServerUIDs []int
	// MaxMessage is the largest message in bytes, either way; 0 means
	// [DefaultMaxMessage].
	MaxMessage int
	// Deadline is given to a call with a single reply that comes without
	// one; 0 means [DefaultDeadline]. One that waits for a model gets no less
	// than [DefaultMaxDeadline].
	Deadline time.Duration
}

// Conn is a [Peer] over a connection. It connects with the first call and
// again whenever the connection was lost; calls do not wait for that but fail
// with CodeUnavailable.
type Conn struct {
	address  Address
	as       moothall.Identity
	deadline time.Duration
	limit    int
	grpc     *grpc.ClientConn
}

// Dial returns a connection under one identity. It does no I/O. The options
// may be nil.
func Dial(a Address, as moothall.Identity, opts *DialOptions) (*Conn, error) {
	var o DialOptions
	if opts != nil {
		o = *opts
	}
	if !as.Known() {
		return nil, moothall.Fail(moothall.CodeInvalid, "dial", "there is no participant "+quoted(as))
	}
	creds, err := o.credentials(a)
	if err != nil {
		return nil, err
	}
	c := &Conn{address: a, as: as, deadline: orDefault(o.Deadline, DefaultDeadline), limit: orDefault(o.MaxMessage, DefaultMaxMessage)}
	token := ""
	if a.Transport == H2C {
		token = o.Token
	}
	c.grpc, err = grpc.NewClient("passthrough:///moothall", c.dialOptions(creds, newClaim(as, token))...)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "dial", Message: "cannot prepare a connection to " + a.String(), Err: err}
	}
	return c, nil
}

func (o *DialOptions) credentials(a Address) (credentials.TransportCredentials, error) {
	switch a.Transport {
	case Unix:
		return peerCreds{servers: o.ServerUIDs}, nil
	case H2C:
		return insecure.NewCredentials(), nil
	case MTLS:
		name := o.ServerName
		if name == "" {
			name = moothall.Hall
		}
		cfg, err := o.TLS.client(string(name))
		if err != nil {
			return nil, err
		}
		return credentials.NewTLS(cfg), nil
	case Here:
		return nil, moothall.Fail(moothall.CodeInvalid, "dial", "a service in the same process is not dialled")
	}
	return nil, moothall.Fail(moothall.CodeInvalid, "dial", "no address to dial")
}

func (c *Conn) dialOptions(creds credentials.TransportCredentials, proof claim) []grpc.DialOption {
	wait := backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(creds),
		grpc.WithPerRPCCredentials(proof),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return c.address.dial(ctx) }),
		grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: wait, MinConnectTimeout: 5 * time.Second}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(c.limit), grpc.MaxCallSendMsgSize(c.limit)),
	}
}

func (a Address) dial(ctx context.Context) (net.Conn, error) {
	if a.Transport == Unix {
		return dialUnix(ctx, a.Where)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", a.Where)
}

// Close ends the connection and every call on it.
func (c *Conn) Close() error { return c.grpc.Close() }

// Ping asks whether s works at the other side. CodeUnavailable means that
// nobody answers or that the service is down, CodeNotConfigured that there is
// no such service.
func (c *Conn) Ping(ctx context.Context, s Service) error {
	health := grpc_health_v1.NewHealthClient(c.grpc)
	r, err := call(ctx, c, s, health.Check, &grpc_health_v1.HealthCheckRequest{Service: s.fullName()})
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return notOffered(s)
	}
	if err != nil {
		return err
	}
	if r.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		return moothall.Fail(moothall.CodeUnavailable, "ping", string(s)+" does not work at "+c.address.String())
	}
	return nil
}

// Front hands out the front.
func (c *Conn) Front() (moothall.Front, error) {
	return reach[moothall.Front](c, Front, frontClient{c, pb.NewFrontClient(c.grpc)})
}

// Gateway hands out the gateway.
func (c *Conn) Gateway() (moothall.Gateway, error) {
	return reach[moothall.Gateway](c, Gateway, gatewayClient{c, pb.NewModelGatewayClient(c.grpc)})
}

// Memory hands out the memory.
func (c *Conn) Memory() (moothall.Memory, error) {
	return reach[moothall.Memory](c, Memory, memoryClient{c, pb.NewMemoryServiceClient(c.grpc)})
}

// Broker hands out the broker.
func (c *Conn) Broker() (moothall.Broker, error) {
	return reach[moothall.Broker](c, Broker, brokerClient{c, pb.NewToolBrokerClient(c.grpc)})
}

// Secrets hands out the secrets.
func (c *Conn) Secrets() (moothall.Secrets, error) {
	return reach[moothall.Secrets](c, Secrets, secretsClient{c, pb.NewSecretsServiceClient(c.grpc)})
}

// Audit hands out the audit record.
func (c *Conn) Audit() (moothall.Audit, error) {
	return reach[moothall.Audit](c, Audit, auditClient{c, pb.NewAuditServiceClient(c.grpc)})
}

// Search hands out the search.
func (c *Conn) Search() (moothall.Search, error) {
	return reach[moothall.Search](c, Search, searchClient{c, pb.NewSearchServiceClient(c.grpc)})
}

// reach refuses early what the host would refuse anyway, so that a peer looks
// the same on every transport. It is a courtesy; the host decides.
func reach[T any](c *Conn, s Service, stub T) (T, error) {
	if err := MayCall(c.as, s); err != nil {
		var none T
		return none, err
	}
	return stub, nil
}

// call makes one call with a single reply.
func call[Q, P any](ctx context.Context, c *Conn, s Service, method func(context.Context, *Q, ...grpc.CallOption) (*P, error), q *Q) (*P, error) {
	return within(ctx, c.deadline, c, s, method, q)
}

// await is call where a model works on the reply. That may have to be loaded
// first, so it gets as long as hosts allow.
func await[Q, P any](ctx context.Context, c *Conn, s Service, method func(context.Context, *Q, ...grpc.CallOption) (*P, error), q *Q) (*P, error) {
	return within(ctx, max(c.deadline, DefaultMaxDeadline), c, s, method, q)
}

func within[Q, P any](ctx context.Context, deadline time.Duration, c *Conn, s Service, method func(context.Context, *Q, ...grpc.CallOption) (*P, error), q *Q) (*P, error) {
	inner := ctx
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(ctx, deadline)
		defer cancel()
	}
	p, err := method(inner, q)
	if err != nil {
		return nil, c.failure(ctx, s, err)
	}
	return p, nil
}

// receive makes one call with a stream of replies. The call begins when the
// iterator is used and ends with the loop, however that ends.
func receive[Q, M, V any](ctx context.Context, c *Conn, s Service, method func(context.Context, *Q, ...grpc.CallOption) (grpc.ServerStreamingClient[M], error), q *Q, read func(*M) V) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		var none V
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		st, err := method(inner, q)
		if err != nil {
			yield(none, c.failure(ctx, s, err))
			return
		}
		for n := 0; ; n++ {
			m, err := st.Recv()
			if isEOF(err) {
				return
			}
			if err != nil {
				yield(none, cutOff(c.failure(ctx, s, err), n))
				return
			}
			if !yield(read(m), nil) {
				return
			}
		}
	}
}

// cutOff tells a stream that broke from one that never began.
func cutOff(e *moothall.Error, received int) error {
	if received > 0 && e.Code == moothall.CodeUnavailable && e.Err != nil {
		e.Code, e.Message = moothall.CodeInterrupted, "the connection was lost in the middle of an answer"
	}
	return e
}

// failure makes the hall's error of a failed call. The causes that it keeps
// are of this side's making.
func (c *Conn) failure(ctx context.Context, s Service, err error) *moothall.Error {
	e, spoke := fromStatus(err)
	if spoke {
		return e
	}
	grpcSays := e.Message
	e.Op, e.Err = "call "+string(s), err
	if e.Code == moothall.CodeCanceled && ctx.Err() == nil {
		e.Code = moothall.CodeUnavailable // the connection was closed, nobody cancelled
	}
	switch e.Code {
	case moothall.CodeUnavailable:
		e.Message = fmt.Sprintf("%s does not answer at %s", s, c.address)
		e.Remedy = "check that it runs and that the address is right"
		if refusedHandshake(grpcSays) {
			e.Code, e.Remedy = moothall.CodeDenied, "Check the certificates of both sides and the users that they run under."
			e.Message = fmt.Sprintf("no trust between %s and %s at %s", c.as, s, c.address)
		}
	case moothall.CodeTimeout:
		e.Message, e.Err = fmt.Sprintf("%s did not answer in time at %s", s, c.address), context.DeadlineExceeded
		e.Remedy = "it may be busy, or a model may still be loading: try again, or look at it with: moothall doctor"
	case moothall.CodeCanceled:
		e.Message, e.Err = "the call was canceled", context.Canceled
	case moothall.CodeTooLarge:
		e.Message = fmt.Sprintf("a message to or from %s is larger than the limit", s)
	case moothall.CodeInvalid:
		e.Message = "a name in the request is not valid text"
	case moothall.CodeUnsupported:
		e.Message = fmt.Sprintf("%s at %s does not know this call; it may be of another version", s, c.address)
	}
	return e
}

// refusedHandshake tells a peer that is not trusted from one that is not
// there. gRPC keeps only the text of such errors.
func refusedHandshake(says string) bool {
	return strings.Contains(says, "tls: ") || strings.Contains(says, "x509: ") || strings.Contains(says, "the socket belongs to user")
}
