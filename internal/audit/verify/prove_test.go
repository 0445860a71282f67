package verify_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/audit/verify"
)

func TestProve(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 3, 8, 21} { // entries, genesis included
		dir := numbered(t, size-1)
		key := check(t, dir, nil).Key
		for n := range uint64(size) {
			p, err := verify.Prove(dir, n)
			if err != nil {
				t.Fatalf("entry %d of %d: %v", n, size, err)
			}
			b, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			var read verify.Proof
			if err := json.Unmarshal(b, &read); err != nil {
				t.Fatal(err)
			}
			if err := read.Check(key); err != nil {
				t.Errorf("entry %d of %d: %v", n, size, err)
			}
		}
	}
}

func TestProofRefusals(t *testing.T) {
	t.Parallel()
	dir, other := numbered(t, 20), numbered(t, 20)
	key, otherKey := check(t, dir, nil).Key, check(t, other, nil).Key
	good, err := verify.Prove(dir, 7)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := verify.Prove(other, 7)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(p *verify.Proof){
		"index":     func(p *verify.Proof) { p.Index = 6 },
		"far index": func(p *verify.Proof) { p.Index = 1 << 60 },
		"record":    func(p *verify.Proof) { p.Record = strings.Replace(p.Record, "c7", "c8", 1) },
		"spelling":  func(p *verify.Proof) { p.Record = strings.Replace(p.Record, ":", ": ", 1) },
		"head":      func(p *verify.Proof) { p.Head = foreign.Head },
		"size":      func(p *verify.Proof) { p.Head = strings.Replace(p.Head, "\n21\n", "\n20\n", 1) },
		"path":      func(p *verify.Proof) { p.Path[2] = p.Path[1] },
		"short":     func(p *verify.Proof) { p.Path = p.Path[1:] },
		"long":      func(p *verify.Proof) { p.Path = append(p.Path, p.Path[0]) },
		"no base64": func(p *verify.Proof) { p.Path[0] = "!" },
	} {
		p := good
		p.Path = slices.Clone(good.Path)
		change(&p)
		if err := p.Check(key); moothall.ErrorCode(err) != moothall.CodeTampered {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := good.Check(otherKey); moothall.ErrorCode(err) != moothall.CodeTampered {
		t.Errorf("other key: %v", err)
	}
	if err := good.Check(""); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("no key: %v", err)
	}
}

func TestProveRefusals(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := open(t, dir)
	write(t, l, act("a", "ok", "c"))
	if _, err := verify.Prove(dir, 1); moothall.ErrorCode(err) != moothall.CodeNotFound || moothall.ErrorRemedy(err) == "" {
		t.Errorf("unsigned entry: %v", err)
	}
	for n, says := range map[uint64]string{1: "no signed head covers entry 1", 2: "there is no entry 2: the record has 2", 99999: "there is no entry 99999"} {
		if _, err := verify.Prove(dir, n); moothall.ErrorCode(err) != moothall.CodeNotFound || !strings.Contains(err.Error(), says) {
			t.Errorf("entry %d: %v, want %q", n, err, says)
		}
	}
	l.Close()
	path := filepath.Join(dir, "log")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string][]byte{
		"damaged": bytes.Replace(b, []byte(`"c"`), []byte(`"d"`), 1),
		"short":   b[:bytes.IndexByte(b, '\n')+1],
	} {
		if err := os.WriteFile(path, log, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := verify.Prove(dir, 0); err == nil {
			t.Errorf("%s log: proved", name)
		}
	}
	remove(t, dir, "key.pub")
	if _, err := verify.Prove(dir, 0); moothall.ErrorCode(err) != moothall.CodeTampered {
		t.Errorf("no key: %v", err)
	}
}
