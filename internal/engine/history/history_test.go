package history_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine/history"
)

const (
	system    = moothall.RoleSystem
	user      = moothall.RoleUser
	assistant = moothall.RoleAssistant
	tool      = moothall.RoleTool
)

func msg(r moothall.Role, text string) moothall.Message {
	return moothall.Message{Role: r, Content: text}
}

// asks is an assistant's message with calls, given as id and name in turn.
func asks(idAndName ...string) moothall.Message {
	m := moothall.Message{Role: assistant}
	for i := 0; i < len(idAndName); i += 2 {
		m.ToolCalls = append(m.ToolCalls, moothall.ToolCall{
			ID: moothall.CallID(idAndName[i]), Name: moothall.ToolName(idAndName[i+1]), Arguments: json.RawMessage(`{}`),
		})
	}
	return m
}

func result(id, name, text string) moothall.Message {
	return moothall.Message{Role: tool, CallID: moothall.CallID(id), ToolName: moothall.ToolName(name), Content: text}
}

type messages = []moothall.Message

func TestValidate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   messages
		want string // part of the error; empty: valid
	}{
		{"empty", nil, ""},
		{"whole", messages{msg(system, "s"), msg(user, "u"), asks("1", "a", "2", "b"), result("1", "a", "x"), result("2", "b", ""), msg(assistant, "y"), msg(user, "z")}, ""},
		{"assistant first", messages{msg(assistant, "a")}, "message 0: the assistant speaks"},
		{"two users", messages{msg(user, "a"), msg(user, "b")}, "message 1: the user speaks"},
		{"user after results", messages{msg(user, "a"), asks("1", "a"), result("1", "a", "x"), msg(user, "b")}, "message 3: the user speaks"},
		{"system inside", messages{msg(user, "a"), msg(system, "b")}, "system message"},
		{"orphan", messages{msg(user, "a"), result("1", "a", "x")}, "result without a call"},
		{"no result", messages{msg(user, "a"), asks("1", "a"), msg(assistant, "x")}, "has no result"},
		{"no result at the end", messages{msg(user, "a"), asks("1", "a")}, "has no result"},
		{"one of two", messages{msg(user, "a"), asks("1", "a", "2", "a"), result("1", "a", "x")}, "has no result"},
		{"out of order", messages{msg(user, "a"), asks("1", "a", "2", "a"), result("2", "a", "x")}, "out of order"},
		{"other name", messages{msg(user, "a"), asks("1", "a"), result("1", "b", "x")}, "another tool's name"},
		{"result twice", messages{msg(user, "a"), asks("1", "a"), result("1", "a", "x"), result("1", "a", "x")}, "result without a call"},
		{"id twice", messages{msg(user, "a"), asks("1", "a"), result("1", "a", "x"), asks("1", "a")}, "id of its own"},
		{"no id", messages{msg(user, "a"), asks("", "a")}, "id of its own"},
		{"no name", messages{msg(user, "a"), asks("1", "")}, "without a name"},
		{"empty reply", messages{msg(user, "a"), msg(assistant, "")}, "empty reply"},
		{"thinking", messages{{Role: user, Content: "a", Thinking: "b"}}, "thinking"},
		{"odd role", messages{msg("robot", "a")}, "unknown role"},
		{"no object", messages{msg(user, "a"), {Role: assistant, ToolCalls: []moothall.ToolCall{{ID: "1", Name: "a", Arguments: json.RawMessage(`"{}"`)}}}}, "no object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := history.Validate(tt.in)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if err != nil && moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Errorf("code: %s", moothall.ErrorCode(err))
			}
		})
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	lost := func(id, name string) moothall.Message { return result(id, name, history.Interrupted) }
	tests := []struct {
		name     string
		in, want messages
	}{
		{"orphan result", messages{msg(user, "a"), result("9", "x", "o"), msg(assistant, "b")}, messages{msg(user, "a"), msg(assistant, "b")}},
		{"leading result", messages{result("9", "x", "o"), msg(user, "a")}, messages{msg(user, "a")}},
		{"lost result", messages{msg(user, "a"), asks("1", "x"), msg(assistant, "b")}, messages{msg(user, "a"), asks("1", "x"), lost("1", "x"), msg(assistant, "b")}},
		{"lost at the end", messages{msg(user, "a"), asks("1", "x", "2", "y"), result("2", "y", "r")}, messages{msg(user, "a"), asks("1", "x", "2", "y"), lost("1", "x"), result("2", "y", "r")}},
		{"out of order", messages{msg(user, "a"), asks("1", "x", "2", "y"), result("2", "y", "r2"), result("1", "x", "r1")}, messages{msg(user, "a"), asks("1", "x", "2", "y"), result("1", "x", "r1"), result("2", "y", "r2")}},
		{"result twice", messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r"), result("1", "x", "s")}, messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r")}},
		{"no ids", messages{msg(user, "a"), asks("", "x", "", "y"), result("", "y", "ry"), result("", "", "rx")}, messages{msg(user, "a"), asks("repaired_1", "x", "repaired_2", "y"), result("repaired_1", "x", "rx"), result("repaired_2", "y", "ry")}},
		{"id used again", messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r"), asks("1", "x"), result("1", "x", "s")}, messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r"), asks("repaired_1", "x"), result("repaired_1", "x", "s")}},
		{"crash after results", messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r"), msg(user, "b")}, messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r"), msg(assistant, history.Unanswered), msg(user, "b")}},
		{"neighbours", messages{msg(user, "a"), msg(user, "b"), msg(assistant, "c"), msg(assistant, "d")}, messages{msg(user, "a\n\nb"), msg(assistant, "c\n\nd")}},
		{"assistant first", messages{msg(system, "s"), msg(assistant, "hello")}, messages{msg(system, "s"), msg(user, history.Earlier), msg(assistant, "hello")}},
		{"late system", messages{msg(user, "a"), msg(assistant, "b"), msg(system, "c")}, messages{msg(user, "a"), msg(assistant, "b"), msg(user, "c")}},
		{"thinking and emptiness", messages{{Role: user, Content: "a", Thinking: "t"}, msg(assistant, ""), msg(user, ""), msg("robot", "x")}, messages{msg(user, "a")}},
		{"nameless call", messages{msg(user, "a"), asks("1", ""), result("1", "", "r"), msg(assistant, "b")}, messages{msg(user, "a"), msg(assistant, "b")}},
		{"speech then calls", messages{msg(user, "a"), msg(assistant, "hm"), asks("1", "x"), result("1", "x", "r")}, messages{msg(user, "a"), {Role: assistant, Content: "hm", ToolCalls: asks("1", "x").ToolCalls}, result("1", "x", "r")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := dump(t, tt.in)
			got := history.Repair(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if dump(t, tt.in) != before {
				t.Error("the input was changed")
			}
		})
	}
}

