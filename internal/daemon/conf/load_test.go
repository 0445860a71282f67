package conf_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moothall"
	"moothall/internal/daemon/conf"
)

// diff compares configurations, which have fields that are not compared.
func diff(want, got testConfig) string {
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(testConfig{}), cmpopts.IgnoreFields(testConfig{}, "Skipped"))
}

// goodFiles are files with what they change in the defaults.
var goodFiles = map[string]struct {
	text string
	want func(*testConfig)
}{
	"empty":                    {"", func(*testConfig) {}},
	"blank":                    {"\n\n  \n", func(*testConfig) {}},
	"remarks alone":            {"# nothing\n", func(*testConfig) {}},
	"document mark":            {"---\n", func(*testConfig) {}},
	"directive":                {"%YAML 1.2\n---\nfront:\n  port: 1\n", func(c *testConfig) { c.Front.Port = 1 }},
	"document end":             {"front:\n  port: 1\n...\n", func(c *testConfig) { c.Front.Port = 1 }},
	"empty mapping":            {"{}", func(*testConfig) {}},
	"null root":                {"null", func(*testConfig) {}},
	"null means unset":         {"front:\n  port: null\n  host: ~\n  hosts:\nlog:\n", func(*testConfig) {}},
	"JSON":                     {`{"front": {"port": 81, "hosts": ["a"]}}`, func(c *testConfig) { c.Front.Port = 81; c.Front.Hosts = []string{"a"} }},
	"byte order mark":          {"\ufefffront:\n  port: 1\n", func(c *testConfig) { c.Front.Port = 1 }},
	"other line ends":          {"front:\r\n  port: 1\r\n  hosts:\r\n  - a\r\n  - b\r\n", func(c *testConfig) { c.Front.Port = 1; c.Front.Hosts = []string{"a", "b"} }},
	"numbers as text":          {"front:\n  host: 1.10\nlabels:\n  a: true\n  1: 0x1F\n", func(c *testConfig) { c.Front.Host = "1.10"; c.Labels = map[string]string{"a": "true", "1": "0x1F"} }},
	"other bases":              {"front:\n  port: 0x50\nlog:\n  workers: 0b11\n", func(c *testConfig) { c.Front.Port = 80; c.Log.Workers = 3 }},
	"underscores":              {"front:\n  port: 8_080\n", func(c *testConfig) { c.Front.Port = 8080 }},
	"block text":               {"labels:\n  a: |\n    x\n    y\n  b: >-\n    x\n    y\n", func(c *testConfig) { c.Labels = map[string]string{"a": "x\ny\n", "b": "x y"} }},
	"tags":                     {"front:\n  host: !!str 80\n  port: !!int \"80\"\n", func(c *testConfig) { c.Front.Host = "80"; c.Front.Port = 80 }},
	"empty list":               {"front:\n  hosts: []\n", func(c *testConfig) { c.Front.Hosts = nil }},
	"extension":                {"x-any: {a: [1, {b: c}]}\n", func(*testConfig) {}},
	"whole number for a float": {"log:\n  sample: 0\n", func(c *testConfig) { c.Log.Sample = 0 }},
	"exponent":                 {"log:\n  sample: 5e-1\n", func(c *testConfig) { c.Log.Sample = 0.5 }},
	"bytes without unit":       {"front:\n  max_body: 2048\n", func(c *testConfig) { c.Front.MaxBody = 2048 }},
	"pointers": {"front:\n  tls: false\nlog:\n  keep: 14d\nbackup:\n  dir: /b\n  count: 0\n", func(c *testConfig) {
		c.Front.TLS = new(false)
		c.Log.Keep = new(conf.Duration(14 * 24 * time.Hour))
		c.Backup = &backup{Dir: "/b", Count: new(int32(0))}
	}},
	"map entries are merged": {"services:\n  audit:\n    at: 127.0.0.1:1\n  memory:\n", func(c *testConfig) {
		c.Services["audit"] = service{At: "127.0.0.1:1", Timeout: conf.Duration(5 * time.Second)}
		c.Services["memory"] = service{}
	}},
	"alias": {"labels:\n  a: &x hello\n  b: *x\n", func(c *testConfig) {
		c.Labels = map[string]string{"a": "hello", "b": "hello"}
	}},
	"alias takes the last anchor": {"labels:\n  a: &x one\n  b: &x two\n  c: *x\n", func(c *testConfig) {
		c.Labels = map[string]string{"a": "one", "b": "two", "c": "two"}
	}},
	"merge": {"x-s: &s {at: 127.0.0.1:1, retries: 3}\nx-t: &t {at: 127.0.0.1:2, timeout: 9s}\n" +
		"services:\n  audit:\n    retries: 4\n    <<: [*s, *t]\n", func(c *testConfig) {
		c.Services["audit"] = service{At: "127.0.0.1:1", Retries: 4, Timeout: conf.Duration(9 * time.Second)}
	}},
	"list of sections": {"peers:\n- name: a\n  keys: [k1, k2]\n  on: true\n-\n  name: b\n", func(c *testConfig) {
		c.Peers = []peer{{Name: "a", Keys: []string{"k1", "k2"}, On: true}, {Name: "b"}}
	}},
	"other maps": {"weights: {info: 0.5}\nroutes:\n  a: [1, 2]\n", func(c *testConfig) {
		c.Weights = map[level]float64{"info": 0.5}
		c.Routes = map[string][]int16{"a": {1, 2}}
	}},
}

