package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/tool/mcp"
)

const sample = `{
  "mcpServers": {
    "files": {
      "type": "stdio",
      "command": "files-server",
      "args": ["--root", "notes"],
      "env": {"TOKEN": "${secret:files-token}"},
      "read_only": ["list"]
    },
    "desk": {
      "url": "https://desk.example/mcp",
      "headers": {"Authorization": "Bearer ${secret:desk}"},
      "disabled": true
    }
  }
}`

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := mcp.Parse("mcp.json", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []mcp.Server{
		{Name: "desk", URL: "https://desk.example/mcp", Headers: map[string]string{"Authorization": "Bearer ${secret:desk}"}, Disabled: true, Line: 10},
		{Name: "files", Command: "files-server", Args: []string{"--root", "notes"}, Env: map[string]string{"TOKEN": "${secret:files-token}"}, ReadOnly: []string{"list"}, Line: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestParseAfterMark: editors of other systems begin a file with a mark.
func TestParseAfterMark(t *testing.T) {
	t.Parallel()
	got, err := mcp.Parse("mcp.json", []byte("\ufeff"+sample))
	if err != nil || len(got) != 2 || got[0].Line != 10 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	server := func(body string) string { return "{\"mcpServers\": {\n\"s\": {\n" + body + "\n}}}" }
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "mcp.json:1: an object is missing"},
		{"a list", "[]", "mcp.json:1: an object is missing"},
		{"a cut file", "{\"mcpServers\": {\n", "mcp.json:1: the end of an object is missing"},
		{"two values", "{}\n{}", "mcp.json:2: something follows"},
		{"an unknown key", "{\n\"mcpservers\": {}}", `mcp.json:2: "mcpservers" is not a key here; "mcpServers" may be meant`},
		{"an unknown field", server(`"comand": "x"`), `mcp.json:3: "comand" is not a key here; "command" may be meant`},
		{"a far unknown field", server(`"zzzzzzzzzzzz": "x"`), `there are args, command`},
		{"a field twice", server("\"command\": \"x\",\n\"command\": \"y\""), `mcp.json:4: "command" is given twice`},
		{"a server twice", "{\"mcpServers\": {\"a\": {\"command\": \"x\"},\n\"a\": {\"command\": \"x\"}}}", `mcp.json:2: "a" is given twice`},
		{"a number", server(`"command": 1`), "mcp.json:3: a string is missing"},
		{"args as text", server("\"command\": \"x\",\n\"args\": \"y\""), "mcp.json:4: a list of strings is missing"},
		{"truth as text", server(`"command": "x", "disabled": "no"`), "true or false is missing"},
		{"neither", server(`"args": []`), "mcp.json:2: server \"s\" has neither"},
		{"both", server("\"command\": \"x\",\n\"url\": \"https://a.example\""), "mcp.json:4: server \"s\" has both"},
		{"headers of a program", server(`"command": "x", "headers": {"A": "b"}`), "has headers and no url"},
		{"env of an address", server(`"url": "https://a.example", "env": {"A": "b"}`), "has args or env and no command"},
		{"a secret argument", server(`"command": "x", "args": ["${secret:a}"]`), "put it in env"},
		{"another reference", server(`"command": "x", "env": {"A": "${HOME}"}`), "only ${secret:NAME}"},
		{"an open reference", server(`"command": "x", "env": {"A": "${secret:a"}`), "only ${secret:NAME}"},
		{"an env name", server(`"command": "x", "env": {"A=B": "c"}`), "not an environment variable"},
		{"a variable of the loader", server("\"command\": \"x\",\n\"env\": {\"LD_PRELOAD\": \"c\"}"), `mcp.json:4: server "s": LD_PRELOAD`},
		{"plain http", server(`"url": "http://a.example"`), "must be https"},
		{"another scheme", server(`"url": "file:///x"`), "not an http or https address"},
		{"a password", server(`"url": "https://u:p@a.example"`), "put it in headers"},
		{"a line break", server(`"url": "https://a.example", "headers": {"A": "b\r\nc"}`), "not a header that can be set"},
		{"an own header", server(`"url": "https://a.example", "headers": {"Mcp-Session-Id": "1"}`), "not a header that can be set"},
		{"the old transport", server("\"url\": \"https://a.example\",\n\"type\": \"sse\""), "mcp.json:4: server \"s\": type \"sse\""},
		{"the wrong type", server(`"command": "x", "type": "http"`), "does not fit"},
		{"a bad name", `{"mcpServers": {"a b": {"command": "x"}}}`, "not a name for a server"},
		{"a long name", `{"mcpServers": {"` + strings.Repeat("a", 33) + `": {"command": "x"}}}`, "not a name for a server"},
		{"not UTF-8", "{\"mcpServers\xff\": {}}", "not UTF-8"},
	} {
		_, err := mcp.Parse("mcp.json", []byte(test.text))
		if moothall.ErrorCode(err) != moothall.CodeInvalid || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestParseRefusesNamesThatMeet(t *testing.T) {
	t.Parallel()
	for _, names := range [][2]string{{"a", "a_b"}, {"A", "a"}} {
		text := fmt.Sprintf(`{"mcpServers": {%q: {"command": "x"}, %q: {"command": "x"}}}`, names[0], names[1])
		if _, err := mcp.Parse("mcp.json", []byte(text)); moothall.ErrorCode(err) != moothall.CodeConflict {
			t.Errorf("%v: %v", names, err)
		}
	}
	if _, err := mcp.Parse("mcp.json", []byte(`{"mcpServers": {"a": {"command": "x"}, "a-b": {"command": "x"}}}`)); err != nil {
		t.Error(err)
	}
}

func TestServerPrintsWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	s := mcp.Server{Name: "s", Command: "x", Env: map[string]string{"A": "canary"}, Headers: map[string]string{"B": "canary"}}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, s); strings.Contains(text, "canary") {
			t.Errorf("%s prints %s", format, text)
		}
	}
	if strings.Contains(s.LogValue().String(), "canary") {
		t.Error("the log has it")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`{"mcpServers":{"s":{"url":"http://localhost:1/mcp","headers":{"A":"${secret:x}"}}}}`))
	f.Add([]byte(`{"mcpServers":{"s":{"command":"x","env":{"A":"${"}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		servers, err := mcp.Parse("f", data)
		if err != nil {
			if moothall.ErrorCode(err) == moothall.CodeInternal {
				t.Fatalf("%v has no code", err)
			}
			return
		}
		for _, s := range servers {
			if (s.Command == "") == (s.URL == "") || !moothall.ValidToken(s.Name) {
				t.Fatalf("%q came through", s.Name)
			}
		}
	})
}
