package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"testing"
	"time"

	"moothall"
)

func spellLine(r record) []byte {
	head := fmt.Sprintf("%d %d %d ", r.index, r.batch, len(r.json))
	sum := crc32.Checksum(append([]byte(head), r.json...), crc32.MakeTable(crc32.Castagnoli))
	return fmt.Appendf(nil, "%s%08x %s", head, sum, r.json)
}

// FuzzReader: no panic, and whatever is accepted as a record is exactly what
// the record is spelled as, line and JSON.
func FuzzReader(f *testing.F) {
	e := Entry{
		Time: time.Date(2026, 1, 2, 3, 4, 5, 60, time.UTC), By: "hall", Agent: "a", Lineage: moothall.Lineage{"a", "b"},
		Action: "x", Status: "ok", Note: "\"\\\x00\x7fé",
	}
	line := spellLine(record{index: 0, batch: 0, json: e.spell(nil)})
	f.Add(append(bytes.Clone(line), '\n'))
	f.Add(append(append(bytes.Clone(line), '\n'), "1 1 5"...))
	f.Add([]byte("0 0 2 00000000 {}\n"))
	f.Add([]byte("00 0 2 00000000 {}\n"))
	f.Add(make([]byte, 70_000))
	f.Fuzz(func(t *testing.T, log []byte) {
		r := newReader(bytes.NewReader(log))
		for {
			at := r.at
			e, err := r.entry()
			if err != nil {
				break
			}
			want := spellLine(record{index: r.next - 1, batch: r.batch, json: e.spell(nil)})
			if !bytes.Equal(want, log[at:r.at-1]) {
				t.Fatalf("accepted %q, spelled %q", log[at:r.at-1], want)
			}
		}
		beginsRecord(r.unfinished(), r.next, r.batch)
	})
}

// FuzzEntry skips the checksum, which fuzzing cannot guess: JSON is accepted
// only when it is spelled canonically, and then says what encoding/json says.
func FuzzEntry(f *testing.F) {
	for _, s := range []string{
		`{"time":"2026-01-02T03:04:05Z","by":"hall","action":"a","status":"ok"}`,
		`{"time":"2026-01-02T03:04:05.5Z","by":"hall","lineage":["a","b"],"action":"\u000a\"\\","status":"ok","note":"é"}`,
		`{"time":"2026-01-02T03:04:05Z","by":"hall","lineage":[],"action":"a","status":"ok"}`,
		`{"time":"2026-01-02T03:04:05,5Z","by":"h","action":"a\/","status":"ok"}`,
		`{"by":"hall"`, `{`, ``, `{"time":"`, `{"time":"\`, `{"time":"\u00`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := parseEntry(record{json: b})
		if err != nil {
			return
		}
		if got := e.spell(nil); !bytes.Equal(got, b) {
			t.Fatalf("accepted %q, spelled %q", b, got)
		}
		var std Entry
		if err := json.Unmarshal(b, &std); err != nil {
			t.Fatalf("%q is not JSON: %v", b, err)
		}
		if std.Index = e.Index; fmt.Sprint(std) != fmt.Sprint(e) {
			t.Fatalf("%q: %v, want %v", b, e, std)
		}
	})
}
