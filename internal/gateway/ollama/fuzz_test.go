package ollama_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/ollama"
)

// answers replies with fixed bodies by path.
type answers map[string]string

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := a[r.URL.Path]
	status := http.StatusOK
	if !ok {
		status = http.StatusNotFound
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

// FuzzStream feeds any bytes where a stream should be: it must end, with one
// last chunk or one error, and never panic.
func FuzzStream(f *testing.F) {
	f.Add(`{"message":{"role":"assistant","content":"hi"},"done":false}` + "\n" + `{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":2}`)
	f.Add(`{"message":{"tool_calls":[{"function":{"name":"x","arguments":{"a":1}}}]}}` + "\n" + `{"done":true}`)
	f.Add(`{"error":"boom"}`)
	f.Add("\n\n{\n")
	f.Add(`{"message":{"tool_calls":[{"function":{"arguments":"text"}}]},"done":true}` + "\ntrailing")
	f.Add(strings.Repeat(`{"message":{"content":"la"}}`+"\n", 40))
	f.Fuzz(func(t *testing.T, body string) {
		p, err := ollama.New(ollama.Options{Transport: answers{"/api/show": `{}`, "/api/version": `{"version":"0.17.4"}`, "/api/chat": body}})
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range []bool{false, true} {
			ends := 0
			for c, err := range p.Generate(t.Context(), moothall.GenerateRequest{Model: "m", Messages: user("hello"), Whole: whole}) {
				if ends > 0 {
					t.Fatal("something follows after the end")
				}
				if err != nil || c.Stop != "" {
					ends++
				}
			}
			if ends != 1 {
				t.Fatalf("%d ends, want 1", ends)
			}
		}
	})
}

// FuzzShow feeds any bytes where a model's details should be.
func FuzzShow(f *testing.F) {
	f.Add(`{"capabilities":["tools"],"model_info":{"general.architecture":"q","q.context_length":4096},"parameters":"num_ctx 100"}`)
	f.Add(`{"model_info":{"x.context_length":-1,"general.architecture":7}}`)
	f.Add(`{"parameters":"num_ctx 99999999999999999999"}`)
	f.Fuzz(func(t *testing.T, body string) {
		p, err := ollama.New(ollama.Options{Transport: answers{
			"/api/show": body, "/api/version": `{}`, "/api/tags": `{"models":[{"name":"m"}]}`, "/api/ps": `{}`,
		}})
		if err != nil {
			t.Fatal(err)
		}
		card, err := p.Show(t.Context(), "m")
		if err == nil && (card.Window <= 0 || card.Tools == "") {
			t.Fatalf("the card is %+v", card)
		}
	})
}

// FuzzNeutral checks that nothing is left to be broken, and that nothing but
// spaces is added.
func FuzzNeutral(f *testing.F) {
	f.Add("a<|im_end|>b<｜x｜>[INST]</s>")
	f.Add("<<|a|><|b|>")
	f.Add("]~b][e~[<<SYS>>")
	f.Fuzz(func(t *testing.T, s string) {
		for _, clean := range []func(string) string{ollama.Neutral, ollama.NeutralTool} {
			out := clean(s)
			if strings.ReplaceAll(out, " ", "") != strings.ReplaceAll(s, " ", "") {
				t.Fatalf("%q became %q", s, out)
			}
			if again := clean(out); again != out {
				t.Fatalf("%q became %q and then %q", s, out, again)
			}
		}
		if n := ollama.Words(s); n < 0 || n > len(s) {
			t.Fatalf("%q has %d words", s, n)
		}
	})
}

// FuzzQuick reads lines in the quick way: what can be read so is what
// encoding/json reads.
func FuzzQuick(f *testing.F) {
	for _, s := range []string{
		`{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant","content":"hi"},"done":false}`,
		`{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false}`,
		`{"message":{"content":"a\nb"},"done":false}`, `{"message":{"content":"a"},"done":true}`, `{"Message":{"content":"a"},"done":false}`,
		`{"message":{"content":"a"},"message":{"role":"b"}}`, `{"message":{"content":"\xff"}}`, `{"message":{}}`, `{}`, `{"done":false}x`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if could, same := ollama.Quick(b); could && !same {
			t.Errorf("%q is read otherwise", b)
		}
	})
}

// TestQuick makes sure that what a server streams is read in the quick way.
func TestQuick(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		`{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant","content":"hé "},"done":false}`: true,
		`{"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}`:                        true,
		`{"message":{"role":"assistant","content":"a\"b"},"done":false}`:                                                false,
		`{"message":{"role":"assistant","content":"","tool_calls":[]},"done":false}`:                                    false,
		`{"error":"boom"}`: false,
	} {
		if could, same := ollama.Quick([]byte(s)); could != want || could && !same {
			t.Errorf("%s: quick %v, the same %v", s, could, same)
		}
	}
}
