// Package rpc offers and reaches the services of the hall: in the same
// process, over a unix socket, over TCP without encryption (h2c) or over TCP
// with mutual TLS. Service code sees the contracts of the root package and
// never learns which of these it is.
//
// # First use
//
// A host offers what runs in its process:
//
//	h := rpc.NewHost(rpc.Offers{Audit: log.For}, &rpc.HostOptions{Logger: logger})
//	if err := h.Listen(rpc.Address{Transport: rpc.Unix, Where: "/run/moothall/audit.sock"}); err != nil {
//		return err
//	}
//	defer h.Close(ctx)
//
// A participant reaches it through a [Peer], which is either the offers of
// its own process or a connection:
//
//	var p rpc.Peer = rpc.NewLocal(offers, moothall.ToolBroker)
//	p, err := rpc.Dial(address, moothall.ToolBroker, nil)
//	...
//	audit, err := p.Audit()
//
// # Identity
//
// Every call is made under a claimed [moothall.Identity], and the transport
// must prove the claim; [MayCall] then says what the identity may call.
//
//   - In process, the handle is the proof: [NewLocal] applies MayCall when it
//     hands a service out, and a call is then a plain Go method call.
//   - On a unix socket the kernel names the user of the other process.
//     [HostOptions.UIDs] says which users may claim which identity; what it
//     leaves out may be claimed by the host's own user alone. Processes of
//     one user are one trust domain: between them this tells programs apart
//     that behave, not programs that lie.
//   - Over h2c a token stands for one identity ([Token]). Whoever can read
//     the network can read tokens and content: it is for loopback and for
//     networks that belong to the hall.
//   - Over mutual TLS the client's certificate lists the identities that it
//     may claim.
//
// A claim without proof and a call that the table forbids end with
// [moothall.CodeDenied] and are reported to [HostOptions.Denied].
//
// # What crosses the wire
//
// Times come back in UTC; empty lists and maps come back nil; text that is
// not UTF-8 has the bad bytes replaced. Causes of errors stay on their side:
// an error that is no [moothall.Error] becomes "internal error" and is logged
// by the host. The standard gRPC health service answers without a claim; it
// says only whether a service is there.
//
// # Concurrency
//
// All types are safe for concurrent use. [Host] and [Conn] own goroutines and
// end them in Close. Breaking out of a stream cancels the call, and the
// iterator on the other side is stopped.
//
// # What it refuses
//
// There is no way to call without an identity, no TLS below 1.3, no secret in
// an error, no message above the limit, and no taking over of a socket on
// which somebody answers.
package rpc
