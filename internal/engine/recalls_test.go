package engine_test

import (
	"testing"

	"moothall"
	"moothall/internal/engine"
)

// TestRecallsOf reads the memories of a result, with what has changed since.
func TestRecallsOf(t *testing.T) {
	t.Parallel()
	const data = `{"results":[{"id":"m","kind":"fact","name":"home","text":"I live in Leeds.","score":0.5,"trust":"person",
		"since":[{"subject":"speaker","relation":"lives_in","object":"York"}]}]}`
	got := engine.RecallsOf(moothall.ToolResult{Name: engine.MemoryRead, Data: []byte(data)})
	if len(got) != 1 || got[0].Entry.ID != "m" || got[0].Segment != "I live in Leeds." || len(got[0].Since) != 1 || got[0].Since[0].Words() != "speaker lives in York" {
		t.Errorf("%+v", got)
	}
	if got := engine.RecallsOf(moothall.ToolResult{Name: "now", Data: []byte(data)}); got != nil {
		t.Errorf("of another tool: %+v", got)
	}
}
