package graph_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"moothall"
	"moothall/internal/graph"
)

func TestMove(t *testing.T) {
	t.Parallel()
	from := openEngine(t, filepath.Join(t.TempDir(), "from.db"))
	to := openEngine(t, filepath.Join(t.TempDir(), "to.db"))
	g := graph.New(from, nil)
	for i := range 40 {
		assert(t, g, said(fmt.Sprint("Person ", i%7), "lives in", fmt.Sprint("Town ", i), 1980+i))
	}
	wantCode(t, g.Merge(t.Context(), moothall.GraphMerge{Keep: "Person 1", Merge: "Person 2"}), "")
	var last moothall.Progress
	moved, err := graph.Move(t.Context(), from, to, nil, func(p moothall.Progress) { last = p })
	wantCode(t, err, "")
	if moved.Statements != 40 || moved.Merges != 1 || last.Done != 40 || last.Total != 40 {
		t.Errorf("moved %+v, last progress %+v", moved, last)
	}
	var files [2]bytes.Buffer
	for i, e := range []graph.Engine{from, to} {
		wantCode(t, graph.New(e, nil).Export(t.Context(), &files[i], graph.JSON), "")
	}
	if files[0].String() != files[1].String() {
		t.Error("the graph that arrived is another one")
	}
	again, err := graph.Move(t.Context(), from, to, nil, nil)
	if err != nil || again != moved {
		t.Errorf("again: %+v, %v", again, err)
	}
	assert(t, graph.New(to, nil), said("Stranger", "lives in", "Town 1", 2000))
	_, err = graph.Move(t.Context(), from, to, nil, nil)
	wantCode(t, err, moothall.CodeConflict)
}
