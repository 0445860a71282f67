package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

// TestWithoutItem takes one thing out of a list.
func TestWithoutItem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ list, item, want string }{
		{"milk, eggs and bread", "eggs", "milk and bread"}, {"milk, eggs and bread", "milk", "eggs and bread"}, {"milk, eggs and bread", "bread", "milk and eggs"},
		{"milk, eggs, bread", "Eggs", "milk, bread"}, {"milk, eggs, bread", "bread", "milk, eggs"}, {"milk, eggs, and bread", "eggs", "milk, and bread"},
		{"milk and eggs", "milk", "eggs"}, {"milk and eggs", "eggs", "milk"}, {"a, b, c and d", "d", "a, b and c"}, {"a, b, c and d", "a", "b, c and d"},
		{"milk, eggs and bread", "butter", ""}, {"eggs", "eggs", ""}, {"eggs, eggs and bread", "eggs", ""}, {"eggs for Ann and bread", "eggs", ""},
	} {
		if got := withoutItem(c.list, c.item); got != c.want {
			t.Errorf("%s without %s: %q, want %q", c.list, c.item, got, c.want)
		}
	}
}

// TestOneOf takes out what is meant, and leaves other changes as they are.
func TestOneOf(t *testing.T) {
	t.Parallel()
	const shop = `{"path":"shop.txt","content":"milk, eggs and bread\nbutter"}`
	wrote := []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: fsWrite, Arguments: json.RawMessage(shop)}}}}
	read := []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: fsRead, Arguments: json.RawMessage(`{"path":"shop.txt"}`)}}},
		{Role: moothall.RoleTool, CallID: "a", Content: "/w/shop.txt (UTF-8, 9 bytes, 2 lines):\nmilk, eggs\nbutter"}}
	for _, c := range []struct {
		question string
		messages []moothall.Message
		old      string
		want     string
	}{
		{"remove the eggs", nil, "milk, eggs and bread", `{"path":"shop.txt","mode":"replace-text","old_text":"milk, eggs and bread","new_text":"milk and bread"}`},
		{"please take eggs off the list", wrote, "eggs", `{"path":"shop.txt","mode":"replace-text","old_text":"milk, eggs and bread","new_text":"milk and bread"}`},
		{"now delete eggs from it.", read, "eggs", `{"path":"shop.txt","mode":"replace-text","old_text":"milk, eggs","new_text":"milk"}`},
		{"remove butter", wrote, "butter", `{"path":"shop.txt","mode":"replace-text","old_text":"butter","new_text":""}`},
		{"remove the line with eggs", wrote, "milk, eggs and bread", `{"path":"shop.txt","mode":"replace-text","old_text":"milk, eggs and bread","new_text":""}`},
		{"remove the eggs", nil, "eggs", `{"path":"shop.txt","mode":"replace-text","old_text":"eggs","new_text":""}`},
	} {
		args, _ := json.Marshal(edit{Path: "shop.txt", Mode: "replace-text", OldText: &c.old, NewText: new(string)})
		got := asMeant(moothall.ToolCall{Name: fsWrite, Arguments: args}, c.question, "", moothall.GenerateRequest{Messages: c.messages})
		if string(got.Arguments) != c.want {
			t.Errorf("%s: %s", c.question, got.Arguments)
		}
	}
}
