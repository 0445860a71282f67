package daemon

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"moothall/internal/bus"
)

// metrics exports what the parts count in their own plain structs.
func (h *Hall) metrics() http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "moothall_up_seconds", Help: "Unix time at which the hall was opened.",
		}, func() float64 { return float64(h.since.Unix()) }),
	)
	h.exportAudit(r)
	h.exportBus(r)
	h.exportStore(r)
	h.exportWeb(r)
	if h.gateway != nil {
		r.MustRegister(modelCollector{h.gateway})
	}
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// gauge and counter read their value when asked.
func gauge(r *prometheus.Registry, name, help string, f func() float64) {
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, f))
}

func counter(r *prometheus.Registry, name, help string, f func() float64) {
	r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, f))
}

func (h *Hall) exportAudit(r *prometheus.Registry) {
	if h.record == nil {
		return // the record is kept elsewhere, and counted there
	}
	gauge(r, "moothall_audit_entries", "Durable entries of the record.", func() float64 { return float64(h.record.Stats().Entries) })
	gauge(r, "moothall_audit_signed", "Entries covered by a signed head.", func() float64 { return float64(h.record.Stats().Signed) })
	gauge(r, "moothall_audit_bytes", "Length of the record.", func() float64 { return float64(h.record.Stats().Bytes) })
	counter(r, "moothall_audit_commits_total", "Disk flushes of the record.", func() float64 { return float64(h.record.Stats().Commits) })
	counter(r, "moothall_audit_refused_total", "Entries refused because writing failed.", func() float64 { return float64(h.record.Stats().Denied) })
}

func (h *Hall) exportBus(r *prometheus.Registry) {
	stats := func() bus.Stats {
		ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
		defer cancel()
		s, err := h.bus.Stats(ctx)
		if err != nil {
			h.log.Warn("the bus gives no figures", "err", err)
		}
		return s
	}
	counter(r, "moothall_bus_published_total", "Events published by this process.", func() float64 { return float64(stats().Published) })
	counter(r, "moothall_bus_dropped_total", "Events dropped for slow listeners.", func() float64 { return float64(stats().Dropped) })
	counter(r, "moothall_bus_dead_letters_total", "Events that no observer could deal with.", func() float64 { return float64(stats().DeadLetters) })
	gauge(r, "moothall_bus_events", "Events kept for replay.", func() float64 { return float64(stats().Messages) })
	gauge(r, "moothall_bus_bytes", "Their size.", func() float64 { return float64(stats().Bytes) })
}

func (h *Hall) exportStore(r *prometheus.Registry) {
	gauge(r, "moothall_database_bytes", "Size of the database.", func() float64 { return float64(h.db.Stats().Size) })
	counter(r, "moothall_database_writes_total", "Write transactions.", func() float64 { return float64(h.db.Stats().Writes) })
	counter(r, "moothall_database_reads_total", "Read transactions.", func() float64 { return float64(h.db.Stats().Reads) })
}

func (h *Hall) exportWeb(r *prometheus.Registry) {
	counter(r, "moothall_http_requests_total", "Requests that arrived.", func() float64 { return float64(h.web.Stats().Requests) })
	counter(r, "moothall_http_refused_total", "Requests turned away by the guard.", func() float64 { return float64(h.web.Stats().Refused) })
	counter(r, "moothall_http_lapped_total", "Listeners that had to catch up.", func() float64 { return float64(h.web.Stats().Lapped) })
	gauge(r, "moothall_http_listeners", "Open streams of events.", func() float64 { return float64(h.web.Stats().Listeners) })
}
