package rpc

import (
	"crypto/tls"
	"crypto/x509"
	"io/fs"
	"path/filepath"

	"moothall"
	"moothall/internal/atomicfile"
)

// Material is what one participant needs for mutual TLS, in PEM form.
type Material struct {
	Authority   []byte // certificates that the other side must descend from
	Certificate []byte // the participant's own
	Key         []byte // and its key
}

// Save writes the material into a folder as ca.pem, NAME.pem and NAME.key.
// The key can be read by its owner alone. Files that are there are replaced.
func (m *Material) Save(dir, name string) error {
	for _, f := range []struct {
		name string
		data []byte
		mode fs.FileMode
	}{{"ca.pem", m.Authority, 0o644}, {name + ".pem", m.Certificate, 0o644}, {name + ".key", m.Key, 0o600}} {
		if err := atomicfile.Write(filepath.Join(dir, f.name), f.data, f.mode); err != nil {
			return &moothall.Error{Code: moothall.CodeUnavailable, Op: "save certificate", Message: "cannot write " + f.name, Err: err}
		}
	}
	return nil
}

// config returns what both sides of a connection share.
func (m *Material) config() (*tls.Config, *x509.CertPool, error) {
	if m == nil {
		return nil, nil, &moothall.Error{
			Code: moothall.CodeNotConfigured, Op: "mtls", Message: "there are no certificates",
			Remedy: "make them with: moothall certs",
		}
	}
	cert, err := tls.X509KeyPair(m.Certificate, m.Key)
	if err != nil {
		return nil, nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "mtls", Message: "the certificate and its key cannot be used", Err: err}
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(m.Authority) {
		return nil, nil, moothall.Fail(moothall.CodeInvalid, "mtls", "the authority's certificate cannot be read")
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{cert}}, pool, nil
}

func (m *Material) server() (*tls.Config, error) {
	cfg, pool, err := m.config()
	if err != nil {
		return nil, err
	}
	cfg.ClientAuth, cfg.ClientCAs = tls.RequireAndVerifyClientCert, pool
	cfg.SessionTicketsDisabled = true // every connection shows its certificate anew
	return cfg, nil
}

// client verifies the server by the name of a participant, not of a machine:
// certificates say who somebody is, wherever it runs.
func (m *Material) client(name string) (*tls.Config, error) {
	cfg, pool, err := m.config()
	if err != nil {
		return nil, err
	}
	cfg.RootCAs, cfg.ServerName = pool, name
	return cfg, nil
}
