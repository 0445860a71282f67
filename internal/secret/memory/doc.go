// Package memory is a keyring that lives and dies with this process: for
// tests, and for a hall that shall leave nothing behind.
//
//	s := memory.New()
//	defer s.Close()
//	err := s.Set(ctx, "openai.key", value)
//
// Values are copied in and out, and overwritten when they are replaced,
// deleted, or when the store is closed. What callers hold is theirs to clear.
//
// All methods are safe for concurrent use. It refuses nothing but use after
// Close; names and sizes are judged by the parent.
package memory
