package main

import (
	"bytes"
	"os"
	"testing"
)

// What is trained must be what is run: a prompt or a tool that changed makes
// the file stale.
func TestTheFileIsWhatTheHallSays(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := write(&b, "../.."); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../hall.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), kept) {
		t.Error("train/hall.json is not what the hall says today; write it anew with go run ./train/dump >train/hall.json")
	}
}

func TestNothingIsMissing(t *testing.T) {
	t.Parallel()
	h, err := collect("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range h.System {
		if len(text) < 80 {
			t.Errorf("the system prompt %s has %d bytes", name, len(text))
		}
	}
	known := map[string]bool{}
	for _, tool := range h.Tools {
		known[tool.Name] = tool.Description != ""
	}
	for place, names := range h.Offers {
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s offers %s, which there is not", place, name)
			}
		}
	}
}
