package secretservice

import (
	"time"

	"github.com/godbus/dbus/v5"
)

// unlock unlocks an item or a collection, with the person's help if need be.
func (l *link) unlock(object dbus.ObjectPath) error {
	var done []dbus.ObjectPath
	var prompt dbus.ObjectPath
	if err := l.call(servicePath, ifService+".Unlock", []any{[]dbus.ObjectPath{object}}, &done, &prompt); err != nil {
		return err
	}
	if len(done) == 0 && (prompt == noPath || prompt == "") {
		return errLocked()
	}
	return l.answer(prompt)
}

// answer has the service put a question to the person and waits for the
// outcome. "/" is no question.
func (l *link) answer(prompt dbus.ObjectPath) error {
	if prompt == noPath || prompt == "" {
		return nil
	}
	if l.o.NeverPrompt {
		l.dismiss(prompt)
		return errLocked()
	}
	signals := make(chan *dbus.Signal, 8)
	l.conn.Signal(signals)
	defer l.conn.RemoveSignal(signals)
	err := l.conn.AddMatchSignalContext(l.ctx, dbus.WithMatchSender(serviceName), dbus.WithMatchObjectPath(prompt),
		dbus.WithMatchInterface(ifPrompt), dbus.WithMatchMember("Completed"))
	if err != nil {
		return l.translate(err)
	}
	if err := l.call(prompt, ifPrompt+".Prompt", []any{""}); err != nil {
		l.dismiss(prompt) // it may be on the screen although nobody said so
		return err
	}
	err = l.await(prompt, signals)
	l.extend(l.o.CallTimeout)
	return err
}

// await waits for a prompt's end.
func (l *link) await(prompt dbus.ObjectPath, signals <-chan *dbus.Signal) error {
	late := time.NewTimer(l.o.PromptTimeout)
	defer late.Stop()
	for {
		select {
		case s, ok := <-signals:
			if !ok {
				return gone(nil)
			}
			if s.Path != prompt || s.Name != ifPrompt+".Completed" || len(s.Body) == 0 {
				continue
			}
			if dismissed, ok := s.Body[0].(bool); !ok || dismissed {
				return errLocked()
			}
			return nil
		case <-late.C:
			l.dismiss(prompt)
			return errLocked()
		case <-l.caller.Done():
			l.dismiss(prompt)
			return l.caller.Err()
		case <-l.conn.Context().Done():
			return gone(nil)
		}
	}
}

// dismiss takes a question back. Nobody waits for it, so it is not waited
// for either.
func (l *link) dismiss(prompt dbus.ObjectPath) {
	l.conn.Object(serviceName, prompt).Call(ifPrompt+".Dismiss", dbus.FlagNoReplyExpected)
}
