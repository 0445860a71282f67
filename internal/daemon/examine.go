package daemon

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"time"

	"moothall"
)

// Examine looks at a part of the hall that runs.
func (f *front) Examine(ctx context.Context, p moothall.Part) (moothall.Examined, error) {
	switch p {
	case moothall.PartAll:
		return moothall.Examined{Findings: f.hall.findings(ctx)}, ctx.Err()
	case moothall.PartKeyring:
		k := f.hall.keys(ctx)
		return moothall.Examined{Keyring: &k}, ctx.Err()
	case moothall.PartSearch:
		return moothall.Examined{Engines: f.hall.engines(ctx)}, ctx.Err()
	}
	return moothall.Examined{}, moothall.Fail(moothall.CodeInvalid, "examine", "there is no part "+clip(string(p), 40)+"; doctor, keyring and search are those there are")
}

// findings are the doctor's, of the hall itself: it knows that it runs, and
// tries the sandbox that its agents have.
func (h *Hall) findings(ctx context.Context) []Finding {
	x := Examination{Home: h.home, Config: h.conf, File: cmp.Or(h.conf.file, h.home.ConfigFile()), Env: func(string) string { return "" }, Helper: h.helper}
	if h.tools != nil {
		x.cage = h.tools.cage
	}
	out := []Finding{x.config(), x.home(), x.space(), ok("hall", fmt.Sprintf("runs as process %d", os.Getpid()))}
	out = append(out, x.record(ctx), x.database(ctx, true))
	if h.address != "" {
		out = append(out, ok("port", h.address+" is served by this hall"))
	}
	out = append(out, x.modelServer(ctx))
	out = append(out, x.sandbox(ctx)...)
	return append(out, x.byHand(ctx)...)
}

// keyPatience is how long a keyring may take to say whether it has a name.
const keyPatience = 3 * time.Second

// keys says which names of the keyring the configuration uses, and whether
// they are there.
func (h *Hall) keys(ctx context.Context) moothall.Keyring {
	ctx, cancel := context.WithTimeout(ctx, keyPatience)
	defer cancel()
	out := moothall.Keyring{State: moothall.ServiceOK}
	ring, err := OpenKeyring(ctx, h.conf)
	if err == nil {
		defer ring.Close()
		out.Where, err = ring.Where(), ring.store.Ping(ctx)
	}
	if err != nil {
		out.State, out.Detail, out.Remedy = moothall.ServiceDown, err.Error(), moothall.ErrorRemedy(err)
	}
	needs := h.needs()
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		is := moothall.KeyUnknown
		if err == nil {
			is = ring.has(ctx, name)
		}
		out.Keys = append(out.Keys, moothall.Key{Name: name, For: needs[name], Is: is})
	}
	return out
}

// has says whether a name is there; its value goes nowhere.
func (k *Keyring) has(ctx context.Context, name string) string {
	_, err := k.Test(ctx, name)
	switch moothall.ErrorCode(err) {
	case "":
		return moothall.KeyThere
	case moothall.CodeNotFound:
		return moothall.KeyMissing
	}
	return moothall.KeyUnknown
}

// secretName finds the names in mcp.json.
var secretName = regexp.MustCompile(`\$\{secret:([^}]+)\}`)

// needs lists the names that the configuration uses, each with what for.
func (h *Hall) needs() map[string][]string {
	out := map[string][]string{}
	need := func(name, what string) {
		if name != "" {
			out[name] = append(out[name], what)
		}
	}
	for server, ref := range h.conf.Models.keys() {
		need(string(ref), "the model server "+server)
	}
	for engine, ref := range h.conf.Search.keys() {
		need(string(ref), "searching with "+engine)
	}
	need(h.conf.Memory.Engine.Token, "the memory's Chroma server")
	need(h.conf.Memory.Graph.Password, "the memory's Neo4j server")
	if text, err := os.ReadFile(h.home.MCP()); err == nil {
		for _, m := range secretName.FindAllStringSubmatch(string(text), -1) {
			need(m[1], "servers in mcp.json")
		}
	}
	for name, list := range out {
		slices.Sort(list)
		out[name] = slices.Compact(list)
	}
	return out
}

// engines lists the ways to search, with what is missing for each.
func (h *Hall) engines(ctx context.Context) []moothall.SearchEngine {
	c := h.conf.Search
	is := map[string]string{}
	if c.SearXNG.Key != "" || c.Brave.Key != "" || c.Tavily.Key != "" {
		for _, k := range h.keys(ctx).Keys {
			is[k.Name] = k.Is
		}
	}
	out := []moothall.SearchEngine{
		engine("searxng", c.SearXNG.URL, c.SearXNG.Key, c.SearXNG.URL != "", is, "set search.searxng.url in moothall.yaml to a server of yours"),
		engine("brave", cmp.Or(c.Brave.URL, "api.search.brave.com"), c.Brave.Key, c.Brave.Key != "", is,
			"keep its key with: moothall secrets set brave, and set search.brave.key: brave in moothall.yaml"),
		engine("tavily", cmp.Or(c.Tavily.URL, "api.tavily.com"), c.Tavily.Key, c.Tavily.Key != "", is,
			"keep its key with: moothall secrets set tavily, and set search.tavily.key: tavily in moothall.yaml"),
	}
	if c.Canned != "" {
		out = append(out, moothall.SearchEngine{Name: "canned", State: moothall.ServiceOK, Where: c.Canned, Detail: "pages out of a file stand for the web; nothing leaves this machine"})
	}
	return out
}

// engine is one line of the list.
func engine(name, where, key string, configured bool, is map[string]string, remedy string) moothall.SearchEngine {
	out := moothall.SearchEngine{Name: name, State: moothall.ServiceNotConfigured, Remedy: remedy}
	if !configured {
		return out
	}
	out.State, out.Where, out.Key, out.Remedy = moothall.ServiceOK, where, key, ""
	out.Detail = "is asked when an agent searches"
	switch {
	case key == "" || is[key] == moothall.KeyThere:
	case is[key] == moothall.KeyMissing:
		out.State, out.Detail, out.Remedy = moothall.ServiceDown, "its key "+key+" is not in the keyring", "moothall secrets set "+key
	default:
		out.State, out.Detail, out.Remedy = moothall.ServiceDown, "the keyring cannot be asked for its key "+key, "moothall doctor says what is wrong with the keyring"
	}
	return out
}
