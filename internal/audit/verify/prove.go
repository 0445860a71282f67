package verify

import (
	"errors"
	"fmt"
	"io"

	"moothall"
)

// Proof shows that one entry stands in a log under a signed head. It needs
// nothing but itself and a trusted verifier key to be checked.
type Proof struct {
	Index  uint64   `json:"index"`
	Record string   `json:"record"` // canonical JSON
	Head   string   `json:"head"`   // signed note
	Key    string   `json:"key"`    // verifier key of the log, for information
	Path   []string `json:"path"`   // hashes from the leaf to the root, base64
}

// Prove proves entry n under the latest head. CodeNotFound means that there is
// no such entry or that no signed head covers it, CodeTampered that the log does not match the head.
func Prove(dir string, n uint64) (Proof, error) {
	const op = "prove audit entry"
	f, err := openLog(dir)
	if err != nil {
		return Proof{}, err
	}
	defer f.Close()
	c := &checker{dir: dir, story: newStory()}
	k := c.readKeys("")
	if k.verifier == nil {
		return Proof{}, firstFinding(op, &c.report)
	}
	c.takeHeads(c.readHeads(k.verifier))
	if c.report.settle(); !c.report.OK {
		return Proof{}, firstFinding(op, &c.report)
	}
	if n >= c.report.Signed {
		if count, ok := counted(newReader(f), n); !ok {
			return Proof{}, &moothall.Error{
				Code: moothall.CodeNotFound, Op: op, Message: fmt.Sprintf("there is no entry %d: the record has %d, from 0 on", n, count),
				Remedy: "moothall audit show prints them with their numbers",
			}
		}
		return Proof{}, &moothall.Error{
			Code: moothall.CodeNotFound, Op: op,
			Message: fmt.Sprintf("no signed head covers entry %d: %d entries are signed", n, c.report.Signed),
			Remedy:  "a head is signed when a run or the hall ends; try again after that",
		}
	}
	p := Proof{Index: n, Head: c.report.LastHead, Key: k.text}
	if err := p.collect(newReader(f), c.report.Signed); err != nil {
		return Proof{}, err
	}
	return p, p.Check(k.text)
}

// counted reports whether entry n is in the log and, if it is not, how many are.
// Of what cannot be read nobody can say what follows.
func counted(r *reader, n uint64) (count uint64, there bool) {
	for r.next <= n {
		if _, err := r.entry(); err != nil {
			return r.next, !errors.Is(err, io.EOF)
		}
	}
	return r.next, true
}

func firstFinding(op string, r *Report) error {
	if f, wrong := r.Wrong(); wrong {
		return &moothall.Error{
			Code: moothall.CodeTampered, Op: op, Message: f.Where + ": " + f.What,
			Remedy: "run \"moothall audit verify\"",
		}
	}
	return moothall.Fail(moothall.CodeNotFound, op, "the log has no verifier key")
}

// collect reads the first size entries once and hashes the subtrees of the
// path as they pass by.
func (p *Proof) collect(r *reader, size uint64) error {
	spans := pathSpans(p.Index, span{0, size})
	trees := make([]tree, len(spans))
	var scratch []byte
	for r.next < size {
		e, err := r.entry()
		if errors.Is(err, io.EOF) {
			return tamperedProof("the log is shorter than its signed head")
		}
		if err != nil {
			return corrupt(err)
		}
		if e.Index == p.Index {
			p.Record = string(r.json)
			continue
		}
		var leaf digest
		leaf, scratch = leafHash(r.json, scratch)
		for i, s := range spans {
			if s.start <= e.Index && e.Index < s.end {
				trees[i].add(leaf)
			}
		}
	}
	p.Path = make([]string, len(trees))
	for i := range trees {
		p.Path[i] = trees[i].root().String()
	}
	return nil
}

// Check checks the proof against a verifier key that the caller trusts; the
// proof's own Key would prove nothing to somebody who does not know it.
func (p *Proof) Check(key string) error {
	v, err := parseVerifier(key)
	if err != nil {
		return noKey("check proof", err)
	}
	h, err := openHead(p.Head, v)
	if err != nil {
		return tamperedProof("the head " + err.Error())
	}
	path := make([]digest, len(p.Path))
	for i, s := range p.Path {
		var ok bool
		if path[i], ok = parseDigest(s); !ok {
			return tamperedProof("the path is damaged")
		}
	}
	if _, err := parseEntry(record{index: p.Index, json: []byte(p.Record)}); err != nil {
		return tamperedProof("the record is " + err.Error())
	}
	leaf, _ := leafHash([]byte(p.Record), nil)
	root, ok := rootFromPath(p.Index, h.size, leaf, path)
	if !ok || root != h.root {
		return tamperedProof("the record does not stand in the log at this index")
	}
	return nil
}

func tamperedProof(what string) error {
	return moothall.Fail(moothall.CodeTampered, "check proof", what)
}
