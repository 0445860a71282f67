package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"moothall"
)

// SearchTool is web_search.
type SearchTool struct{ options Options }

var _ moothall.Tool = (*SearchTool)(nil)

// Spec describes the tool.
func (t *SearchTool) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name:    "web_search",
		Aliases: []moothall.ToolName{"search_web", "search", "google", "google_search", "internet_search"},
		Description: "Searches the web. Use it for news, prices, releases, people in office and anything else that may have changed or that you do not know. " +
			"Returns today's date and numbered results with title, text and URL; read a page with web_fetch when its text here is not enough.",
		Parameters: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","minLength":1,"maxLength":400,"description":"A few words, as typed into a search engine."},` +
			`"limit":{"type":"integer","minimum":1,"maximum":10,"description":"How many results; 5 when left out."},` +
			`"language":{"type":"string","pattern":"^[a-z]{2}(-[A-Z]{2})?$","description":"Language of the results, such as en or de-AT."},` +
			`"since":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$","description":"Nothing older than this day, YYYY-MM-DD."}},` +
			`"required":["query"],"additionalProperties":false}`),
		Risk: moothall.RiskSend, ReadOnly: true, Idempotent: true, Taints: moothall.Untrusted, Timeout: searchTimeout,
		MaxResult: t.options.MaxResult, Sends: []string{"query", "language", "since"}, Origin: "built-in",
	}
}

type searchArguments struct {
	Query    string `json:"query"`
	Limit    int    `json:"limit"`
	Language string `json:"language"`
	Since    string `json:"since"`
}

// Run searches.
func (t *SearchTool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	var a searchArguments
	if err := arguments(r, &a); err != nil {
		return failed(ctx, r, err, nil)
	}
	request := moothall.SearchRequest{Scope: r.Scope, Query: a.Query, Limit: a.Limit, Language: a.Language, Summaries: t.options.summarised(r.Type)}
	if request.Limit <= 0 {
		request.Limit = t.options.Results
	}
	if a.Since != "" {
		day, err := time.Parse(time.DateOnly, a.Since)
		if err != nil {
			return failed(ctx, r, moothall.Fail(moothall.CodeInvalid, "web_search", "since is not a day of the form YYYY-MM-DD"), nil)
		}
		request.Since = day
	}
	found, sent, err := collect(ctx, t.options.Search, request, r.Note)
	if len(found) == 0 {
		if err == nil {
			err = moothall.Fail(moothall.CodeNotFound, "web_search", "no results")
		}
		return failed(ctx, r, err, sent)
	}
	return t.result(r, found, sent, err)
}

// collect reads the stream; what came before an error is kept. Bytes sent are
// taken out of the findings: they are the result's.
func collect(ctx context.Context, s moothall.Search, r moothall.SearchRequest, note func(string)) (found []moothall.SearchResult, sent []moothall.Egress, _ error) {
	for f, err := range s.Search(ctx, r) {
		sent = moothall.SumEgress(sent, f.Sent...)
		if err != nil {
			return found, sent, err
		}
		f.Sent = nil
		found = append(found, f)
		note(oneLine(f.Title))
	}
	return found, sent, nil
}

func (t *SearchTool) result(r moothall.ToolRun, found []moothall.SearchResult, sent []moothall.Egress, missing error) (moothall.ToolResult, error) {
	data, err := json.Marshal(found)
	if err != nil {
		return moothall.ToolResult{Sent: sent}, &moothall.Error{Code: moothall.CodeInternal, Op: "web_search", Message: "the findings cannot be written", Err: err}
	}
	out := moothall.ToolResult{
		Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallOK, Data: data, Labels: moothall.Untrusted, Sent: sent,
		Text: t.text(found),
	}
	if missing != nil {
		out.Cut = "the search broke off: " + explain(missing)
	}
	if text, cut := clip(out.Text, t.options.MaxResult); cut {
		out.Text, out.Cut = text, strings.TrimPrefix(out.Cut+"; ", "; ")+"the rest of the results"
	}
	if out.Cut != "" {
		out.Text += "\n\n[not shown: " + out.Cut + "]"
	}
	return out, nil
}

// text is the numbered form. Every value is on one line.
func (t *SearchTool) text(found []moothall.SearchResult) string {
	var b strings.Builder
	b.WriteString("Today's date: " + t.options.Now().Format(time.DateOnly) + "\n")
	for i, f := range found {
		fmt.Fprintf(&b, "\n[%d] Title: %s\n", i+1, oneLine(f.Title))
		line := func(name, value string) {
			if value = oneLine(value); value != "" {
				b.WriteString("    " + name + ": " + value + "\n")
			}
		}
		line("Claim", f.Claim)
		line("Summary", f.Summary)
		if f.Summary != "" {
			line("Confidence", fmt.Sprintf("%.2f", f.Confidence))
		}
		line("Snippet", f.Snippet)
		if !f.Date.IsZero() {
			line("Date", f.Date.Format(time.DateOnly))
		}
		line("URL", f.URL)
	}
	return strings.TrimRight(b.String(), "\n")
}
