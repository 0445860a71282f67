package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"moothall"
)

// Options of [New]. Endpoint is required.
type Options struct {
	Endpoint string // of the collector, without /v1/traces
	Service  string
	Version  string
	Queue    int           // spans that may wait; 2048 when 0
	Batch    int           // spans in one request; 256 when 0
	Every    time.Duration // how long a span waits for others; a second when 0
	Logger   *slog.Logger  // nil discards
}

// Exporter sends spans in the background.
type Exporter struct {
	opt     Options
	url     string
	http    *http.Client
	queue   chan Span
	flush   chan chan struct{}
	done    chan struct{}
	closing sync.Once
	dropped atomic.Uint64
}

// New starts an exporter. CodeInvalid when the endpoint is no address.
func New(o Options) (*Exporter, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "traces", Message: fmt.Sprintf("%q is not the address of a collector", o.Endpoint),
			Remedy: "write it like http://127.0.0.1:4318",
		}
	}
	if o.Queue <= 0 {
		o.Queue = 2048
	}
	if o.Batch <= 0 {
		o.Batch = 256
	}
	if o.Every <= 0 {
		o.Every = time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	x := &Exporter{
		opt: o, url: strings.TrimSuffix(o.Endpoint, "/") + "/v1/traces", queue: make(chan Span, o.Queue),
		flush: make(chan chan struct{}), done: make(chan struct{}),
		http: &http.Client{
			Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 1},
			// A redirect would take the spans to a host that nobody named.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	go x.run()
	return x, nil
}

// Send queues a span. A nil exporter takes it and does nothing.
func (x *Exporter) Send(s Span) {
	if x == nil {
		return
	}
	select {
	case x.queue <- s:
	default:
		x.dropped.Add(1)
	}
}

// Dropped is how many spans were lost to a full queue or a collector that
// did not take them.
func (x *Exporter) Dropped() uint64 { return x.dropped.Load() }

// Close sends what waits, as far as ctx lets it, and stops. Spans sent
// afterwards are dropped.
func (x *Exporter) Close(ctx context.Context) error {
	if x == nil {
		return nil
	}
	sent := make(chan struct{})
	x.closing.Do(func() {
		select {
		case x.flush <- sent:
		case <-ctx.Done():
			close(x.flush)
		}
	})
	select {
	case <-x.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run gathers spans and sends them when enough wait or have waited.
func (x *Exporter) run() {
	defer close(x.done)
	tick := time.NewTicker(x.opt.Every)
	defer tick.Stop()
	defer x.http.CloseIdleConnections()
	var batch []Span
	for {
		select {
		case s := <-x.queue:
			if batch = append(batch, s); len(batch) < x.opt.Batch {
				continue
			}
		case <-tick.C:
		case sent := <-x.flush:
			for len(x.queue) > 0 {
				batch = append(batch, <-x.queue)
			}
			x.post(batch)
			if sent != nil {
				close(sent)
			}
			return
		}
		x.post(batch)
		batch = batch[:0]
	}
}

// post sends a batch. What a collector does not take is not sent again: a
// trace is worth less than the memory it would pile up in.
func (x *Exporter) post(batch []Span) {
	if len(batch) == 0 {
		return
	}
	err := x.request(batch)
	if err != nil {
		x.dropped.Add(uint64(len(batch)))
		x.opt.Logger.Warn("traces could not be sent", "spans", len(batch), "err", err)
	}
}

func (x *Exporter) request(batch []Span) error {
	spans := make([]wireSpan, len(batch))
	for i, s := range batch {
		spans[i] = s.wire()
	}
	resource := attributes(map[string]any{"service.name": x.opt.Service, "service.version": x.opt.Version})
	body, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource":   map[string]any{"attributes": resource},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": "moothall"}, "spans": spans}},
	}}})
	if err != nil {
		return err
	}
	resp, err := x.http.Post(x.url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // only its status matters
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the collector said %s", resp.Status)
	}
	return nil
}
