package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/moottest/ollamatest"
)

// timing is what one stream took.
type timing struct{ first, total time.Duration }

// direct is the least that a program without a gateway does: it writes the
// request, reads the lines and decodes them.
type direct struct {
	client *http.Client
	url    string
}

func (d direct) stream(ctx context.Context) (out timing, err error) {
	start := time.Now()
	body, err := json.Marshal(map[string]any{
		"model": ollamatest.ChatModel, "messages": []map[string]string{{"role": "user", "content": "hello"}}, "options": map[string]int{"num_ctx": 32000},
	})
	if err != nil {
		return out, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+"/api/chat", bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	resp, err := d.client.Do(r)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		var l struct {
			Message struct{ Content, Thinking string }
			Done    bool
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return out, err
		}
		if out.first == 0 {
			out.first = time.Since(start)
		}
	}
	out.total = time.Since(start)
	return out, nil
}

// through is the same with everything that the gateway does: routing, queue,
// card, window check, accounting to a sink.
type through struct{ g moothall.Gateway }

func (g through) stream(ctx context.Context) (out timing, err error) {
	start := time.Now()
	for _, err := range g.g.Generate(ctx, hello()) {
		if err != nil {
			return out, err
		}
		if out.first == 0 {
			out.first = time.Since(start)
		}
	}
	out.total = time.Since(start)
	return out, nil
}

// rig is both ways to one server.
func rig(b *testing.B, delay time.Duration) (direct, through) {
	b.Helper()
	text := strings.Repeat("word ", 20)
	s := ollamatest.New(b, ollamatest.Options{Forget: true, Respond: func(ollamatest.Chat) ollamatest.Reply {
		return ollamatest.Reply{Text: text, Pieces: 20, Delay: delay}
	}})
	transport := &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	var mu sync.Mutex
	n := 0
	g := openOn(b, s.URL, gateway.Options{
		Servers: map[string]gateway.Server{"ollama": {Parallel: 64}},
		Sink: func(gateway.Call) {
			mu.Lock()
			defer mu.Unlock()
			n++
		},
	})
	return direct{&http.Client{Transport: transport}, s.URL}, through{g.For(moothall.Person)}
}

// round runs n streams at once, begun apart from each other, and adds what
// they took.
func round(b *testing.B, n int, apart time.Duration, into []timing, stream func(context.Context) (timing, error)) []timing {
	out := make([]timing, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * apart)
			t, err := stream(b.Context())
			if err != nil {
				b.Error(err)
			}
			out[i] = t
		})
	}
	wg.Wait()
	return append(into, out...)
}

func median(ts []timing, of func(timing) time.Duration) time.Duration {
	ds := make([]time.Duration, len(ts))
	for i, t := range ts {
		ds[i] = of(t)
	}
	slices.Sort(ds)
	return ds[len(ds)/2]
}

func total(t timing) time.Duration { return t.total }
func first(t timing) time.Duration { return t.first }

// BenchmarkAdded takes both ways in turns, round by round, and reports the
// difference of the medians: the figure that counts. "Paced" is 64 streams of
// 20 chunks each 10 ms apart, as models give them, begun 3 ms apart;
// "sequential" is one after the other without a pause; "saturated" is 64 at
// once without a pause, where what is measured is the processor's queue.
func BenchmarkAdded(b *testing.B) {
	for _, bb := range []struct {
		name  string
		n     int
		delay time.Duration
		apart time.Duration
	}{{"paced-64", 64, 10 * time.Millisecond, 3 * time.Millisecond}, {"sequential", 1, 0, 0}, {"saturated-64", 64, 0, 0}} {
		b.Run(bb.name, func(b *testing.B) {
			d, g := rig(b, bb.delay)
			round(b, bb.n, bb.apart, nil, d.stream) // connections and details
			round(b, bb.n, bb.apart, nil, g.stream)
			var ds, gs []timing
			for b.Loop() {
				ds = round(b, bb.n, bb.apart, ds, d.stream)
				gs = round(b, bb.n, bb.apart, gs, g.stream)
			}
			us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
			b.ReportMetric(us(median(ds, total)), "direct-p50-µs")
			b.ReportMetric(us(median(gs, total)-median(ds, total)), "added-p50-µs")
			b.ReportMetric(us(median(ds, first)), "direct-first-µs")
			b.ReportMetric(us(median(gs, first)-median(ds, first)), "added-first-µs")
		})
	}
}

// BenchmarkDirect is one stream at a time without the gateway.
func BenchmarkDirect(b *testing.B) {
	d, _ := rig(b, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.stream(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkThroughGateway is one stream at a time with it.
func BenchmarkThroughGateway(b *testing.B) {
	_, g := rig(b, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.stream(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOverhead is the gateway alone, over a provider that answers at
// once.
func BenchmarkOverhead(b *testing.B) {
	g := open(b, providers(newFake("local", "m"))).For(moothall.Person)
	r := hello()
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range g.Generate(b.Context(), r) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
