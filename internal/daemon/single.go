package daemon

import (
	"context"
	"errors"
	"fmt"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/rpc"
)

// Single is one service in a process of its own, on a home of its own.
type Single struct {
	service rpc.Service
	at      []string
	hall    *Hall // only what the service needs of it is open
}

// ServeOne starts one service where the configuration says that callers find
// it. Close it with Shutdown.
func ServeOne(ctx context.Context, o Options, service string) (*Single, error) {
	s := rpc.Service(service)
	if s != rpc.Audit {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "serve " + service,
			Message: fmt.Sprintf("there is no service %q to run alone", service),
			Remedy:  "this version can serve: audit",
		}
	}
	at := o.Config.Services.of(s).Listen
	if len(at) == 0 {
		at = []string{o.Config.Services.of(s).At}
	}
	if at[0] == string(rpc.Here) {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "serve " + service,
			Message: "the configuration does not say where callers find it",
			Remedy:  fmt.Sprintf("set services.%s.at to unix:/path, h2c://host:port or mtls://host:port, here and for moothall up", service),
		}
	}
	// Here it is this process itself that has the service.
	o.Config.Services.Audit = ServiceConfig{At: string(rpc.Here), Listen: at}
	one := &Single{service: s, at: at, hall: newHall(o)}
	return one, one.hall.start(ctx, []step{
		{"lock", func(context.Context) (func(context.Context) error, error) {
			return one.hall.openLock("serve " + service)
		}},
		{"peers", one.hall.openPeers},
		{"audit", one.openAudit},
		{"socket", one.openSocket},
	})
}

// openAudit opens the record without making this process's start an entry of
// its own: the hall that uses it records that.
func (o *Single) openAudit(context.Context) (func(context.Context) error, error) {
	h := o.hall
	l, err := audit.Open(h.home.Audit(), auditOptions(h.conf, h.log))
	if err != nil {
		return nil, err
	}
	h.record, h.here.Audit = l, l.For
	return func(context.Context) error { return l.Close() }, nil
}

func (o *Single) openSocket(context.Context) (func(context.Context) error, error) {
	host := rpc.NewHost(o.hall.only(o.service), o.hall.hostOptions())
	for _, text := range o.at {
		if err := listen(host, text); err != nil {
			return nil, errors.Join(err, host.Close(context.Background()))
		}
	}
	return host.Close, nil
}

// At is where the service answers.
func (o *Single) At() []string { return o.at }

// Home is where it keeps its files.
func (o *Single) Home() Home { return o.hall.home }

// Shutdown stops the service within [Grace].
func (o *Single) Shutdown() error { return o.hall.Shutdown() }
