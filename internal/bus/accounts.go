package bus

import (
	"fmt"
	"strings"

	"moothall"
)

// AccountsOptions say whom a server's configuration lets in.
type AccountsOptions struct {
	// Secrets holds a password, its bcrypt hash, or a public nkey ("U…")
	// per identity, [Admin] included. Who has none is not let in.
	Secrets map[moothall.Identity]string
	// Guests and Observers are those of [Options].
	Guests    []Guest
	Observers []Durable
	// MaxPayload is that of [Options].
	MaxPayload int
}

// Accounts returns the part of a nats-server configuration that admits the
// participants: one account, a user each, with the same permissions as the
// server in process. The server also needs a jetstream block with a
// store_dir, and sync_interval: always for events to survive a power cut.
func Accounts(o AccountsOptions) (string, error) {
	opts := Options{URL: "-", Guests: o.Guests, Observers: o.Observers, MaxPayload: o.MaxPayload}.withDefaults()
	if err := opts.validate(); err != nil {
		return "", err
	}
	secrets := map[string]string{}
	for id, s := range o.Secrets {
		if id != Admin && !id.Known() {
			return "", invalid("a secret for the unknown identity %s", id)
		}
		secrets[string(id)] = s
	}
	for _, g := range o.Guests {
		secrets[g.Name] = g.Password
	}
	var b strings.Builder
	fmt.Fprintf(&b, "max_payload: %d\n", opts.MaxPayload+2*envelopeSlack)
	b.WriteString("accounts {\n  MOOTHALL {\n    jetstream: enabled\n    users: [\n")
	for _, u := range users(opts.Guests, opts.Observers) {
		secret, ok := secrets[u.name]
		if !ok {
			continue
		}
		if err := writeUser(&b, u, secret); err != nil {
			return "", err
		}
	}
	b.WriteString("    ]\n  }\n}\n")
	return b.String(), nil
}

func writeUser(b *strings.Builder, u user, secret string) error {
	for _, c := range []byte(secret) {
		if c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return invalid("the secret of %s has a character that the configuration cannot carry", u.name)
		}
	}
	switch {
	case secret == "":
		return invalid("the secret of %s is empty", u.name)
	case len(secret) == 56 && secret[0] == 'U':
		fmt.Fprintf(b, "      { # %s\n        nkey: %s\n", u.name, secret)
	default:
		fmt.Fprintf(b, "      {\n        user: %q\n        password: %q\n", u.name, secret)
	}
	b.WriteString("        permissions: {\n")
	writeSubjects(b, "publish", u.grant.publish)
	writeSubjects(b, "subscribe", u.grant.subscribe)
	b.WriteString("        }\n      }\n")
	return nil
}

func writeSubjects(b *strings.Builder, what string, subjects []string) {
	fmt.Fprintf(b, "          %s: { allow: [\n", what)
	for _, s := range subjects {
		fmt.Fprintf(b, "            %q\n", s)
	}
	b.WriteString("          ] }\n")
}
