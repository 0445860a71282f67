package audit_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/audit/verify"
)

// Every byte of every file, one bit each; the bit moves with the position, so
// that all kinds of change occur: letter case, digits, white space, controls.
// For bytes that decoders are lenient about, more bits are tried.
func TestFlipEveryByte(t *testing.T) {
	t.Parallel()
	dir := build(t, 200)
	for _, name := range []string{"log", "heads", "key", "key.pub", "hash.key"} {
		const parts = 4 // parallel, each on its own copy
		for part := range parts {
			t.Run(fmt.Sprint(name, "/", part), func(t *testing.T) {
				t.Parallel()
				own := filepath.Join(t.TempDir(), "audit")
				copyDir(t, dir, own)
				flipFile(t, own, name, part, parts)
			})
		}
	}
}

func flipFile(t *testing.T, dir, name string, part, parts int) {
	whole := get(t, dir, name)
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	step := stride()
	if name != "log" {
		step = min(step, 7)
	}
	for at := part * step; at < len(whole); at += parts * step {
		masks := []byte{1 << (at % 8)}
		if name != "log" {
			masks = []byte{0x01, 0x02, 0x04, 0x20, 0x80}
		}
		for _, mask := range masks {
			flipped := []byte{whole[at] ^ mask}
			if _, err := f.WriteAt(flipped, int64(at)); err != nil {
				t.Fatal(err)
			}
			if r := check(t, dir, nil); r.OK {
				t.Errorf("%s: byte %d, %q to %q: not noticed by verify", name, at, whole[at], flipped)
			}
			if l, err := audit.Open(dir, nil); moothall.ErrorCode(err) != moothall.CodeTampered {
				t.Errorf("%s: byte %d, %q to %q: Open says %v", name, at, whole[at], flipped, err)
				if err == nil {
					l.Close()
				}
				return // the directory is no longer as it was
			}
			if _, err := f.WriteAt(whole[at:at+1], int64(at)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Damage after the last head is noticed by verify as well, though Open may
// take it for a torn write.
func TestFlipUnsignedTail(t *testing.T) {
	t.Parallel()
	dir, tail := unsigned(t, 1, 4, 1, 3)
	mustBeOK(t, dir)
	whole := get(t, dir, "log")
	for at := int(tail); at < len(whole); at++ {
		changed := bytes.Clone(whole)
		changed[at] ^= 1 << (at % 8)
		put(t, dir, "log", changed)
		if r := check(t, dir, nil); r.OK {
			t.Errorf("byte %d of %d: not noticed", at, len(whole))
		}
	}
}

// records splits a log into lines with their newlines.
func records(log []byte) [][]byte {
	lines := bytes.SplitAfter(log, []byte("\n"))
	return lines[:len(lines)-1]
}

func TestDeleteSwapDuplicateTruncate(t *testing.T) {
	t.Parallel()
	signedDir := build(t, 200)
	tailDir, _ := unsigned(t, 1, 3, 1)
	for _, c := range []struct {
		name, dir string
		truncate  bool // also cut at record ends: seen only where signed
	}{{"signed", signedDir, true}, {"tail", tailDir, false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole := records(get(t, c.dir, "log"))
			join := func(parts ...[][]byte) []byte {
				var out []byte
				for _, p := range parts {
					out = append(out, bytes.Join(p, nil)...)
				}
				return out
			}
			try := func(what string, i int, log []byte) {
				put(t, c.dir, "log", log)
				if r := check(t, c.dir, nil); r.OK {
					t.Errorf("%s %d: not noticed by verify", what, i)
				}
				wantRefused(t, c.dir, moothall.CodeTampered)
			}
			for i := range whole {
				last := i == len(whole)-1
				if !last || c.truncate {
					try("delete", i, join(whole[:i], whole[i+1:]))
				}
				try("duplicate", i, join(whole[:i+1], whole[i:]))
				if !last {
					try("swap", i, join(whole[:i], whole[i+1:i+2], whole[i:i+1], whole[i+2:]))
				}
				if c.truncate {
					try("truncate", i, join(whole[:i]))
					half := join(whole[:i+1])
					try("truncate within", i, half[:len(half)-len(whole[i])/2])
				}
			}
			if !c.truncate {
				try("move last to tail begin", 0, join(whole[:6], whole[len(whole)-1:], whole[6:len(whole)-1]))
			}
		})
	}
}

// Records made up with a right checksum are noticed by order, batch, form or
// head.
func TestForgedRecords(t *testing.T) {
	t.Parallel()
	dir, _ := unsigned(t, 1)
	whole := get(t, dir, "log")
	next := len(records(whole))
	when := `{"time":"2026-01-01T00:00:00Z","by":"hall",`
	for name, line := range map[string][]byte{
		"batch of the future": audit.AppendLine(nil, uint64(next), uint64(next+1), []byte(when+`"action":"a","status":"ok"}`)),
		"batch of the past":   audit.AppendLine(nil, uint64(next), 2, []byte(when+`"action":"a","status":"ok"}`)),
		"gap":                 audit.AppendLine(nil, uint64(next+1), uint64(next), []byte(when+`"action":"a","status":"ok"}`)),
		"order of members":    audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"status":"ok","action":"a"}`)),
		"space":               audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"action": "a","status":"ok"}`)),
		"empty member":        audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"action":"a","tool":"","status":"ok"}`)),
		"unknown member":      audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"action":"a","status":"ok","x":"y"}`)),
		"escaped slash":       audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"action":"a\/b","status":"ok"}`)),
		"escaped letter":      audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"action":"\u0061","status":"ok"}`)),
		"bad UTF-8":           audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+"\"action\":\"a\xff\",\"status\":\"ok\"}")),
		"no status":           audit.AppendLine(nil, uint64(next), uint64(next), []byte(when+`"action":"a"}`)),
		"time with zone":      audit.AppendLine(nil, uint64(next), uint64(next), []byte(strings.Replace(when, "Z", "+00:00", 1)+`"action":"a","status":"ok"}`)),
		"time with zeros":     audit.AppendLine(nil, uint64(next), uint64(next), []byte(strings.Replace(when, "00Z", "00.10Z", 1)+`"action":"a","status":"ok"}`)),
		"not JSON":            audit.AppendLine(nil, uint64(next), uint64(next), []byte("hello")),
	} {
		put(t, dir, "log", append(bytes.Clone(whole), line...))
		if r := check(t, dir, nil); r.OK {
			t.Errorf("%s: not noticed by verify", name)
		}
		wantRefused(t, dir, moothall.CodeTampered)
	}
}

