package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"
	"time"

	"moothall"
	"moothall/internal/rpc"
	"moothall/internal/web"
)

// openServices starts what is configured to run here, puts a refusing service
// wherever there is none, and the front over all of them.
func (h *Hall) openServices(ctx context.Context) (func(context.Context) error, error) {
	var stops []func(context.Context) error
	stop := func(ctx context.Context) error {
		var all error
		for _, s := range slices.Backward(stops) {
			all = errors.Join(all, s(ctx))
		}
		return all
	}
	for _, s := range []struct {
		name  rpc.Service
		start func(context.Context) (func(context.Context) error, error)
	}{
		{rpc.Gateway, h.openGateway}, {rpc.Secrets, h.openSecrets}, {rpc.Search, h.openSearch}, {rpc.Memory, h.openMemory}, {rpc.Broker, h.openBroker}, {rpc.Front, h.openJudges}, {rpc.Front, h.openTasks}, {rpc.Front, h.openChat}, {rpc.Front, h.openListening},
	} {
		if h.conf.Services.address(s.name).Transport != rpc.Here {
			continue
		}
		end, err := s.start(ctx)
		if err != nil {
			return nil, errors.Join(err, stop(ctx))
		}
		stops = append(stops, end)
	}
	return stop, nil
}

// Serve opens the faces: the sockets for commands and other processes, then
// the HTTP front. It returns as soon as they answer; [Hall.Wait] waits.
func (h *Hall) Serve(ctx context.Context) error {
	return h.start(ctx, []step{{"sockets", h.openSockets}, {"front", h.openFront}})
}

// openSockets lets commands in through the home, and other processes in
// wherever the configuration offers a service to them.
func (h *Hall) openSockets(context.Context) (func(context.Context) error, error) {
	o := h.hostOptions()
	// The person's socket: the front and what a person may call through it.
	person := rpc.NewHost(rpc.Offers{
		Front: h.here.Front, Gateway: h.here.Gateway, Memory: h.here.Memory, Broker: h.here.Broker,
	}, o)
	hosts := []*rpc.Host{person}
	stop := func(ctx context.Context) error {
		var all error
		for _, host := range hosts {
			all = errors.Join(all, host.Close(ctx))
		}
		return all
	}
	if err := person.Listen(rpc.Address{Transport: rpc.Unix, Where: h.home.Socket()}); err != nil {
		return nil, err
	}
	for _, s := range rpc.Services() {
		for _, text := range h.conf.Services.of(s).Listen {
			host := rpc.NewHost(h.only(s), o)
			hosts = append(hosts, host)
			if err := listen(host, text); err != nil {
				return nil, errors.Join(err, stop(context.Background()))
			}
		}
	}
	return stop, nil
}

func listen(host *rpc.Host, text string) error {
	a, err := rpc.ParseAddress(text)
	if err != nil {
		return err
	}
	return host.Listen(a)
}

// only returns the offer of one service.
func (h *Hall) only(s rpc.Service) rpc.Offers {
	var o rpc.Offers
	switch s {
	case rpc.Front:
		o.Front = h.here.Front
	case rpc.Gateway:
		o.Gateway = h.here.Gateway
	case rpc.Memory:
		o.Memory = h.here.Memory
	case rpc.Broker:
		o.Broker = h.here.Broker
	case rpc.Secrets:
		o.Secrets = h.here.Secrets
	case rpc.Audit:
		o.Audit = h.here.Audit
	case rpc.Search:
		o.Search = h.here.Search
	}
	return o
}

// denied puts a refused caller on the record. The refusal stands whether or
// not it can be recorded.
func (h *Hall) denied(ctx context.Context, caller moothall.Identity, s rpc.Service, method, reason string) {
	a, err := h.peer(moothall.Hall).Audit()
	if err == nil {
		_, err = a.Append(ctx, moothall.AuditEntry{
			Action: moothall.ActionAccess, Status: moothall.StatusDenied,
			Rule: "identity/" + string(s), Note: clip(fmt.Sprintf("%q calling %s: %s", caller, method, reason), 200),
		})
	}
	if err != nil {
		h.log.Error("a refusal could not be recorded", "caller", caller, "service", s, "err", err)
	}
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// openFront listens for HTTP and starts answering.
func (h *Hall) openFront(ctx context.Context) (func(context.Context) error, error) {
	c := h.conf.Front
	token, err := frontToken(h.home, c)
	if err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", c.Address())
	if err != nil {
		return nil, listenError(c, err)
	}
	h.web = web.New(web.Options{
		Client: rpc.NewClient(h.peer(moothall.FrontDoor)), Metrics: h.metrics(), Hosts: c.Hosts, Token: token,
		Headless: c.Headless, MaxBody: int64(c.MaxBody), Logger: h.log,
	})
	h.address = l.Addr().String()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := h.web.Serve(l); err != nil {
			h.failed <- err
		}
	}()
	return func(ctx context.Context) error {
		err := h.web.Close(ctx)
		<-done
		return err
	}, nil
}

// listenError says who is in the way and what to do.
func listenError(c FrontConfig, err error) error {
	e := &moothall.Error{Code: moothall.CodeUnavailable, Op: "listen on " + c.Address(), Err: err}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		e.Code, e.Message = moothall.CodeConflict, fmt.Sprintf("port %d is in use by another program", c.Port)
		e.Remedy = "choose another with --port, or --port 0 for any free one"
	case errors.Is(err, syscall.EACCES):
		e.Code, e.Message = moothall.CodeDenied, fmt.Sprintf("this user may not open port %d", c.Port)
		e.Remedy = "choose a port above 1023 with --port"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		e.Code, e.Message = moothall.CodeInvalid, c.Listen+" is not an address of this machine"
		e.Remedy = "set front.listen to 127.0.0.1, or to an address that this machine has"
	}
	return e
}

// URL is where the page is.
func (h *Hall) URL() string { return "http://" + h.address }

// Home is where the hall lives.
func (h *Hall) Home() Home { return h.home }

// Wait returns when ctx ends or a face fails.
func (h *Hall) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-h.failed:
		return err
	}
}

// Shutdown stops the hall within [Grace].
func (h *Hall) Shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), Grace)
	defer cancel()
	return h.Close(ctx)
}

// pingTimeout bounds one question about a service's health.
const pingTimeout = 2 * time.Second
