package moottest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"moothall"
)

// SecretsFixture is what [TestSecrets] needs.
type SecretsFixture struct {
	Secrets moothall.Secrets // as the broker has it
	Ref     moothall.SecretRef
	Value   string // what Ref stands for; not part of any message
	// Other is the same keyring as anybody else has it. Nil where it cannot
	// even be asked for.
	Other moothall.Secrets
}

// TestSecrets checks a keyring.
func TestSecrets(t *testing.T, open func(t *testing.T) SecretsFixture) {
	suite(t, open, map[string]func(*testing.T, SecretsFixture){
		"a known secret":     secretsKnown,
		"an unknown secret":  secretsUnknown,
		"others are refused": secretsOthers,
		"values handed out":  secretsOwned,
		"concurrent callers": secretsConcurrent,
		"canceled caller":    secretsCanceled,
	})
}

func secretsKnown(t *testing.T, f SecretsFixture) {
	s, err := f.Secrets.GetSecret(t.Context(), moothall.SecretRequest{Scope: scope(), Ref: f.Ref})
	wantCode(t, err, "")
	if string(s.Reveal()) != f.Value {
		t.Error("the value is not the one stored")
	}
	if printed := fmt.Sprintf("%v %+v %#v %s", s, s, s, s); strings.Contains(printed, f.Value) {
		t.Error("the value prints")
	}
}

func secretsUnknown(t *testing.T, f SecretsFixture) {
	for _, ref := range []moothall.SecretRef{"", f.Ref + "-not", "*"} {
		s, err := f.Secrets.GetSecret(t.Context(), moothall.SecretRequest{Ref: ref})
		if c := moothall.ErrorCode(err); c != moothall.CodeNotFound && !(ref == "" && c == moothall.CodeInvalid) {
			t.Errorf("%q: got %v, want code not_found", ref, err)
		}
		if len(s.Reveal()) > 0 || err != nil && strings.Contains(err.Error(), f.Value) {
			t.Errorf("%q: a value came with the error", ref)
		}
	}
}

func secretsOthers(t *testing.T, f SecretsFixture) {
	if f.Other == nil {
		t.Skip("others cannot even ask")
	}
	s, err := f.Other.GetSecret(t.Context(), moothall.SecretRequest{Ref: f.Ref})
	wantCode(t, err, moothall.CodeDenied)
	if len(s.Reveal()) > 0 {
		t.Error("a value came with the refusal")
	}
}

func secretsOwned(t *testing.T, f SecretsFixture) {
	for range 2 {
		s, err := f.Secrets.GetSecret(t.Context(), moothall.SecretRequest{Ref: f.Ref})
		wantCode(t, err, "")
		if string(s.Reveal()) != f.Value {
			t.Fatal("overwriting a value handed out changed the one stored")
		}
		clear(s.Reveal())
	}
}

func secretsConcurrent(t *testing.T, f SecretsFixture) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := f.Secrets.GetSecret(t.Context(), moothall.SecretRequest{Ref: f.Ref})
			if err != nil || string(s.Reveal()) != f.Value {
				t.Errorf("wrong value or error %v", err)
			}
			clear(s.Reveal())
		})
	}
	wg.Wait()
}

func secretsCanceled(t *testing.T, f SecretsFixture) {
	_, err := f.Secrets.GetSecret(canceled(t), moothall.SecretRequest{Ref: f.Ref})
	wantCode(t, err, moothall.CodeCanceled)
}
