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
		{"milk, eggs and bread", "butter", ""}, {"Dentist, Tuesday 3 pm", "dentist", ""}, {"Anna, Berlin, teacher", "Anna", ""}, {"Tom, 0170 1234567", "Tom", ""}, {"eggs", "eggs", ""}, {"eggs, eggs and bread", "eggs", ""}, {"eggs for Ann and bread", "eggs", ""},
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
	write := func(args, result string) []moothall.Message {
		return []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: fsWrite, Arguments: json.RawMessage(args)}}}, {Role: moothall.RoleTool, CallID: "a", Content: result}}
	}
	wrote, failed := write(shop, "Created /w/shop.txt"), write(shop, failure+" no room")
	changed := append(wrote[:2:2], write(`{"path":"shop.txt","mode":"replace-text","old_text":"milk, eggs and bread","new_text":"milk and bread"}`, "Changed /w/shop.txt")...)
	added := append(wrote[:2:2], write(`{"path":"shop.txt","mode":"append","content":"rice and peas"}`, "Changed /w/shop.txt")...)
	twice := write(`{"path":"shop.txt","content":"milk, eggs and bread\nrice, eggs and tofu"}`, "Created /w/shop.txt")
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
		{"remove Anna from people.csv", nil, "Anna and Ben", `{"path":"shop.txt","mode":"replace-text","old_text":"Anna and Ben","new_text":"Ben"}`},
		{"take eggs off the list", twice, "eggs", `{"path":"shop.txt","mode":"replace-text","old_text":"eggs","new_text":""}`},
		{"take milk off the list", changed, "milk", `{"path":"shop.txt","mode":"replace-text","old_text":"milk and bread","new_text":"bread"}`},
		{"take rice off the list", added, "rice", `{"path":"shop.txt","mode":"replace-text","old_text":"rice and peas","new_text":"peas"}`},
		{"delete the butter line", wrote, "milk, eggs and bread", `{"path":"shop.txt","mode":"replace-text","old_text":"butter","new_text":""}`},
		{"delete the peas line", added, "butter", `{"path":"shop.txt","mode":"replace-text","old_text":"rice and peas","new_text":""}`},
		{"delete the peas line", added, "The peas line", `{"path":"shop.txt","mode":"replace-text","old_text":"rice and peas","new_text":""}`},
		{"delete the second line", wrote, "milk, eggs and bread", `{"path":"shop.txt","mode":"replace-text","old_text":"milk, eggs and bread","new_text":""}`},
		{"delete the eggs line", twice, "butter", `{"path":"shop.txt","mode":"replace-text","old_text":"butter","new_text":""}`},
		{"delete the txt line", read, "butter", `{"path":"shop.txt","mode":"replace-text","old_text":"butter","new_text":""}`},
		{"take milk off the list", failed, "milk", `{"path":"shop.txt","mode":"replace-text","old_text":"milk","new_text":""}`},
		{"remove the eggs", nil, "eggs", `{"path":"shop.txt","mode":"replace-text","old_text":"eggs","new_text":""}`},
	} {
		args, _ := json.Marshal(edit{Path: "shop.txt", Mode: "replace-text", OldText: &c.old, NewText: new(string)})
		got := asMeant(moothall.ToolCall{Name: fsWrite, Arguments: args}, c.question, "", moothall.GenerateRequest{Messages: c.messages})
		if string(got.Arguments) != c.want {
			t.Errorf("%s: %s", c.question, got.Arguments)
		}
	}
}