func TestMissingAndForeignFiles(t *testing.T) {
	t.Parallel()
	dir, other := build(t, 50), build(t, 50)
	for _, name := range []string{"log", "heads", "key", "key.pub", "hash.key"} {
		for _, how := range []string{"missing", "empty", "foreign"} {
			own := filepath.Join(t.TempDir(), "audit")
			copyDir(t, dir, own)
			switch how {
			case "missing":
				if err := os.Remove(filepath.Join(own, name)); err != nil {
					t.Fatal(err)
				}
			case "empty":
				put(t, own, name, nil)
			case "foreign":
				put(t, own, name, get(t, other, name))
			}
			wantRefused(t, own, moothall.CodeTampered)
			r, err := verify.Dir(t.Context(), own, nil)
			secret := name == "key" || name == "hash.key" // a copy without them can be checked
			if err == nil && r.OK && !(how == "missing" && secret) {
				t.Errorf("%s %s: not noticed by verify", name, how)
			}
		}
	}
}

// What the log alone cannot show: it was cut at a record's end, with the
// heads that covered more. A head kept elsewhere shows it.
func TestAnchorCatchesRollback(t *testing.T) {
	t.Parallel()
	dir := build(t, 200)
	anchor := []byte(mustBeOK(t, dir).LastHead)

	heads := bytes.SplitAfter(get(t, dir, "heads"), []byte("---\n"))
	put(t, dir, "heads", bytes.Join(heads[:2], nil)) // of sizes 1 and 91
	put(t, dir, "log", bytes.Join(records(get(t, dir, "log"))[:120], nil))
	mustBeOK(t, dir)
	if r := check(t, dir, &verify.Options{Anchor: anchor}); r.OK {
		t.Error("rollback below the anchor not noticed")
	}

	l := openLog(t, dir, nil) // the rolled-back log is even continued past the anchor
	for i := range 200 {
		mustAppend(t, l, call(i))
	}
	l.Close()
	mustBeOK(t, dir)
	if r := check(t, dir, &verify.Options{Anchor: anchor}); r.OK {
		t.Error("a log rewritten past the anchor not noticed")
	}
}

// Two logs of one key and size with different content: each verifies, and an
// anchor of one tells them apart.
func TestAnchorCatchesSplitView(t *testing.T) {
	t.Parallel()
	a := build(t, 100)
	b := filepath.Join(t.TempDir(), "audit")
	copyDir(t, a, b)
	for i, dir := range []string{a, b} {
		l := openLog(t, dir, nil)
		mustAppend(t, l, call(1000+i))
		l.Close()
	}
	anchor := []byte(mustBeOK(t, a).LastHead)
	mustBeOK(t, b)
	if r := check(t, a, &verify.Options{Anchor: anchor}); !r.OK {
		t.Errorf("own anchor: %+v", r.Findings)
	}
	if r := check(t, b, &verify.Options{Anchor: anchor}); r.OK {
		t.Error("split view not noticed")
	}
	if r := check(t, build(t, 100), &verify.Options{Anchor: anchor}); r.OK {
		t.Error("anchor of another log accepted")
	}
}
