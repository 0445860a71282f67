package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"moothall"
)

const fuzzNote = "n"

// fuzzLog is a small log of three batches.
func fuzzLog() ([]byte, []head) {
	entry := func(action moothall.AuditAction, note string) []byte {
		return appendEntry(nil, moothall.AuditKeeper, &moothall.AuditEntry{
			Action: action, Status: moothall.StatusOK, Note: note,
		}, "")
	}
	var log []byte
	var tree frontier
	var heads []head
	for i, batch := range []uint64{0, 1, 1, 3} {
		json := entry("a", "x")
		if i == 0 {
			json = entry(actionGenesis, fuzzNote)
		}
		log = appendLine(log, uint64(i), batch, json)
		tree.add(tlog.RecordHash(json))
		if i == 1 {
			h, _ := tree.head()
			heads = append(heads, h)
		}
	}
	return log, heads
}

// FuzzScan: whatever stands in the file, recovery does not panic, and what it
// accepts is spelled exactly as the writer spells.
func FuzzScan(f *testing.F) {
	log, heads := fuzzLog()
	f.Add(log, true)
	f.Add(log, false)
	f.Add(log[:len(log)-3], true)
	f.Add(append(bytes.Clone(log), "4 4 9"...), true)
	f.Add(append(bytes.Clone(log), make([]byte, 100)...), true)
	f.Add(bytes.Replace(log, []byte("\n"), []byte("\x00"), 2), false)
	f.Add([]byte("0 0 2 00000000 {}\n"), false)
	f.Fuzz(func(t *testing.T, log []byte, signed bool) {
		var known []head
		if signed {
			known = heads
		}
		found, err := scan(bytes.NewReader(log), known, fuzzNote)
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeTampered {
				t.Fatalf("%v", err)
			}
			return
		}
		if found.bytes+found.torn != int64(len(log)) {
			t.Fatalf("%d intact and %d torn of %d bytes", found.bytes, found.torn, len(log))
		}
		var again []byte
		for _, b := range bytes.SplitAfter(log[:found.bytes], []byte("\n")) {
			if len(b) == 0 {
				continue
			}
			l, err := parseLine(b[:len(b)-1])
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := decode(l.json); !ok {
				t.Fatalf("accepted %q", l.json)
			}
			again = appendLine(again, l.index, l.batch, l.json)
		}
		if !bytes.Equal(again, log[:found.bytes]) {
			t.Fatalf("accepted %q, spelled %q", log[:found.bytes], again)
		}
	})
}

// fixedKeys are the same in all processes that share the work of fuzzing.
func fixedKeys(f *testing.F) *keys {
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public, err := note.NewEd25519VerifierKey("fuzz", private.Public().(ed25519.PublicKey))
	if err != nil {
		f.Fatal(err)
	}
	id := strings.Split(public, "+")[1]
	seed := base64.StdEncoding.EncodeToString(append([]byte{1}, private.Seed()...))
	k, err := parseKeys("PRIVATE+KEY+fuzz+"+id+"+"+seed+"\n", public+"\n", hexText(make([]byte, 32)))
	if err != nil {
		f.Fatal(err)
	}
	return k
}

// FuzzHeads: no panic, and nothing is accepted that the key did not sign.
func FuzzHeads(f *testing.F) {
	k := fixedKeys(f)
	var file []byte
	for n := range uint64(3) {
		msg, err := k.sign(head{size: n + 1})
		if err != nil {
			f.Fatal(err)
		}
		file = append(append(file, msg...), headEnd...)
	}
	whole := len(file) / 3
	for _, b := range [][]byte{file, file[:whole], file[:whole+9], append(bytes.Clone(file), make([]byte, 80)...), {0}} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		heads, bytesOK, err := readHeads(bytes.NewReader(b), k)
		if err == nil && !bytes.Equal(b[:bytesOK], file[:bytesOK]) {
			t.Fatalf("accepted %d heads of %q", len(heads), b[:bytesOK])
		}
	})
}

// FuzzAppendString: every string becomes a JSON string that decodes to it,
// but for bytes that are not UTF-8.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"a", "\"\\\x00\x1f\x7f", "é\u2028\U0001F600", "\xff\xc0\x80", "\uFFFD"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := moothall.AuditEntry{Action: "a", Status: moothall.StatusOK, Rule: s}
		json := appendEntry(nil, moothall.Hall, &e, "")
		w, ok := decode(json)
		if !ok {
			t.Fatalf("%q", json)
		}
		if want := string([]rune(s)); w.Rule != want {
			t.Fatalf("%q became %q", want, w.Rule)
		}
	})
}
