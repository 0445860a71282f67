package daemon

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"moothall"
	"moothall/internal/bus"
)

// BusAccounts makes a password for every participant, each in a file of its
// own below dir, and returns what an existing NATS server must have in its
// configuration to let them in, with the same permissions as the server
// inside. Passwords that are there are kept.
func BusAccounts(dir string) (snippet string, files map[string]string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, homeError("bus accounts", dir, err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, homeError("bus accounts", dir, err)
	}
	secrets, files := map[moothall.Identity]string{}, map[string]string{}
	for _, id := range append(moothall.Identities(), bus.Admin) {
		file := filepath.Join(dir, string(id))
		secret, err := password(file)
		if err != nil {
			return "", nil, err
		}
		secrets[id], files[string(id)] = secret, file
	}
	snippet, err = bus.Accounts(bus.AccountsOptions{Secrets: secrets})
	return snippet, files, err
}

// password reads a password file, or makes it.
func password(file string) (string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(rand.Text())
		return string(text), writeFile(file, append(text, '\n'))
	}
	if err != nil {
		return "", homeError("bus accounts", file, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// guestPassword is the password of a tool that lives on the bus, in a file
// that its process can be given.
func guestPassword(h Home, name string) (string, error) {
	dir := h.guests()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", homeError("bus guests", dir, err)
	}
	return password(filepath.Join(dir, filepath.Base(name)))
}
