package conf_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall/internal/daemon/conf"
)

// full is a configuration that has something at every place.
func full() testConfig {
	cfg := defaults()
	cfg.Front.Hosts = []string{"", "a b", "true", "12", "x: y", "# no", "- ", "ü\u2028\x01\"\\", "it's", "a:"}
	cfg.Front.TLS = new(true)
	cfg.Front.Timeout = conf.Duration(90*time.Second + 1)
	cfg.Log.Keep = new(conf.Duration(14 * 24 * time.Hour))
	cfg.Log.Sample = 1e-7
	cfg.Log.Tags = []level{"chat", "web"}
	cfg.Services["a.b"] = service{At: "127.0.0.1:1", Retries: 2, Limits: limits{Mem: 10_000_000}}
	cfg.Labels = map[string]string{"<<": "x", "x-y": "null", "": "~", "1": "\n", "a:b": " lead", "é": "tab\tend ", "? q": "@", "no": "%"}
	cfg.Weights = map[level]float64{"info": 0.1}
	cfg.Routes = map[string][]int16{"none": nil, "two": {1, 2}}
	cfg.Peers = []peer{{Name: "p", Keys: []string{"k"}, On: true}, {}}
	cfg.Backup = &backup{Dir: "/b", Count: new(int32(-3))}
	return cfg
}

func show(t *testing.T, cfg any, origins *conf.Origins, with bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := conf.Show(&b, cfg, origins, with); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestShowLoadsAgain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ over, want testConfig }{
		"defaults":           {defaults(), defaults()},
		"full over defaults": {defaults(), full()},
		"full over nothing":  {testConfig{}, full()},
		"nothing":            {testConfig{}, testConfig{}},
	} {
		for _, withOrigins := range []bool{false, true} {
			got, want := tc.over, tc.want
			text := show(t, want, nil, withOrigins)
			if _, err := conf.Load(&got, conf.Sources{Data: []byte(text)}); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			if d := diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", name, d, text)
			}
		}
	}
}

func TestShowGolden(t *testing.T) {
	t.Parallel()
	cfg := defaults()
	origins, err := conf.Load(&cfg, conf.Sources{
		File: "moothall.yaml",
		Data: []byte("services:\n  memory:\n    at: 127.0.0.1:7\n    retries: 3\npeers:\n  - name: north\n    keys: [k1]\n  - name: south\nlabels: {town: x}\n"),
		Env:  []string{"MOOTHALL_FRONT_HOSTS=a,b", "MOOTHALL_LOG_KEEP=14d"},
		Set:  map[string]string{"front.port": "9000"},
	})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/show.yaml", show(t, cfg, origins, true))
	golden(t, "testdata/show.json", string(conf.JSON(&cfg)))
	golden(t, "testdata/schema.json", string(conf.Schema(defaults(), "A test")))
	golden(t, "testdata/keys.txt", strings.Join(conf.Keys(cfg), "\n")+"\n")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// The name of a file must not be able to break out of its remark.
func TestShowRemarksStayInTheirLine(t *testing.T) {
	t.Parallel()
	cfg := defaults()
	origins, err := conf.Load(&cfg, conf.Sources{File: "a\nfront: broken", Data: []byte("front: {port: 7}")})
	if err != nil {
		t.Fatal(err)
	}
	text := show(t, cfg, origins, true)
	if again, _, err := load(text); err != nil || again.Front.Port != 7 {
		t.Errorf("port %d, error %v:\n%s", again.Front.Port, err, text)
	}
}

func TestShowEmptyStruct(t *testing.T) {
	t.Parallel()
	if got := show(t, struct{}{}, nil, true); got != "{}\n" {
		t.Errorf("got %q", got)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func TestShowReportsWriteErrors(t *testing.T) {
	t.Parallel()
	if err := conf.Show(brokenWriter{}, defaults(), nil, false); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}

func TestJSONIsWellFormed(t *testing.T) {
	t.Parallel()
	var got struct {
		Front  struct{ Hosts []string }
		Labels map[string]string
		Backup struct{ Count int }
	}
	cfg := full()
	if err := json.Unmarshal(conf.JSON(cfg), &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(cfg.Front.Hosts, got.Front.Hosts); d != "" {
		t.Errorf("hosts (-want +got):\n%s", d)
	}
	if d := cmp.Diff(cfg.Labels, got.Labels); d != "" || got.Backup.Count != -3 {
		t.Errorf("labels (-want +got):\n%s", d)
	}
}

func TestKeysCanAllBeSet(t *testing.T) {
	t.Parallel()
	base := full()
	for _, key := range conf.Keys(base) {
		cfg := full()
		_, err := conf.Load(&cfg, conf.Sources{Set: map[string]string{key: "\x00"}})
		if err != nil && strings.Contains(err.Error(), "unknown key") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
