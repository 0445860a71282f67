package builtin

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
)

func TestHeard(t *testing.T) {
	t.Parallel()
	write := &moothall.ToolSpec{
		Name: "fs_write", Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathWrite}},
		Parameters: json.RawMessage(`{"properties":{"path":{"type":"string"},"url":{"type":"string"},"content":{"type":"string"},"title":{"type":"string"},"files":{"type":"array"}}}`),
	}
	said := everything([]moothall.Message{
		{Role: moothall.RoleUser, Content: "Put milk on Errands.txt in Lists, and read https://a.example/p/1"},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{Name: "fs_list", Arguments: json.RawMessage(`{"path":"drafts"}`)}}},
		{Role: moothall.RoleTool, Content: "drafts has 1 entry:\nplan.md (1 kB)"},
	})
	for arguments, want := range map[string]string{
		`{"path":"errands.txt","content":"anything at all"}`: `{"path":"errands.txt","content":"anything at all"}`,
		`{"path":" errands.txt"}`:                            `{"path":"errands.txt"}`,
		`{"title":" A  b "}`:                                 `{"title":"A  b"}`,
		`{"files":["errands.txt","plan.md"]}`:                `{"files":["errands.txt","plan.md"]}`,
		`{"files":["errands.txt","pan.md"]}`:                 "",
		`{"content":" kept "}`:                               `{"content":" kept "}`,
		`{"title":" "}`:                                      `{"title":" "}`,
		`{"path":"lists/errands.txt"}`:                       `{"path":"lists/errands.txt"}`,
		`{"path":"./drafts/plan.md"}`:                        `{"path":"./drafts/plan.md"}`,
		`{"url":"https://a.example/p/1"}`:                    `{"url":"https://a.example/p/1"}`,
		`{}`:                                                 `{}`,
		`{"path":"hubcrook.txt"}`:                            "",
		`{"path":"lists/errand5.txt"}`:                       "",
		`{"url":"https://b.example/p/1"}`:                    "",
	} {
		got, ok := heard(write, json.RawMessage(arguments), said, "Put milk on both a.txt and b.txt")
		if ok != (want != "") || string(got) != want {
			t.Errorf("%s: %s, %v, want %q", arguments, got, ok, want)
		}
	}
}

// TestNewName: a name that nobody said may be created and do nothing else, and
// only where the person wants something new and names no file.
func TestNewName(t *testing.T) {
	t.Parallel()
	write := &moothall.ToolSpec{Name: "fs_write", Parameters: json.RawMessage(`{"properties":{"path":{"type":"string"},"mode":{"enum":["overwrite","append","create"]}}}`)}
	plain := &moothall.ToolSpec{Name: "save_file", Parameters: json.RawMessage(`{"properties":{"path":{"type":"string"}}}`)}
	for _, c := range []struct {
		tool      *moothall.ToolSpec
		last      string
		arguments string
		want      string
	}{
		{write, "create a file for my shopping", `{"path":"shopping.txt","mode":"create"}`, `{"mode":"create","path":"shopping.txt"}`},
		{write, "create a file for my shopping", `{"path":"shopping.txt"}`, `{"mode":"create","path":"shopping.txt"}`},
		{write, "Make a new list", `{"path":"list.txt","mode":"overwrite"}`, `{"mode":"create","path":"list.txt"}`},
		{write, "create a file for my shopping", `{"path":"shopping.txt","mode":"append"}`, ""},
		{write, "add milk to my shopping", `{"path":"shopping.txt","mode":"create"}`, ""},
		{write, "create a.txt and b.txt", `{"path":"c.txt","mode":"create"}`, ""},
		{write, "create a.txt", `{"path":"c.txt","mode":"create"}`, `{"mode":"create","path":"a.txt"}`},
		{plain, "save that in a new file", `{"path":"c.txt"}`, ""},
	} {
		got, ok := heard(c.tool, json.RawMessage(c.arguments), strings.ToLower(c.last), c.last)
		if ok != (c.want != "") || string(got) != c.want {
			t.Errorf("%s, %s: %s, %v, want %q", c.last, c.arguments, got, ok, c.want)
		}
	}
}

// TestOnly takes the one name that the person's last words have.
func TestOnly(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"write 'buy milk' into errands.txt":        "errands.txt",
		"Which port does conf/service.yaml name?":  "conf/service.yaml",
		"open ~/notes/to-do.md, please.":           "~/notes/to-do.md",
		"what is in /etc/hosts":                    "/etc/hosts",
		"errands.txt, I mean the file errands.txt": "errands.txt",
		"copy a.txt to b.txt":                      "",
		"write 2.5 litres, e.g. milk, into l1.txt": "l1.txt",
		"list my files":                            "",
		"read https://a.example/x.html":            "", // no file
	} {
		if got, _ := only(words, false); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
	if got, ok := only("look at https://a.example:8080/x.html.", true); !ok || got != "https://a.example:8080/x.html" {
		t.Errorf("an address: %q", got)
	}
}

// TestHeardInFull goes on where the full stop of an abbreviation was taken for an
// end.
func TestHeardInFull(t *testing.T) {
	t.Parallel()
	for last, want := range map[string]string{
		"remember that the spare key is with Mrs. Novak":            `{"text":"the spare key is with Mrs. Novak"}`,
		"remember that the spare key is with Mrs. Novak. Thank you": `{"text":"the spare key is with Mrs. Novak"}`,
		"the spare key is with Mrs":                                 `{"text":"the spare key is with Mrs"}`,
	} {
		if got := inFull(json.RawMessage(`{"text":"the spare key is with Mrs"}`), last); string(got) != want {
			t.Errorf("%s: %s", last, got)
		}
	}
	if got := abbreviated("I like tea", "I like tea. And milk"); got != "I like tea" {
		t.Errorf("%q", got)
	}
}
