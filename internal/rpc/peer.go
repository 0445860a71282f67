package rpc

import "moothall"

// Offers says which services a process has. Each field makes the value that
// one caller is handed: bound to that caller, safe for concurrent use, and
// kept for as long as the caller may call. Nil means not offered.
type Offers struct {
	Front   func(moothall.Identity) moothall.Front
	Gateway func(moothall.Identity) moothall.Gateway
	Memory  func(moothall.Identity) moothall.Memory
	Broker  func(moothall.Identity) moothall.Broker
	Secrets func(moothall.Identity) moothall.Secrets
	Audit   func(moothall.Identity) moothall.Audit
	Search  func(moothall.Identity) moothall.Search
}

// Offered reports whether s is among the offers.
func (o Offers) Offered(s Service) bool {
	switch s {
	case Front:
		return o.Front != nil
	case Gateway:
		return o.Gateway != nil
	case Memory:
		return o.Memory != nil
	case Broker:
		return o.Broker != nil
	case Secrets:
		return o.Secrets != nil
	case Audit:
		return o.Audit != nil
	case Search:
		return o.Search != nil
	}
	return false
}

// Peer hands out services under one identity. Each method fails with
// [moothall.CodeDenied] when the identity may not call that service. Whether
// the service is there is known at once in process ([moothall.CodeNotConfigured]
// from the method) and with the first call over a connection (the same code
// from the call).
type Peer interface {
	Front() (moothall.Front, error)
	Gateway() (moothall.Gateway, error)
	Memory() (moothall.Memory, error)
	Broker() (moothall.Broker, error)
	Secrets() (moothall.Secrets, error)
	Audit() (moothall.Audit, error)
	Search() (moothall.Search, error)
	// Close gives back what the peer holds. Services handed out are of no
	// use afterwards if the peer was a connection.
	Close() error
}

var (
	_ Peer = (*Local)(nil)
	_ Peer = (*Conn)(nil)
)

// Local is a [Peer] over the offers of the same process.
type Local struct {
	offers Offers
	as     moothall.Identity
}

// NewLocal returns the peer of one participant in this process. Whoever holds
// it is that participant.
func NewLocal(o Offers, as moothall.Identity) *Local { return &Local{offers: o, as: as} }

// Front hands out the front.
func (l *Local) Front() (moothall.Front, error) { return handOut(l.as, Front, l.offers.Front) }

// Gateway hands out the gateway.
func (l *Local) Gateway() (moothall.Gateway, error) { return handOut(l.as, Gateway, l.offers.Gateway) }

// Memory hands out the memory.
func (l *Local) Memory() (moothall.Memory, error) { return handOut(l.as, Memory, l.offers.Memory) }

// Broker hands out the broker.
func (l *Local) Broker() (moothall.Broker, error) { return handOut(l.as, Broker, l.offers.Broker) }

// Secrets hands out the secrets.
func (l *Local) Secrets() (moothall.Secrets, error) { return handOut(l.as, Secrets, l.offers.Secrets) }

// Audit hands out the audit record.
func (l *Local) Audit() (moothall.Audit, error) { return handOut(l.as, Audit, l.offers.Audit) }

// Search hands out the search.
func (l *Local) Search() (moothall.Search, error) { return handOut(l.as, Search, l.offers.Search) }

// Close does nothing: the services belong to the process.
func (l *Local) Close() error { return nil }

// handOut is the only way from an offer to a service.
func handOut[T any](as moothall.Identity, s Service, offer func(moothall.Identity) T) (T, error) {
	var none T
	if err := MayCall(as, s); err != nil {
		return none, err
	}
	if offer == nil {
		return none, notOffered(s)
	}
	return offer(as), nil
}

func notOffered(s Service) error {
	return &moothall.Error{
		Code: moothall.CodeNotConfigured, Op: "access", Message: string(s) + " is not offered here",
		Remedy: "check in the configuration where " + string(s) + " runs",
	}
}
