package searxng_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/search"
	"moothall/internal/search/fetch"
	"moothall/internal/search/searxng"
)

// settings are all that searx asks for, with one engine: the test's site.
const settings = `
general: {debug: false, instance_name: test}
search: {safe_search: 0, autocomplete: "", default_lang: "", ban_time_on_fail: 0, max_ban_time_on_fail: 0, formats: [html, json]}
server: {port: %d, bind_address: 127.0.0.1, secret_key: %q, base_url: "", image_proxy: false, http_protocol_version: "1.0", method: GET, default_http_headers: {}}
ui: {static_path: %q, templates_path: %q, default_theme: oscar, default_locale: en}
outgoing: {request_timeout: 60.0, useragent_suffix: ""}
locales: {en: English}
doi_resolvers: {example.org: "https://example.org/"}
default_doi_resolver: example.org
engines:
  - name: site
    engine: json_engine
    shortcut: st
    categories: general
    enable_http: true
    timeout: 60.0
    search_url: %q
    results_query: results
    url_query: url
    title_query: title
    content_query: text
`

// TestRealServer starts Debian's searx, points it at a site of ours, and goes
// the whole way: query, server, engine, filter, pages, extracts.
func TestRealServer(t *testing.T) {
	program, err := exec.LookPath("searx-run")
	if err != nil {
		const why = "searx-run is not installed (Debian: apt install searx), so nothing was tried against a real server"
		if os.Getenv("CI") != "" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	site := newSite(t)
	server := startSearx(t, program, site.URL+"/api?q={query}")
	p, err := searxng.New(searxng.Options{URL: server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	s := search.New(search.Options{
		Providers: []search.Provider{p},
		Fetcher:   fetch.New(fetch.Options{AllowForTest: []netip.AddrPort{netip.MustParseAddrPort(site.Listener.Addr().String())}}),
		Rates:     map[string]search.Rate{"searxng": {Every: time.Millisecond, Burst: 100}},
		Limits:    search.Limits{Provider: 2 * time.Minute, Page: 2 * time.Minute}, // what is slow here is the machine
	}).For(moothall.ToolBroker)

	snippets := all(t, s, moothall.SearchRequest{Query: "höhe der flut & ebbe"})
	if len(snippets) != 2 || snippets[0].Provider != "searxng" || !strings.Contains(snippets[0].Snippet, "Flut") || len(snippets[0].Sent) != 1 {
		t.Errorf("snippets: %+v", snippets)
	}
	for _, f := range snippets {
		if strings.Contains(f.Title, "Kettles") {
			t.Errorf("junk passed the filter: %+v", f)
		}
	}
	summaries := all(t, s, moothall.SearchRequest{Query: "höhe der flut & ebbe", Summaries: true, Limit: 1})
	if len(summaries) != 1 || !strings.Contains(summaries[0].Claim, "Flut") || summaries[0].Date.Year() != 2026 {
		t.Errorf("summaries: %+v", summaries)
	}
	for _, err := range s.Search(t.Context(), moothall.SearchRequest{Query: "nothing"}) {
		if moothall.ErrorCode(err) != moothall.CodeNotFound {
			t.Errorf("nothing: got %v", err)
		}
	}
	for _, err := range s.Search(t.Context(), moothall.SearchRequest{Query: "broken"}) {
		if moothall.ErrorCode(err) != moothall.CodeUnavailable || !strings.Contains(err.Error(), "site") {
			t.Errorf("broken engine: got %v", err)
		}
	}
}

func all(t *testing.T, s moothall.Search, r moothall.SearchRequest) (out []moothall.SearchResult) {
	t.Helper()
	for f, err := range s.Search(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// newSite has an interface for engines at /api, and two pages.
func newSite(t *testing.T) *httptest.Server {
	var site *httptest.Server
	type hit struct {
		URL   string `json:"url"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		hits := []hit{}
		switch r.FormValue("q") {
		case "höhe der flut & ebbe":
			hits = []hit{
				{"https://shop.example/", "Kettles", "Cheap kettles"},
				{site.URL + "/flut", "Flut und Ebbe", "Die Höhe der Flut"},
				{site.URL + "/mond", "Der Mond", "Er macht die Ebbe"},
			}
		case "broken":
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"results": hits})
	})
	mux.HandleFunc("/flut", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<html lang=de><meta name=date content=2026-04-05><title>Flut</title><article><p>Die Höhe der Flut hängt von Mond und Sonne ab, und von der Form der Küste.</p><p>An der Nordsee sind es drei Meter.</p></article>`)
	})
	site = httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site
}

// startSearx runs the server until the test ends, and waits until it is well.
func startSearx(t *testing.T, program, engine string) string {
	t.Helper()
	dir := t.TempDir()
	port := moottest.Port(t)
	static, templates := filepath.Join(dir, "static"), filepath.Join(dir, "templates")
	for _, d := range []string{static, filepath.Join(templates, "oscar")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "settings.yml")
	if err := os.WriteFile(file, fmt.Appendf(nil, settings, port, "of no use", static, templates, engine), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SEARX_SETTINGS_PATH=" + file}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); cmd.Wait() }()
	t.Cleanup(func() {
		cancel()
		<-ended
		if t.Failed() {
			t.Logf("searx said:\n%s", log.String())
		}
	})
	address := "http://127.0.0.1:" + strconv.Itoa(port)
	waitHealthy(t, address+"/healthz", ended)
	return address
}

// waitHealthy polls: another process has no other way to say that it is ready.
func waitHealthy(t *testing.T, address string, ended <-chan struct{}) {
	t.Helper()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(4 * time.Minute)
	for {
		if resp, err := client.Get(address); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-tick.C:
		case <-ended:
			t.Fatal("searx ended before it was ready")
		case <-deadline:
			t.Fatal("searx was not ready within four minutes")
		}
	}
}
