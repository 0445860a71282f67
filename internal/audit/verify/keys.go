package verify

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"moothall"
)

// keyring is what the key files say.
type keyring struct {
	verifier note.Verifier
	text     string // the verifier key
	hashNote string // how genesis names the hash key; "" if it is not here
}

const algEd25519 = 1

// parseVerifier accepts a verifier key in its one canonical spelling.
func parseVerifier(text string) (note.Verifier, error) {
	v, err := note.NewVerifier(text)
	if err != nil {
		return nil, err
	}
	_, b64, _ := strings.Cut(strings.TrimPrefix(text, v.Name()+"+"), "+")
	raw, err := base64.StdEncoding.DecodeString(b64)
	if err != nil || len(raw) != 1+ed25519.PublicKeySize || raw[0] != algEd25519 {
		return nil, errors.New("not an Ed25519 key")
	}
	spelled, err := note.NewEd25519VerifierKey(v.Name(), raw[1:])
	if err != nil || spelled != text {
		return nil, errors.New("not in canonical form")
	}
	return v, nil
}

// noKey is the error for words that somebody gave as a verifier key.
func noKey(op string, err error) error {
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: op, Message: "what was given is not a verifier key", Err: err,
		Remedy: "give the line that key.pub in the record's folder has, as you noted it; it looks like moothall/audit/4fbc372f+0a5727d0+AY9b…",
	}
}

// secretMatches reports whether the text of a signing key is the canonical
// one for a verifier key.
func secretMatches(secret string, v note.Verifier, public string) bool {
	id := fmt.Sprintf("PRIVATE+KEY+%s+%08x+", v.Name(), v.KeyHash())
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, id))
	if err != nil || len(raw) != 1+ed25519.SeedSize || raw[0] != algEd25519 {
		return false
	}
	derived := ed25519.NewKeyFromSeed(raw[1:]).Public().(ed25519.PublicKey)
	spelled, err := note.NewEd25519VerifierKey(v.Name(), derived)
	return err == nil && spelled == public && secret == id+base64.StdEncoding.EncodeToString(raw)
}

// readKeys reads the key files and notes what is wrong with them. A copy of a
// log without its secrets is complete for checking.
func (c *checker) readKeys(given string) keyring {
	var k keyring
	public, here := c.readKey("key.pub")
	switch {
	case given != "" && here && public != given:
		c.report.tampered("key.pub", "is not the verifier key that was given")
		fallthrough
	case given != "":
		k.text = given
	case here:
		k.text = public
	default:
		c.report.add(Damaged, "Give the verifier key, or put key.pub back from a backup.", "key.pub",
			"is missing, so no head can be checked")
	}
	if k.text != "" {
		v, err := parseVerifier(k.text)
		if err != nil {
			c.report.tampered("key.pub", "is no valid verifier key")
		}
		k.verifier = v
	}
	if secret, here := c.readKey("key"); here && k.verifier != nil && !secretMatches(secret, k.verifier, k.text) {
		c.report.tampered("key", "does not belong to the verifier key")
	}
	if text, here := c.readKey("hash.key"); here {
		raw, err := hex.DecodeString(text)
		if err != nil || len(raw) != 32 || hex.EncodeToString(raw) != text {
			c.report.tampered("hash.key", "is damaged")
		}
		sum := sha256.Sum256(raw)
		k.hashNote = "hash.key sha256:" + hex.EncodeToString(sum[:8])
	}
	return k
}

// readKey reads a file of one line.
func (c *checker) readKey(name string) (text string, here bool) {
	b, err := os.ReadFile(filepath.Join(c.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		if name != "key.pub" {
			c.report.add(Info, "", name, "is not in this directory: the log can be checked, not continued")
		}
		return "", false
	}
	if err != nil {
		c.report.add(Warning, "Check the file's permissions.", name, "cannot be read")
		return "", false
	}
	if info, err := os.Stat(filepath.Join(c.dir, name)); err == nil && name != "key.pub" && info.Mode().Perm()&0o077 != 0 {
		c.report.add(Warning, "Run chmod 600 on it.", name, "can be read by other users")
	}
	text, ok := strings.CutSuffix(string(b), "\n")
	if !ok || strings.Contains(text, "\n") {
		c.report.tampered(name, "is not one line")
	}
	return text, true
}

// checkGenesis compares the first record with the keys.
func (c *checker) checkGenesis(e *Entry, k keyring) {
	if e.Action != "audit.genesis" || e.By != "audit" {
		c.report.tampered("entry 0", "is no genesis record")
		return
	}
	key, hash, ok := strings.Cut(e.Note, " hash.key ")
	if !ok || k.verifier != nil && key != fmt.Sprintf("key %08x", k.verifier.KeyHash()) {
		c.report.tampered("entry 0", "does not name this verifier key: %s", e.Note)
	}
	if k.hashNote != "" && "hash.key "+hash != k.hashNote {
		c.report.tampered("hash.key", "is not the one that the genesis record names")
	}
}
