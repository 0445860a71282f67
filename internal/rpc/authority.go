package rpc

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"time"

	"moothall"
)

// Lifetimes of certificates, where none is given.
const (
	AuthorityLife   = 10 * 365 * 24 * time.Hour
	CertificateLife = 365 * 24 * time.Hour
)

// clockSkew is how far a certificate reaches back before it was made, for
// machines whose clocks disagree.
const clockSkew = 5 * time.Minute

// Authority issues the certificates of one hall. It is not needed to run the
// hall, only to add to it: keep its key away from the services.
type Authority struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// Lifetime says when a certificate is good. The zero value means from now for
// the documented life.
type Lifetime struct {
	From time.Time
	Life time.Duration
}

func (l *Lifetime) bounds(life time.Duration) (from, to time.Time) {
	from = time.Now().Add(-clockSkew)
	if l != nil && !l.From.IsZero() {
		from = l.From
	}
	if l != nil && l.Life > 0 {
		life = l.Life
	}
	return from, from.Add(life)
}

// NewAuthority makes an authority with a fresh key. Without l it lives for
// [AuthorityLife].
func NewAuthority(name string, l *Lifetime) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, certError("make key", err)
	}
	t := &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	t.NotBefore, t.NotAfter = l.bounds(AuthorityLife)
	cert, err := sign(t, t, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return &Authority{cert: cert, key: key}, nil
}

// ParseAuthority reads what [Authority.PEM] wrote.
func ParseAuthority(cert, key []byte) (*Authority, error) {
	c, err := parseCert(cert)
	if err != nil {
		return nil, err
	}
	k, err := parseKey(key)
	if err != nil {
		return nil, err
	}
	pub, ok := k.Public().(interface{ Equal(crypto.PublicKey) bool })
	if !ok || !pub.Equal(c.PublicKey) {
		return nil, moothall.Fail(moothall.CodeInvalid, "read authority", "the key does not belong to the certificate")
	}
	if !c.IsCA {
		return nil, moothall.Fail(moothall.CodeInvalid, "read authority", "the certificate is not that of an authority")
	}
	return &Authority{cert: c, key: k}, nil
}

// PEM returns the authority's certificate, which everybody may see, and its
// key, which nobody may.
func (a *Authority) PEM() (cert, key []byte, err error) {
	key, err = keyPEM(a.key)
	return certPEM(a.cert), key, err
}

// Issue makes a certificate for one participant: good for claiming the given
// identities and for serving under their names. Without l it lives for
// [CertificateLife], and never longer than the authority.
func (a *Authority) Issue(l *Lifetime, ids ...moothall.Identity) (*Material, error) {
	if len(ids) == 0 {
		return nil, moothall.Fail(moothall.CodeInvalid, "issue certificate", "no identity to issue it for")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, certError("make key", err)
	}
	t := &x509.Certificate{
		Subject:  pkix.Name{CommonName: string(ids[0])},
		KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{
			x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth,
		},
	}
	for _, id := range ids {
		if !id.Known() {
			return nil, moothall.Fail(moothall.CodeInvalid, "issue certificate", "there is no participant "+quoted(id))
		}
		t.DNSNames = append(t.DNSNames, string(id))
	}
	t.NotBefore, t.NotAfter = l.bounds(CertificateLife)
	if t.NotAfter.After(a.cert.NotAfter) {
		t.NotAfter = a.cert.NotAfter
	}
	cert, err := sign(t, a.cert, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	m := &Material{Authority: certPEM(a.cert), Certificate: certPEM(cert)}
	m.Key, err = keyPEM(key)
	return m, err
}

func sign(t, parent *x509.Certificate, pub crypto.PublicKey, key crypto.Signer) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, certError("make serial number", err)
	}
	t.SerialNumber = serial
	der, err := x509.CreateCertificate(rand.Reader, t, parent, pub, key)
	if err != nil {
		return nil, certError("sign certificate", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, certError("read certificate", err)
	}
	return cert, nil
}

func certPEM(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

func keyPEM(k crypto.Signer) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		return nil, certError("write key", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

func parseCert(b []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(b)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, moothall.Fail(moothall.CodeInvalid, "read certificate", "it is not in PEM form")
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "read certificate", Message: "it is damaged", Err: err}
	}
	return c, nil
}

func parseKey(b []byte) (crypto.Signer, error) {
	bad := moothall.Fail(moothall.CodeInvalid, "read key", "it is no private key in PEM form")
	block, _ := pem.Decode(b)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, bad
	}
	k, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		bad.Err = errors.New("not PKCS 8") // the parser's words could quote the key
		return nil, bad
	}
	signer, ok := k.(crypto.Signer)
	if !ok {
		return nil, bad
	}
	return signer, nil
}

func certError(op string, err error) error {
	return &moothall.Error{Code: moothall.CodeInternal, Op: op, Err: err}
}
