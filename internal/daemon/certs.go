package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"moothall"
	"moothall/internal/rpc"
)

// IssueCertificate makes a certificate for a process that acts as the named
// identities. The authority in dir is made at first use.
func IssueCertificate(dir string, names []string) (TLSConfig, error) {
	ids := make([]moothall.Identity, len(names))
	for i, n := range names {
		ids[i] = moothall.Identity(n)
		if !ids[i].Known() {
			return TLSConfig{}, &moothall.Error{
				Code: moothall.CodeInvalid, Op: "certificate", Message: "no participant of the hall is called " + n,
				Remedy: fmt.Sprintf("the identities are %v", moothall.Identities()),
			}
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return TLSConfig{}, homeError("certificate", dir, err)
	}
	return issue(dir, ids, names[0])
}

// authorityName is what the authority's own files are called.
const authorityName = "authority"

// issue signs a certificate, with the folder's authority or a new one.
func issue(dir string, ids []moothall.Identity, name string) (TLSConfig, error) {
	ca, err := authority(dir)
	if err != nil {
		return TLSConfig{}, err
	}
	m, err := ca.Issue(nil, ids...)
	if err != nil {
		return TLSConfig{}, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return TLSConfig{}, homeError("certificate", dir, err)
	}
	files := TLSConfig{CA: filepath.Join(abs, "ca.pem"), Cert: filepath.Join(abs, name+".pem"), Key: filepath.Join(abs, name+".key")}
	return files, m.Save(dir, name)
}

// authority reads the folder's authority, or makes it.
func authority(dir string) (*rpc.Authority, error) {
	certFile, keyFile := filepath.Join(dir, authorityName+".pem"), filepath.Join(dir, authorityName+".key")
	cert, certErr := os.ReadFile(certFile)
	key, keyErr := os.ReadFile(keyFile)
	if certErr == nil && keyErr == nil {
		return rpc.ParseAuthority(cert, key)
	}
	if !errors.Is(certErr, fs.ErrNotExist) || !errors.Is(keyErr, fs.ErrNotExist) {
		return nil, homeError("read authority", dir, errors.Join(certErr, keyErr))
	}
	ca, err := rpc.NewAuthority("Moothall", nil)
	if err != nil {
		return nil, err
	}
	if cert, key, err = ca.PEM(); err != nil {
		return nil, err
	}
	return ca, errors.Join(writeFile(keyFile, key), writeFile(certFile, cert))
}
