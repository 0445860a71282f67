package chroma

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/terms"
)

// catalog is what is known in memory of all that is stored.
type catalog struct {
	counters counters
	items    map[uint64]*item
	places   map[moothall.MemoryID]uint64
	index    *terms.Index
	slots    map[int64]*slot
	state    map[string]string // base64
	once     map[string]bool
	held     map[int64]memory.Held
}

// counters are the last numbers given out. Changes is raised by every change
// that is more than one record.
type counters struct {
	Place   uint64 `json:"place"`
	Slot    int64  `json:"slot"`
	Held    int64  `json:"held"`
	Version uint64 `json:"version"`
	Changes uint64 `json:"changes"`
}

// item is what entries are listed by.
type item struct {
	id       moothall.MemoryID
	head     memory.Head
	proposed bool
	session  moothall.SessionID
	query    moothall.QueryID
	who      moothall.RespondentID
	whole    moothall.MemoryID
	from     []moothall.MemoryID
	accesses int64
	accessed int64 // microseconds since 1970, 0 for never
}

// slot is what is known of an embedder.
type slot struct {
	Name string `json:"name"`
	D    int    `json:"d"`
	has  map[uint64]bool
}

func itemOf(r *memory.Record) *item {
	e := r.Entry
	it := &item{
		id: e.ID, proposed: r.Proposed, whole: r.Whole, from: slices.Clone(r.From), accesses: e.Accesses, accessed: micro(e.Accessed),
		head: memory.Head{
			N: r.N, Kind: e.Kind, Trust: e.Trust, Created: moment(micro(e.Created)), Source: e.Source, Thread: e.Thread, Place: e.Place,
			Tags: slices.Clone(e.Tags), Part: r.Whole != "", Print: r.Print,
		},
	}
	if t := e.Turn; t != nil {
		it.session, it.query, it.who = t.Session, t.Query, t.Respondent
		it.head.Score, it.head.Reward, it.head.Unseen = clone(t.Score), clone(t.Reward), t.Unseen()
	}
	return it
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// thing is a small value under an id.
func thing(id, value string) batch { return single(id, map[string]any{"value": value}) }

func key(n uint64) string { return strconv.FormatUint(n, 10) }

// keyPlace is the inverse of key.
func keyPlace(id string) (uint64, error) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return 0, damaged(err)
	}
	return n, nil
}

func damaged(err error) error {
	return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read memory", Message: "the Chroma server holds something that the hall did not write", Err: err}
}

// nowhere is the embedding of a record that has none. They differ, since an
// index of equal ones would be slow.
func nowhere(n uint64) string {
	s, c := math.Sincos(float64(n))
	return floats([]float32{float32(c), float32(s)})
}

func floats(v []float32) string {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(out)
}

// load reads the catalog.
func (e *Engine) load(ctx context.Context) (*catalog, error) {
	cat := &catalog{
		items: map[uint64]*item{}, places: map[moothall.MemoryID]uint64{}, index: terms.NewIndex(), slots: map[int64]*slot{},
		state: map[string]string{}, once: map[string]bool{}, held: map[int64]memory.Held{},
	}
	things, err := e.page(ctx, e.things, "metadatas")
	if err != nil {
		return nil, err
	}
	for i, id := range things.IDs {
		if err := cat.thing(id, things.Metadatas[i]["value"]); err != nil {
			return nil, err
		}
	}
	entries, err := e.page(ctx, e.entries, "metadatas")
	if err != nil {
		return nil, err
	}
	for i, id := range entries.IDs {
		if err := cat.entry(id, entries.Metadatas[i]); err != nil {
			return nil, err
		}
	}
	for _, number := range slices.Sorted(maps.Keys(cat.slots)) {
		if err := e.loadSlot(ctx, number, cat.slots[number]); err != nil {
			return nil, err
		}
	}
	return cat, nil
}

// thing takes a small value in.
func (c *catalog) thing(id, value string) error {
	kind, name, _ := strings.Cut(id, "/")
	switch kind {
	case "counters":
		return unmarshal(value, &c.counters)
	case "once":
		c.once[value] = true
	case "state":
		k, v, _ := strings.Cut(value, ":")
		plain, err := base64.StdEncoding.DecodeString(k)
		if err != nil {
			return damaged(err)
		}
		c.state[string(plain)] = v
	case "held":
		seq, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return damaged(err)
		}
		var h memory.Held
		if err := unmarshal(value, &h); err != nil {
			return err
		}
		c.held[seq] = h
	case "slot":
		number, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return damaged(err)
		}
		s := &slot{has: map[uint64]bool{}}
		c.slots[number] = s
		return unmarshal(value, s)
	}
	return nil
}

func unmarshal(text string, into any) error {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return damaged(err)
	}
	return nil
}

// entry takes an entry in.
func (c *catalog) entry(id string, meta map[string]string) error {
	n, err := keyPlace(id)
	if err != nil {
		return err
	}
	r, err := decodeRecord(n, meta, nil)
	if err != nil {
		return err
	}
	var text memory.Text
	if err := unmarshal(meta["text"], &text); err != nil {
		return err
	}
	c.items[n], c.places[r.Entry.ID] = itemOf(&r), n
	c.index.Put(n, terms.Of(text))
	return nil
}

// loadSlot reads which entries have vectors.
func (e *Engine) loadSlot(ctx context.Context, number int64, s *slot) error {
	a, err := e.page(ctx, e.collectionOf(number, fields[0]))
	if err != nil {
		return err
	}
	for _, id := range a.IDs {
		n, err := keyPlace(id)
		if err != nil {
			return err
		}
		s.has[n] = true
	}
	return nil
}

// fields are the three vectors of an entry.
var fields = [...]string{"name", "description", "corpus"}

func (e *Engine) collectionOf(slot int64, field string) string {
	return e.vectors + strconv.FormatInt(slot, 10) + "." + field
}

// slotOf finds an embedder; 0 when it has none.
func (c *catalog) slotOf(embedder string) (int64, *slot) {
	for number, s := range c.slots {
		if s.Name == embedder {
			return number, s
		}
	}
	return 0, nil
}

// learn takes a state or the name of a change in, or forgets a state.
func (c *catalog) learn(id string, value *string) {
	kind, name, _ := strings.Cut(id, "/")
	switch {
	case kind == "once" && value != nil:
		c.once[*value] = true
	case kind == "state":
		plain, err := base64.RawURLEncoding.DecodeString(name)
		if err != nil {
			panic(err) // the plan made it
		}
		if delete(c.state, string(plain)); value != nil {
			_, v, _ := strings.Cut(*value, ":")
			c.state[string(plain)] = v
		}
	}
}
