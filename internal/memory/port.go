package memory

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"moothall"
)

// importBatch is how many entries become durable together.
const importBatch = 512

// ImportOptions say how lines are taken in.
type ImportOptions struct {
	moothall.Scope
	Source string         // of lines that name none
	Trust  moothall.Trust // the most that a line is trusted; the person's by default
	Total  int64          // lines to expect, for the progress; 0 when unknown
	// Progress is told after each batch; it may be nil.
	Progress func(moothall.Progress)
}

// Imported says what came of an import.
type Imported struct {
	Lines     int64 // read
	Stored    int64 // new or changed
	Unchanged int64 // there already
}

// importer is a running import.
type importer struct {
	s    *Service
	who  moothall.Identity
	o    ImportOptions
	said *contexts
	last map[string]int64 // place of the last turn of a thread without places
	made map[*Record]bool // whose ids are made of their words; of the batch
	out  Imported
}

// Import stores entries from JSON lines, see [Line], as a participant. Batches
// are durable one after the other; after an end in the middle the same import
// goes on where it was, since what is there already is left alone. A line
// that cannot be taken ends it with CodeInvalid and its number.
func (s *Service) Import(ctx context.Context, who moothall.Identity, r io.Reader, o ImportOptions) (Imported, error) {
	const op = "import memories"
	if err := s.open(ctx, op); err != nil {
		return Imported{}, err
	}
	if err := allow(who, RightWrite); err != nil {
		return Imported{}, err
	}
	o.Trust = least(or(o.Trust, moothall.TrustPerson), most(who))
	if o.Progress == nil {
		o.Progress = func(moothall.Progress) {}
	}
	im := &importer{s: s, who: who, o: o, said: s.newContexts(), last: map[string]int64{}, made: map[*Record]bool{}}
	err := im.run(ctx, r)
	s.tellChange(ctx, moothall.Scope{}) // what came before an error stays
	return im.out, wrap(op, err)
}

func (im *importer) run(ctx context.Context, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), 6*im.s.o.Limits.Corpus+1<<20) // JSON may spell a byte in six
	var batch []*Record
	n := int64(0)
	for lines.Scan() {
		n++
		if len(unmarked(lines.Bytes())) == 0 {
			continue
		}
		rec, err := im.take(lines.Bytes())
		if err != nil {
			return errors.Join(im.flush(ctx, batch), numbered(n, err))
		}
		im.out.Lines++
		if batch = append(batch, rec); len(batch) == importBatch {
			if err := im.flush(ctx, batch); err != nil {
				return err
			}
			batch = nil
		}
	}
	if err := im.flush(ctx, batch); err != nil {
		return err
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return numbered(n+1, tooLarge("the line", im.s.o.Limits.Corpus))
	}
	return lines.Err()
}

func numbered(n int64, err error) error {
	var e *moothall.Error
	if !errors.As(err, &e) {
		return err
	}
	return &moothall.Error{
		Code: e.Code, Op: "import memories", Message: fmt.Sprintf("line %d: %s", n, e.Message),
		Remedy: "correct the line and import the file again; what is stored already is left alone", Err: err,
	}
}

// take makes a record of a line. No model is asked: a file may have a million.
func (im *importer) take(b []byte) (*Record, error) {
	l, err := parseLine(b)
	if err != nil {
		return nil, err
	}
	e := l.entry()
	if e.Thread != "" && l.Seq == nil {
		im.last[e.Thread]++
		e.Place = im.last[e.Thread]
	}
	if e.Source == "" {
		e.Source = im.o.Source
	}
	if err := im.s.check(&e); err != nil {
		return nil, err
	}
	if err := im.s.unbound("import memories", e.ID); err != nil {
		return nil, err
	}
	e.Trust = least(or(e.Trust, im.o.Trust), im.o.Trust)
	if strings.HasPrefix(e.Source, external) {
		e.Trust = moothall.TrustExternal
	}
	e.Created = e.Created.UTC()
	rec := &Record{Entry: e, From: l.From}
	if l.ID == "" {
		im.made[rec] = true
	}
	return rec, nil
}

