package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"moothall"
)

// Options adjust [Dir]. The zero value, like nil, means the defaults.
type Options struct {
	// Anchor is a head of this log that was kept elsewhere. The log must
	// extend it. What does not even look like a head is CodeInvalid: it says
	// nothing of the log.
	Anchor []byte
	// Key is the verifier key to trust, instead of the directory's key.pub.
	Key string
	// Limit bounds how many intents without an outcome are listed one by
	// one. Default 20.
	Limit int
}

// checker is one run over a directory.
type checker struct {
	dir     string
	report  Report
	expect  []expectation // sizes at which the root is known, rising
	tree    tree
	scratch []byte
	story   story
}

// expectation is a root that the log must have at a size.
type expectation struct {
	size  uint64
	root  digest
	where string
}

// Dir checks the log in dir. The error says that the check could not be made
// at all; what it found is in the report.
func Dir(ctx context.Context, dir string, o *Options) (Report, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	if opts.Limit <= 0 {
		opts.Limit = 20
	}
	if opts.Key != "" {
		if _, err := parseVerifier(opts.Key); err != nil {
			return Report{}, noKey("verify audit log", err)
		}
	}
	if _, ok := headLines(string(opts.Anchor)); len(opts.Anchor) > 0 && !ok {
		return Report{}, noHead("verify audit log")
	}
	f, err := openLog(dir)
	if err != nil {
		return Report{}, err
	}
	defer f.Close()

	c := &checker{dir: dir, story: newStory()}
	c.report.Findings = []Finding{}
	k := c.readKeys(opts.Key)
	c.report.Key = k.text
	if k.verifier != nil { // heads before the log, which may be growing
		c.takeHeads(c.readHeads(k.verifier))
		c.takeAnchor(opts.Anchor, k)
	}
	now, err := asOfNow(f)
	if err != nil {
		return Report{}, err
	}
	if err := c.readLog(ctx, now, k); err != nil {
		return Report{}, err
	}
	for _, x := range c.expect {
		c.report.tampered(x.where, "covers %d entries, but the log holds %d", x.size, c.tree.size)
	}
	c.report.Entries = c.tree.size
	c.report.Root = c.tree.root().String()
	c.summarise(opts.Limit)
	c.report.settle()
	return c.report, nil
}

func (c *checker) takeHeads(heads []signed) {
	for _, h := range heads {
		c.expect = append(c.expect, expectation{h.size, h.root, fmt.Sprintf("head of size %d", h.size)})
		c.report.Signed, c.report.LastHead = h.size, h.text
	}
	c.report.Heads = len(heads)
}

func (c *checker) takeAnchor(anchor []byte, k keyring) {
	if len(anchor) == 0 {
		return
	}
	h, err := openHead(string(anchor), k.verifier)
	if err != nil {
		c.report.tampered("anchor", "%v", err)
		return
	}
	c.expect = append(c.expect, expectation{h.size, h.root, "anchor"})
	slices.SortStableFunc(c.expect, func(a, b expectation) int { return cmp.Compare(a.size, b.size) })
}

// readLog checks every record up to the first bad one.
func (c *checker) readLog(ctx context.Context, in io.Reader, k keyring) error {
	r := newReader(in)
	for {
		if r.next%1024 == 0 && ctx.Err() != nil {
			return &moothall.Error{Code: moothall.ErrorCode(ctx.Err()), Op: "verify audit log", Err: context.Cause(ctx)}
		}
		e, err := r.entry()
		var bad *badRecord
		switch {
		case errors.Is(err, io.EOF):
			c.checkEnd(r)
			return nil
		case errors.As(err, &bad):
			c.foundBad(bad)
			return nil
		case err != nil:
			return err
		}
		c.takeEntry(&e, r.json, k)
	}
}

func (c *checker) takeEntry(e *Entry, json []byte, k keyring) {
	if e.Index == 0 {
		c.checkGenesis(e, k)
	}
	var leaf digest
	leaf, c.scratch = leafHash(json, c.scratch)
	c.tree.add(leaf)
	for len(c.expect) > 0 && c.expect[0].size <= c.tree.size {
		if x := c.expect[0]; x.size != c.tree.size || c.tree.root() != x.root {
			c.report.tampered(x.where, "does not match the first %d entries of the log", x.size)
		}
		c.expect = c.expect[1:]
	}
	c.story.take(e)
}

func (c *checker) foundBad(bad *badRecord) {
	where := fmt.Sprintf("entry %d (byte %d of log)", bad.index, bad.at)
	if bad.intact || bad.index < c.report.Signed {
		c.report.tampered(where, "%s; nothing after it was checked", bad.what)
		return
	}
	c.report.add(Damaged, remedyTorn, where, "%s; nothing after it was checked", bad.what)
}

// checkEnd judges an unfinished last record and the unsigned tail.
func (c *checker) checkEnd(r *reader) {
	where := fmt.Sprintf("entry %d (byte %d of log)", r.next, r.at)
	if b := r.unfinished(); len(b) > 0 {
		if beginsRecord(b, r.next, r.batch) {
			c.report.add(Info, "", where, "%d bytes of an unfinished record: it is being written, or its writer was killed", len(b))
		} else {
			c.report.add(Damaged, remedyTorn, where, "%d bytes that begin no record", len(b))
		}
	}
	if c.tree.size == 0 {
		c.report.tampered("log", "holds no entry: every log has one from its beginning")
	}
	if c.tree.size > c.report.Signed {
		c.report.add(Info, "", "log", "%d entries after the last head are not signed yet", c.tree.size-c.report.Signed)
	}
}
