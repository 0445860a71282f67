package rpc_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moothall"
	"moothall/internal/rpc"
)

func parse(t *testing.T, b []byte) *x509.Certificate {
	t.Helper()
	block, rest := pem.Decode(b)
	if block == nil || len(bytes.TrimSpace(rest)) > 0 {
		t.Fatal("not one PEM block")
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAuthority(t *testing.T) {
	t.Parallel()
	a, err := rpc.NewAuthority("hall", nil)
	if err != nil {
		t.Fatal(err)
	}
	cert, key, err := a.PEM()
	if err != nil {
		t.Fatal(err)
	}
	again, err := rpc.ParseAuthority(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	m, err := again.Issue(nil, moothall.MemoryKeeper, moothall.AuditKeeper)
	if err != nil {
		t.Fatal(err)
	}
	root, leaf := parse(t, cert), parse(t, m.Certificate)
	if !root.IsCA || leaf.IsCA {
		t.Error("the authority's certificate must be one, the other not")
	}
	if life := leaf.NotAfter.Sub(leaf.NotBefore); life != rpc.CertificateLife {
		t.Errorf("lives for %v", life)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	for _, name := range []string{"memory", "audit"} {
		if _, err := leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: name, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = a.Issue(nil)
	wantCode(t, err, moothall.CodeInvalid)
	_, err = a.Issue(nil, "nobody")
	wantCode(t, err, moothall.CodeInvalid)
}

func TestCertificatesEndWithTheirAuthority(t *testing.T) {
	t.Parallel()
	a, err := rpc.NewAuthority("short", &rpc.Lifetime{Life: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.Issue(nil, moothall.Hall)
	if err != nil {
		t.Fatal(err)
	}
	if root, leaf := parse(t, m.Authority), parse(t, m.Certificate); leaf.NotAfter.After(root.NotAfter) {
		t.Errorf("the certificate lives until %v, its authority until %v", leaf.NotAfter, root.NotAfter)
	}
}

func TestBadAuthority(t *testing.T) {
	t.Parallel()
	cert, key, err := authority().PEM()
	if err != nil {
		t.Fatal(err)
	}
	leaf := issue(t, nil, moothall.Hall)
	for name, c := range map[string][2][]byte{
		"no certificate":       {nil, key},
		"no key":               {cert, nil},
		"swapped":              {key, cert},
		"key of another":       {cert, leaf.Key},
		"not an authority":     {leaf.Certificate, leaf.Key},
		"damaged certificate":  {pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}), key},
		"damaged key":          {cert, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")})},
		"key of an older kind": {cert, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: []byte("x")})},
	} {
		if _, err := rpc.ParseAuthority(c[0], c[1]); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v, want code invalid", name, err)
		}
	}
}

func TestMaterialFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := issue(t, nil, moothall.Hall)
	for range 2 { // the second time replaces
		if err := m.Save(dir, "hall"); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "hall.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key is %v, %v, want mode 0600", info, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 3 {
		t.Errorf("the folder holds %v, %v, want three files", list, err)
	}
	for name, want := range map[string][]byte{"ca.pem": m.Authority, "hall.pem": m.Certificate, "hall.key": m.Key} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what was saved: %v", name, err)
		}
	}
	host := rpc.NewHost(rpc.Offers{}, &rpc.HostOptions{TLS: &rpc.Material{Authority: m.Authority, Certificate: m.Certificate, Key: []byte("x")}})
	wantCode(t, host.Listen(rpc.Address{Transport: rpc.MTLS, Where: "127.0.0.1:0"}), moothall.CodeInvalid)
}