// flush makes a batch durable.
func (im *importer) flush(ctx context.Context, batch []*Record) error {
	if len(batch) == 0 {
		return nil
	}
	if err := im.inherit(ctx, batch); err != nil {
		return err
	}
	for _, r := range batch {
		declaw(&r.Entry)
		im.s.nameByRule(&r.Entry)
		r.Print = printOf(r.Entry.Name, r.Entry.Corpus)
	}
	if err := im.tellApart(ctx, batch); err != nil {
		return err
	}
	fresh, err := im.fresh(ctx, batch)
	if err != nil {
		return err
	}
	if len(fresh) > 0 {
		if err := im.s.recordWrite(ctx, im.who, im.o.Scope, fmt.Sprintf("import %d entries", len(fresh)), nil); err != nil {
			return err
		}
		if err := im.store(ctx, fresh); err != nil {
			im.s.recordFailed(ctx, im.o.Scope, "import")
			return err
		}
	}
	im.out.Stored += int64(len(fresh))
	im.out.Unchanged += int64(len(batch) - len(fresh))
	im.s.stats.writes.Add(uint64(len(fresh)))
	im.o.Progress(moothall.Progress{Step: "import", Done: im.out.Lines, Total: im.o.Total})
	return ctx.Err()
}

// inherit lowers the trust of lines to that of what they were made from, as far
// as it is there already or comes in the same batch. A file may name others.
func (im *importer) inherit(ctx context.Context, batch []*Record) error {
	var ids []moothall.MemoryID
	for _, r := range batch {
		ids = append(ids, r.From...)
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := im.s.o.Engine.Get(ctx, ids)
	if err != nil {
		return err
	}
	trust := make(map[moothall.MemoryID]moothall.Trust, len(ids)+len(batch))
	for i := range found {
		trust[found[i].Entry.ID] = found[i].Entry.Trust
	}
	for _, r := range batch {
		trust[r.Entry.ID] = r.Entry.Trust
	}
	for lower := true; lower; { // a line may stand before what it was made from
		lower = false
		for _, r := range batch {
			for _, id := range r.From {
				if t, ok := trust[id]; ok && rank(t) < rank(r.Entry.Trust) {
					r.Entry.Trust, trust[r.Entry.ID], lower = t, t, true
				}
			}
		}
	}
	return nil
}

// tellApart gives a line whose id is made of its words another one when what
// has this id already differs in its signs, or when it was told apart before.
func (im *importer) tellApart(ctx context.Context, batch []*Record) error {
	var ids []moothall.MemoryID
	for r := range im.made {
		ids = append(ids, r.Entry.ID, signedID(&r.Entry))
	}
	found, err := im.s.o.Engine.Get(ctx, ids)
	if err != nil {
		return err
	}
	signs := make(map[moothall.MemoryID]string, len(ids))
	for i := range found {
		signs[found[i].Entry.ID] = marked(found[i].Entry.Corpus)
	}
	for _, r := range batch {
		if !im.made[r] {
			continue
		}
		mine, signed := marked(r.Entry.Corpus), signedID(&r.Entry)
		first, taken := signs[r.Entry.ID]
		if _, ok := signs[signed]; ok || taken && first != mine {
			r.Entry.ID = signed
		} else {
			signs[r.Entry.ID] = mine
		}
	}
	clear(im.made)
	return nil
}

// signedID is the id of a line that differs in its signs from what has its id.
func signedID(e *moothall.MemoryEntry) moothall.MemoryID {
	return e.ID + moothall.MemoryID(fmt.Sprintf("-%016x", saidPrint(e.Corpus)))
}

// fresh leaves out what is stored already, and all but the last of lines with
// the same id.
func (im *importer) fresh(ctx context.Context, batch []*Record) ([]*Record, error) {
	last := make(map[moothall.MemoryID]*Record, len(batch))
	ids := make([]moothall.MemoryID, 0, len(batch))
	for _, r := range batch {
		if last[r.Entry.ID] == nil {
			ids = append(ids, r.Entry.ID)
		}
		last[r.Entry.ID] = r
	}
	known, err := im.s.o.Engine.Get(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range known {
		if k := &known[i]; unchanged(k, last[k.Entry.ID]) {
			delete(last, k.Entry.ID)
		}
	}
	var out []*Record
	for _, id := range ids {
		if r := last[id]; r != nil {
			if r.Entry.Created.IsZero() {
				r.Entry.Created = im.s.o.Now().UTC()
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// unchanged reports whether what a line says is stored already. The memory adds
// links and notes of its own; a line says nothing of a time, a note on a turn
// or a link that it leaves out.
func unchanged(k, r *Record) bool {
	x, y := &k.Entry, &r.Entry
	missing := func(id moothall.MemoryID) bool { return !slices.Contains(x.Correlates, id) }
	return !k.Proposed && x.Corpus == y.Corpus && x.Name == y.Name && x.Description == y.Description && x.Kind == y.Kind &&
		x.Thread == y.Thread && x.Place == y.Place && x.Speaker == y.Speaker && x.Source == y.Source && x.Trust == y.Trust &&
		slices.Equal(x.Tags, y.Tags) && slices.Equal(k.From, r.From) && !slices.ContainsFunc(y.Correlates, missing) &&
		(y.Created.IsZero() || micros(x.Created) == micros(y.Created)) && noted(x.Turn, y.Turn)
}

// noted reports whether a turn has the notes that a line names.
func noted(t, line *moothall.TurnNotes) bool {
	if t == nil || line == nil {
		return line == nil
	}
	with := *t
	with.Session, with.Query, with.Answer, with.Respondent = line.Session, line.Query, line.Answer, line.Respondent
	addNotes(&with, *line)
	return reflect.DeepEqual(with, *t)
}

// store embeds a batch and commits it.
func (im *importer) store(ctx context.Context, list []*Record) error {
	var all []*Record
	before, parts, taken := map[*Record][]string{}, map[*Record][]*Record{}, map[moothall.MemoryID]bool{}
	for _, r := range list {
		said, err := im.said.of(ctx, r)
		if err != nil {
			return err
		}
		before[r], parts[r], taken[r.Entry.ID] = said, im.s.divide(r), true
		r.Text = textOf(r, said, len(parts[r]) > 0)
		for _, p := range parts[r] {
			p.Text = textOf(p, nil, false)
		}
		all = append(append(all, r), parts[r]...)
	}
	im.s.embedAll(all, before)
	im.s.writing.Lock()
	defer im.s.writing.Unlock()
	change := &Change{Put: all}
	for _, r := range list {
		old, err := im.s.replaced(ctx, im.who, r)
		if err != nil {
			return err
		}
		change.Delete = append(change.Delete, old...)
		if err := im.s.number(ctx, r, parts[r], taken); err != nil {
			return err
		}
		for _, p := range parts[r] {
			taken[p.Entry.ID] = true
		}
	}
	left := im.s.leaving(change.Put)
	if err := im.s.commit(ctx, change); err != nil {
		return err
	}
	im.s.follow(ctx, append(left, change.Put...))
	return nil
}

// embedAll makes built-in vectors on all processors.
func (s *Service) embedAll(list []*Record, before map[*Record][]string) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(list); i += workers {
				list[i].Vectors = []Vectors{s.localVectors(list[i], before[list[i]])}
			}
		})
	}
	wg.Wait()
}

// Export writes all entries that are no candidates as JSON lines that Import
// takes, the oldest first. Parts are left out: they are made again from the
// whole. Progress may be nil.
func (s *Service) Export(ctx context.Context, who moothall.Identity, w io.Writer, progress func(moothall.Progress)) (int64, error) {
	const op = "export memories"
	if err := s.open(ctx, op); err != nil {
		return 0, err
	}
	if err := allow(who, RightRead); err != nil {
		return 0, err
	}
	if err := s.recordRead(ctx, who, moothall.Scope{}, "export", nil); err != nil {
		return 0, err
	}
	total, _ := s.catalog.size()
	buf := bufio.NewWriter(w)
	out := json.NewEncoder(buf)
	out.SetEscapeHTML(false)
	var n int64
	for r, err := range s.o.Engine.Scan(ctx, 0) {
		if err != nil {
			return n, wrap(op, err)
		}
		if r.Proposed || r.Whole != "" {
			continue
		}
		if err := out.Encode(lineOf(&r)); err != nil {
			return n, wrap(op, err)
		}
		if n++; progress != nil && n%1000 == 0 {
			progress(moothall.Progress{Step: "export", Done: n, Total: int64(total)})
		}
	}
	return n, wrap(op, buf.Flush())
}
