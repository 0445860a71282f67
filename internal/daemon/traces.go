package daemon

import (
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/otlp"
)

// TracesConfig says whether spans are sent to a collector, and what is in
// them.
type TracesConfig struct {
	Endpoint string `yaml:"endpoint" doc:"An OpenTelemetry collector that takes OTLP over HTTP; empty sends nothing." example:"http://127.0.0.1:4318"`
	Content  bool   `yaml:"content" doc:"Also send what was asked, answered and given to tools. Off, only names, times and counts are sent."`
}

// traces makes spans of what passes by, in the words of OpenTelemetry's
// conventions for generative AI. All spans of a turn share the trace that its
// query id stands for.
type traces struct {
	out     *otlp.Exporter // nil: nobody listens
	content bool
}

func openTraces(c TracesConfig, log *slog.Logger) (*traces, error) {
	t := &traces{content: c.Content}
	if c.Endpoint == "" {
		return t, nil
	}
	var err error
	t.out, err = otlp.New(otlp.Options{Endpoint: c.Endpoint, Service: "moothall", Version: Version(), Logger: log})
	return t, err
}

// model makes a span of one model call.
func (t *traces) model(c gateway.Call) {
	if t.out == nil {
		return
	}
	operation := map[string]string{gateway.KindEmbed: "embeddings"}[c.Kind]
	if operation == "" {
		operation = "chat"
	}
	id := moothall.NewID()
	trace := string(c.Query)
	if trace == "" {
		trace = id
	}
	t.out.Send(otlp.Span{
		Trace: otlp.TraceOf(trace), ID: otlp.SpanOf(id), Parent: parentOf(c.Query), Name: operation + " " + c.Model, Kind: otlp.Client,
		Start: c.Time.Add(-c.Usage.Total), End: c.Time, Failed: string(c.Code),
		Attributes: map[string]any{
			"gen_ai.operation.name": operation, "gen_ai.provider.name": c.Provider, "gen_ai.request.model": c.Model,
			"gen_ai.conversation.id": string(c.Session), "gen_ai.usage.input_tokens": c.Usage.PromptTokens,
			"gen_ai.usage.output_tokens": c.Usage.OutputTokens, "gen_ai.response.finish_reasons": []string{string(c.Stop)},
			"gen_ai.response.time_to_first_chunk": c.Usage.FirstToken.Seconds(),
			"moothall.role":                       string(c.Role), "moothall.wait": c.Wait.Seconds(), "error.type": string(c.Code),
		},
	})
}

func parentOf(q moothall.QueryID) otlp.SpanID {
	if q == "" {
		return ""
	}
	return otlp.SpanOf(string(q))
}

// event makes spans of a turn's end and of a tool's result.
func (t *traces) event(e moothall.Event) {
	switch {
	case t.out == nil:
	case e.Subject == moothall.SubjectResponseGeneration:
		t.turn(e)
	case strings.HasPrefix(string(e.Subject), string(moothall.SubjectToolResult)+"."):
		t.tool(e)
	}
}

func (t *traces) turn(e moothall.Event) {
	var a moothall.Answer
	if json.Unmarshal(e.Payload, &a) != nil {
		return // it was made a moment ago by this program
	}
	began, known := moothall.IDTime(string(e.Query))
	if !known {
		began = e.Time
	}
	s := otlp.Span{
		Trace: otlp.TraceOf(string(e.Query)), ID: otlp.SpanOf(string(e.Query)), Name: "invoke_agent " + string(e.Sender),
		Start: began, End: e.Time,
		Attributes: map[string]any{
			"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": string(e.Sender), "gen_ai.conversation.id": string(e.Session),
			"gen_ai.usage.input_tokens": a.Usage.PromptTokens, "gen_ai.usage.output_tokens": a.Usage.OutputTokens,
			"gen_ai.response.finish_reasons": []string{string(a.Stop)}, "moothall.labels": a.Receipt.Labels.String(),
		},
	}
	if a.Stop == moothall.StopError || a.Stop == moothall.StopInterrupted {
		s.Failed = string(a.Stop)
	}
	if t.content {
		s.Attributes["gen_ai.output.messages"] = a.Text
	}
	t.out.Send(s)
}

func (t *traces) tool(e moothall.Event) {
	var r struct {
		Call   string              `json:"call"`
		Status moothall.CallStatus `json:"status"`
		Millis float64             `json:"ms"`
		Text   string              `json:"text"`
	}
	if json.Unmarshal(e.Payload, &r) != nil {
		return
	}
	name := strings.TrimPrefix(string(e.Subject), string(moothall.SubjectToolResult)+".")
	s := otlp.Span{
		Trace: otlp.TraceOf(string(e.Query)), ID: otlp.SpanOf(r.Call), Parent: parentOf(e.Query), Name: "execute_tool " + name,
		Start: e.Time.Add(-time.Duration(r.Millis * float64(time.Millisecond))), End: e.Time,
		Attributes: map[string]any{
			"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": r.Call,
			"gen_ai.conversation.id": string(e.Session), "moothall.status": string(r.Status),
		},
	}
	if r.Status != moothall.CallOK {
		s.Failed = string(r.Status)
	}
	if t.content {
		s.Attributes["gen_ai.tool.call.result"] = r.Text
	}
	t.out.Send(s)
}
