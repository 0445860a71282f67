package daemon_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
)

// TestMemoryKnowsWhatChanged tells where somebody lives, and that they moved; a
// search then says of the one what is so since the other, which comes first.
func TestMemoryKnowsWhatChanged(t *testing.T) {
	t.Parallel()
	at := home(t.TempDir())
	hall := serve(t, at, config())
	client := join(t, at)
	for _, text := range []string{"I live in Leeds.", "I moved from Leeds to York last week."} {
		asks(t, client, moothall.QueryRequest{Query: text})
	}
	var got struct{ Results []moothall.Recall }
	becomes(t, "a memory of which the graph knows more", func() bool {
		_, body := get(t, hall.URL()+"/memories?q=where+do+I+live")
		got.Results = nil
		return json.Unmarshal([]byte(body), &got) == nil && len(got.Results) == 2 && slices.ContainsFunc(got.Results, func(r moothall.Recall) bool { return r.Since != nil })
	})
	if got.Results[0].Since != nil || got.Results[1].Since[0].Words() != "speaker lives in York" || got.Results[1].Since[0].Source != got.Results[0].Entry.ID {
		t.Errorf("%+v", got.Results)
	}
}

// TestMemoryFiltersOverHTTP narrows a search by each filter that there is.
func TestMemoryFiltersOverHTTP(t *testing.T) {
	t.Parallel()
	at := home(t.TempDir())
	hall := serve(t, at, config())
	client, err := daemon.Connect(t.Context(), at, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	mine := client.Memory()
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	for _, e := range []moothall.MemoryEntry{
		{ID: "note", Kind: moothall.Fact, Corpus: "The boat lies in the harbour.", Tags: []string{"sea"}, Source: "person", Created: day(1)},
		{ID: "page", Kind: moothall.Document, Corpus: "A boat of the shop costs little.", Source: "external: https://boats.test/red", Created: day(3)},
	} {
		e.Name = "boat " + string(e.ID)
		if _, err := mine.Write(t.Context(), moothall.WriteRequest{Entry: e}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, value, want string }{
		{"kind", "document", "page"}, {"tag", "sea", "note"}, {"source", "Boats.TEST", "page"}, {"trust", "person", "note"},
		{"since", "2026-03-02", "page"}, {"until", "2026-03-02T00:00:00Z", "note"},
	} {
		q := url.Values{"q": {"boat"}, c.name: {c.value}}
		resp, body := get(t, hall.URL()+"/memories?"+q.Encode())
		var got struct{ Results []moothall.Recall }
		if err := json.Unmarshal([]byte(body), &got); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v: %s", c.name, resp.Status, err, body)
		}
		if len(got.Results) != 1 || string(got.Results[0].Entry.ID) != c.want {
			t.Errorf("%s=%s: %s, want %s alone", c.name, c.value, body, c.want)
		}
	}
	for _, bad := range []string{"since=soon", "trust=nobody", "kind=poem"} {
		if resp, body := get(t, hall.URL()+"/memories?q=boat&"+bad); resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s %s", bad, resp.Status, body)
		}
	}
}
