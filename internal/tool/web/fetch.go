package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moothall"
)

// FetchTool is web_fetch.
type FetchTool struct{ options Options }

var _ moothall.Tool = (*FetchTool)(nil)

// Spec describes the tool.
func (t *FetchTool) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name:    "web_fetch",
		Aliases: []moothall.ToolName{"fetch_url", "read_url", "browse", "open_url", "fetch", "fetch_page"},
		Description: "Reads one public web page and returns its title, date and readable text. " +
			"Use it with a URL that the person gave or that web_search returned. It cannot log in, run scripts or read PDF files.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"url":{"type":"string","minLength":8,"maxLength":2048,"pattern":"^[hH][tT][tT][pP][sS]?://","description":"Address of the page, with http:// or https://."}},` +
			`"required":["url"],"additionalProperties":false}`),
		Risk: moothall.RiskSend, ReadOnly: true, Idempotent: true, Taints: moothall.Untrusted, Timeout: fetchTimeout,
		MaxResult: t.options.MaxResult, Sends: []string{"url"}, Origin: "built-in",
	}
}

// headRoom is what the lines above the text may take of the limit.
const headRoom = 1500

// Run reads the page, or has it summarised for those who get no pages.
func (t *FetchTool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	var a struct {
		URL string `json:"url"`
	}
	if err := arguments(r, &a); err != nil {
		return failed(ctx, r, err, nil)
	}
	if t.options.summarised(r.Type) {
		return t.summary(ctx, r, a.URL)
	}
	p, err := t.options.Search.Fetch(ctx, moothall.FetchRequest{Scope: r.Scope, URL: a.URL, Max: max(t.options.MaxResult-headRoom, 1)})
	if err != nil {
		return failed(ctx, r, err, p.Sent)
	}
	sent := p.Sent
	p.Sent = nil
	return t.result(r, p, sent)
}

func (t *FetchTool) result(r moothall.ToolRun, p moothall.Page, sent []moothall.Egress) (moothall.ToolResult, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return moothall.ToolResult{Sent: sent}, &moothall.Error{Code: moothall.CodeInternal, Op: "web_fetch", Message: "the page cannot be written", Err: err}
	}
	return moothall.ToolResult{
		Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallOK, Text: text(p), Data: data, Labels: moothall.Untrusted, Cut: p.Cut, Sent: sent,
	}, nil
}

func text(p moothall.Page) string {
	var b strings.Builder
	title, _ := clip(oneLine(p.Title), 300)
	url, _ := clip(oneLine(p.URL), 1000)
	fmt.Fprintf(&b, "URL: %s\nTitle: %s\n", url, title)
	if !p.Date.IsZero() {
		b.WriteString("Date: " + p.Date.Format(time.DateOnly) + "\n")
	}
	if p.Language != "" {
		b.WriteString("Language: " + oneLine(p.Language) + "\n")
	}
	b.WriteString("Extracted text:\n" + p.Text)
	if p.Cut != "" {
		b.WriteString("\n\n[this is " + p.Cut + "]")
	}
	return b.String()
}

// summary asks the service about the page itself.
func (t *FetchTool) summary(ctx context.Context, r moothall.ToolRun, url string) (moothall.ToolResult, error) {
	request := moothall.SearchRequest{Scope: r.Scope, Page: url, Limit: 1, Summaries: true}
	found, sent, err := collect(ctx, t.options.Search, request, r.Note)
	if err == nil && len(found) == 0 {
		err = moothall.Fail(moothall.CodeNotFound, "web_fetch", "nothing came back")
	}
	if err != nil {
		return failed(ctx, r, err, sent)
	}
	f := found[0]
	data, err := json.Marshal(f)
	if err != nil {
		return moothall.ToolResult{Sent: sent}, &moothall.Error{Code: moothall.CodeInternal, Op: "web_fetch", Message: "the summary cannot be written", Err: err}
	}
	body := fmt.Sprintf("URL: %s\nTitle: %s\nClaim: %s\nConfidence: %.2f\nSummary: %s", oneLine(f.URL), oneLine(f.Title), oneLine(f.Claim), f.Confidence, oneLine(f.Summary))
	body, cut := clip(body, t.options.MaxResult)
	out := moothall.ToolResult{Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallOK, Text: body, Data: data, Labels: moothall.Untrusted, Sent: sent}
	if cut {
		out.Cut = "the rest of the summary"
	}
	return out, nil
}
