package secretservice_test

import (
	"context"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/secret"
	"moothall/internal/secret/kernel"
	"moothall/internal/secret/secretservice"
)

// TestContract runs the suite of keyrings over a real GNOME Keyring.
func TestContract(t *testing.T) {
	t.Parallel()
	s := startKeyring(t)
	// The suite's tests run on after this function; the keyring stays until
	// the group ends.
	t.Run("suite", func(t *testing.T) {
		moottest.TestSecrets(t, func(t *testing.T) moottest.SecretsFixture {
			store := secretservice.New(secretservice.Options{Address: s.address})
			name := "test." + moothall.NewID()
			want(t, secret.Set(t.Context(), store, name, moothall.NewSecret([]byte(canary))), "")
			ring := secret.New(secret.Options{Store: store})
			return moottest.SecretsFixture{
				Secrets: ring.For(moothall.ToolBroker), Other: ring.For(moothall.ChatHall), Ref: moothall.SecretRef(name), Value: canary,
			}
		})
	})
}

func TestChoose(t *testing.T) {
	t.Parallel()
	ring, empty := startKeyring(t), startBus(t, "", "cat")
	lock(t, ring)
	fallback := kernel.Name
	if kernel.New().Ping(t.Context()) != nil {
		fallback = "" // then there is nothing left to choose
	}
	for what, c := range map[string]struct {
		kind    secret.Kind
		address string
		name    string
	}{
		"a keyring, locked":    {secret.Auto, ring.address, secretservice.Name},
		"by default":           {"", ring.address, secretservice.Name},
		"a bus without one":    {secret.Auto, empty.address, fallback},
		"no bus":               {secret.Auto, "unix:path=" + t.TempDir() + "/none", fallback},
		"named without a bus":  {secret.SecretService, "unix:path=/none", secretservice.Name},
		"kernel despite a bus": {secret.Kernel, ring.address, "kernel"},
		"memory despite a bus": {secret.Memory, ring.address, "memory"},
	} {
		got, err := secret.Choose(t.Context(), c.kind, secret.Places{BusAddress: c.address})
		switch {
		case c.name == "":
			want(t, err, moothall.CodeUnavailable)
		case err != nil || got.Name() != c.name:
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
	_, err := secret.Choose(t.Context(), "vault", secret.Places{})
	want(t, err, moothall.CodeInvalid)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = secret.Choose(ctx, secret.Auto, secret.Places{BusAddress: ring.address})
	want(t, err, moothall.CodeCanceled)
}
