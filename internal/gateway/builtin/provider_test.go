package builtin_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/gateway/builtin"
	"moothall/internal/gateway/builtin/nn"
	"moothall/internal/gateway/builtin/weights"
)

// TestNew says so when there are no weights.
func TestNew(t *testing.T) {
	t.Parallel()
	p, err := builtin.New(builtin.Options{})
	if weights.Here() {
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
		return
	}
	if moothall.ErrorCode(err) != moothall.CodeUnsupported || moothall.ErrorRemedy(err) == "" {
		t.Error(err)
	}
}

func TestCards(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, "Hello.<|im_end|>")
	list, err := p.List(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	card, err := p.Show(t.Context(), builtin.Model)
	if err != nil || card.Provider != p.Name() || card.Parameters != "51M" || card.Window != 4096 || len(card.Notes) == 0 || card.Loaded || !p.Local() {
		t.Errorf("%+v, %v", card, err)
	}
	if _, err := p.Show(t.Context(), "gpt"); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Error(err)
	}
	if _, err := p.Embed(t.Context(), moothall.EmbedRequest{}); moothall.ErrorCode(err) != moothall.CodeUnsupported {
		t.Error(err)
	}
	must(t, p, moothall.GenerateRequest{Messages: user("hello"), Think: "off"})
	if card, _ := p.Show(t.Context(), builtin.Model); !card.Loaded {
		t.Error("it is not loaded after its first use")
	}
}

// TestCardSaysTheSize counts the parameters of the network that ships.
func TestCardSaysTheSize(t *testing.T) {
	t.Parallel()
	model, _, _ := weights.Load()
	m, err := nn.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	c := m.Config()
	wide, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	n := c.Vocab*c.Dim + c.Layers*(2*c.Dim*wide+2*c.Dim*kv+3*c.Dim*c.FFN)
	p, err := builtin.New(builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	card, err := p.Show(t.Context(), builtin.Model)
	if want := fmt.Sprintf("%.0fM", float64(n)/1e6); err != nil || card.Parameters != want {
		t.Errorf("the card says %q, the network has %s; %v", card.Parameters, want, err)
	}
}

// TestIdle loads at first use, gives back when idle and loads again.
func TestIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := scripted(t, builtin.Options{Idle: time.Minute}, "Hello.<|im_end|>")
		loaded := func() bool {
			card, _ := p.Show(t.Context(), builtin.Model)
			return card.Loaded
		}
		r := moothall.GenerateRequest{Messages: user("hello"), Think: "off"}
		for range 2 {
			if loaded() {
				t.Error("loaded before its use")
			}
			must(t, p, r)
			time.Sleep(50 * time.Second)
			must(t, p, r)
			time.Sleep(50 * time.Second)
			if !loaded() {
				t.Error("given back although it was used")
			}
			time.Sleep(11 * time.Second)
			synctest.Wait()
			if loaded() {
				t.Error("kept although idle")
			}
		}
		must(t, p, r) // Close has a timer to stop
	})
}

// TestSampling is greedy by default, repeats itself with a seed, and does not
// without the same one.
func TestSampling(t *testing.T) {
	t.Parallel()
	p := saying(t, builtin.Options{}, func([]int32) builtin.Reply { return builtin.Reply{IDs: ids("Hello."), Sure: 4} })
	warm := 1.0
	say := func(temperature *float64, seed int64) string {
		return must(t, p, moothall.GenerateRequest{Messages: user("hello"), Think: "off", MaxTokens: 12, Temperature: temperature, Seed: &seed}).text
	}
	if a, b := say(nil, 1), say(nil, 2); a != b || a[:6] != "Hello." {
		t.Errorf("greedy: %q, %q", a, b)
	}
	if a, b := say(&warm, 1), say(&warm, 1); a != b {
		t.Errorf("one seed: %q, %q", a, b)
	}
	var all []string
	for seed := range int64(8) {
		all = append(all, say(&warm, seed))
	}
	slices.Sort(all)
	if len(slices.Compact(all)) < 4 {
		t.Errorf("eight seeds: %q", all)
	}
}

// TestSamplingLeavesDecisions thinks and calls the likeliest whatever the
// temperature: chance is for the words of an answer.
func TestSamplingLeavesDecisions(t *testing.T) {
	t.Parallel()
	p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
		return builtin.Reply{IDs: ids(thought + `<tool_call>{"name": "weather", "arguments": {"city": "Ulm"}}</tool_call><|im_end|>`), Sure: 8}
	})
	warm, right := 1.0, 0
	for seed := range int64(16) {
		a := must(t, p, moothall.GenerateRequest{Messages: user("How is it in Ulm?"), Tools: weather(), Temperature: &warm, Seed: &seed, MaxTokens: 200})
		if a.thinking != "It is said." {
			t.Errorf("seed %d thinks %q", seed, a.thinking)
		}
		if len(a.calls) == 1 && string(a.calls[0].Arguments) == `{"city": "Ulm"}` {
			right++
		}
	}
	if right < 12 { // whether it calls at all or speaks is left to chance
		t.Errorf("%d of 16 calls are right", right)
	}
}

// TestSlots lets no more generations run than there are slots.
func TestSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most := 0, 0
		p := builtin.NewScripted(builtin.Options{Parallel: 2}, 4096, letters{}, func([]int32) builtin.Reply {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			running--
			mu.Unlock()
			return builtin.Reply{IDs: ids("Hello.<|im_end|>"), Sure: 30}
		})
		defer p.Close()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user("hello"), Think: "off"}); a.err != nil {
					t.Error(a.err)
				}
			})
		}
		wg.Wait()
		if most != 2 {
			t.Errorf("%d at a time", most)
		}
	})
}
