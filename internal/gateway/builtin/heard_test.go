package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

func TestHeard(t *testing.T) {
	t.Parallel()
	write := &moothall.ToolSpec{Name: "fs_write", Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathWrite}}}
	said := everything([]moothall.Message{
		{Role: moothall.RoleUser, Content: "Put milk on Errands.txt in Lists, and read https://a.example/p/1"},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{Name: "fs_list", Arguments: json.RawMessage(`{"path":"drafts"}`)}}},
		{Role: moothall.RoleTool, Content: "drafts has 1 entry:\nplan.md (1 kB)"},
	})
	for arguments, want := range map[string]string{
		`{"path":"errands.txt","content":"anything at all"}`: `{"path":"errands.txt","content":"anything at all"}`,
		`{"path":" errands.txt"}`:                            `{"path":"errands.txt"}`,
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
