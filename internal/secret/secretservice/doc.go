// Package secretservice keeps secrets in the desktop's keyring: GNOME Keyring,
// KWallet, KeePassXC, or whatever else serves org.freedesktop.secrets on the
// session bus.
//
//	s := secretservice.New(secretservice.Options{Address: address})
//	err := s.Set(ctx, "openai.key", value)
//
// # Items
//
// A secret is an item with the attributes application=moothall and name=NAME,
// in the collection that the alias "default" names, or else in "login". It is
// found in any collection, that one first; deleting removes it from all.
//
// # Sessions
//
// Each operation has a connection and a session of its own, and ends both. So
// nothing has to be closed, a keyring that was restarted needs no care, and a
// session's key exists only for a few milliseconds.
//
// Values cross the bus encrypted (dh-ietf1024-sha256-aes128-cbc-pkcs7): that
// keeps them from whoever records the bus's traffic, and does not prove who the
// service is. A service that cannot encrypt is refused, unless Options.Plain
// says otherwise. Addresses other than unix sockets are refused.
//
// # Locked keyrings
//
// A locked item or collection is unlocked first. The service may ask the
// person for it; the call waits for the answer for Options.PromptTimeout.
// Unanswered, dismissed or never asked is CodeUnavailable with a remedy. No
// collection at all is the same: the package never makes one, since it would
// have to choose its password.
//
// # Errors
//
// CodeNotFound, CodeUnavailable, CodeUnsupported, CodeCorrupt for an answer
// that cannot be decoded, and the caller's cancellation. Of a service's error
// only its name is kept, never its text.
//
// All methods are safe for concurrent use. The bus library's goroutines end
// with the operation that they serve. Names are judged by the parent.
package secretservice
