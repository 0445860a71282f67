// Package secret is the hall's way to the person's keyring.
//
//	store, err := secret.Choose(ctx, secret.Auto, secret.Places{BusAddress: address})
//	if err != nil { ... }
//	ring := secret.New(secret.Options{Store: store, Audit: record})
//	face := ring.For(moothall.ToolBroker)
//	value, err := face.GetSecret(ctx, moothall.SecretRequest{Ref: "openai.key"})
//	defer clear(value.Reveal())
//
// # Two faces
//
// Services get what [Keyring.For] returns: it can read one secret by name, for
// the broker alone, and nothing else. Nobody can list.
//
// The person's own command works on the [Store] itself, with [Read], [Set],
// [Delete] and [Test]. A store is made by the daemon and by that command; it
// cannot be reached from the face that services have.
//
// # Where secrets are
//
// The children are the stores. secretservice keeps secrets in the desktop's
// keyring, encrypted on disk under the person's login. kernel keeps them in
// the memory of the kernel, until the machine is switched off. memory keeps
// them in this process. Children import nothing of this package; they fit
// [Store] by their methods.
//
// # Names and values
//
// A name is what [ValidName] accepts. A value is 1 to [MaxValue] bytes, of any
// content; the limit is that of the smallest store, so that a value that one
// store takes every store takes. A value returned belongs to the caller, who
// clears it after use. Neither a value nor anything computed from one stands
// in an error, a log line or the record; names and lengths may.
//
// # Concurrency
//
// Everything here is safe for concurrent use. The package starts no goroutine
// of its own.
//
// # What it refuses
//
// Any identity but the broker's, names that are not valid, values that are
// empty or too large, and, when a record is configured, handing out a value
// whose use could not be recorded.
package secret
