package broker_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/broker"
)

// TestWhatWasSentCountsWhateverTheEnd: bytes that have left the machine are in
// the result of a call that failed, too.
func TestWhatWasSentCountsWhateverTheEnd(t *testing.T) {
	t.Parallel()
	sent := []moothall.Egress{{Host: "a.example", Bytes: 7}, {Host: "b.example", Bytes: 9}}
	synctest.Test(t, func(t *testing.T) {
		ends := map[moothall.ToolName]struct {
			do     do
			status moothall.CallStatus
			sent   []moothall.Egress
		}{
			"works": {func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
				return moothall.ToolResult{Status: moothall.CallOK, Text: "x", Sent: sent}, nil
			}, moothall.CallOK, sent},
			"fails": {func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
				return moothall.ToolResult{Status: moothall.CallFailed, Text: "x", Sent: sent}, nil
			}, moothall.CallFailed, sent},
			"errs": {func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
				return moothall.ToolResult{Text: "half a page", Labels: moothall.Private, Sent: sent}, errors.New("broken off")
			}, moothall.CallFailed, sent},
			"late": {func(ctx context.Context, _ moothall.ToolRun) (moothall.ToolResult, error) {
				<-ctx.Done()
				return moothall.ToolResult{Text: "half a page", Sent: sent}, ctx.Err()
			}, moothall.CallUnavailable, sent},
			"late_word": {func(ctx context.Context, _ moothall.ToolRun) (moothall.ToolResult, error) {
				<-ctx.Done()
				return moothall.ToolResult{Status: moothall.CallUnavailable, Text: "x", Sent: sent}, nil
			}, moothall.CallUnavailable, sent},
			"panics": {func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) { panic("oh") }, moothall.CallFailed, nil},
		}
		var tools []moothall.Tool
		for name, e := range ends {
			tools = append(tools, tool(moothall.ToolSpec{Name: name, Risk: moothall.RiskRead, Timeout: 5 * time.Second}, e.do))
		}
		h := open(t, tools, func(o *broker.Options) { o.Grace = time.Second })
		defer h.shut()
		a := h.spawn(moothall.SpawnRequest{})
		for name, want := range ends {
			res := h.call(request(a, name, `{}`))
			if res.Status != want.status || !slices.Equal(res.Sent, want.sent) {
				t.Errorf("%s: %s, sent %v, want %s, %v", name, res.Status, res.Sent, want.status, want.sent)
			}
			if name == "errs" && res.Labels.Has(moothall.Private) {
				t.Errorf("%s: more than what was sent is kept of a result with an error: %+v", name, res)
			}
		}
	})
}
