package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moothall"
	"moothall/internal/audit/verify"
	"moothall/internal/gateway"
	"moothall/internal/store"
	"moothall/internal/tool/pin"
)

// Finding is what one of the doctor's checks found.
type Finding = moothall.Finding

func ok(check, detail string) Finding { return Finding{Check: check, Status: "ok", Detail: detail} }

func info(check, detail, remedy string) Finding {
	return Finding{Check: check, Status: "info", Detail: detail, Remedy: remedy}
}

func warn(check, detail, remedy string) Finding {
	return Finding{Check: check, Status: "warn", Detail: detail, Remedy: remedy}
}

func fail(check, detail, remedy string) Finding {
	return Finding{Check: check, Status: "fail", Detail: detail, Remedy: remedy}
}

// failErr is a finding from an error, with its own remedy.
func failErr(check string, err error, remedy string) Finding {
	if r := moothall.ErrorRemedy(err); r != "" {
		remedy = r
	}
	return fail(check, err.Error(), remedy)
}

// Examination is what the doctor is given to look at.
type Examination struct {
	Home    Home
	Config  Config
	ConfErr error // why the configuration could not be loaded
	File    string
	Env     func(string) string
	Helper  []string // starts this program as the sandbox's helper; itself when nil

	cage *cage // the sandbox to try; one of its own when nil
}

// Doctor looks at everything that the hall needs and says what to do about
// what it finds. It changes nothing.
func Doctor(ctx context.Context, x Examination) []Finding {
	pid, running := Running(x.Home)
	out := []Finding{x.config(), x.home(), x.space()}
	if running {
		out = append(out, ok("hall", fmt.Sprintf("runs as process %d", pid)))
	} else {
		out = append(out, info("hall", "does not run on this home", "start it with: moothall up"))
	}
	out = append(out, x.record(ctx), x.database(ctx, running), x.port(ctx, running), x.modelServer(ctx))
	out = append(out, x.sandbox(ctx)...)
	return append(out, x.byHand(ctx)...)
}

// byHand are the findings of what a person wrote or chose.
func (x Examination) byHand(ctx context.Context) []Finding {
	out := append([]Finding{x.manifest(), x.personas(), x.servers()}, x.choices()...)
	return append(out, x.keyring(ctx), x.search())
}

func (x Examination) config() Finding {
	if x.ConfErr != nil {
		return failErr("configuration", x.ConfErr, "mend the file; moothall config schema lists every key")
	}
	if _, err := os.Stat(x.File); errors.Is(err, fs.ErrNotExist) {
		return ok("configuration", "none written; defaults are in force ("+x.File+")")
	}
	return ok("configuration", x.File)
}

// home tries what the hall will do: make its folders and write there.
func (x Examination) home() Finding {
	h := x.Home
	dirs := []string{h.Data, h.Config, h.State, h.Cache, h.Workspace(), h.cards(), h.memoryIndex()}
	if x.Config.Bus.URL == "" {
		dirs = append(dirs, h.Bus())
	}
	for _, dir := range dirs {
		existing := dir
		for {
			if _, err := os.Lstat(existing); err == nil || existing == filepath.Dir(existing) {
				break
			}
			existing = filepath.Dir(existing)
		}
		f, err := os.CreateTemp(existing, ".moothall-doctor-*")
		if err != nil {
			return failErr("home", homeError("home", existing, err), "")
		}
		f.Close()
		os.Remove(f.Name())
	}
	if i, err := os.Lstat(h.Socket()); err == nil && i.Mode().Type() != fs.ModeSocket {
		return fail("home", h.Socket()+" is there and is no socket", "move it away")
	}
	return ok("home", h.Data)
}

