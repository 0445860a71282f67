package daemon

import (
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/gateway"
)

// modelCollector exports what the gateway has accounted for, by role and by
// model. Sessions stay out: there is no end to them.
type modelCollector struct{ g *gateway.Gateway }

var (
	modelCalls = prometheus.NewDesc("moothall_model_calls_total", "Finished model calls.", []string{"role"}, nil)
	modelIn    = prometheus.NewDesc("moothall_model_prompt_tokens_total", "Tokens read by models.", []string{"role"}, nil)
	modelOut   = prometheus.NewDesc("moothall_model_output_tokens_total", "Tokens written by models.", []string{"role"}, nil)
	modelTime  = prometheus.NewDesc("moothall_model_seconds_total", "Time that models took.", []string{"model"}, nil)
	modelFails = prometheus.NewDesc("moothall_model_failures_total", "Model calls that failed.", nil, nil)
	modelWait  = prometheus.NewDesc("moothall_model_wait_seconds_total", "Time that calls waited for their turn.", nil, nil)
)

// Describe lists what is exported.
func (modelCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{modelCalls, modelIn, modelOut, modelTime, modelFails, modelWait} {
		ch <- d
	}
}

// Collect reads the gateway's own figures.
func (m modelCollector) Collect(ch chan<- prometheus.Metric) {
	s := m.g.Stats()
	count := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	for role, u := range s.ByRole {
		count(modelCalls, float64(u.Calls), string(role))
		count(modelIn, float64(u.PromptTokens), string(role))
		count(modelOut, float64(u.OutputTokens), string(role))
	}
	for model, u := range s.ByModel {
		count(modelTime, u.Total.Seconds(), model)
	}
	count(modelFails, float64(s.Failed))
	count(modelWait, s.Wait.Seconds())
}
