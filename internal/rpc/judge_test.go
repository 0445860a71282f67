package rpc_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"moothall"
	"moothall/internal/rpc"
)

// TestJudgementsAbsent checks that "no grade" and "no reward" do not become a
// number on the way, nor a grade of nothing a missing one.
func TestJudgementsAbsent(t *testing.T) {
	t.Parallel()
	zero, none := 0, 0.0
	want := []moothall.Judgement{
		{Query: "q1"},
		{Query: "q2", Critique: &moothall.Critique{Outcome: moothall.Unknown}, Reward: &moothall.Rewarded{}},
		{Query: "q3", Critique: &moothall.Critique{Score: &zero}, Reward: &moothall.Rewarded{Reward: &none}, Pairing: &moothall.Pairing{}},
	}
	sent, err := rpc.JudgementsTo(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rpc.JudgementsFrom(sent)
	if err != nil {
		t.Fatal(err)
	}
	if d := same(want, got); d != "" {
		t.Errorf("(-sent +received):\n%s", d)
	}
}

// TestJudgementsBroken: what cannot be written is a fault of ours, what
// cannot be read one of the peer's.
func TestJudgementsBroken(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	_, err := rpc.JudgementsTo([]moothall.Judgement{{Reward: &moothall.Rewarded{Reward: &nan}}})
	wantCode(t, err, moothall.CodeInternal)
	for _, b := range []string{"", "{", `{"took_ns":"long"}`, `{"time":"yesterday"}`, "[]"} {
		_, err := rpc.JudgementsFrom(rpc.JudgementsOf([]byte(`{}`), []byte(b)))
		wantCode(t, err, moothall.CodeCorrupt)
	}
}

// TestJudgementsBrokenText: content that is not UTF-8 arrives mended; a name
// in a request that is not is refused.
func TestJudgementsBrokenText(t *testing.T) {
	t.Parallel()
	sent, err := rpc.JudgementsTo([]moothall.Judgement{{Question: "a\xffb", Answer: "\xc3"}})
	if err != nil {
		t.Fatal(err)
	}
	back, err := rpc.JudgementsFrom(sent)
	if err != nil || back[0].Question != "a\uFFFDb" || back[0].Answer != "\uFFFD" {
		t.Errorf("arrived as %+v, %v", back, err)
	}
	h := start(t, rpc.Unix, (&echo{}).offers(), nil)
	front := got[moothall.Front](t)(h.peer(t, moothall.Hall).Front())
	_, err = front.Judgements(t.Context(), moothall.JudgementQuery{Query: "a\xff"})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = front.Judgements(t.Context(), moothall.JudgementQuery{Session: "a\xff"})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = front.Replay(t.Context(), moothall.ReplayRequest{Query: "a\xff"})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = front.Replay(t.Context(), moothall.ReplayRequest{Query: "q", Model: "a\xff"})
	wantCode(t, err, moothall.CodeInvalid)
	_, err = front.Replay(t.Context(), moothall.ReplayRequest{Query: "q", Prompt: "a\xff", Policy: "\xff"})
	wantCode(t, err, "")
}

// FuzzJudgement: whatever a peer sends is refused as corrupt, or is read into
// something that crosses again unchanged.
func FuzzJudgement(f *testing.F) {
	full, err := json.Marshal(value(reflect.TypeFor[moothall.Judgement](), false).Interface())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Add([]byte(`{}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{"query_id":"\ud800","critique":{"score":null},"reward":{"reward":-0.0}}`))
	f.Add([]byte(`{"time":"2024-01-02T03:04:05.6+23:59","took_ns":-1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		crossesAgain(t, b)
	})
}

func crossesAgain(t *testing.T, b []byte) {
	t.Helper()
	once, err := rpc.JudgementsFrom(rpc.JudgementsOf(b))
	if err != nil {
		wantCode(t, err, moothall.CodeCorrupt)
		return
	}
	sent, err := rpc.JudgementsTo(once)
	if err != nil {
		t.Fatalf("read, and cannot be written: %v", err)
	}
	twice, err := rpc.JudgementsFrom(sent)
	if err != nil {
		t.Fatal(err)
	}
	if d := same(once, twice); d != "" {
		t.Errorf("changed on the second way (-first +second):\n%s", d)
	}
}

// FuzzReport is FuzzJudgement for reports, whose tables have a fixed size.
func FuzzReport(f *testing.F) {
	full, err := json.Marshal(value(reflect.TypeFor[moothall.Report](), false).Interface())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Add([]byte(`{"models":[{"grades":[1,2,3,4,5,6]}],"calibration":{"table":[[1]]},"proposals":[]}`))
	f.Add([]byte(`{"models":null,"since":"` + time.Time{}.Format(time.RFC3339) + `"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		once, err := rpc.ReportFrom(b)
		if err != nil {
			wantCode(t, err, moothall.CodeCorrupt)
			return
		}
		sent, err := rpc.ReportTo(once)
		if err != nil {
			t.Fatalf("read, and cannot be written: %v", err)
		}
		twice, err := rpc.ReportFrom(sent)
		if err != nil {
			t.Fatal(err)
		}
		if d := same(once, twice); d != "" {
			t.Errorf("changed on the second way (-first +second):\n%s", d)
		}
	})
}
