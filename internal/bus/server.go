package bus

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"moothall"
)

// embedded is the NATS server in this process.
type embedded struct {
	srv       *server.Server
	lock      *dirLock
	passwords map[string]string
	fresh     bool // the folder held no record before
	opts      *server.Options
	log       *serverLog
}

// startEmbedded starts the server on the folder's files.
func startEmbedded(o Options) (*embedded, error) {
	passwords, err := embeddedPasswords(o)
	if err != nil {
		return nil, err
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, err
	}
	_, statErr := os.Stat(filepath.Join(o.Dir, "jetstream", "$G", "streams", streamName))
	e, err := runServer(o, serverUsers(o, passwords))
	if err != nil {
		lock.release()
		return nil, err
	}
	e.lock, e.passwords, e.fresh = lock, passwords, os.IsNotExist(statErr)
	return e, nil
}

// stop ends the server and waits for it.
func (e *embedded) stop() error {
	e.srv.Shutdown()
	e.srv.WaitForShutdown()
	return e.lock.release()
}

func runServer(o Options, users []*server.User) (*embedded, error) {
	opts, err := serverOptions(o, users)
	if err != nil {
		return nil, err
	}
	srv, err := server.NewServer(opts)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "configure bus server", Err: err}
	}
	log := &serverLog{log: o.Logger}
	srv.SetLoggerV2(log, false, false, false)
	srv.Start()
	if fatal := log.fatal.Load(); fatal != nil {
		srv.Shutdown()
		srv.WaitForShutdown()
		return nil, startFault(o, *fatal)
	}
	return &embedded{srv: srv, opts: opts, log: log}, nil
}

// startFault says which of the two things outside our hands went wrong.
func startFault(o Options, fatal string) error {
	if o.Listen != "" {
		if l, err := net.Listen("tcp", o.Listen); err != nil {
			return &moothall.Error{
				Code: moothall.CodeConflict, Op: "open bus port", Message: o.Listen + " cannot be opened",
				Remedy: "choose another address, or stop what uses this one", Err: err,
			}
		} else {
			l.Close()
		}
	}
	return damaged(o.Dir, fmt.Errorf("%s", fatal))
}

func damaged(dir string, err error) error {
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Op: "open bus", Message: "the files in " + dir + " cannot be read",
		Remedy: "move the folder away and start again: the bus begins anew, the database and the audit log keep the record",
		Err:    err,
	}
}

func serverOptions(o Options, users []*server.User) (*server.Options, error) {
	so := &server.Options{
		ServerName: "moothall", DontListen: o.Listen == "",
		NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
		JetStream: true, StoreDir: o.Dir, SyncAlways: true,
		// The stream's own bounds are the bounds: a limit of the server
		// below them would keep a stream with older, wider ones from
		// being recovered. Nothing is kept in memory streams.
		JetStreamMaxStore: 1 << 46, JetStreamMaxMemory: 1 << 20,
		Users:      users,
		MaxPayload: int32(o.MaxPayload + 2*envelopeSlack),
		// What may wait for a guest that does not read, and how long.
		MaxPending: max(16<<20, int64(2*o.MaxPayload)), WriteDeadline: 5 * time.Second,
		MaxConn: 1024, MaxClosedClients: 16,
	}
	if o.Listen == "" {
		return so, nil
	}
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, invalid("listen address %q is not host:port", o.Listen)
	}
	so.Host = host
	if so.Port, err = strconv.Atoi(port); err != nil {
		return nil, invalid("listen address %q has no port number", o.Listen)
	}
	if so.Port == 0 {
		so.Port = server.RANDOM_PORT
	}
	if o.TLS != nil {
		so.TLS, so.TLSConfig, so.TLSTimeout = true, o.TLS, 5
	}
	return so, nil
}

// embeddedPasswords: from its file for who has one, else good for this start.
func embeddedPasswords(o Options) (map[string]string, error) {
	out := map[string]string{}
	for _, u := range users(nil, nil) {
		out[u.name] = rand.Text()
		file := o.Credentials[moothall.Identity(u.name)]
		if file == "" {
			continue
		}
		secret, kind, err := readCredentials(file)
		if err != nil {
			return nil, err
		}
		if kind != password {
			return nil, invalid("%s: a server in this process takes a password", file)
		}
		out[u.name] = secret
	}
	for _, g := range o.Guests {
		out[g.Name] = g.Password
	}
	return out, nil
}

func serverUsers(o Options, passwords map[string]string) []*server.User {
	var out []*server.User
	for _, u := range users(o.Guests, o.Observers) {
		out = append(out, &server.User{
			Username: u.name, Password: passwords[u.name],
			Permissions: &server.Permissions{
				Publish:   &server.SubjectPermission{Allow: u.grant.publish},
				Subscribe: &server.SubjectPermission{Allow: u.grant.subscribe},
			},
		})
	}
	return out
}

// serverLog passes on what the server has to say, and keeps the reason for
// which it did not start: the server only logs that.
type serverLog struct {
	log    *slog.Logger
	fatal  atomic.Pointer[string]
	health health
}

func (l *serverLog) Noticef(format string, v ...any) { l.say(l.log.Debug, format, v) }
func (l *serverLog) Debugf(format string, v ...any)  { l.say(l.log.Debug, format, v) }
func (l *serverLog) Tracef(format string, v ...any)  { l.say(l.log.Debug, format, v) }

// Warnf leaves out one warning: passwords made for this start alone need no
// hashing, and those of guests are checked by whoever lets them in.
func (l *serverLog) Warnf(format string, v ...any) {
	if strings.HasPrefix(format, "Plaintext passwords detected") {
		return
	}
	l.say(l.log.Warn, format, v)
}

// Errorf also listens for the end of writing.
func (l *serverLog) Errorf(format string, v ...any) {
	said := fmt.Sprintf(format, v...)
	l.health.hear(said)
	l.log.Error("bus server", "said", said)
}

func (l *serverLog) Fatalf(format string, v ...any) {
	s := fmt.Sprintf(format, v...)
	l.fatal.CompareAndSwap(nil, &s)
	l.log.Error("bus server", "said", s)
}

func (l *serverLog) say(level func(string, ...any), format string, v []any) {
	level("bus server", "said", fmt.Sprintf(format, v...))
}

var _ server.Logger = (*serverLog)(nil)
