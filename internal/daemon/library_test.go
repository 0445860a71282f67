package daemon_test

import (
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/daemon"
)

// TestLibraryInTheMemory: the setting decides whether a search shows texts of
// the program's own; auto leaves it to the card of the model that answers.
func TestLibraryInTheMemory(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"on", "off", "auto"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			at, conf := home(t.TempDir()), config()
			conf.Memory.Library = mode
			serve(t, at, conf)
			client, err := daemon.Connect(t.Context(), at, conf, "test", nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { client.Close() })
			card, err := client.Gateway().ShowModel(t.Context(), moothall.ModelRequest{})
			if err != nil {
				t.Fatal(err)
			}
			mine, err := client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "libraries", Corpus: "The library opens at nine."}})
			if err != nil {
				t.Fatal(err)
			}
			want := mode == "on" || mode == "auto" && card.Recall
			var found []moothall.MemoryEntry
			// A card that does not come in a moment counts as none, and is asked for again.
			shown := settles(func() bool {
				found = nil
				for r, err := range client.Memory().Recall(t.Context(), moothall.MemoryQuery{Text: "What is Moothall's library?"}) {
					if err != nil {
						t.Fatal(err)
					}
					found = append(found, *r.Entry)
				}
				if len(found) == 0 || found[0].ID != mine.ID {
					t.Fatalf("the person's own memory is not first: %+v", found)
				}
				return slices.ContainsFunc(found, func(e moothall.MemoryEntry) bool { return e.Source == "library" && e.Kind == moothall.Document })
			}, func(shown bool) bool { return shown == want })
			if shown != want {
				t.Errorf("the library is shown: %v, want %v: %+v", shown, want, found)
			}
		})
	}
}

// TestVerySmallModelIsNotAskedToRemember: what a very small model is never
// asked for leaves no call on the record that failed.
func TestVerySmallModelIsNotAskedToRemember(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), config()
	c.Memory.Model, c.Models.Builtin = true, "network"
	hall := serve(t, h, c)
	client := join(t, h)
	if card, err := client.Gateway().ShowModel(t.Context(), moothall.ModelRequest{}); err != nil || !card.Recall {
		t.Fatalf("this is no very small model: %+v, %v", card, err)
	}
	told := asks(t, client, moothall.QueryRequest{Query: "What is the capital of France?"})
	if _, err := client.Memory().Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Corpus: "The ferry leaves at nine."}}); err != nil {
		t.Fatal(err)
	}
	becomes(t, "the memory of the turn", func() bool { return engram(t, client, told.Query, chat.RespondentA) != nil })
	client.Close()
	stopped(t, hall)
	for _, e := range entries(t, h, moothall.ActionModelCall) {
		if strings.HasSuffix(e, " memory") {
			t.Errorf("on the record: %s", e)
		}
	}
}