func (x Examination) record(ctx context.Context) Finding {
	if at := x.Config.Services.Audit.At; at != "here" && at != "" {
		return info("record", "is kept at "+at, "run moothall audit verify on that home")
	}
	if _, err := os.Stat(x.Home.Audit()); errors.Is(err, fs.ErrNotExist) {
		return ok("record", "none yet; it begins with the first start")
	}
	r, err := verify.Dir(ctx, x.Home.Audit(), nil)
	if err != nil {
		return failErr("record", err, "")
	}
	if f, wrong := r.Wrong(); wrong {
		return fail("record", "does not verify: "+f.Where+": "+f.What, "moothall audit verify shows all; keep the folder as evidence and restore a backup elsewhere")
	}
	return ok("record", fmt.Sprintf("%d entries verify, %d of them signed", r.Entries, r.Signed))
}

func (x Examination) database(ctx context.Context, running bool) Finding {
	if _, err := os.Stat(x.Home.Database()); errors.Is(err, fs.ErrNotExist) {
		return ok("database", "none yet; it begins with the first start")
	}
	if running {
		return ok("database", "in use by the hall that runs")
	}
	if err := store.Check(ctx, x.Home.Database(), schemas()...); err != nil {
		return failErr("database", err, "restore a backup with: moothall restore FILE")
	}
	return ok("database", x.Home.Database())
}

// port finds out whether the front's port is free, ours, or somebody else's.
func (x Examination) port(ctx context.Context, running bool) Finding {
	addr := x.Config.Front.Address()
	if x.Config.Front.Port == 0 {
		return ok("port", "any free one is taken at start")
	}
	l, err := net.Listen("tcp", addr)
	if err == nil {
		l.Close()
		return ok("port", addr+" is free")
	}
	var h moothall.Health
	if getJSON(ctx, "http://"+addr+"/health", &h) == nil && h.Version != "" {
		if running && h.Home == x.Home.Data {
			return ok("port", addr+" is served by this hall")
		}
		return warn("port", addr+" is served by another hall, on "+h.Home, "start this one with another --port")
	}
	return failErr("port", listenError(x.Config.Front, err), "")
}

// betterModel are the two commands that give a better model than the built-in
// one.
const betterModel = "for a better one: curl -fsS https://ollama.com/install.sh | sh, then: ollama pull qwen3:4b"

const smallModel = "the built-in model is very small: it reads from its library and its tools and knows little else"

// modelServer looks for Ollama where its own tools would.
func (x Examination) modelServer(ctx context.Context) Finding {
	url := x.Config.Models.Ollama.URL
	if url == "" {
		url = ollamaURL(x.Env("OLLAMA_HOST"))
	}
	var version struct{ Version string }
	if err := getJSON(ctx, url+"/api/version", &version); err != nil {
		return warn("model server", "no Ollama answers at "+url+"; "+x.Config.Models.inside(), betterModel)
	}
	var tags struct{ Models []struct{ Name string } }
	if err := getJSON(ctx, url+"/api/tags", &tags); err != nil || len(tags.Models) == 0 {
		return warn("model server", "Ollama "+version.Version+" at "+url+" has no model", "ollama pull qwen3:4b")
	}
	return ok("model server", fmt.Sprintf("Ollama %s at %s with %d models", version.Version, url, len(tags.Models)))
}

// ollamaURL reads OLLAMA_HOST in the forms that Ollama's own tools take: with a
// scheme, the port is that one's.
func ollamaURL(host string) string {
	host = strings.TrimSpace(host)
	scheme, rest, found := strings.Cut(host, "://")
	port := cmp.Or(map[string]string{"http": "80", "https": "443"}[scheme], "11434")
	if !found {
		scheme, rest, port = "http", host, "11434"
	}
	rest, path, _ := strings.Cut(rest, "/")
	if rest == "" {
		rest = "127.0.0.1"
	}
	if rest == "0.0.0.0" || strings.HasPrefix(rest, "0.0.0.0:") {
		rest = "127.0.0.1" + strings.TrimPrefix(rest, "0.0.0.0")
	}
	if _, _, err := net.SplitHostPort(rest); err != nil {
		rest = net.JoinHostPort(strings.Trim(rest, "[]"), port)
	}
	return strings.TrimSuffix(scheme+"://"+rest+"/"+path, "/")
}

