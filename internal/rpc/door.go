package rpc

import (
	"context"
	"io/fs"
	"net"
	"os"
	"path"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"moothall"
)

// door is one address at which a host listens, with the proof that its
// transport asks for.
type door struct {
	host     *Host
	address  Address
	prove    prover
	listener net.Listener
	server   *grpc.Server
	cleanup  func()
}

func (h *Host) openDoor(a Address) (*door, error) {
	d := &door{host: h, cleanup: func() {}}
	creds, err := d.listen(a)
	if err != nil {
		return nil, err
	}
	d.address = boundAddress(a, d.listener)
	d.server = grpc.NewServer(d.serverOptions(creds)...)
	d.register()
	grpc_health_v1.RegisterHealthServer(d.server, h.health)
	return d, nil
}

func (d *door) listen(a Address) (creds credentials.TransportCredentials, err error) {
	opts := &d.host.opts
	switch a.Transport {
	case Unix:
		mode := fs.FileMode(0o600)
		if d.host.foreignUIDs() {
			mode = 0o666
		}
		creds, d.prove = peerCreds{}, proveUser(opts.UIDs, os.Geteuid())
		d.listener, d.cleanup, err = listenUnix(a.Where, mode)
		return creds, err
	case H2C:
		if n := len(opts.Key); n > 0 && n < minKey {
			return nil, moothall.Fail(moothall.CodeInvalid, "listen", "the key for tokens is shorter than 16 bytes")
		}
		creds, d.prove = insecure.NewCredentials(), proveToken(opts.Key)
	case MTLS:
		cfg, err := opts.TLS.server()
		if err != nil {
			return nil, err
		}
		creds, d.prove = &watchedTLS{credentials.NewTLS(cfg), d}, proveCertificate
	default:
		return nil, moothall.Fail(moothall.CodeInvalid, "listen", "nobody can listen at "+a.String())
	}
	d.listener, err = net.Listen("tcp", a.Where)
	if err != nil {
		return nil, listenError(a.String(), err)
	}
	return creds, nil
}

func (d *door) serverOptions(creds credentials.TransportCredentials) []grpc.ServerOption {
	limit := d.host.opts.MaxMessage
	return []grpc.ServerOption{
		grpc.Creds(creds),
		grpc.UnaryInterceptor(d.unary),
		grpc.StreamInterceptor(d.stream),
		grpc.MaxRecvMsgSize(limit),
		grpc.MaxSendMsgSize(limit),
		grpc.MaxConcurrentStreams(1000),
		grpc.MaxHeaderListSize(64 << 10),
		grpc.ConnectionTimeout(3 * time.Second),
		grpc.WaitForHandlers(true),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: time.Minute, Timeout: 20 * time.Second}),
	}
}

// admit is the only way past the door: it returns whom a call comes from, or
// the refusal. It runs in every handler rather than in an interceptor so that
// no identity has to travel in a context.
func (d *door) admit(ctx context.Context, s Service) (moothall.Identity, error) {
	id, err := claimed(ctx)
	if err == nil {
		err = d.prove(ctx, id)
	}
	if err != nil {
		d.denied(ctx, id, s, err.Error())
		return "", moothall.Fail(moothall.CodeDenied, "identity", err.Error())
	}
	if err := MayCall(id, s); err != nil {
		d.denied(ctx, id, s, err.Error())
		return "", err
	}
	return id, nil
}

func (d *door) denied(ctx context.Context, caller moothall.Identity, s Service, reason string) {
	full, _ := grpc.Method(ctx)
	method := path.Base(full)
	if full == "" {
		method = ""
	}
	d.host.log.Warn("call refused", "address", d.address.String(), "caller", caller, "service", s, "method", method, "reason", reason)
	if f := d.host.opts.Denied; f != nil {
		f(ctx, caller, s, method, reason)
	}
}
