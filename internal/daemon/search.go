package daemon

import (
	"context"
	"encoding/json"
	"net/netip"
	"os"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/search"
	"moothall/internal/search/brave"
	"moothall/internal/search/canned"
	"moothall/internal/search/fetch"
	"moothall/internal/search/searxng"
	"moothall/internal/search/tavily"
)

// SearchConfig says how the hall reaches the web. Engines that are configured
// are asked in the order in which they stand here.
type SearchConfig struct {
	SearXNG SearXNGConfig `yaml:"searxng" doc:"A SearXNG server of yours, with json among its formats."`
	Brave   EngineConfig  `yaml:"brave" doc:"Brave's search API."`
	Tavily  EngineConfig  `yaml:"tavily" doc:"Tavily's search API."`
	Canned  string        `yaml:"canned" doc:"A file with pages that stand for the web, for stories and demonstrations: nothing leaves the machine then, and no other page can be read." example:"stories/web.json"`
	Ports   []int         `yaml:"ports" doc:"Ports besides 80 and 443 from which pages may be read." min:"1" max:"65535"`

	AllowForTest []string `yaml:"allow_for_test" doc:"Only for tests: addresses that are not public and may be read all the same." example:"127.0.0.1:8080"`
}

// SearXNGConfig configures a SearXNG server.
type SearXNGConfig struct {
	URL     string   `yaml:"url" doc:"Its address." example:"http://127.0.0.1:8888"`
	Key     string   `yaml:"key" doc:"The name in the keyring of a bearer token, where it wants one."`
	Engines []string `yaml:"engines" doc:"Ask only these of its engines."`
}

// EngineConfig configures a search API.
type EngineConfig struct {
	Key string `yaml:"key" doc:"The name of its key in the keyring, never the key itself. Without one it is not asked."`
	URL string `yaml:"url" doc:"Its address; the service's own when empty."`
}

// Validate reports addresses that are none.
func (c SearchConfig) Validate(report conf.Report) {
	for _, a := range c.AllowForTest {
		if _, err := netip.ParseAddrPort(a); err != nil {
			report("allow_for_test", a+" is not an address with a port", "127.0.0.1:8080")
		}
	}
}

// keys are the secrets that search engines need, by engine.
func (c SearchConfig) keys() map[string]moothall.SecretRef {
	out := map[string]moothall.SecretRef{}
	for name, ref := range map[string]string{"searxng": c.SearXNG.Key, "brave": c.Brave.Key, "tavily": c.Tavily.Key} {
		if ref != "" {
			out[name] = moothall.SecretRef(ref)
		}
	}
	return out
}

// Any reports whether there is a way to search.
func (c SearchConfig) Any() bool {
	return c.SearXNG.URL != "" || c.Brave.Key != "" || c.Tavily.Key != "" || c.Canned != ""
}

// openSearch starts the way to the web.
func (h *Hall) openSearch(context.Context) (func(context.Context) error, error) {
	c := h.conf.Search
	model, err := h.peer(moothall.Searcher).Gateway()
	if err != nil {
		return nil, err
	}
	o := search.Options{Model: model, Logger: h.log}
	if err := h.addEngines(&o); err != nil {
		return nil, err
	}
	if c.Canned != "" {
		web, err := cannedWeb(c.Canned)
		if err != nil {
			return nil, err
		}
		o.Providers, o.Fetcher = append(o.Providers, web), web
		o.Rates = map[string]search.Rate{web.Name(): {Every: 1, Burst: 1 << 20}} // it is a file
	} else {
		guarded := fetch.Options{}
		for _, p := range c.Ports {
			guarded.Ports = append(guarded.Ports, uint16(p))
		}
		for _, a := range c.AllowForTest {
			guarded.AllowForTest = append(guarded.AllowForTest, netip.MustParseAddrPort(a)) // Validate saw it
		}
		o.Fetcher = fetch.New(guarded)
	}
	h.here.Search = search.New(o).For
	return nothingToStop, nil
}

// addEngines adds those that are configured.
func (h *Hall) addEngines(o *search.Options) error {
	c := h.conf.Search
	add := func(p search.Provider, err error) error {
		if err == nil {
			o.Providers = append(o.Providers, p)
		}
		return err
	}
	if c.SearXNG.URL != "" {
		if err := add(searxng.New(searxng.Options{URL: c.SearXNG.URL, Engines: c.SearXNG.Engines, Key: h.searchKey("searxng", c.SearXNG.Key)})); err != nil {
			return err
		}
	}
	if c.Brave.Key != "" {
		if err := add(brave.New(brave.Options{URL: c.Brave.URL, Key: h.searchKey("brave", c.Brave.Key)})); err != nil {
			return err
		}
	}
	if c.Tavily.Key != "" {
		return add(tavily.New(tavily.Options{URL: c.Tavily.URL, Key: h.searchKey("tavily", c.Tavily.Key)}))
	}
	return nil
}

// searchKey asks the broker for the key that the configuration binds to an
// engine; nil when it binds none.
func (h *Hall) searchKey(engine, ref string) func(context.Context) (moothall.Secret, error) {
	if ref == "" {
		return nil
	}
	return h.providerKey(moothall.Searcher, engine, ref)
}

// cannedWeb reads a file of pages.
func cannedWeb(file string) (*canned.Web, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeNotFound, Op: "canned web", Message: file + " cannot be read", Err: err}
	}
	var pages []canned.Page
	if err := json.Unmarshal(text, &pages); err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "canned web", Message: file + " is not a list of pages", Err: err}
	}
	return canned.New(pages...), nil
}
