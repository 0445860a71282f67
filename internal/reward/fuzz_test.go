package reward_test

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"moothall"
	"moothall/internal/reward"
)

// seeds are payloads by their place in reward.Subjects.
func seeds() map[int][][]byte {
	return map[int][][]byte{
		0: {feedback("f", 1, moothall.Feedback{Query: "q", Stars: 5}).Payload, feedback("f", 1, moothall.Feedback{Query: "q", Comment: "\x00 good"}).Payload},
		1: {answer("q", "A", "m", 1, time.Second).Payload, []byte(`{"query_id":"q","usage":{"total_ns":-5},"receipt":{"times":{"total_ns":9e18}}}`)},
		2: {critique("q", "A", 1, 3).Payload, []byte(`{"query_id":"q","outcome":"graded","score":5,"time":"9999-12-31T23:59:59Z"}`)},
		3: {pairing("q", "B", 1).Payload, pairing("q", "tie", 1).Payload},
	}
}

// FuzzPayload: whatever a payload holds, it is taken apart or refused as
// invalid, and what is kept of it is bounded and can be read again.
func FuzzPayload(f *testing.F) {
	for which, list := range seeds() {
		for _, p := range list {
			f.Add(uint8(which), int64(1), p)
		}
	}
	f.Add(uint8(1), int64(-1), []byte(`{"query_id":"q"}`))
	f.Fuzz(func(t *testing.T, which uint8, at int64, payload []byte) {
		subjects := reward.Subjects()
		e := moothall.Event{ID: "e", Subject: subjects[int(which)%len(subjects)], Time: time.UnixMicro(at), Payload: payload}
		query, body, err := reward.Read(e)
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Fatalf("%s %q: %v", e.Subject, payload, err)
			}
			return
		}
		if query == "" || !json.Valid(body) {
			t.Fatalf("%s %q becomes %q: %s", e.Subject, payload, query, body)
		}
	})
}

// TestRubbish hands damaged payloads over: each is taken in or refused as
// invalid, and lists and reports go on.
func TestRubbish(t *testing.T) {
	t.Parallel()
	const damage = "{}[]\":,0129-eqA\x00\xff"
	r := rand.New(rand.NewPCG(3, 4))
	k := openKeeper(t, reward.Options{DB: openDB(t, filepath.Join(t.TempDir(), "db")), MaxRows: 50})
	for i := range 400 {
		which := r.IntN(4)
		payload := slices.Clone(seeds()[which][r.IntN(2)])
		for range 1 + r.IntN(3) {
			payload[r.IntN(len(payload))] = damage[r.IntN(len(damage))]
		}
		e := moothall.Event{ID: moothall.EventID(qid(i)), Subject: reward.Subjects()[which], Time: noon.Add(time.Duration(r.IntN(100))), Payload: payload}
		if err := k.Handle(t.Context(), e); err != nil && moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Fatalf("%s %q: %v", e.Subject, payload, err)
		}
		n := report(t, k).Answers
		list := judgements(t, k, moothall.JudgementQuery{})
		if _, err := json.Marshal(list); err != nil || n > 50 || len(list) != n {
			t.Fatalf("%s %q: %d of %d, %v", e.Subject, payload, len(list), n, err)
		}
	}
}

// FuzzSaid: any text is read without a panic, and what is recognised makes
// valid feedback with the person's own words.
func FuzzSaid(f *testing.F) {
	for line := range strings.Lines(saidCases) {
		f.Add(strings.TrimSpace(line[1:]))
	}
	f.Add("'\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := reward.Said(text)
		if !ok {
			return
		}
		got.Query = "q"
		if err := got.Validate(); err != nil || got.Thumbs == 0 || got.Comment != strings.TrimSpace(text) || utf8.RuneCountInString(got.Comment) > 240 {
			t.Fatalf("%q: %+v, %v", text, got, err)
		}
		if _, ok := reward.Said("he said: " + text); ok {
			t.Fatalf("%q is feedback also as a report of it", text)
		}
	})
}
