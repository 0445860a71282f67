package secretservice_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"testing"

	"moothall"
	"moothall/internal/secret/secretservice"
)

func TestAgreement(t *testing.T) {
	t.Parallel()
	mine, agreeMine := secretservice.Halves()
	yours, agreeYours := secretservice.Halves()
	a, errA := agreeMine(yours)
	b, errB := agreeYours(mine)
	if errA != nil || errB != nil || !bytes.Equal(a, b) || len(a) != 16 {
		t.Fatalf("%d and %d bytes, %v, %v", len(a), len(b), errA, errB)
	}
}

// TestAgreementPads checks the one thing that implementations get wrong: a
// shared number with leading zeros still counts 128 bytes.
func TestAgreementPads(t *testing.T) {
	t.Parallel()
	key, err := secretservice.Agree(3, []byte{2}) // 2 to the third is 8
	if err != nil {
		t.Fatal(err)
	}
	shared := make([]byte, 128)
	shared[127] = 8
	want, err := hkdf.Key(sha256.New, shared, nil, "", 16)
	if err != nil || !bytes.Equal(key, want) {
		t.Errorf("the shared number is not padded: %v", err)
	}
}

func TestAgreementRefuses(t *testing.T) {
	t.Parallel()
	prime, _ := hex.DecodeString(secretservice.GroupHex)
	p := new(big.Int).SetBytes(prime)
	for name, peer := range map[string][]byte{
		"nothing": nil, "zero": {0}, "one": {1}, "minus one": new(big.Int).Sub(p, big.NewInt(1)).Bytes(),
		"the prime": prime, "more": bytes.Repeat([]byte{0xff}, 128), "much more": bytes.Repeat([]byte{1}, 4096),
	} {
		if _, err := secretservice.Agree(5, peer); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	key, iv := bytes.Repeat([]byte{7}, 16), make([]byte, 16)
	_, good, err := secretservice.Seal(key, []byte(canary))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ key, iv, sealed []byte }{
		"no parameters":    {key, nil, good},
		"short parameters": {key, iv[:15], good},
		"empty":            {key, iv, nil},
		"not whole blocks": {key, iv, good[:len(good)-1]},
		"too large":        {key, iv, make([]byte, 1<<17)},
		"odd key":          {key[:5], iv, good},
	} {
		v, err := secretservice.Open(c.key, c.iv, c.sealed)
		want(t, err, moothall.CodeCorrupt)
		if len(v) > 0 {
			t.Errorf("%s: a value came with the error", name)
		}
	}
}

// FuzzOpen opens arbitrary bytes: no panic, and no value longer than what
// came.
func FuzzOpen(f *testing.F) {
	key := bytes.Repeat([]byte{9}, 16)
	for _, v := range []string{"", "a", "0123456789abcdef", canary} {
		parameters, sealed, err := secretservice.Seal(key, []byte(v))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(key, parameters, sealed)
	}
	f.Add([]byte(nil), []byte{}, []byte("plain"))
	f.Add(key, make([]byte, 16), make([]byte, 32))
	f.Fuzz(func(t *testing.T, key, parameters, sealed []byte) {
		v, err := secretservice.Open(key, parameters, sealed)
		if err != nil && v != nil || len(v) > len(sealed) {
			t.Fatalf("%d bytes of %d, %v", len(v), len(sealed), err)
		}
	})
}

// FuzzSeal checks that what is sealed opens to the same.
func FuzzSeal(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), []byte(canary))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		if len(key) != 16 || len(value) > secretservice.MaxValue {
			return
		}
		parameters, sealed, err := secretservice.Seal(key, value)
		if err != nil {
			t.Fatal(err)
		}
		if len(value) >= 8 && bytes.Contains(sealed, value) {
			t.Fatal("the value crosses in clear")
		}
		got, err := secretservice.Open(key, parameters, sealed)
		if err != nil || !bytes.Equal(got, value) {
			t.Fatalf("%v", err)
		}
	})
}
