package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestShowNothing: what finds nothing says so, and writes no JSON.
func TestShowNothing(t *testing.T) {
	t.Parallel()
	p := newProgram(t, nil)
	p.must("", "memory", "add", "something for the record")
	for _, args := range [][]string{{"--action", "nosuch"}, {"--from", "100000"}} {
		if out := p.must("", append([]string{"audit", "show"}, args...)...); out != "The record has no such entries.\n" {
			t.Errorf("%q: %q", args, out)
		}
		if out := p.must("", append([]string{"audit", "show", "--json"}, args...)...); out != "" {
			t.Errorf("%q: %q", args, out)
		}
	}
}

// TestAnchor: a head is taken as the documented command line keeps it, with the
// line end that jq adds; a file without one anchors nothing, and says so.
func TestAnchor(t *testing.T) {
	t.Parallel()
	head := func(p program) string {
		p.must("", "memory", "add", "something for the record")
		return parsed[struct {
			Head string `json:"last_head"`
		}](t, p.must("", "audit", "verify", "--json")).Head
	}
	p, other := newProgram(t, nil), newProgram(t, nil)
	kept := head(p)
	for _, c := range []struct {
		text string
		code int
		says string
	}{
		{kept, 0, "The record is whole"},
		{kept + "\n", 0, "The record is whole"},
		{head(other) + "\n", 1, "is a head of another log"},
		{"nonsense", 2, "no signed head"},
		{"one\ntwo\nthree\n\nfive\n", 2, "jq -r .last_head"},
		{strconv.Quote(kept), 2, "no signed head"}, // as jq prints it without -r
		{strings.Replace(kept, "— ", "—  ", 1), 1, "is not in canonical form"},
		{"", 2, "holds no head"},
		{"\n", 2, "holds no head"},
	} {
		file := filepath.Join(t.TempDir(), "head.txt")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := p.run("", "audit", "verify", "--anchor", file); code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s%s", c.text, code, c.code, c.says, out, errs)
		}
	}
}

// TestNoKey: words that are no key say nothing of the record, and what a key looks
// like is told.
func TestNoKey(t *testing.T) {
	t.Parallel()
	p := newProgram(t, nil)
	p.must("", "memory", "add", "something for the record")
	_, errs, code := p.run("", "audit", "verify", "--key", "NONSENSE")
	if code != 2 || !strings.Contains(errs, "is not a verifier key") || !strings.Contains(errs, "looks like moothall/audit/") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestEmptyFlags: a flag that is given and says nothing is no leave to check less,
// or to use another home.
func TestEmptyFlags(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	for _, args := range [][]string{
		{"audit", "verify", "--key", ""}, {"audit", "verify", "--anchor", ""}, {"audit", "check-proof", "nosuch.json", "--key", " "},
		{"audit", "show", "--home", ""}, {"restore", "nosuch", "--force", "--home="}, {"config", "validate", "--config", ""},
	} {
		h.wants(t, 2, " is empty; give it a value, or leave it out", args...)
	}
}