// sandbox tries what agents must not be able to do, in the sandbox that they
// would get, and shows what came of each attempt.
func (x Examination) sandbox(ctx context.Context) []Finding {
	const install = "apt install bubblewrap (or your system's way), and allow unprivileged user namespaces"
	c := x.cage
	if c == nil {
		c = &cage{helper: newHall(Options{Helper: x.Helper}).helper}
		defer c.Close()
	}
	box, err := c.open(ctx)
	if box == nil {
		return []Finding{failErr("sandbox", err, install)}
	}
	report := box.Report()
	var held []string
	var broken []Finding
	for _, p := range report.Probes {
		if p.Held {
			held = append(held, p.Name)
			continue
		}
		broken = append(broken, fail("sandbox", p.Name+" is possible: "+p.Detail, "run_code, run_shell and package_install stay off until this is mended"))
	}
	if err != nil {
		return append([]Finding{warn("sandbox", box.Why()+"; agents cannot run code", install)}, broken...)
	}
	return []Finding{
		ok("sandbox", "level "+string(report.Level)+"; "+box.Why()),
		ok("self-test", "tried inside it and refused: "+strings.Join(held, ", ")),
	}
}

func (x Examination) manifest() Finding {
	h := newHall(Options{Home: x.Home, Config: x.Config})
	m, err := loadManifest(x.Home, h.folders())
	if err == nil {
		set := h.makeTools(nil, nil, nil)
		err = errors.Join(h.checkManifest(m, set.tools), set.close())
	}
	if err != nil {
		return failErr("manifest", err, "mend the file")
	}
	if fileExists(x.Home.Manifest()) {
		return ok("manifest", fmt.Sprintf("%s: %d agent types", x.Home.Manifest(), len(m.Types)))
	}
	return ok("manifest", fmt.Sprintf("none written; %d agent types are built in (%s)", len(m.Types), x.Home.Manifest()))
}

func (x Examination) personas() Finding {
	_, err := loadPersonas(x.Home)
	return written("personas", x.Home.Personas(), err)
}

func (x Examination) servers() Finding {
	_, err := loadMCP(x.Home)
	return written("MCP servers", x.Home.MCP(), err)
}

// choices are those that a person made while a hall ran.
func (x Examination) choices() []Finding {
	_, pins := pin.Open(x.Home.Pins())
	var out []Finding
	for _, err := range []error{gateway.CheckState(x.Home.Models()), pins} {
		if err != nil {
			out = append(out, failErr("choices", err, ""))
		}
	}
	if out == nil {
		out = []Finding{ok("choices", "of models and of tools of others: can be read")}
	}
	return out
}

// written is a finding of a file that a person may write.
func written(check, file string, err error) Finding {
	if err != nil {
		return failErr(check, err, "mend "+file)
	}
	if !fileExists(file) {
		return ok(check, "none written ("+file+")")
	}
	return ok(check, file)
}

func (x Examination) keyring(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	k, err := OpenKeyring(ctx, x.Config)
	if err == nil {
		defer k.Close()
		err = k.store.Ping(ctx)
	}
	if err != nil {
		f := failErr("keyring", err, "install gnome-keyring and start a session with: dbus-run-session")
		f.Status = "warn"
		return f
	}
	if k.store.Name() == "kernel" {
		return info("keyring", "the kernel's, which forgets when the machine is switched off", "log in to a desktop session with GNOME Keyring or KWallet for secrets that last")
	}
	return ok("keyring", k.Where())
}

func (x Examination) search() Finding {
	if !x.Config.Search.Any() {
		return info("search", "not configured: nothing goes out to the web", "set search.searxng.url, or search.brave.key, or search.tavily.key")
	}
	return ok("search", "configured; agents may search, and read pages of public addresses")
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// getJSON asks a server on this machine or one that the person named.
func getJSON(ctx context.Context, url string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 && resp.StatusCode != http.StatusServiceUnavailable {
		return errors.New(resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(into)
}
