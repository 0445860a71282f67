package secretservice

import "math/big"

// Seal and Open reach the transfer's coding from outside.
func Seal(key, value []byte) (parameters, sealed []byte, err error) {
	w, err := (&transfer{key}).seal("/s", value)
	return w.Parameters, w.Value, err
}

func Open(key, parameters, sealed []byte) ([]byte, error) {
	return (&transfer{key}).open(wireSecret{Parameters: parameters, Value: sealed})
}

// Agree runs a key agreement with a given private number.
func Agree(private int64, peer []byte) ([]byte, error) {
	e, err := newExchange()
	if err != nil {
		return nil, err
	}
	e.private = big.NewInt(private)
	t, err := e.agree(peer)
	if err != nil {
		return nil, err
	}
	return t.key, nil
}

// Halves returns the public and the private number of a new exchange, with a
// function that ends it.
func Halves() (public []byte, agree func(peer []byte) ([]byte, error)) {
	e, err := newExchange()
	if err != nil {
		panic(err)
	}
	return e.public.Bytes(), func(peer []byte) ([]byte, error) {
		t, err := e.agree(peer)
		if err != nil {
			return nil, err
		}
		return t.key, nil
	}
}

const GroupHex = groupHex
