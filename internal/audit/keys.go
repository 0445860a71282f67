package audit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"moothall"
)

// keys are the secrets of one log directory.
type keys struct {
	signer   note.Signer
	verifier note.Verifier
	secret   string // the signer's text
	public   string // the verifier's text
	hash     []byte // of the parameter hashes
}

// newKeys makes the keys of a new log. The random part of the name keeps two
// logs of one origin apart.
func newKeys(origin string) (*keys, error) {
	var suffix [4]byte
	rand.Read(suffix[:])
	secret, public, err := note.GenerateKey(rand.Reader, origin+"/"+hex.EncodeToString(suffix[:]))
	if err != nil {
		return nil, err
	}
	hash := make([]byte, 32)
	rand.Read(hash)
	return parseKeys(secret+"\n", public+"\n", hexText(hash))
}

// parseKeys reads the three key files and refuses every other spelling of
// them, so that no change to a key file goes unnoticed.
func parseKeys(secret, public, hash string) (*keys, error) {
	const op = "read audit keys"
	k := &keys{secret: strings.TrimSuffix(secret, "\n"), public: strings.TrimSuffix(public, "\n")}
	var err error
	if k.signer, err = note.NewSigner(k.secret); err != nil {
		return nil, tampered(op, "the signing key is damaged")
	}
	if k.verifier, err = note.NewVerifier(k.public); err != nil {
		return nil, tampered(op, "the verifier key is damaged")
	}
	if k.hash, err = hex.DecodeString(strings.TrimSuffix(hash, "\n")); err != nil || len(k.hash) != 32 {
		return nil, tampered(op, "the hash key is damaged")
	}
	id := fmt.Sprintf("+%08x+", k.verifier.KeyHash())
	private := "PRIVATE+KEY+" + k.signer.Name() + id
	switch {
	case k.signer.Name() != k.verifier.Name() || k.signer.KeyHash() != k.verifier.KeyHash():
		return nil, tampered(op, "the signing key and the verifier key do not belong together")
	case !strings.HasPrefix(k.public, k.verifier.Name()+id) || public != k.public+"\n":
		return nil, tampered(op, "the verifier key is damaged")
	case !strings.HasPrefix(k.secret, private) || secret != k.secret+"\n":
		return nil, tampered(op, "the signing key is damaged")
	case hexText(k.hash) != hash:
		return nil, tampered(op, "the hash key is damaged")
	}
	return k, nil
}

// hexText is the content of hash.key.
func hexText(key []byte) string { return hex.EncodeToString(key) + "\n" }

// note names the keys for the genesis record. The hash key is secret and
// random, so a part of its digest gives nothing away.
func (k *keys) note() string {
	sum := sha256.Sum256(k.hash)
	return fmt.Sprintf("key %08x hash.key sha256:%s", k.verifier.KeyHash(), hex.EncodeToString(sum[:8]))
}

// checkOrigin keeps names out that a signed note cannot carry.
func checkOrigin(s string) error {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || c == '+' {
			return moothall.Fail(moothall.CodeInvalid, "audit origin", "only visible ASCII without '+' is allowed")
		}
	}
	if len(s) > 100 {
		return moothall.Fail(moothall.CodeInvalid, "audit origin", "longer than 100 bytes")
	}
	return nil
}

// head is the size and root of a tree.
type head struct {
	size uint64
	root tlog.Hash
}

// text is the checkpoint that is signed.
func (h head) text(origin string) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, h.size, base64.StdEncoding.EncodeToString(h.root[:]))
}

// sign returns the head as a signed note.
func (k *keys) sign(h head) ([]byte, error) {
	return note.Sign(&note.Note{Text: h.text(k.verifier.Name())}, k.signer)
}
