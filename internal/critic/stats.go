package critic

import (
	"context"
	"sync/atomic"

	"moothall"
)

// Stats are plain figures. All but the first two count from [Open].
type Stats struct {
	Pending int `json:"pending"` // jobs to be done or told
	Waiting int `json:"waiting"` // pairs that wait for the second answer

	Graded   uint64 `json:"graded"`
	Unknown  uint64 `json:"unknown"` // gradings without a grade
	Compared uint64 `json:"compared"`
	Tied     uint64 `json:"tied"`      // of the compared
	Unread   uint64 `json:"unread"`    // comparisons without a winner or a tie
	Retries  uint64 `json:"retries"`   // the model did not answer
	Told     uint64 `json:"published"` // events

	Failed     uint64 `json:"skipped_failed"`      // answers that were none
	NotSampled uint64 `json:"skipped_not_sampled"` // answers outside of the share
	OverBudget uint64 `json:"skipped_over_budget"`
	Alone      uint64 `json:"skipped_alone"` // pairs without a second answer
}

type counters struct {
	graded, unknown, compared, tied, unread, retries, told atomic.Uint64
	failed, notSampled, overBudget, alone                  atomic.Uint64
}

func (n *counters) skip(why string) {
	switch why {
	case whyFailed:
		n.failed.Add(1)
	case whySampled:
		n.notSampled.Add(1)
	case whyBudget:
		n.overBudget.Add(1)
	case whyAlone:
		n.alone.Add(1)
	}
}

func (n *counters) judged(kind, outcome string) {
	switch {
	case kind == kindCritique && outcome == moothall.Graded:
		n.graded.Add(1)
	case kind == kindCritique:
		n.unknown.Add(1)
	case outcome == moothall.Unknown:
		n.unread.Add(1)
	default:
		n.compared.Add(1)
		if outcome == moothall.Tied {
			n.tied.Add(1)
		}
	}
}

// Stats returns figures of the moment.
func (c *Critic) Stats(ctx context.Context) (Stats, error) {
	n := &c.counts
	s := Stats{
		Graded: n.graded.Load(), Unknown: n.unknown.Load(), Compared: n.compared.Load(), Tied: n.tied.Load(), Unread: n.unread.Load(),
		Retries: n.retries.Load(), Told: n.told.Load(),
		Failed: n.failed.Load(), NotSampled: n.notSampled.Load(), OverBudget: n.overBudget.Load(), Alone: n.alone.Load(),
	}
	var err error
	s.Pending, s.Waiting, err = c.jobs.open(ctx)
	return s, err
}
