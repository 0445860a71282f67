package secretservice

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"math/big"

	"github.com/godbus/dbus/v5"
)

// The two algorithms of the Secret Service API.
const (
	algorithmDH    = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
	algorithmPlain = "plain"
)

// groupHex is the prime of the second Oakley group (RFC 2409, section 6.2),
// whose generator is 2.
const groupHex = "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74" +
	"020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437" +
	"4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
	"EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF"

const groupBytes = 128

// wireSecret is a secret as it crosses the bus.
type wireSecret struct {
	Session    dbus.ObjectPath
	Parameters []byte
	Value      []byte
	Type       string
}

// exchange is our half of a key agreement.
type exchange struct{ prime, private, public *big.Int }

func newExchange() (*exchange, error) {
	prime, _ := new(big.Int).SetString(groupHex, 16)
	x, err := rand.Int(rand.Reader, new(big.Int).Sub(prime, big.NewInt(4)))
	if err != nil {
		return nil, err
	}
	x.Add(x, big.NewInt(2)) // 2 to p-3: neither trivial nor its own inverse
	return &exchange{prime, x, new(big.Int).Exp(big.NewInt(2), x, prime)}, nil
}

// agree derives the session's key from the other half. The peer's value comes
// from outside: one that would fix the key is refused.
func (e *exchange) agree(peer []byte) (*transfer, error) {
	y := new(big.Int).SetBytes(peer)
	top := new(big.Int).Sub(e.prime, big.NewInt(1))
	if len(peer) > groupBytes+1 || y.Cmp(big.NewInt(1)) <= 0 || y.Cmp(top) >= 0 {
		return nil, corrupt("the service's half of the key agreement is not usable")
	}
	shared := make([]byte, groupBytes) // with leading zeros, as the API counts them
	defer clear(shared)
	new(big.Int).Exp(y, e.private, e.prime).FillBytes(shared)
	key, err := hkdf.Key(sha256.New, shared, nil, "", aes.BlockSize)
	if err != nil {
		return nil, err
	}
	return &transfer{key}, nil
}

// transfer encrypts and decrypts values of one session. Without a key it is
// that of a plain session.
type transfer struct{ key []byte }

// forget overwrites the key.
func (t *transfer) forget() {
	if t != nil {
		clear(t.key)
	}
}

// seal returns what of a value crosses the bus.
func (t *transfer) seal(session dbus.ObjectPath, value []byte) (wireSecret, error) {
	w := wireSecret{Session: session, Parameters: []byte{}, Type: "application/octet-stream"}
	pad := aes.BlockSize - len(value)%aes.BlockSize
	if t.key == nil {
		pad = 0
	}
	w.Value = make([]byte, len(value)+pad)
	copy(w.Value, value)
	if t.key == nil {
		return w, nil
	}
	for i := len(value); i < len(w.Value); i++ {
		w.Value[i] = byte(pad)
	}
	block, err := aes.NewCipher(t.key)
	if err != nil {
		clear(w.Value)
		return wireSecret{}, err
	}
	w.Parameters = make([]byte, aes.BlockSize)
	rand.Read(w.Parameters) // never fails: crypto/rand crashes the program instead
	cipher.NewCBCEncrypter(block, w.Parameters).CryptBlocks(w.Value, w.Value)
	return w, nil
}

// open returns the value of what came over the bus, in a buffer of its own.
func (t *transfer) open(w wireSecret) ([]byte, error) {
	if len(w.Value) > MaxValue+aes.BlockSize {
		return nil, corrupt("the keyring's item is larger than a secret can be")
	}
	if t.key == nil {
		return append([]byte{}, w.Value...), nil
	}
	if len(w.Parameters) != aes.BlockSize || len(w.Value) == 0 || len(w.Value)%aes.BlockSize != 0 {
		return nil, errUndecodable()
	}
	block, err := aes.NewCipher(t.key)
	if err != nil {
		return nil, errUndecodable()
	}
	out := make([]byte, len(w.Value))
	cipher.NewCBCDecrypter(block, w.Parameters).CryptBlocks(out, w.Value)
	n, ok := unpadded(out)
	if !ok {
		clear(out)
		return nil, errUndecodable()
	}
	clear(out[n:])
	return out[:n], nil
}

func errUndecodable() error { return corrupt("the keyring's item cannot be decoded") }

// unpadded returns the length of a value without its PKCS #7 padding.
func unpadded(b []byte) (int, bool) {
	pad := int(b[len(b)-1])
	if pad == 0 || pad > aes.BlockSize {
		return 0, false
	}
	good := 1
	for _, c := range b[len(b)-pad:] {
		good &= subtle.ConstantTimeByteEq(c, byte(pad))
	}
	return len(b) - pad, good == 1
}
