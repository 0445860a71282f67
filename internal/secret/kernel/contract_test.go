//go:build linux

package kernel_test

import (
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/secret"
)

// TestContract runs the suite of keyrings over the real kernel.
func TestContract(t *testing.T) {
	t.Parallel()
	open(t)
	moottest.TestSecrets(t, func(t *testing.T) moottest.SecretsFixture {
		s := open(t)
		name := fresh(t, s)
		want(t, secret.Set(t.Context(), s, name, moothall.NewSecret([]byte(canary))), "")
		ring := secret.New(secret.Options{Store: s})
		return moottest.SecretsFixture{
			Secrets: ring.For(moothall.ToolBroker), Other: ring.For(moothall.ChatHall), Ref: moothall.SecretRef(name), Value: canary,
		}
	})
}
