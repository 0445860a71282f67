package mcp_test

import (
	"testing"

	"moothall"
	"moothall/internal/tool/mcp"
)

// BenchmarkCall is one call of a server in this process: what the client and
// the protocol add to the tool's own work.
func BenchmarkCall(b *testing.B) {
	s := newStage()
	s.servers["desk"] = serve(serverWith(echo("note", "Takes a note.")))
	c := open(b, s, mcp.Options{}, program("desk"))
	approveAll(b, c)
	tool := only(b, c)
	run := request(tool, `{"text":"hello"}`)
	b.ReportAllocs()
	for b.Loop() {
		if got, err := tool.Run(b.Context(), run); err != nil || got.Status != moothall.CallOK {
			b.Fatal(got, err)
		}
	}
}

// BenchmarkParse reads a configuration of two servers.
func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mcp.Parse("mcp.json", []byte(sample)); err != nil {
			b.Fatal(err)
		}
	}
}
