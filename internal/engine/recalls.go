package engine

import (
	"encoding/json"
	"time"

	"moothall"
)

// MemoryRead is the tool whose results are memories.
const MemoryRead moothall.ToolName = "memory_read"

// RecallsOf reads the memories out of a result of memory_read; it is what
// Request.Recalls is made for. A result of another form has none to show.
func RecallsOf(r moothall.ToolResult) []moothall.Recall {
	if r.Name != MemoryRead || len(r.Data) == 0 {
		return nil
	}
	var data struct {
		Results []struct {
			ID      moothall.MemoryID    `json:"id"`
			Kind    moothall.MemoryKind  `json:"kind"`
			Name    string               `json:"name"`
			Text    string               `json:"text"`
			Stage   string               `json:"stage"`
			Score   float64              `json:"score"`
			Trust   moothall.Trust       `json:"trust"`
			Source  string               `json:"source"`
			Created time.Time            `json:"created_at"`
			Since   []moothall.GraphFact `json:"since"`
		} `json:"results"`
	}
	if json.Unmarshal(r.Data, &data) != nil {
		return nil
	}
	var out []moothall.Recall
	for _, m := range data.Results {
		out = append(out, moothall.Recall{
			Stage: m.Stage, Segment: m.Text, Score: m.Score, Since: m.Since,
			Entry: &moothall.MemoryEntry{ID: m.ID, Kind: m.Kind, Name: m.Name, Trust: m.Trust, Source: m.Source, Created: m.Created},
		})
	}
	return out
}
