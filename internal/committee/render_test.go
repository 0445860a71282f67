package committee_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/committee"
)

func ExampleRender() {
	for _, d := range []moothall.Deliberation{
		{
			Persona: "Guardian", Round: 1, Status: "done", Color: "blue",
			Response: "You told me in May that the lease runs until March. If you leave earlier, the deposit of two months is gone, and there is nobody yet who would take the rooms.\nPosition: against\nCaution: the deposit is lost before March",
			Tools:    []moothall.CalledTool{{Tool: "memory_read", Args: json.RawMessage(`{"query":"lease of the flat"}`), Status: moothall.CallOK, Millis: 12}},
			Usage:    moothall.Usage{PromptTokens: 412, OutputTokens: 58},
		},
		{Persona: "Sceptic", Round: 1, Status: "failed", Color: "yellow", Error: "the model server does not answer"},
	} {
		if err := committee.Render(os.Stdout, d, false); err != nil {
			panic(err)
		}
	}
	// Output:
	// Guardian · round 1 · done · 470 tokens
	//   [memory_read "lease of the flat": ok, 12 ms]
	//   You told me in May that the lease runs until March. If you leave earlier,
	//   the deposit of two months is gone, and there is nobody yet who would take
	//   the rooms.
	//   Position: against
	//   Caution: the deposit is lost before March
	// Sceptic · round 1 · failed
	//   not heard: the model server does not answer
}

func TestRenderColor(t *testing.T) {
	t.Parallel()
	for color, want := range map[string]string{"blue": "\x1b[34mAnna\x1b[0m", "#0a0B0c": "\x1b[38;2;10;11;12mAnna\x1b[0m", "odd": "Anna\x1b[0m"} {
		var b strings.Builder
		if err := committee.Render(&b, moothall.Deliberation{Persona: "Anna", Color: color}, true); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %q", color, b.String())
		}
	}
}

// A model's words cannot command the terminal.
func TestRenderIsPlain(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	bad := "\x1b[2J\x07\u202eevil\u2066 \rover\u0085x"
	d := moothall.Deliberation{
		Persona: "Anna" + bad, Response: bad, Error: bad, Status: bad,
		Tools: []moothall.CalledTool{{Tool: moothall.ToolName(bad), Args: json.RawMessage(`{"a":["\u001b[31m"]}`), Status: moothall.CallStatus(bad)}},
	}
	if err := committee.Render(&b, d, false); err != nil {
		t.Fatal(err)
	}
	lack(t, b.String(), "\x1b", "\x07", "\r", "\u202e", "\u2066", "\u0085")
}
