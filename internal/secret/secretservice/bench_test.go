package secretservice_test

import (
	"testing"

	"moothall/internal/secret/secretservice"
)

// BenchmarkGet is one read from a real keyring, connection and key agreement
// included.
func BenchmarkGet(b *testing.B) {
	s := startKeyring(b)
	store := secretservice.New(secretservice.Options{Address: s.address})
	if err := store.Set(b.Context(), "name", []byte(canary)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := store.Get(b.Context(), "name"); err != nil {
			b.Fatal(err)
		}
	}
}