func TestLoadGoodFiles(t *testing.T) {
	t.Parallel()
	for name, tc := range goodFiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := defaults()
			tc.want(&want)
			got, _, err := load(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if d := diff(want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestLaterSourcesWin(t *testing.T) {
	t.Parallel()
	cfg := defaults()
	origins, err := conf.Load(&cfg, conf.Sources{
		File: "moothall.yaml",
		Data: []byte("front:\n  port: 1\n  host: file\n  hosts: [f1, f2]\nlog:\n  workers: 7\n"),
		Env: []string{
			"PATH=/bin", "MOOTHALL_HOME=/h", "MOOTHALL_FRONT_PORT=2", "MOOTHALL_FRONT_PORT=3",
			"MOOTHALL_FRONT_HOST=env", "MOOTHALL_FRONT_HOSTS=e1, e2,e3",
		},
		EnvIgnore: []string{"MOOTHALL_HOME"},
		Set:       map[string]string{"front.host": "flag", "log.level": "warn"},
		FlagNames: map[string]string{"log.level": "--log-level"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.Front.Port, want.Front.Host, want.Front.Hosts = 3, "flag", []string{"e1", "e2", "e3"}
	want.Log.Level, want.Log.Workers = "warn", 7
	if d := diff(want, cfg); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for path, want := range map[conf.Path]string{
		"front.timeout":  "default",
		"front":          "default",
		"no.such.thing":  "default",
		"front.port":     "MOOTHALL_FRONT_PORT",
		"front.host":     "--host",
		"front.hosts":    "MOOTHALL_FRONT_HOSTS",
		"front.hosts[0]": "MOOTHALL_FRONT_HOSTS",
		"log.level":      "--log-level",
		"log.workers":    "moothall.yaml:6",
	} {
		if got := origins.Of(path).String(); got != want {
			t.Errorf("origin of %s: got %q, want %q", path, got, want)
		}
	}
	if got, want := origins.Of("log.workers"), (conf.Origin{Kind: conf.KindFile, File: "moothall.yaml", Line: 6}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEnvironmentReachesMaps(t *testing.T) {
	t.Parallel()
	cfg := defaults()
	cfg.Services["long-name"] = service{}
	cfg.Services["long"] = service{}
	_, err := conf.Load(&cfg, conf.Sources{Env: []string{
		"MOOTHALL_SERVICES_AUDIT_AT=127.0.0.1:1",
		"MOOTHALL_SERVICES_LONG_NAME_LIMITS_MEM=1GiB",
		"MOOTHALL_SERVICES_LONG_LIMITS_AT=04:00",
		"MOOTHALL_SERVICES_BRAND_NEW_RETRIES=2",
		"MOOTHALL_LABELS_SOME_KEY=v=1",
		"MOOTHALL_ROUTES_A=1,2",
		"MOOTHALL_LABELS_EMPTY=",
		"MOOTHALL_BACKUP_DIR=/b",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.Services = map[string]service{
		"audit":     {At: "127.0.0.1:1", Timeout: conf.Duration(5 * time.Second)},
		"long-name": {Limits: limits{Mem: 1 << 30}},
		"long":      {Limits: limits{At: "04:00"}},
		"brand_new": {Retries: 2},
	}
	want.Labels = map[string]string{"some_key": "v=1", "empty": ""}
	want.Routes = map[string][]int16{"a": {1, 2}}
	want.Backup = &backup{Dir: "/b"}
	if d := diff(want, cfg); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestSetTakesQuotedKeys(t *testing.T) {
	t.Parallel()
	cfg := defaults()
	path := string(conf.Path("labels").Key("qwen3:0.6b"))
	origins, err := conf.Load(&cfg, conf.Sources{Set: map[string]string{path: "x", "front.hosts": ""}})
	if err != nil {
		t.Fatal(err)
	}
	if path != `labels."qwen3:0.6b"` || cfg.Labels["qwen3:0.6b"] != "x" || cfg.Front.Hosts != nil {
		t.Errorf("path %s, labels %v, hosts %v", path, cfg.Labels, cfg.Front.Hosts)
	}
	if got := origins.Of(conf.Path(path)).Kind; got != conf.KindFlag {
		t.Errorf("got kind %q", got)
	}
}

// The defaults hold maps and pointers that the destination shares with
// whoever made them; Load must not write through those.
func TestLoadDoesNotTouchSharedDefaults(t *testing.T) {
	t.Parallel()
	shared := defaults()
	shared.Backup = &backup{Dir: "/b"}
	cfg := shared
	_, err := conf.Load(&cfg, conf.Sources{Data: []byte("services: {audit: {retries: 2}, b: {}}\nbackup: {dir: /c}\n")})
	if err != nil {
		t.Fatal(err)
	}
	if len(shared.Services) != 1 || shared.Services["audit"].Retries != 0 || shared.Backup.Dir != "/b" {
		t.Errorf("the defaults changed: %+v", shared)
	}
}

func TestFileOnDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "moothall.yaml")
	cfg := defaults()
	if _, err := conf.Load(&cfg, conf.Sources{File: name}); err != nil {
		t.Errorf("a missing file that is optional: %v", err)
	}
	_, err := conf.Load(&cfg, conf.Sources{File: name, FileRequired: true})
	if moothall.ErrorCode(err) != moothall.CodeNotFound || moothall.ErrorRemedy(err) == "" {
		t.Errorf("a missing file that is required: %v", err)
	}
	if err := os.WriteFile(name, []byte("front: {port: 5}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := conf.Load(&cfg, conf.Sources{File: name, FileRequired: true}); err != nil || cfg.Front.Port != 5 {
		t.Errorf("port %d, error %v", cfg.Front.Port, err)
	}
	_, err = conf.Load(&cfg, conf.Sources{File: dir})
	if moothall.ErrorCode(err) != moothall.CodeUnavailable {
		t.Errorf("a folder as the file: %v", err)
	}
}

// What an editor adds to a file does not move the places in messages.
func TestPlacesDoNotDependOnTheEditor(t *testing.T) {
	t.Parallel()
	text := "labels:\n  é: |\n    a\n\n    b\n  ü: [1] # é\nfront: {port: x}\n"
	want := "moothall.yaml:6:6: labels.ü: expected text, got a list\n" +
		"moothall.yaml:7:15: front.port: expected a whole number, got \"x\""
	for name, text := range map[string]string{
		"plain":           text,
		"byte order mark": "\ufeff" + text,
		"CRLF":            strings.ReplaceAll(text, "\n", "\r\n"),
		"CR":              strings.ReplaceAll(text, "\n", "\r"),
	} {
		if _, _, err := load(text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got:\n%v\nwant at its end:\n%s", name, err, want)
		}
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	_, _, err := load("frnt: 1\nlgo: 2\n")
	want := "load configuration: there are 2 mistakes in the configuration: \n" +
		"moothall.yaml:1:1: frnt: unknown key; did you mean \"front\"?\n" +
		"moothall.yaml:2:1: lgo: unknown key; did you mean \"log\"?"
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	if !strings.Contains(moothall.ErrorRemedy(err), "mend") {
		t.Errorf("remedy %q", moothall.ErrorRemedy(err))
	}
}
