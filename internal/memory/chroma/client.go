package chroma

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"moothall"
)

// client speaks HTTP to a server.
type client struct {
	http    *http.Client
	base    string // the address of the database
	token   string
	timeout time.Duration

	mu  sync.Mutex
	ids map[string]string // of collections by name
}

// batch is what is stored; the lists are of one length, or empty.
type batch struct {
	IDs        []string         `json:"ids"`
	Embeddings []string         `json:"embeddings,omitempty"` // base64 of 32-bit floats, the low byte first
	Metadatas  []map[string]any `json:"metadatas,omitempty"`
	Documents  []string         `json:"documents,omitempty"`
}

// question asks for records: those of some ids, or a page of all.
type question struct {
	IDs     []string `json:"ids,omitempty"`
	Limit   int      `json:"limit,omitempty"`
	Offset  int      `json:"offset,omitempty"`
	Include []string `json:"include"`
}

// answer has a list for each thing that was included.
type answer struct {
	IDs        []string            `json:"ids"`
	Embeddings [][]float32         `json:"embeddings"`
	Metadatas  []map[string]string `json:"metadatas"`
	Documents  []*string           `json:"documents"`
}

// check makes sure that the lists are as long as they should be.
func (a *answer) check(q question) error {
	for _, what := range q.Include {
		n := map[string]int{"embeddings": len(a.Embeddings), "metadatas": len(a.Metadatas), "documents": len(a.Documents)}[what]
		if n != len(a.IDs) {
			return moothall.Fail(moothall.CodeCorrupt, "read answer", "the Chroma server left out "+what)
		}
	}
	return nil
}

const maxAnswer = 1 << 30 // bytes; pages are far smaller

// call makes a request. In and out are JSON, nil for none.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInternal, Op: "write request", Err: err}
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(limited, method, c.base+path, body)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInternal, Op: "write request", Err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set("X-Chroma-Token", c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return unreachable(ctx, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return unreachable(ctx, err)
	}
	if resp.StatusCode >= 300 {
		return refused(resp.StatusCode, text)
	}
	return decodeAnswer(text, out)
}

func decodeAnswer(text []byte, out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &moothall.Error{Code: moothall.CodeUnavailable, Op: "read answer", Message: "what answers is no Chroma server", Remedy: "correct its address in the configuration", Err: err}
	}
	return nil
}

// collection returns the address of a collection, which it makes if need be.
func (c *client) collection(ctx context.Context, name string) (string, error) {
	c.mu.Lock()
	id := c.ids[name]
	c.mu.Unlock()
	if id != "" {
		return "/collections/" + id, nil
	}
	// By inner product: it is the cosine, since embedders give vectors of
	// length 1, and with it Chroma keeps vectors as they were given.
	in := map[string]any{"name": name, "get_or_create": true, "configuration": map[string]any{"hnsw": map[string]any{"space": "ip"}}}
	var out struct {
		ID string `json:"id"`
	}
	if err := c.call(ctx, http.MethodPost, "/collections", in, &out); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids[name] = out.ID
	return "/collections/" + url.PathEscape(out.ID), nil
}

// forget makes the next use of a collection look for it again.
func (c *client) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.ids, name)
}

// to posts to a collection.
func (c *client) to(ctx context.Context, name, verb string, in, out any) error {
	at, err := c.collection(ctx, name)
	if err != nil {
		return err
	}
	err = c.call(ctx, http.MethodPost, at+"/"+verb, in, out)
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		c.forget(name) // somebody deleted it
	}
	return err
}

// get asks a collection.
func (c *client) get(ctx context.Context, name string, q question) (*answer, error) {
	if q.Include == nil {
		q.Include = []string{}
	}
	var out answer
	if err := c.to(ctx, name, "get", q, &out); err != nil {
		return nil, err
	}
	return &out, out.check(q)
}

// drop deletes a collection; it may be gone already.
func (c *client) drop(ctx context.Context, name string) error {
	c.forget(name)
	err := c.call(ctx, http.MethodDelete, "/collections/"+url.PathEscape(name), nil, nil)
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return nil
	}
	return err
}

func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &moothall.Error{Code: moothall.ErrorCode(ctx.Err()), Op: "ask chroma", Err: ctx.Err()}
	}
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: "ask chroma", Message: "the Chroma server does not answer",
		Remedy: "start the server, or correct its address in the configuration", Err: err,
	}
}

// refused gives an answer that is none a code.
func refused(status int, text []byte) error {
	e := &moothall.Error{
		Code: moothall.CodeInternal, Op: "ask chroma", Message: "the Chroma server refused a request",
		Err: fmt.Errorf("status %d: %.300q", status, text),
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Code, e.Message, e.Remedy = moothall.CodeDenied, "the Chroma server does not let the hall in", "check the secret with its token"
	case http.StatusNotFound:
		e.Code, e.Message = moothall.CodeNotFound, "the Chroma server has no such collection"
	case http.StatusRequestEntityTooLarge:
		e.Code, e.Message = moothall.CodeTooLarge, "an entry is larger than the Chroma server takes"
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		e.Code, e.Message, e.Remedy = moothall.CodeUnavailable, "the Chroma server cannot do it just now", "try again later"
	case http.StatusInsufficientStorage:
		e.Code, e.Message, e.Remedy = moothall.CodeExhausted, "the Chroma server has no room left", "free some space on its disk"
	}
	return e
}