// TestExchanged puts words in the place of those that somebody said, and of no others.
func TestExchanged(t *testing.T) {
	t.Parallel()
	wrote := []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: fsWrite, Arguments: json.RawMessage(`{"path":"n.txt","content":"call the bank\nbuy stamps\nbuy bread"}`)}}}, {Role: moothall.RoleTool, CallID: "a", Content: "Created /w/n.txt"}}
	for _, c := range []struct{ question, old, with, wantOld, wantNew string }{
		{"change bank to dentist", "buy stamps", "dentist", "bank", "dentist"},
		{"please replace the bank with the dentist in it", "buy stamps", "x", "the bank", "the dentist"},
		{`change "buy stamps" to "buy tea"`, "stamps", "tea", "buy stamps", "buy tea"},
		{"swap the stamps for envelopes please", "call the bank", "envelopes", "stamps", "envelopes"},
		{"change bank to dentist", "call the bank", "call the dentist", "call the bank", "call the dentist"}, // the same
		{"change buy to sell", "buy stamps", "sell stamps", "buy stamps", "sell stamps"},                     // it stands there twice
		{"change milk to cream", "buy bread", "cream", "buy bread", "cream"},                                 // it stands nowhere
		{"change it to tea", "buy stamps", "tea", "buy stamps", "tea"},
	} {
		args, _ := json.Marshal(edit{Path: "n.txt", Mode: "replace-text", OldText: &c.old, NewText: &c.with})
		got := asMeant(moothall.ToolCall{Name: fsWrite, Arguments: args}, c.question, "", moothall.GenerateRequest{Messages: wrote})
		want, _ := json.Marshal(edit{Path: "n.txt", Mode: "replace-text", OldText: &c.wantOld, NewText: &c.wantNew})
		if string(got.Arguments) != string(want) {
			t.Errorf("%s: %s, want %s", c.question, got.Arguments, want)
		}
	}
}

// TestAsListed reads a file where it was listed.
func TestAsListed(t *testing.T) {
	t.Parallel()
	listing := func(args, root string) []moothall.Message {
		return []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: fsList, Arguments: json.RawMessage(args)}}},
			{Role: moothall.RoleTool, CallID: "a", Content: root + " has 3 entries:\ninvoices.txt (87 bytes, 2026-11-19)\nnotes.md (202 bytes, 2026-11-19)\nold/\n"}}
	}
	for _, c := range []struct{ args, root, question, path, want string }{
		{`{}`, "/home/ann/.local/share/moothall/workspace", "open the second one", "/home/notes.md", "notes.md"},
		{`{}`, "/home/ann/.local/share/moothall/workspace", "open the second one", "ann/notes.md", "notes.md"},
		{`{"path":"2026/letters"}`, "/w/2026/letters", "open the second one", "2026/notes.md", "2026/letters/notes.md"},
		{`{"path":"2026/letters"}`, "/w/2026/letters", "open the second one", "2026/letters/notes.md", "2026/letters/notes.md"},
		{`{"path":"letters"}`, "/w/letters", "open the second one", "/w/letters/notes.md", "/w/letters/notes.md"},
		{`{}`, "/w", "open the second one", "notes.md", "notes.md"},
		{`{}`, "/w", "open the second one", "/home/other.md", "/home/other.md"},
		{`{}`, "/w", "open /home/notes.md", "/home/notes.md", "/home/notes.md"},
		{`{"path":"/w/2026/letters"}`, "/w/2026/letters", "open the second one", "/x/notes.md", "/w/2026/letters/notes.md"},
		{`{}`, "/w", "open the third one", "old/notes.md", "old/notes.md"},
		{`{}`, "/w", "open notes.md in my documents folder", "Documents/notes.md", "Documents/notes.md"},
	} {
		args, _ := json.Marshal(map[string]string{"path": c.path})
		got := asMeant(moothall.ToolCall{Name: fsRead, Arguments: args}, c.question, "", moothall.GenerateRequest{Messages: append(listing(c.args, c.root), moothall.Message{Role: moothall.RoleUser, Content: c.question})})
		var out struct{ Path string }
		if err := json.Unmarshal(got.Arguments, &out); err != nil || out.Path != c.want {
			t.Errorf("%s in %s: %s, %v", c.path, c.root, got.Arguments, err)
		}
	}
	if got := asListed(json.RawMessage(`{"path":"/x/notes.md"}`), nil); string(got) != `{"path":"/x/notes.md"}` {
		t.Errorf("nothing was listed: %s", got)
	}
}

