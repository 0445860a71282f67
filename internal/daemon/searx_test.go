package daemon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/daemon"
	"moothall/internal/moottest"
)

// searxSettings are all that searx asks for, with one engine: the test's site.
const searxSettings = `
general: {debug: false, instance_name: test}
search: {safe_search: 0, autocomplete: "", default_lang: "", ban_time_on_fail: 0, max_ban_time_on_fail: 0, formats: [html, json]}
server: {port: %d, bind_address: 127.0.0.1, secret_key: "of no use", base_url: "", image_proxy: false, http_protocol_version: "1.0", method: GET, default_http_headers: {}}
ui: {static_path: %q, templates_path: %q, default_theme: oscar, default_locale: en}
outgoing: {request_timeout: 60.0, useragent_suffix: ""}
locales: {en: English}
doi_resolvers: {example.org: "https://example.org/"}
default_doi_resolver: example.org
engines:
  - {name: site, engine: json_engine, shortcut: st, categories: general, enable_http: true, timeout: 60.0, search_url: %q, results_query: results, url_query: url, title_query: title, content_query: text}
`

// startSearx runs Debian's searx until the test ends, and waits until it
// answers. Its one engine is at the given address.
func startSearx(t *testing.T, engine string) string {
	t.Helper()
	program, err := exec.LookPath("searx-run")
	if err != nil {
		moottest.Cannot(t, "searx-run is not installed (Debian: apt install searx), so no story was played on a real search server")
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "templates", "oscar"), 0o700); err != nil {
		t.Fatal(err)
	}
	port := moottest.Port(t)
	file := filepath.Join(dir, "settings.yml")
	text := fmt.Appendf(nil, searxSettings, port, dir, filepath.Join(dir, "templates"), engine)
	if err := os.WriteFile(file, text, 0o600); err != nil {
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
	t.Cleanup(func() {
		cancel()
		if cmd.Wait(); t.Failed() {
			t.Logf("searx said:\n%s", log.String())
		}
	})
	address := fmt.Sprint("http://127.0.0.1:", port)
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for end := time.Now().Add(2 * patience); ; time.Sleep(100 * time.Millisecond) { // another process has no other way to say so
		if resp, err := client.Get(address + "/healthz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return address
			}
		}
		if time.Now().After(end) {
			t.Fatalf("searx was not ready within %v", 2*patience)
		}
	}
}

// siteOf puts the pages of the stories on a server, with an interface for
// searx at /api.
func siteOf(t *testing.T, file string) *httptest.Server {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pages []struct{ URL, Title, Text, Date string }
	if err := json.Unmarshal(text, &pages); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	var site *httptest.Server
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		hits := []map[string]string{}
		for i, p := range pages {
			first, _, _ := strings.Cut(p.Text, "\n")
			hits = append(hits, map[string]string{"url": fmt.Sprintf("%s/page/%d", site.URL, i), "title": p.Title, "text": first})
		}
		json.NewEncoder(w).Encode(map[string]any{"results": hits})
	})
	for i, p := range pages {
		mux.HandleFunc(fmt.Sprintf("/page/%d", i), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<html lang=en><meta name=date content=%.10s><title>%s</title><article><p>%s</p></article>",
				p.Date, p.Title, strings.ReplaceAll(p.Text, "\n", "</p><p>"))
		})
	}
	site = httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site
}

// TestStoriesOnSearx plays the stories that search on a real search server,
// which finds pages on a site of the test's own.
func TestStoriesOnSearx(t *testing.T) {
	t.Parallel()
	stories := filepath.Join("..", "..", "stories")
	site := siteOf(t, filepath.Join(stories, "web.json"))
	h, c := home(t.TempDir()), config()
	c.Search.SearXNG.URL = startSearx(t, site.URL+"/api?q={query}")
	c.Search.AllowForTest = []string{site.Listener.Addr().String()}
	serve(t, h, c)
	client, err := daemon.Connect(t.Context(), h, c, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	files := []string{filepath.Join(stories, "s3-current-events.yaml"), filepath.Join(stories, "s4-search-then-read.yaml")}
	report, err := daemon.RunStories(t.Context(), client, files, "", func(o daemon.StoryOutcome) {
		if !o.Passed {
			t.Errorf("%s: %+v", o.Name, o.Turns)
		}
	})
	if err != nil || report.Passed != len(files) {
		t.Errorf("%+v, %v", report, err)
	}
}
