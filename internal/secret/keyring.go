package secret

import (
	"context"
	"log/slog"

	"moothall"
)

// Options configure a [Keyring].
type Options struct {
	// Store holds the secrets. Nil refuses everything with
	// CodeNotConfigured.
	Store Store
	// Audit records each use before the value is handed out, and each
	// refusal. Nil records nothing; the broker may keep the record instead.
	Audit moothall.Audit
	// Logger gets refusals. Nil discards.
	Logger *slog.Logger
}

// Keyring hands out secrets to the broker.
type Keyring struct {
	store Store
	audit moothall.Audit
	log   *slog.Logger
}

// New returns a keyring over a store.
func New(o Options) *Keyring {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Keyring{store: o.Store, audit: o.Audit, log: o.Logger}
}

// For returns the keyring as one participant sees it. Only the broker's face
// answers.
func (k *Keyring) For(id moothall.Identity) moothall.Secrets { return face{k, id} }

type face struct {
	ring   *Keyring
	caller moothall.Identity
}

var _ moothall.Secrets = face{}

const opGet = "get secret"

// GetSecret returns one secret, whose bytes the caller owns and clears.
func (f face) GetSecret(ctx context.Context, r moothall.SecretRequest) (moothall.Secret, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Secret{}, err
	}
	if f.caller != moothall.ToolBroker {
		err := moothall.Fail(moothall.CodeDenied, opGet, "only the broker may ask for a secret")
		f.ring.refused(ctx, f.caller, r, moothall.StatusDenied, err)
		return moothall.Secret{}, err
	}
	value, err := f.ring.get(ctx, string(r.Ref))
	if err != nil {
		f.ring.refused(ctx, f.caller, r, moothall.StatusFailed, err)
		return moothall.Secret{}, err
	}
	if err := f.ring.record(ctx, r, moothall.StatusOK); err != nil {
		clear(value)
		return moothall.Secret{}, &moothall.Error{
			Code: moothall.ErrorCode(err), Op: "record secret use", Message: "the use could not be recorded, so the secret stays where it is", Err: err,
		}
	}
	return moothall.NewSecret(value), nil
}

func (k *Keyring) get(ctx context.Context, name string) ([]byte, error) {
	switch {
	case k.store == nil:
		return nil, &moothall.Error{
			Code: moothall.CodeNotConfigured, Op: opGet, Message: "this hall has no keyring",
			Remedy: "name a keyring in the configuration, or leave the choice to the hall",
		}
	case name == "":
		return nil, moothall.Fail(moothall.CodeInvalid, opGet, "no secret is named")
	case !ValidName(name):
		// No secret can have this name, so there is none; the name is not
		// repeated, since it may be a value in the wrong place.
		return nil, moothall.Fail(moothall.CodeNotFound, opGet, "there is no secret of this name, which is not a valid one")
	}
	value, err := k.store.Get(ctx, name)
	if err != nil {
		return nil, failure(opGet, err)
	}
	return value, nil
}

// record writes a use to the record; without one there is nothing to fail.
func (k *Keyring) record(ctx context.Context, r moothall.SecretRequest, status moothall.AuditStatus) error {
	if k.audit == nil {
		return nil
	}
	e := moothall.AuditEntry{Scope: r.Scope, Action: moothall.ActionSecret, Status: status, Note: "a name that is not valid"}
	if ValidName(string(r.Ref)) {
		e.Note = "name " + string(r.Ref)
	}
	_, err := k.audit.Append(ctx, e)
	return err
}

// refused records and logs a refusal. A record that fails changes nothing for
// the caller: no effect follows that it would have to stop.
func (k *Keyring) refused(ctx context.Context, caller moothall.Identity, r moothall.SecretRequest, status moothall.AuditStatus, why error) {
	k.log.Warn("secret refused", "caller", caller, "code", moothall.ErrorCode(why))
	if err := k.record(ctx, r, status); err != nil {
		k.log.Error("refusal not recorded", "code", moothall.ErrorCode(err))
	}
}

// failure gives a store's foreign error the hall's type. Only its code is
// kept: what a foreign error says cannot be vouched for.
func failure(op string, err error) error {
	if e, ok := err.(*moothall.Error); ok {
		return e
	}
	code := moothall.ErrorCode(err)
	if code == moothall.CodeCanceled || code == moothall.CodeTimeout {
		return moothall.Fail(code, op, "the keyring was not waited for")
	}
	return moothall.Fail(code, op, "the keyring failed")
}
