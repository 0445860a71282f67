package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
)

// movers are two tools.
func movers() []moothall.ToolSpec {
	form := json.RawMessage(`{"type":"object","properties":{"what":{"type":"string"},"to":{"type":"string"}},"required":["what","to"],"additionalProperties":false}`)
	return []moothall.ToolSpec{
		{Name: "mail_move", Description: "Puts a mail into a folder.", Parameters: form},
		{Name: "animalMove", Description: "Brings an animal to another enclosure.", Parameters: form},
	}
}

const moves = `</think>` + "\n" + `<tool_call>{"name": "NAME", "arguments": {"what": "Ada", "to": "island"}}</tool_call><|im_end|>`

// TestNoneFits has a network that nearly said that no tool fits.
func TestNoneFits(t *testing.T) {
	t.Parallel()
	call := ids("<think>For mail." + strings.Replace(moves, "NAME", "mail_move", 1))
	none := letters{}.Encode(nil, "N")[0]
	for _, c := range []struct {
		asked string
		less  float32
		calls int
	}{
		{"move the mail Ada into the folder island", 2, 1}, // the words speak for it
		{"why does the kiln glow so late tonight", 4, 0},
		{"why does the kiln glow so late tonight", 6, 1}, // it was sure
	} {
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: call, Sure: 30, Near: map[int]map[int32]float32{1: {none: c.less}}}
		})
		a := must(t, p, moothall.GenerateRequest{Messages: user(c.asked), Tools: movers()})
		if len(a.calls) != c.calls || (c.calls == 0) != strings.Contains(a.text, "none of my tools fits") {
			t.Errorf("%s (%v less): %+v %q", c.asked, c.less, a.calls, a.text)
		}
	}
}

// TestInvented has a network that makes a number up.
func TestInvented(t *testing.T) {
	t.Parallel()
	said := thought + `<tool_call>{"name": "weather", "arguments": {"city": "Ulm", "days": 3}}</tool_call><|im_end|>`
	for asked, calls := range map[string]int{"Weather in Ulm for 3 days?": 1, "Weather in Ulm, three days": 1, "Weather in Ulm": 0, "Weather in Ulm for 33 days": 0, "Weather in Ulm, half a week": 1} {
		a := must(t, scripted(t, builtin.Options{}, said), moothall.GenerateRequest{Messages: user(asked), Tools: weather()})
		if len(a.calls) != calls || (calls == 0) != strings.Contains(a.text, "which number") {
			t.Errorf("%s: %+v %q", asked, a.calls, a.text)
		}
	}
}

// TestRemoval has a network that adds to a file what is to be taken out of it.
func TestRemoval(t *testing.T) {
	t.Parallel()
	form := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"mode":{"enum":["create","append"]}},"required":["path","content"],"additionalProperties":false}`)
	tools := []moothall.ToolSpec{{Name: "fs_write", Description: "Writes a file.", Parameters: form}}
	said := thought + `<tool_call>{"name": "fs_write", "arguments": {"path": "list.txt", "content": "eggs", "mode": "append"}}</tool_call><|im_end|>`
	for asked, calls := range map[string]int{
		"remove eggs from list.txt": 0, "ok, can you take eggs off the list list.txt": 0, "add eggs to list.txt": 1, "please add 'remove eggs' to list.txt": 1, "don't forget eggs, put them into list.txt": 1,
	} {
		a := must(t, scripted(t, builtin.Options{}, said), moothall.GenerateRequest{Messages: user(asked), Tools: tools})
		if len(a.calls) != calls || (calls == 0) != strings.Contains(a.text, "can't take that out") {
			t.Errorf("%s: %+v %q", asked, a.calls, a.text)
		}
	}
}

// TestRepeats has a network that calls once more what was just called.
func TestRepeats(t *testing.T) {
	t.Parallel()
	said := thought + `<tool_call>{"name": "weather", "arguments": {"city": "Ulm"}}</tool_call><|im_end|>`
	for name, c := range map[string]struct {
		was, result string
		calls       int
	}{
		"the same":   {`{"city":"Ulm"}`, "rain", 0},
		"another":    {`{"city":"Bonn"}`, "rain", 1},
		"it failed":  {`{"city":"Ulm"}`, "[tool failed]\nno answer", 1},
		"it is mute": {`{"city":"Ulm"}`, "", 1},
	} {
		messages := append(user("Weather in Ulm?"),
			moothall.Message{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{Name: "weather", Arguments: json.RawMessage(c.was)}}},
			moothall.Message{Role: moothall.RoleTool, Content: c.result})
		a := must(t, scripted(t, builtin.Options{}, said), moothall.GenerateRequest{Messages: messages, Tools: weather()})
		if len(a.calls) != c.calls || (c.calls == 0) != strings.HasSuffix(a.text, ": rain") {
			t.Errorf("%s: %+v %q", name, a.calls, a.text)
		}
	}
}

// TestClockless has a network that asks the clock of a city where nobody asked for any
// time.
func TestClockless(t *testing.T) {
	t.Parallel()
	clock := []moothall.ToolSpec{{Name: "now", Description: "Says what time it is.", Parameters: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}},"additionalProperties":false}`)}}
	said := thought + `<tool_call>{"name": "now", "arguments": {"zone": "America/New_York"}}</tool_call><|im_end|>`
	for asked, calls := range map[string]int{"what's the age of Sam in months": 0, "what time is it on the American east coast": 1, "and in New York?": 1, "is the shop in Boston open": 1} {
		a := must(t, scripted(t, builtin.Options{}, said), moothall.GenerateRequest{Messages: user(asked), Tools: clock})
		if len(a.calls) != calls || (calls == 0) != strings.Contains(a.text, "none of my tools fits") {
			t.Errorf("%s: %+v %q", asked, a.calls, a.text)
		}
	}
}
