package committee_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"moothall"
	"moothall/internal/committee"
)

// instant is a gateway that answers at once.
type instant struct{ moothall.Gateway }

func (instant) ShowModel(context.Context, moothall.ModelRequest) (moothall.ModelCard, error) {
	return moothall.ModelCard{Provider: "fake", Model: "m", Window: 32000, Tools: "native", Streams: true}, nil
}

func (instant) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		if yield(moothall.Chunk{Text: "I would go, since the sea is near and the rent is low.\nPosition: for\nCaution: none"}, nil) {
			yield(moothall.Chunk{Stop: moothall.StopDone, Usage: moothall.Usage{Calls: 1, PromptTokens: 900, OutputTokens: 40}, Model: "m"}, nil)
		}
	}
}

// BenchmarkDeliberate is what a committee adds to its models: the time of one
// question divided by its runs, the Self's included.
func BenchmarkDeliberate(b *testing.B) {
	for _, parallel := range []int{1, 5} {
		b.Run(fmt.Sprintf("parallel=%d", parallel), func(b *testing.B) {
			d := newDesk(false)
			c := committee.New(committee.Options{Model: instant{}, Broker: d.Broker, Settings: committee.Settings{Parallel: parallel}})
			b.ReportAllocs()
			runs := 0
			for b.Loop() {
				o, err := c.Deliberate(b.Context(), committee.Question{Text: "Should I move to Lisbon?"}, nil)
				if err != nil || o.Err != nil || o.Stop != moothall.StopDone {
					b.Fatal(err, o.Err)
				}
				runs += len(o.Deliberations) + 1
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs), "ns/run")
		})
	}
}
