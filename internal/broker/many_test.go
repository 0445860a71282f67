package broker_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/broker"
)

// TestFiftyAgentsLoseNothing has every call answered, journaled and on
// record, at more than 500 a second where the disk lets it.
func TestFiftyAgentsLoseNothing(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("read", moothall.RiskRead), echo("write", moothall.RiskWrite)}, unlimited, func(o *broker.Options) { o.Queue = 1 << 16 })
	const agents, calls = 50, 40
	began := time.Now()
	var wg sync.WaitGroup
	for i := range agents {
		a := h.spawn(moothall.SpawnRequest{Query: moothall.QueryID(fmt.Sprint(i)), Scope: moothall.Scope{Session: moothall.SessionID(fmt.Sprint(i % 7))}})
		wg.Go(func() {
			for j := range calls {
				name := []moothall.ToolName{"read", "write"}[j%2]
				say := fmt.Sprintf(`{"say":"%d/%d"}`, i, j)
				if res, err := h.try(request(a, name, say)); err != nil || res.Status != moothall.CallOK || !strings.Contains(res.Text, say) {
					t.Errorf("agent %d, call %d: %+v, %v", i, j, res, err)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%.0f calls a second", agents*calls/time.Since(began).Seconds())
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	journal := h.dump("broker_calls")
	if n := strings.Count(journal, "status=ok"); n != agents*calls {
		t.Errorf("%d of %d outcomes are in the journal", n, agents*calls)
	}
	count := map[moothall.AuditStatus]int{}
	for _, r := range h.audit.Records() {
		if r.Entry.Action == moothall.ActionToolCall {
			count[r.Entry.Status]++
		}
	}
	if count[moothall.StatusIntent] != agents*calls || count[moothall.StatusOK] != agents*calls {
		t.Errorf("on record are %v", count)
	}
	if n := len(h.events.subjects()); n != agents+2*agents*calls {
		t.Errorf("%d events", n)
	}
}
