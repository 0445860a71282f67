package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
)

func house() []moothall.ToolSpec {
	place := json.RawMessage(`{"type":"object","properties":{"room":{"type":"string"}},"required":["room"]}`)
	return []moothall.ToolSpec{
		{Name: "taxicab", Description: "Taxicab.", Parameters: place},
		{Name: "warmers", Description: "Heating.", Parameters: place},
	}
}

// TestWish has a network that would take a neighbour of the tool whose words the
// person said. It gives way unless it is sure.
func TestWish(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sure  float32
		asked []moothall.Message
		want  string
	}{
		"a shared word":          {1, user("it is cold, have the kitchen heated"), "Heating. -> warmers"},
		"a network that is sure": {9, user("it is cold, have the kitchen heated"), "Taxicab. -> taxicab"},
		"no shared word":         {1, user("to the station please"), "Taxicab. -> taxicab"},
		"words that were served": {1, append(user("it is cold, have the kitchen heated"), moothall.Message{Role: moothall.RoleTool, Content: "done"}), "Taxicab. -> taxicab"},
		"words that were found":  {1, user("to the station please\n\nWhat was looked up for this question; it is material:\n- heating: off"), "Taxicab. -> taxicab"},
	} {
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: ids("<think>They want this: Taxicab. -> taxicab</think>\n<tool_call>"), Sure: c.sure}
		})
		a := must(t, p, moothall.GenerateRequest{Messages: c.asked, Tools: house(), MaxTokens: 60})
		if !strings.HasPrefix(a.thinking, "They want this: "+c.want) {
			t.Errorf("%s: %q", name, a.thinking)
		}
	}
}

// TestWishWithoutNumber has a network that would take a tool which needs a number,
// for somebody who said none.
func TestWishWithoutNumber(t *testing.T) {
	t.Parallel()
	tools := house()
	tools[0].Parameters = json.RawMessage(`{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}`)
	again := []moothall.Message{
		{Role: moothall.RoleUser, Content: "a ride for 4"},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "1", Name: "taxicab", Arguments: json.RawMessage(`{"seats":4}`)}}},
		{Role: moothall.RoleTool, Content: "done"},
	}
	for name, c := range map[string]struct {
		asked []moothall.Message
		want  string
	}{
		"no number":                      {user("to the station"), "Heating. -> warmers"},
		"a number":                       {user("to the station, 4 of us"), "Taxicab. -> taxicab"},
		"a number in words":              {user("to the station, four of us"), "Taxicab. -> taxicab"},
		"none, but it was called before": {append(again, user("to the station")...), "Taxicab. -> taxicab"},
	} {
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: ids("<think>They want this: Taxicab. -> taxicab</think>\n<tool_call>"), Sure: 1}
		})
		a := must(t, p, moothall.GenerateRequest{Messages: c.asked, Tools: tools, MaxTokens: 60})
		if !strings.HasPrefix(a.thinking, "They want this: "+c.want) {
			t.Errorf("%s: %q", name, a.thinking)
		}
	}
}

// TestWishQuotes: what a thought repeats from a text is no tool's line, though
// the person's words speak for a tool and the text begins as its neighbour's.
func TestWishQuotes(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"They mean the file; it says: ", "They mean the file; it says: kind: ", "It is about the kitchen; they said: ", "I answered that already; the kind stands above: ", "To work out: "} {
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: ids("<think>" + before + "Taxicab</think>\nTaxicab."), Sure: 1}
		})
		a := must(t, p, moothall.GenerateRequest{Messages: user("what kind of heating has the kitchen? It has Taxicab"), Tools: house(), MaxTokens: 60})
		if want := before + "Taxicab"; a.thinking != want {
			t.Errorf("%q, want %q", a.thinking, want)
		}
	}
}

// TestWishForTwo has a network that would take one tool twice. The earlier words
// of the person's speak for the first and the later ones for the second.
func TestWishForTwo(t *testing.T) {
	t.Parallel()
	const said = `Two things are wanted. First: Taxicab. -> taxicab. Then "the second": Taxicab. -> taxicab`
	for asked, want := range map[string]string{
		"have the kitchen heated and get me a taxicab": `First: Heating. -> warmers. Then "the second": Taxicab. -> taxicab`,
		"get me a taxicab and have the kitchen heated": `First: Taxicab. -> taxicab. Then "the second": Heating. -> warmers`,
	} {
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: ids("<think>" + said + "</think>\n<tool_call>"), Sure: 1}
		})
		a := must(t, p, moothall.GenerateRequest{Messages: user(asked), Tools: house(), MaxTokens: 90})
		if !strings.Contains(a.thinking, want) {
			t.Errorf("%s: %q", asked, a.thinking)
		}
	}
}

// TestMeant has a network that thinks of one tool and calls another.
func TestMeant(t *testing.T) {
	t.Parallel()
	for thought, want := range map[string]string{
		"One does it: Heating. -> warmers":                      "warmers",
		"One does it: Heating. -> warmersX":                     "taxicab",
		"warmers it is":                                         "taxicab",
		"First: Heating. -> warmers. Then: Taxicab. -> taxicab": "taxicab",
	} {
		p := scripted(t, builtin.Options{}, "<think>"+thought+"</think>\n<tool_call>{\"name\": \"taxicab\", \"arguments\": {\"room\": \"hall\"}}</tool_call><|im_end|>")
		a := must(t, p, moothall.GenerateRequest{Messages: user("the hall"), Tools: house()})
		if len(a.calls) != 1 || string(a.calls[0].Name) != want {
			t.Errorf("%s: %+v", thought, a.calls)
		}
	}
}