// TestValues has a value that is changed where the thing's name was meant to go, words
// that do not stand in the file as the network has them, and a row for a table.
func TestValues(t *testing.T) {
	t.Parallel()
	file := func(path, text string) []moothall.Message {
		args, _ := json.Marshal(map[string]string{"path": path, "content": text})
		return []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: fsWrite, Arguments: args}}}, {Role: moothall.RoleTool, CallID: "a", Content: "Created"}}
	}
	budget, wifi, class := file("b.csv", "item,cost\nrent,850\ngym,40\nbus pass,65"), file("w.txt", "sunflower42"), file("c.csv", "name,score\nAmir,72\nBeth,88")
	for _, c := range []struct {
		question string
		messages []moothall.Message
		args     string
		want     string
	}{
		{"change gym to 30 pls", budget, `{"path":"b.csv","mode":"replace-text","old_text":"gym","new_text":"30"}`, `{"path":"b.csv","mode":"replace-text","old_text":"gym,40","new_text":"gym,30"}`},
		{"Change the gym to €32.50, please", budget, `{"path":"b.csv","mode":"replace-text","old_text":"gym,40","new_text":"gym,3250"}`, `{"path":"b.csv","mode":"replace-text","old_text":"gym,40","new_text":"gym,32.50"}`},
		{"change gym to pool", budget, `{"path":"b.csv","mode":"replace-text","old_text":"gym,40","new_text":"pool,40"}`, `{"path":"b.csv","mode":"replace-text","old_text":"gym,40","new_text":"pool,40"}`},
		{"change it to sunflower77", wifi, `{"path":"w.txt","mode":"replace-text","old_text":"password sunflower42","new_text":"sunflower77"}`, `{"path":"w.txt","mode":"replace-text","old_text":"sunflower42","new_text":"sunflower77"}`},
		{"the password is sunflower77 now", wifi, `{"path":"w.txt","mode":"replace-text","old_text":"password sunflower42","new_text":"password sunflower77"}`, `{"path":"w.txt","mode":"replace-text","old_text":"sunflower42","new_text":"sunflower77"}`},
		{"change it to sunflower77", wifi, `{"path":"w.txt","mode":"replace-text","old_text":"energy","new_text":"sunflower77"}`, `{"path":"w.txt","mode":"replace-text","old_text":"energy","new_text":"sunflower77"}`},
		{"change milk to 2 pints", file("m.txt", "milk 1 litre"), `{"path":"m.txt","mode":"replace-text","old_text":"milk","new_text":"2 pints"}`, `{"path":"m.txt","mode":"replace-text","old_text":"milk","new_text":"2 pints"}`},
		{"change gas to 30", file("g.txt", "gasket 12"), `{"path":"g.txt","mode":"replace-text","old_text":"gas","new_text":"30"}`, `{"path":"g.txt","mode":"replace-text","old_text":"gas","new_text":"30"}`},
		{"change paper to 3", file("p.txt", "A4 paper"), `{"path":"p.txt","mode":"replace-text","old_text":"paper","new_text":"3"}`, `{"path":"p.txt","mode":"replace-text","old_text":"paper","new_text":"3"}`},
		{"make that the dentist", file("t.txt", "email the plumber"), `{"path":"t.txt","mode":"replace-text","old_text":"call the plumber","new_text":"call the dentist"}`, `{"path":"t.txt","mode":"replace-text","old_text":"call the plumber","new_text":"call the dentist"}`},
		{"that can go", file("b.txt", "bags\nsoap"), `{"path":"b.txt","mode":"replace-text","old_text":"tea bags","new_text":""}`, `{"path":"b.txt","mode":"replace-text","old_text":"tea bags","new_text":""}`},
		{"add Mary-Jane with 84", class, `{"path":"c.csv","mode":"append","content":"Mary-Jane with 84"}`, `{"path":"c.csv","mode":"append","content":"Mary-Jane,84"}`},
		{"add Farah with 84", class, `{"path":"c.csv","mode":"append","content":"Farah with 84"}`, `{"path":"c.csv","mode":"append","content":"Farah,84"}`},
		{"add Farah,84", class, `{"path":"c.csv","mode":"append","content":"Farah,84"}`, `{"path":"c.csv","mode":"append","content":"Farah,84"}`},
		{"add eggs with bacon", file("menu.txt", "soup,4\nfish,9"), `{"path":"menu.txt","mode":"append","content":"eggs with bacon"}`, `{"path":"menu.txt","mode":"append","content":"eggs with bacon"}`},
	} {
		call := moothall.ToolCall{ID: "b", Name: fsWrite, Arguments: json.RawMessage(c.args)}
		got := asMeant(call, c.question, "", moothall.GenerateRequest{Messages: c.messages})
		var a, b edit
		if json.Unmarshal(got.Arguments, &a) != nil || json.Unmarshal([]byte(c.want), &b) != nil {
			t.Fatal(string(got.Arguments))
		}
		if string(encoded(a, nil)) != string(encoded(b, nil)) {
			t.Errorf("%s: %s", c.question, got.Arguments)
		}
	}
}
