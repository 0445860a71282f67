package pin_test

import (
	"encoding/json"
	"testing"

	"moothall/internal/tool/pin"
)

// BenchmarkHash is what each definition costs at each list.
func BenchmarkHash(b *testing.B) {
	schema := json.RawMessage(`{"properties":{"path":{"description":"A path.","type":"string"}},"type":"object"}`)
	d := pin.Definition{Owner: "mcp:files", Identity: "files-server", Name: "read", Description: "Reads a file.", Schema: schema}
	b.ReportAllocs()
	for b.Loop() {
		if d.Hash() == "" {
			b.Fatal("no hash")
		}
	}
}
