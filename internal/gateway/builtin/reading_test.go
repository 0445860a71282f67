package builtin_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
)

// TestReading has a network that takes words for arguments which they cannot
// be. It gives way unless it is sure.
func TestReading(t *testing.T) {
	t.Parallel()
	// Names of one length: the network that is played goes on letter by letter.
	tools := []moothall.ToolSpec{
		{Name: "seats", Description: "Seats.", Parameters: json.RawMessage(`{"type":"object","properties":{
			"num":{"type":"integer"},"who":{"type":"string"},"day":{"type":"string"},"row":{"enum":["front","back"]}}}`)},
		{Name: "train", Description: "Train.", Parameters: json.RawMessage(`{"type":"object","properties":{
			"time":{"type":"string"},"town":{"type":"string"},"calm":{"type":"boolean"}}}`)},
	}
	for name, c := range map[string]struct {
		sure             float32
		tool, said, want string
	}{
		"a name for a number":        {1, "seats", "Zoe = num", "Zoe = who|Zoe = row"},
		"a network that is sure":     {20, "seats", "Zoe = num", "Zoe = num"},
		"a number for a number":      {1, "seats", "4 = who", "4 = num"},
		"a number in words":          {1, "seats", "four = num", "four = num"},
		"a day":                      {1, "seats", "2 May = who", "2 May = day"},
		"no day":                     {1, "seats", "Zoe = day", "Zoe = who|Zoe = row"},
		"a day for one of a list":    {1, "seats", "Monday = row", "Monday = day"},
		"a word for one of a list":   {1, "seats", "front = row", "front = row"},
		"the same argument twice":    {20, "seats", "Zoe = who; Ann = who", "Zoe = who; Ann = row"},
		"a time":                     {1, "train", "20:15 = town", "20:15 = time"},
		"a time for yes or no":       {1, "train", "20:15 = calm", "20:15 = time"},
		"no time":                    {1, "train", "Ulm = time", "Ulm = town|Ulm = calm"},
		"a name that does not exist": {1, "train", "Ulm = tour", "Ulm = town"},
	} {
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: ids("<think>They want this -> " + c.tool + " (" + c.said + ")</think>\n<tool_call>"), Sure: c.sure}
		})
		a := must(t, p, moothall.GenerateRequest{Messages: user("book it"), Tools: tools, MaxTokens: 90})
		_, got, _ := strings.Cut(a.thinking, c.tool+" (")
		if !slices.ContainsFunc(strings.Split(c.want, "|"), func(want string) bool { return strings.HasPrefix(got, want) }) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
