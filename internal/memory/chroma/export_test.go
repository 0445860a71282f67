package chroma

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// says is a server that answers the same to everything, without a network.
type says string

func (s says) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(s)))}, nil
}

// OpenAnswer reads a catalog from a server that always answers the same.
func OpenAnswer(ctx context.Context, text string) (*Engine, error) {
	e := &Engine{
		c:       &client{http: &http.Client{Transport: says(text)}, base: "http://x", timeout: time.Second, ids: map[string]string{}},
		entries: "e", things: "t", intents: "i", vectors: "v",
	}
	_, err := e.load(ctx)
	return e, err
}
