package daemon_test

import (
	"slices"
	"testing"

	"moothall"
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
			var found []moothall.MemoryEntry
			for r, err := range client.Memory().Recall(t.Context(), moothall.MemoryQuery{Text: "What is Moothall's library?"}) {
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, *r.Entry)
			}
			if len(found) == 0 || found[0].ID != mine.ID {
				t.Fatalf("the person's own memory is not first: %+v", found)
			}
			shown := slices.ContainsFunc(found, func(e moothall.MemoryEntry) bool { return e.Source == "library" && e.Kind == moothall.Document })
			if want := mode == "on" || mode == "auto" && card.Recall; shown != want {
				t.Errorf("the library is shown: %v, want %v: %+v", shown, want, found)
			}
		})
	}
}
