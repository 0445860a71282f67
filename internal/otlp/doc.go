// Package otlp sends trace spans to an OpenTelemetry collector: OTLP over
// HTTP in its JSON form, which every collector takes.
//
// First use:
//
//	x, err := otlp.New(otlp.Options{Endpoint: "http://127.0.0.1:4318", Service: "moothall"})
//	x.Send(otlp.Span{Trace: trace, ID: id, Name: "chat qwen3", Start: began, End: time.Now()})
//	x.Close(ctx) // sends what waits
//
// It is a format and a queue, and no more: whoever has the numbers makes the
// spans. The OpenTelemetry SDK was left out because its exporter brings a
// second RPC stack for the same POST.
//
// Send never blocks and never fails: spans that find the queue full are
// dropped and counted, as are those that the collector refuses. One that sends
// them on to another address has refused them. An Exporter is safe for
// concurrent use; its one goroutine ends with Close.
package otlp
