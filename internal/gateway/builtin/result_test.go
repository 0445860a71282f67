package builtin

import (
	"strings"
	"testing"
	"unicode/utf8"

	"moothall"
)

// called is a conversation with a wish, calls, and what they gave back in turn.
func called(wish string, pairs ...string) []moothall.Message {
	out := []moothall.Message{{Role: moothall.RoleUser, Content: wish}, {Role: moothall.RoleAssistant}}
	for i := 0; i < len(pairs); i += 2 {
		out[1].ToolCalls = append(out[1].ToolCalls, moothall.ToolCall{Name: "t", Arguments: []byte(pairs[i])})
		out = append(out, moothall.Message{Role: moothall.RoleTool, Content: "[TOOL_RESULT: UNTRUSTED nonce=A score=0.00]\n" + pairs[i+1] + "\n[/TOOL_RESULT nonce=A]"})
	}
	return out
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wish, arguments, result, answer, want string
	}{
		"a field":               {"commit it", `{}`, `{"sha": "a1", "files": 28}`, "It is commit a1.", " It also says: files 28."},
		"all is there":          {"commit it", `{}`, `{"sha": "a1", "files": 1280}`, "Commit a1 has 1,280 files.", ""},
		"a part of a number":    {"commit it", `{}`, `{"files": 8}`, "It has 28 files.", " It also says: files 8."},
		"the person's own":      {"book it for 17:45", `{}`, `{"time": "17:45"}`, "It is booked.", ""},
		"the call's own":        {"book it", `{"time":"17:45","seats":2}`, `{"time": "17:45", "seats": 2}`, "It is booked.", ""},
		"that it went well":     {"book it", `{}`, `{"result": "ok"}`, "It is booked.", ""},
		"cells":                 {"open it", `{}`, "OK slip | room=room 342 | next_date=Friday", "It is open.", " It also says: room room 342, next date Friday."},
		"lines":                 {"open it", `{}`, "OK\nGate: 17024\nRemaining: 106", "It is open, remaining 106.", " It also says: Gate 17024."},
		"one was asked for":     {"which gate is it?", `{}`, `{"gate": "12", "delay": "5 minutes"}`, "It is gate 12.", ""},
		"a wish has its word":   {"order a courier", `{}`, `{"order": "#4643"}`, "It comes.", " It also says: order #4643."},
		"a text":                {"read it", `{}`, "/home/a/x.cfg (UTF-8, 20 bytes):\nport: 80\nhost: a", "It says port: 80.", ""},
		"a sentence":            {"remember it", `{}`, "Remembered: bike lock.", "I will remember it.", ""},
		"a failure":             {"book it", `{}`, "[tool failed]\nreason: full", "That did not work.", ""},
		"too long":              {"book it", `{}`, `{"note": "` + strings.Repeat("x", maxWhole) + `"}`, "It is booked.", ""},
		"a list is none":        {"book it", `{}`, `{"seats": [1, 2], "more": {"a": 1}, "done": true, "none": null}`, "It is booked.", ""},
		"no JSON after all":     {"book it", `{}`, `{"seats": 12, `, "It is booked.", ""},
		"no arguments, no call": {"book it", ``, `{"seats": 12}`, "It is booked.", " It also says: seats 12."},
	} {
		messages := called(c.wish, c.arguments, c.result)
		if got := leftOut(messages, Evidence{Question: c.wish, Answer: c.answer}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	bad := called("book it", `{}`, `{"seats": 12}`)
	bad[2].Content = strings.Replace(bad[2].Content, "0.00", "0.70", 1)
	if got := leftOut(bad, Evidence{Question: "book it"}); got != "" {
		t.Errorf("what holds instructions is read out: %q", got)
	}
}

// TestWhatASumComesTo: a result of the calculator is a sentence by itself.
func TestWhatASumComesTo(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]string{
		"2026-12-25 - 2026-11-18 in weeks and days = 5 weeks 2 days": "That is 5 weeks 2 days.",
		"5 miles in km ≈ 8.04672 km":                                 "That is about 8.04672 km.",
		"division by zero":                                           cameBack + "calculate (expression: x): division by zero",
	} {
		messages := called("work it out", `{"expression":"x"}`, result)
		messages[1].ToolCalls[0].Name = calculates
		if got := quote(messages, ""); got != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	messages := called("do both", `{"a":1}`, "one", `{"a":2}`, "two")
	if got := quote(messages, ""); got != cameBack+"t (a: 1): one\nt (a: 2): two" {
		t.Errorf("%q", got)
	}
	messages[1].ToolCalls[0].ID, messages[1].ToolCalls[1].ID = "x", "y"
	messages[2].CallID, messages[3].CallID = "y", "x"
	if got := quote(messages, ""); got != cameBack+"t (a: 2): one\nt (a: 1): two" {
		t.Errorf("by their names: %q", got)
	}
	if got := quote(called("read x", `{"path":"x"}`, "x says: a"), ""); got != cameBack+"x says: a" {
		t.Errorf("a result that says what it is about: %q", got)
	}
	if got := results(append(messages, moothall.Message{Role: moothall.RoleUser, Content: "and now?"})); len(got) != 0 {
		t.Errorf("old ones: %+v", got)
	}
}

// FuzzLeftOut reads any result.
func FuzzLeftOut(f *testing.F) {
	f.Add("which port?", `{"a":1}`, `{"port": 80, "host": "a"}`, "It is 80.")
	f.Add("x", "", "OK | a=b | c: d", "")
	f.Add("", "{", "{\"a\":\"\xff\"}", "é")
	f.Fuzz(func(t *testing.T, wish, arguments, result, answer string) {
		messages := called(wish, arguments, result)
		got := leftOut(messages, Evidence{Question: wish, Answer: answer}) + quote(messages, "")
		if utf8.ValidString(wish+arguments+result) && !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
		calls := messages[1].ToolCalls
		if repeats(messages, calls); invented(messages, calls) != "" {
			t.Errorf("%s was said", invented(messages, calls))
		}
	})
}

func TestStutters(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]bool{
		"The terminal covers terminal covers terminal covers.": true, "Your dentist's dentist comes on Friday.": true,
		"Your dentist's appointment is on Friday, and the dentist is nice.": false, "The train leaves, and the train comes back.": false,
	} {
		if got := stutters(contentWords(answer)); got != want {
			t.Errorf("%s: %v", answer, got)
		}
	}
}
