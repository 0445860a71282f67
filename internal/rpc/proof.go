package rpc

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"moothall"
)

// The metadata of a claim.
const (
	identityKey = "moothall-identity"
	tokenKey    = "authorization"
	tokenScheme = "Bearer "
)

// minKey is the shortest shared key that a host takes.
const minKey = 16

// Token returns what proves an identity over h2c: it is derived from the key
// that the hosts share and good for that one identity. A participant is given
// its token, never the key.
func Token(key []byte, id moothall.Identity) string {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("moothall identity " + string(id)))
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// claim is the client's half: what it sends with every call.
type claim map[string]string

var _ credentials.PerRPCCredentials = claim(nil)

func newClaim(as moothall.Identity, token string) claim {
	c := claim{identityKey: string(as)}
	if token != "" {
		c[tokenKey] = tokenScheme + token
	}
	return c
}

// GetRequestMetadata returns the claim.
func (c claim) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return c, nil
}

// RequireTransportSecurity says no: h2c has none and carries a token.
func (claim) RequireTransportSecurity() bool { return false }

// prover is the host's half: it reports why a transport does not prove that
// the caller of ctx is id; nil means that it does.
type prover func(ctx context.Context, id moothall.Identity) error

// claimed returns the one identity that a call claims.
func claimed(ctx context.Context) (moothall.Identity, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	return readClaim(md.Get(identityKey))
}

func readClaim(values []string) (moothall.Identity, error) {
	if len(values) == 0 {
		return "", errors.New("no identity is claimed")
	}
	if len(values) > 1 {
		return "", errors.New("several identities are claimed at once")
	}
	id := moothall.Identity(values[0])
	if !id.Known() {
		return "", errors.New("an unknown identity is claimed")
	}
	return id, nil
}

// proveToken proves by [Token]. Without a key nothing is proven.
func proveToken(key []byte) prover {
	return func(ctx context.Context, id moothall.Identity) error {
		md, _ := metadata.FromIncomingContext(ctx)
		return checkToken(key, id, md.Get(tokenKey))
	}
}

func checkToken(key []byte, id moothall.Identity, values []string) error {
	if len(key) == 0 {
		return errors.New("this host has no key to check tokens with")
	}
	if len(values) != 1 {
		return errors.New("there is not exactly one token")
	}
	got, ok := strings.CutPrefix(values[0], tokenScheme)
	if !ok || !hmac.Equal([]byte(got), []byte(Token(key, id))) {
		return errors.New("the token is not that of the claimed identity")
	}
	return nil
}

// proveUser proves by the kernel's word on a unix socket. What uids leaves
// out is for own alone.
func proveUser(uids map[moothall.Identity][]int, own int) prover {
	return func(ctx context.Context, id moothall.Identity) error {
		info, ok := authInfo(ctx).(userInfo)
		if !ok {
			return errors.New("the kernel does not say whose process calls")
		}
		allowed, mapped := uids[id]
		if mapped && slices.Contains(allowed, info.uid) || !mapped && info.uid == own {
			return nil
		}
		return errors.New("the calling process's user may not claim this identity")
	}
}

// proveCertificate proves by the names in a verified client certificate.
func proveCertificate(ctx context.Context, id moothall.Identity) error {
	info, ok := authInfo(ctx).(credentials.TLSInfo)
	if !ok || len(info.State.VerifiedChains) == 0 {
		return errors.New("there is no verified certificate")
	}
	if !slices.Contains(certNames(info.State.VerifiedChains[0][0]), string(id)) {
		return fmt.Errorf("the certificate does not name the claimed identity %s", id)
	}
	return nil
}

// certNames are the identities that a certificate stands for.
func certNames(c *x509.Certificate) []string {
	if len(c.DNSNames) > 0 {
		return c.DNSNames
	}
	return []string{c.Subject.CommonName}
}

func authInfo(ctx context.Context) credentials.AuthInfo {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return nil
	}
	return p.AuthInfo
}
