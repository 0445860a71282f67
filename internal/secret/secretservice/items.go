package secretservice

import (
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"moothall"
)

// open opens a session, encrypted unless the service cannot and Options.Plain
// allows it.
func (l *link) open() error {
	half, err := newExchange()
	if err != nil {
		return err
	}
	var answer dbus.Variant
	err = l.call(servicePath, ifService+".OpenSession", []any{algorithmDH, dbus.MakeVariant(half.public.Bytes())}, &answer, &l.session)
	switch {
	case moothall.ErrorCode(err) == moothall.CodeUnsupported:
		return l.openPlain()
	case err != nil:
		return err
	}
	peer, ok := answer.Value().([]byte)
	if !ok {
		return corrupt("the service's half of the key agreement is missing")
	}
	l.cipher, err = half.agree(peer)
	return err
}

func (l *link) openPlain() error {
	if !l.o.Plain {
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: op, Message: "the desktop's keyring hands secrets over the bus only in clear",
			Remedy: "use a keyring that encrypts, such as gnome-keyring, or the kernel's keyring",
		}
	}
	l.o.Logger.Warn("secrets cross the session bus in clear: the keyring cannot encrypt")
	l.cipher = &transfer{}
	var none dbus.Variant
	return l.call(servicePath, ifService+".OpenSession", []any{algorithmPlain, dbus.MakeVariant("")}, &none, &l.session)
}

func attributes(name string) map[string]string {
	return map[string]string{"application": "moothall", "name": name}
}

// search returns the items of a name, those of the default collection first.
func (l *link) search(name string) (unlocked, locked []dbus.ObjectPath, err error) {
	err = l.call(servicePath, ifService+".SearchItems", []any{attributes(name)}, &unlocked, &locked)
	if err != nil || len(unlocked)+len(locked) < 2 {
		return unlocked, locked, err
	}
	home, err := l.collection()
	if err != nil {
		return unlocked, locked, nil // no default collection, no preference
	}
	for _, items := range [][]dbus.ObjectPath{unlocked, locked} {
		slices.SortStableFunc(items, func(a, b dbus.ObjectPath) int { return away(a, home) - away(b, home) })
	}
	return unlocked, locked, nil
}

// away is 0 for an item of the collection and 1 for others.
func away(item, collection dbus.ObjectPath) int {
	if strings.HasPrefix(string(item), string(collection)+"/") {
		return 0
	}
	return 1
}

// find returns the item of a name, unlocked. Some keyrings do not even search
// a locked collection, so one that is locked is opened before a secret is
// called absent.
func (l *link) find(name string) (dbus.ObjectPath, error) {
	item, err := l.findNow(name)
	if err != nil || item != "" {
		return item, err
	}
	c, err := l.collection()
	if err != nil {
		return "", notFound(name) // there is nothing that could hold it
	}
	if locked, err := l.isLocked(c); err != nil || !locked {
		return "", notFound(name)
	}
	if err := l.unlock(c); err != nil {
		return "", err
	}
	if item, err = l.findNow(name); err == nil && item == "" {
		err = notFound(name)
	}
	return item, err
}

// findNow returns the item that a search finds, unlocked, or "".
func (l *link) findNow(name string) (dbus.ObjectPath, error) {
	unlocked, locked, err := l.search(name)
	switch {
	case err != nil:
		return "", err
	case len(unlocked) > 0:
		return unlocked[0], nil
	case len(locked) > 0:
		return locked[0], l.unlock(locked[0])
	}
	return "", nil
}

// read fetches and decrypts an item's value.
func (l *link) read(item dbus.ObjectPath) ([]byte, error) {
	var w wireSecret
	if err := l.call(item, ifItem+".GetSecret", []any{l.session}, &w); err != nil {
		return nil, err
	}
	return l.cipher.open(w)
}

// collection returns where new secrets go.
func (l *link) collection() (dbus.ObjectPath, error) {
	var path dbus.ObjectPath
	if err := l.call(servicePath, ifService+".ReadAlias", []any{"default"}, &path); err != nil {
		return "", err
	}
	if path != noPath && path != "" {
		return path, nil
	}
	var all []dbus.ObjectPath
	if err := l.property(servicePath, ifService, "Collections", &all); err != nil {
		return "", err
	}
	if slices.Contains(all, loginPath) {
		return loginPath, nil
	}
	return "", &moothall.Error{
		Code: moothall.CodeUnavailable, Op: op, Message: "the desktop's keyring has no default collection",
		Remedy: "make one in the desktop's password manager, or use the kernel's keyring",
	}
}

func (l *link) isLocked(collection dbus.ObjectPath) (locked bool, err error) {
	err = l.property(collection, ifCol, "Locked", &locked)
	return locked, err
}

// write creates the item of a name, or gives it a new value.
func (l *link) write(name string, value []byte) error {
	c, err := l.collection()
	if err != nil {
		return err
	}
	if locked, err := l.isLocked(c); err != nil {
		return err
	} else if locked {
		if err := l.unlock(c); err != nil {
			return err
		}
	}
	w, err := l.cipher.seal(l.session, value)
	if err != nil {
		return err
	}
	defer clear(w.Value)
	about := map[string]dbus.Variant{
		ifItem + ".Label":      dbus.MakeVariant("Moothall: " + name),
		ifItem + ".Attributes": dbus.MakeVariant(attributes(name)),
	}
	var item, prompt dbus.ObjectPath
	if err := l.call(c, ifCol+".CreateItem", []any{about, w, true}, &item, &prompt); err != nil {
		return err
	}
	return l.answer(prompt)
}

// remove deletes every item of a name: one left behind would be found again.
func (l *link) remove(name string) error {
	if _, err := l.find(name); err != nil {
		return err
	}
	unlocked, locked, err := l.search(name)
	if err != nil {
		return err
	}
	for _, item := range locked {
		if err := l.unlock(item); err != nil {
			return err
		}
	}
	for _, item := range append(unlocked, locked...) {
		var prompt dbus.ObjectPath
		err := l.call(item, ifItem+".Delete", nil, &prompt)
		if moothall.ErrorCode(err) == moothall.CodeNotFound {
			continue // somebody else deleting it was faster
		}
		if err != nil {
			return err
		}
		if err := l.answer(prompt); err != nil {
			return err
		}
	}
	return nil
}
