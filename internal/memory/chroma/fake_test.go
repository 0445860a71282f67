package chroma_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// fake is as much of a Chroma server as the engine needs. The same tests run
// against a real one in make integration.
type fake struct {
	mu    sync.Mutex
	names map[string]string // id by name
	colls map[string]*fakeCollection
	made  int
}

type fakeCollection struct {
	d     int
	order []string
	rows  map[string]*fakeRow
}

type fakeRow struct {
	embedding []float32
	meta      map[string]any
	document  *string
}

type fakeRequest struct {
	Name       string           `json:"name"`
	IDs        []string         `json:"ids"`
	Embeddings []string         `json:"embeddings"`
	Metadatas  []map[string]any `json:"metadatas"`
	Documents  []string         `json:"documents"`
	Limit      int              `json:"limit"`
	Offset     int              `json:"offset"`
	Include    []string         `json:"include"`
}

func newFake(t *testing.T) string {
	f := &fake{names: map[string]string{}, colls: map[string]*fakeCollection{}}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, path, ok := strings.Cut(r.URL.Path, "/api/v2/tenants/default_tenant/databases/default_database/collections")
	var q fakeRequest
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || !ok {
			http.Error(w, fmt.Sprint(err), http.StatusBadRequest)
			return
		}
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case r.Method == http.MethodDelete:
		id := f.names[parts[0]]
		if id == "" {
			http.Error(w, "{}", http.StatusNotFound)
			return
		}
		delete(f.names, parts[0])
		delete(f.colls, id)
		fmt.Fprint(w, "{}")
	case path == "":
		f.create(w, q.Name)
	case f.colls[parts[0]] == nil:
		http.Error(w, "{}", http.StatusNotFound)
	default:
		f.colls[parts[0]].do(w, parts[1], q)
	}
}

func (f *fake) create(w http.ResponseWriter, name string) {
	if f.names[name] == "" {
		f.made++
		f.names[name] = fmt.Sprint("id", f.made)
		f.colls[f.names[name]] = &fakeCollection{rows: map[string]*fakeRow{}}
	}
	fmt.Fprintf(w, `{"id":%q}`, f.names[name])
}

func (c *fakeCollection) do(w http.ResponseWriter, verb string, q fakeRequest) {
	switch verb {
	case "upsert", "update":
		for i, id := range q.IDs {
			row := c.rows[id]
			if row == nil && verb == "update" {
				continue
			}
			if row == nil {
				row = &fakeRow{meta: map[string]any{}}
				c.rows[id] = row
				c.order = append(c.order, id)
			}
			if q.Embeddings != nil {
				row.embedding = unfloat(q.Embeddings[i])
				if c.d == 0 {
					c.d = len(row.embedding)
				}
				if c.d != len(row.embedding) {
					http.Error(w, `{"error":"dimension"}`, http.StatusBadRequest)
					return
				}
			}
			if q.Metadatas != nil {
				for k, v := range q.Metadatas[i] {
					row.meta[k] = v
				}
			}
			if q.Documents != nil {
				row.document = &q.Documents[i]
			}
		}
		fmt.Fprint(w, "{}")
	case "delete":
		for _, id := range q.IDs {
			delete(c.rows, id)
			c.order = slices.DeleteFunc(c.order, func(o string) bool { return o == id })
		}
		fmt.Fprint(w, "{}")
	case "get":
		c.get(w, q)
	default:
		http.Error(w, "{}", http.StatusNotImplemented)
	}
}

func (c *fakeCollection) get(w http.ResponseWriter, q fakeRequest) {
	ids := c.order
	if q.IDs != nil {
		ids = slices.DeleteFunc(slices.Clone(c.order), func(id string) bool { return !slices.Contains(q.IDs, id) })
	}
	ids = ids[min(q.Offset, len(ids)):]
	if q.Limit > 0 {
		ids = ids[:min(q.Limit, len(ids))]
	}
	out := map[string]any{"ids": append([]string{}, ids...)}
	for _, what := range q.Include {
		list := []any{}
		for _, id := range ids {
			switch row := c.rows[id]; what {
			case "embeddings":
				list = append(list, row.embedding)
			case "metadatas":
				list = append(list, row.meta)
			case "documents":
				list = append(list, row.document)
			}
		}
		out[what] = list
	}
	_ = json.NewEncoder(w).Encode(out)
}

func unfloat(s string) []float32 {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// proxy stands between the engine and a server, and cuts connections.
type proxy struct {
	next   http.Handler
	count  atomic.Int64
	fail   atomic.Int64 // the request from which on everything fails; 0: none
	after  atomic.Bool  // the first failing request still reaches the server
	forNow atomic.Bool  // only one request fails
}

func newProxy(t *testing.T, target string) (*proxy, string) {
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	next := httputil.NewSingleHostReverseProxy(u)
	next.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) } // and no line in the log
	p := &proxy{next: next}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return p, s.URL
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, fail := p.count.Add(1), p.fail.Load()
	if fail == 0 || n < fail || n > fail && p.forNow.Load() {
		p.next.ServeHTTP(w, r)
		return
	}
	if n == fail && p.after.Load() {
		p.next.ServeHTTP(httptest.NewRecorder(), r)
	}
	panic(http.ErrAbortHandler) // cuts the connection
}
