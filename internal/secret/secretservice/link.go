package secretservice

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"moothall"
)

// The service's names on the bus.
const (
	serviceName = "org.freedesktop.secrets"
	ifService   = "org.freedesktop.Secret.Service"
	ifCol       = "org.freedesktop.Secret.Collection"
	ifItem      = "org.freedesktop.Secret.Item"
	ifPrompt    = "org.freedesktop.Secret.Prompt"
	ifSession   = "org.freedesktop.Secret.Session"

	servicePath = dbus.ObjectPath("/org/freedesktop/secrets")
	loginPath   = dbus.ObjectPath("/org/freedesktop/secrets/collection/login")
	noPath      = dbus.ObjectPath("/")
)

// link is one operation's connection and session. It holds contexts because it
// lives no longer than the call that they belong to.
type link struct {
	conn    *dbus.Conn
	ctx     context.Context // the operation's, with the time-out
	caller  context.Context // the caller's, for waiting longer
	cancel  context.CancelFunc
	o       *Options
	session dbus.ObjectPath
	cipher  *transfer
}

// dial connects and opens a session.
func (s *Store) dial(caller context.Context) (*link, error) {
	address, err := busAddress(s.o.Address)
	if err != nil {
		return nil, err
	}
	conn, err := dbus.Dial(address)
	if err != nil {
		return nil, noBus()
	}
	ctx, cancel := context.WithTimeout(caller, s.o.CallTimeout)
	l := &link{conn: conn, ctx: ctx, caller: caller, cancel: cancel, o: &s.o}
	// The handshake knows no context: a bus that does not answer is left by
	// closing the connection under it.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	err = conn.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(os.Getuid()))})
	if err == nil {
		err = conn.Hello()
	}
	stop()
	if err != nil {
		err = noBus()
	} else {
		err = l.open()
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// busAddress finds the bus, and refuses one that is not on this machine.
func busAddress(given string) (string, error) {
	if given == "" {
		given = "unix:path=/run/user/" + strconv.Itoa(os.Getuid()) + "/bus"
	}
	for part := range strings.SplitSeq(given, ";") {
		if !strings.HasPrefix(part, "unix:") {
			return "", &moothall.Error{
				Code: moothall.CodeUnsupported, Op: op, Message: "the session bus is not a unix socket, and secrets use no other",
				Remedy: "set DBUS_SESSION_BUS_ADDRESS to a unix: address",
			}
		}
	}
	return given, nil
}

func noBus() error {
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: op, Message: "no session bus answers",
		Remedy: "run the hall inside a desktop session, or use the kernel's keyring",
	}
}

// close ends the session and the connection. The service forgets a session
// whose client leaves, so the farewell is not waited for.
func (l *link) close() {
	if l.session != "" {
		l.conn.Object(serviceName, l.session).Call(ifSession+".Close", dbus.FlagNoReplyExpected)
	}
	l.cipher.forget()
	l.cancel()
	l.conn.Close()
}

// call calls a method and stores what it returns.
func (l *link) call(path dbus.ObjectPath, method string, args []any, results ...any) error {
	c := l.conn.Object(serviceName, path).CallWithContext(l.ctx, method, 0, args...)
	if c.Err != nil {
		return l.translate(c.Err)
	}
	if err := c.Store(results...); err != nil {
		return corrupt("the service's answer has an unexpected form")
	}
	return nil
}

// property reads a property.
func (l *link) property(path dbus.ObjectPath, iface, name string, result any) error {
	var v dbus.Variant
	if err := l.call(path, "org.freedesktop.DBus.Properties.Get", []any{iface, name}, &v); err != nil {
		return err
	}
	if err := v.Store(result); err != nil {
		return corrupt("the service's answer has an unexpected form")
	}
	return nil
}

// extend gives the operation its full time again after a wait for the person.
func (l *link) extend(d time.Duration) {
	l.cancel()
	l.ctx, l.cancel = context.WithTimeout(l.caller, d)
}

// busError is a service's error without its text, which cannot be vouched
// for.
type busError string

func (e busError) Error() string { return string(e) }

func (l *link) translate(err error) error {
	if l.ctx.Err() != nil {
		return &moothall.Error{
			Code: moothall.CodeTimeout, Op: op, Message: "the desktop's keyring did not answer in time",
			Remedy: "look whether it is waiting for an answer on the screen, or restart it",
		}
	}
	var e dbus.Error
	if !errors.As(err, &e) {
		return gone(nil)
	}
	cause := busError(e.Name)
	switch e.Name {
	case "org.freedesktop.Secret.Error.IsLocked":
		return errLocked()
	case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject":
		return &moothall.Error{Code: moothall.CodeNotFound, Op: op, Message: "the keyring has no such item any more", Err: cause}
	case "org.freedesktop.DBus.Error.NotSupported":
		return &moothall.Error{Code: moothall.CodeUnsupported, Op: op, Message: "the desktop's keyring cannot do this", Err: cause}
	case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.NoReply",
		"org.freedesktop.DBus.Error.Disconnected":
		return gone(cause)
	}
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: op, Message: "the desktop's keyring refused", Err: cause}
}

func gone(cause error) error {
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: op, Message: "no keyring answers on the session bus",
		Remedy: "start a keyring such as gnome-keyring or KWallet, or use the kernel's keyring", Err: cause,
	}
}

func corrupt(message string) error { return moothall.Fail(moothall.CodeCorrupt, op, message) }