func TestRepairArguments(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, `[1]`: `{}`, ``: `{}`, `{`: `{}`, `{bad}`: `{}`, `null`: `{}`, `"x"`: `{}`,
	} {
		m := asks("1", "x")
		m.ToolCalls[0].Arguments = json.RawMessage(in)
		got := history.Repair(messages{msg(user, "a"), m})
		if s := string(got[1].ToolCalls[0].Arguments); s != want {
			t.Errorf("%s became %s, want %s", in, s, want)
		}
	}
}

func TestValidStaysAsItIs(t *testing.T) {
	t.Parallel()
	in := messages{msg(user, "a"), asks("1", "x"), result("1", "x", "r"), msg(assistant, "b")}
	if diff := cmp.Diff(in, history.Repair(in)); diff != "" {
		t.Error(diff)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	open := messages{msg(user, "a")}
	if got := history.Close(open, "w"); len(got) != 2 || !history.Closed(got) || history.Closed(open) {
		t.Errorf("got %v", got)
	}
	if got := history.Close(nil, "w"); got != nil {
		t.Errorf("an empty conversation became %v", got)
	}
}

func dump(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// FuzzRepair reads any messages and holds Repair to its promise.
func FuzzRepair(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x"}]`))
	f.Add([]byte(`[{"role":"assistant","tool_calls":[{"id":"1","name":"a","arguments":[]},{"id":"1","name":"a"}]},{"role":"user","content":"b"}]`))
	f.Add([]byte(`[{"role":"assistant","content":"a"},{"role":"system","content":"b"},{"role":"assistant","content":"c","thinking":"d"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in messages
		if json.Unmarshal(data, &in) != nil {
			return
		}
		out := history.Repair(in)
		if err := history.Validate(out); err != nil {
			t.Fatalf("not valid: %v\n%s", err, dump(t, out))
		}
		if diff := cmp.Diff(out, history.Repair(out)); diff != "" {
			t.Fatalf("repairing twice differs:\n%s", diff)
		}
		small, _ := history.Trim(out, history.Size(out...)/2)
		if err := history.Validate(small); err != nil {
			t.Fatalf("trimmed: %v\n%s", err, dump(t, small))
		}
		short, _ := history.Shrink(out, 1)
		if err := history.Validate(short); err != nil {
			t.Fatalf("shrunk: %v\n%s", err, dump(t, short))
		}
	})
}
