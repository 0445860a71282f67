package reward_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"moothall"
	"moothall/internal/reward"
	"moothall/internal/store"
)

func BenchmarkHandle(b *testing.B) {
	for name, next := range map[string]func(i int) moothall.Event{
		"answer":   func(i int) moothall.Event { return answer(qid(i), "A", "m", i, time.Second) },
		"critique": func(i int) moothall.Event { return critique(qid(i), "A", i, 4) },
		"feedback": func(i int) moothall.Event {
			return feedback("f"+qid(i), i, moothall.Feedback{Query: moothall.QueryID(qid(i)), Stars: 4})
		},
	} {
		b.Run(name, func(b *testing.B) {
			k, _ := fresh(b)
			i := 0
			for b.Loop() {
				handle(b, k, next(i))
				i++
			}
		})
	}
}

func BenchmarkReport(b *testing.B) {
	const rows = 100_000
	k := openKeeper(b, reward.Options{DB: filled(b, rows)})
	b.ResetTimer()
	for b.Loop() {
		if r := report(b, k); r.Answers != rows || r.Calibration.Pairs == 0 || r.Calibration.Both == 0 {
			b.Fatalf("%+v", r)
		}
	}
}

func BenchmarkJudgements(b *testing.B) {
	k := openKeeper(b, reward.Options{DB: filled(b, 100_000)})
	b.ResetTimer()
	for b.Loop() {
		if got := judgements(b, k, moothall.JudgementQuery{}); len(got) != 100 {
			b.Fatalf("%d", len(got))
		}
	}
}

func BenchmarkSaid(b *testing.B) {
	for name, text := range map[string]string{
		"praise": "Perfect, thank you so much!", "blame": "No, that's not what I asked for.", "question": "And what is the population of the capital of France today?",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				reward.Said(text)
			}
		})
	}
}

// filled is a store with rows as Handle writes them: two respondents to each
// turn, all compared and graded, a tenth rated. It is written past Handle,
// whose 100,000 flushes would take minutes.
func filled(b *testing.B, rows int) *store.DB {
	b.Helper()
	db := openDB(b, filepath.Join(b.TempDir(), "db"))
	r := rand.New(rand.NewPCG(1, 2))
	body, err := json.Marshal(moothall.Judgement{Query: "q", Respondent: "A", Question: "why?", Answer: fmt.Sprintf("%0800d", 1), Time: noon})
	if err != nil {
		b.Fatal(err)
	}
	err = db.Write(b.Context(), func(tx *store.Tx) error {
		for i := range 2 {
			if _, err := tx.Exec(b.Context(), `INSERT INTO reward_sources VALUES (?, 'chat', 'p', ?, ?)`, i+1, "m"+fmt.Sprint(i), string(rune('A'+i))); err != nil {
				return err
			}
		}
		for i := range rows {
			q, by, person := qid(i-i%2), string(rune('A'+i%2)), 0
			if i%10 == 0 {
				person = 1 + r.IntN(5)
			}
			result := 1 + (i/2+i)%2
			if _, err := tx.Exec(b.Context(), `INSERT INTO reward_rows VALUES (?, ?, 's', ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)`,
				q, by, noon.UnixMicro()+int64(i), 1+i%2, result, 1+r.IntN(5), person, float64(person-3)/2,
				r.Int64N(1e10), r.Int64N(1e9), r.IntN(9000), r.IntN(900)); err != nil {
				return err
			}
			if _, err := tx.Exec(b.Context(), `INSERT INTO reward_facts VALUES (?, ?, 'answer', 1, 'e', ?)`, q, by, string(body)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return db
}
