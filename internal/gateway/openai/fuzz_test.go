package openai_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway/openai"
	"moothall/internal/gateway/wire/wiretest"
)

// FuzzReply feeds a reply, streamed or whole, and wants a stream of chunks
// that keeps to the contract in any chunking.
func FuzzReply(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, whole bool) {
		kind := "text/event-stream"
		if whole {
			kind = "application/json"
		}
		var outcomes []wiretest.Outcome
		for _, bytewise := range []bool{false, true} {
			client := &http.Client{Transport: wiretest.Transport{Body: body, Type: kind, Bytewise: bytewise}}
			p, err := openai.New(openai.Options{HTTP: client})
			if err != nil {
				t.Fatal(err)
			}
			r := moothall.GenerateRequest{Model: "m", Whole: whole, Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}}}
			o, err := wiretest.Check(p.Generate(t.Context(), r))
			if err != nil {
				t.Fatal(err)
			}
			outcomes = append(outcomes, o)
		}
		if diff := cmp.Diff(outcomes[0], outcomes[1]); diff != "" {
			t.Fatalf("chunking matters: %s", diff)
		}
	})
}
