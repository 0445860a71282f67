package tape_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/engine/tape"
)

func zip(t testing.TB, plain string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(plain)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnmarshalRefuses(t *testing.T) {
	t.Parallel()
	for plain, want := range map[string]moothall.Code{
		`{"version":2}`: moothall.CodeUnsupported, `{}`: moothall.CodeUnsupported, `[`: moothall.CodeCorrupt, `{"version":1,"model":7}`: moothall.CodeCorrupt,
		`{"version":1,"model":[{"pieces":[{"text":"ab","sizes":[3]}]}]}`:            moothall.CodeCorrupt,
		`{"version":1,"model":[{"pieces":[{"text":"ab","sizes":[-1,3]}]}]}`:         moothall.CodeCorrupt,
		`{"version":1,"model":[{"pieces":[{"text":"ab"}]}]}`:                        moothall.CodeCorrupt,
		`{"version":1,"model":[{"pieces":[{"text":"ab","sizes":[2],"chunk":{}}]}]}`: moothall.CodeCorrupt,
		`{"version":1,"model":[{}],"clock":{"reads":[]}}`:                           moothall.CodeCorrupt,
	} {
		if _, err := tape.Unmarshal(zip(t, plain)); moothall.ErrorCode(err) != want {
			t.Errorf("%.60s: %v, want %s", plain, err, want)
		}
	}
	bomb := bytes.Repeat(zip(t, strings.Repeat(" ", 1<<20)), 65)
	if _, err := tape.Unmarshal(bomb); moothall.ErrorCode(err) != moothall.CodeTooLarge {
		t.Errorf("%d bytes that become many: %v", len(bomb), err)
	}
	for _, b := range [][]byte{nil, []byte("no tape"), zip(t, `{"version":1}`)[:12]} {
		if _, err := tape.Unmarshal(b); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Errorf("%q: %v", b, err)
		}
	}
}

// TestBytesThatAreNoText cannot be kept, which is said.
func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	for text, whole := range map[string]bool{"plain": true, "\xff": false, `a word: \ufffd`: true, "a character: \ufffd": true, `\\` + "\xff": false} {
		_, rec := record(t, t.Context(), engine.Request{Model: script(says(text)), Input: user("q")})
		if rec.Whole() != whole {
			t.Errorf("%q: whole is %v, lacks %q", text, rec.Whole(), rec.Cut)
		}
	}
}

func TestTheTripChangesNothing(t *testing.T) {
	t.Parallel()
	for name, s := range scenarios() {
		_, once := s.run(t, true)
		if d := cmp.Diff(once, trip(t, once)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, plain := range []string{
		`{"version":1,"given":{"run_id":"r","input":[{"role":"user","content":"q"}]},"model":[{"prompt":{"settings":"x"},"pieces":[{"text":"ab","sizes":[1,1]},{"chunk":{"stop":"done"}}]}],"result":{"answer":"ab"}}`,
		`{"version":1,"given":{"run_id":"r","broker":true,"tools":[{"name":"t","bytes":"{}"}],"input":[{"role":"user","content":"q"}],"limits":{"Rounds":3}},"model":[{"pieces":[{"chunk":{"calls":[{"name":"t","args":"{"}],"stop":"done"}}]}],"tools":[{"id":"i","name":"t","args":"{}","left":true}],"clock":{"began":"2026-01-01T00:00:00Z","reads":[0,1]},"end":{"look":3},"result":{}}`,
		`{"version":1}`, ``,
	} {
		f.Add([]byte(plain))
	}
	f.Fuzz(func(t *testing.T, plain []byte) {
		rec, err := tape.Unmarshal(zip(t, string(plain)))
		if err != nil {
			return
		}
		rec.Given.Limits.Rounds = min(rec.Given.Limits.Rounds, 20) // the engine does what it is told
		rec.Given.Limits.Retries = min(rec.Given.Limits.Retries, 5)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, _, err := tape.Play(ctx, rec, tape.Changes{}); err != nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("playing does not end")
		}
		if _, err := rec.Marshal(); err != nil {
			t.Fatal(fmt.Errorf("a tape that was read cannot be written: %w", err))
		}
	})
}
