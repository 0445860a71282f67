package secret_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/secret"
	"moothall/internal/secret/memory"
)

const canary = "canary-2b90-value-of-the-test"

// leaks reports whether a text holds the canary or something made from it.
func leaks(text string) bool {
	sum := sha256.Sum256([]byte(canary))
	for _, s := range []string{canary, hex.EncodeToString([]byte(canary)), hex.EncodeToString(sum[:]), hex.EncodeToString(sum[:4]),
		base64.StdEncoding.EncodeToString([]byte(canary))} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func want(t *testing.T, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("code %q, want %q: %v", got, code, err)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if leaks(fmt.Sprintf("%v %+v %#v", e, e, e)) {
			t.Fatal("a value stands in an error")
		}
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	moottest.TestSecrets(t, func(t *testing.T) moottest.SecretsFixture { return fixture(t, memory.New()) })
}

// fixture puts one secret into a store and a keyring around it.
func fixture(t *testing.T, s secret.Store) moottest.SecretsFixture {
	t.Helper()
	name := "test." + moothall.NewID()
	want(t, secret.Set(t.Context(), s, name, moothall.NewSecret([]byte(canary))), "")
	t.Cleanup(func() { _ = secret.Delete(context.Background(), s, name) })
	ring := secret.New(secret.Options{Store: s, Audit: moottest.NewAudit().For(moothall.SecretKeeper)})
	return moottest.SecretsFixture{
		Secrets: ring.For(moothall.ToolBroker), Other: ring.For(moothall.ModelGateway), Ref: moothall.SecretRef(name), Value: canary,
	}
}

func TestOnlyTheBroker(t *testing.T) {
	t.Parallel()
	s := memory.New()
	want(t, secret.Set(t.Context(), s, "name", moothall.NewSecret([]byte(canary))), "")
	record := moottest.NewAudit()
	var log bytes.Buffer
	ring := secret.New(secret.Options{Store: s, Audit: record.For(moothall.SecretKeeper), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for _, id := range append(moothall.Identities(), "", "nobody", "Broker") {
		code := moothall.CodeDenied
		if id == moothall.ToolBroker {
			code = ""
		}
		face := ring.For(id)
		_, err := face.GetSecret(t.Context(), moothall.SecretRequest{Ref: "name"})
		want(t, err, code)
		if _, ok := face.(secret.Store); ok {
			t.Fatal("the face of a service is a store")
		}
	}
	denied := 0
	for _, r := range record.Records() {
		if r.Entry.Action != moothall.ActionSecret || r.Entry.Note != "name name" || leaks(fmt.Sprintf("%+v", r)) {
			t.Errorf("recorded as %+v", r.Entry)
		}
		if r.Entry.Status == moothall.StatusDenied {
			denied++
		}
	}
	if n := len(moothall.Identities()) + 2; denied != n || len(record.Records()) != n+1 {
		t.Errorf("%d refusals in %d records, want %d in %d", denied, len(record.Records()), n, n+1)
	}
	if leaks(log.String()) || !strings.Contains(log.String(), "refused") {
		t.Errorf("log: %s", log.String())
	}
}

// TestNoRecordNoSecret: what cannot be recorded does not happen.
func TestNoRecordNoSecret(t *testing.T) {
	t.Parallel()
	s := memory.New()
	want(t, secret.Set(t.Context(), s, "name", moothall.NewSecret([]byte(canary))), "")
	record := moottest.NewAudit()
	record.Refuse(moothall.Fail(moothall.CodeExhausted, "append", "disk full"))
	ring := secret.New(secret.Options{Store: s, Audit: record.For(moothall.SecretKeeper)})
	v, err := ring.For(moothall.ToolBroker).GetSecret(t.Context(), moothall.SecretRequest{Ref: "name"})
	want(t, err, moothall.CodeExhausted)
	if len(v.Reveal()) > 0 {
		t.Error("a value came with the error")
	}
}

func TestWithoutStore(t *testing.T) {
	t.Parallel()
	_, err := secret.New(secret.Options{}).For(moothall.ToolBroker).GetSecret(t.Context(), moothall.SecretRequest{Ref: "name"})
	want(t, err, moothall.CodeNotConfigured)
}

// loud is a store whose foreign errors say too much.
type loud struct{ secret.Store }

func (loud) Get(context.Context, string) ([]byte, error)     { return nil, errors.New("got " + canary) }
func (loud) Set(_ context.Context, _ string, v []byte) error { return fmt.Errorf("set %s", v) }
func (loud) Delete(context.Context, string) error            { return fmt.Errorf("deleted %s", canary) }

func TestForeignErrorsAreMuted(t *testing.T) {
	t.Parallel()
	s := loud{memory.New()}
	_, err := secret.New(secret.Options{Store: s}).For(moothall.ToolBroker).GetSecret(t.Context(), moothall.SecretRequest{Ref: "name"})
	want(t, err, moothall.CodeInternal)
	want(t, secret.Set(t.Context(), s, "name", moothall.NewSecret([]byte(canary))), moothall.CodeInternal)
	want(t, secret.Delete(t.Context(), s, "name"), moothall.CodeInternal)
	_, err = secret.Test(t.Context(), s, "name")
	want(t, err, moothall.CodeInternal)
}

// TestValueAsName: somebody who mixes up name and value sees neither again.
func TestValueAsName(t *testing.T) {
	t.Parallel()
	s, mixed := memory.New(), canary+"/+="
	want(t, secret.Set(t.Context(), s, mixed, moothall.NewSecret([]byte("x"))), moothall.CodeInvalid)
	want(t, secret.Delete(t.Context(), s, mixed), moothall.CodeInvalid)
	_, err := secret.Test(t.Context(), s, mixed)
	want(t, err, moothall.CodeInvalid)
	_, err = secret.New(secret.Options{Store: s}).For(moothall.ToolBroker).GetSecret(t.Context(), moothall.SecretRequest{Ref: moothall.SecretRef(mixed)})
	want(t, err, moothall.CodeNotFound)
}
