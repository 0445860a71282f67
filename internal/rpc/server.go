package rpc

import (
	"context"
	"sync"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

// offer keeps the values that callers of one service were handed.
type offer[T any] struct {
	service Service
	create  func(moothall.Identity) T

	mu   sync.Mutex
	made map[moothall.Identity]T
}

func newOffer[T any](s Service, create func(moothall.Identity) T) *offer[T] {
	return &offer[T]{service: s, create: create, made: map[moothall.Identity]T{}}
}

// get is called with admitted identities only, of which there are few.
func (o *offer[T]) get(id moothall.Identity) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if v, ok := o.made[id]; ok {
		return v, nil
	}
	v, err := handOut(id, o.service, o.create)
	if err != nil {
		return v, err
	}
	o.made[id] = v
	return v, nil
}

// offered are the offers of a host; all its doors share them.
type offered struct {
	front   *offer[moothall.Front]
	gateway *offer[moothall.Gateway]
	memory  *offer[moothall.Memory]
	broker  *offer[moothall.Broker]
	secrets *offer[moothall.Secrets]
	audit   *offer[moothall.Audit]
	search  *offer[moothall.Search]
}

func newOffered(o Offers) *offered {
	return &offered{
		front:   newOffer(Front, o.Front),
		gateway: newOffer(Gateway, o.Gateway),
		memory:  newOffer(Memory, o.Memory),
		broker:  newOffer(Broker, o.Broker),
		secrets: newOffer(Secrets, o.Secrets),
		audit:   newOffer(Audit, o.Audit),
		search:  newOffer(Search, o.Search),
	}
}

// entrance is what every server embeds: a handler has no way to a service but
// open, which checks who calls.
type entrance[T any] struct {
	door  *door
	offer *offer[T]
}

func (e entrance[T]) open(ctx context.Context) (T, error) {
	id, err := e.door.admit(ctx, e.offer.service)
	if err != nil {
		var none T
		return none, err
	}
	return e.offer.get(id)
}

// register serves every contract, those too that are not offered: their
// callers get a clear answer instead of an unknown method.
func (d *door) register() {
	o := d.host.offers
	pb.RegisterFrontServer(d.server, frontServer{entrance: entrance[moothall.Front]{d, o.front}})
	pb.RegisterModelGatewayServer(d.server, gatewayServer{entrance: entrance[moothall.Gateway]{d, o.gateway}})
	pb.RegisterMemoryServiceServer(d.server, memoryServer{entrance: entrance[moothall.Memory]{d, o.memory}})
	pb.RegisterToolBrokerServer(d.server, brokerServer{entrance: entrance[moothall.Broker]{d, o.broker}})
	pb.RegisterSecretsServiceServer(d.server, secretsServer{entrance: entrance[moothall.Secrets]{d, o.secrets}})
	pb.RegisterAuditServiceServer(d.server, auditServer{entrance: entrance[moothall.Audit]{d, o.audit}})
	pb.RegisterSearchServiceServer(d.server, searchServer{entrance: entrance[moothall.Search]{d, o.search}})
}
