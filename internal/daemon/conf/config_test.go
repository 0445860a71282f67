package conf_test

import (
	"net/netip"
	"strconv"
	"time"

	"moothall/internal/daemon/conf"
)

// level is a string kind, as the hall's own types are.
type level string

// testConfig has every kind of value that a configuration can hold.
type testConfig struct {
	Front    front              `yaml:"front" doc:"The web face."`
	Log      logging            `yaml:"log" doc:"What is written down."`
	Services map[string]service `yaml:"services" doc:"Services that run elsewhere, by name."`
	Labels   map[string]string  `yaml:"labels" doc:"Free labels."`
	Weights  map[level]float64  `yaml:"weights" doc:"A weight for each level." min:"0" max:"1"`
	Routes   map[string][]int16 `yaml:"routes" doc:"Ports by route." min:"1"`
	Peers    []peer             `yaml:"peers" doc:"Other halls."`
	Backup   *backup            `yaml:"backup" doc:"Where copies go; none if unset."`
	//lint:ignore U1000 an unexported field must be left alone, which is what it is here to show
	hidden  int
	Skipped func() `yaml:"-"`
}

type front struct {
	Host    string        `yaml:"host" doc:"The address to listen on." example:"127.0.0.1"`
	Port    int           `yaml:"port" doc:"The TCP port." min:"1" max:"65535"`
	Hosts   []string      `yaml:"hosts" doc:"Names the web face answers to." example:"hall.local,localhost"`
	Timeout conf.Duration `yaml:"timeout" doc:"How long one request may take." min:"1s" max:"1h"`
	MaxBody conf.Size     `yaml:"max_body" doc:"The largest request body." min:"1KiB"`
	Open    bool          `yaml:"open" doc:"Whether guests may look."`
	TLS     *bool         `yaml:"tls" doc:"Whether to use TLS; decided by the address if unset."`
}

type logging struct {
	Level   level          `yaml:"level" doc:"How much is logged." enum:"debug,info,warn,error"`
	Sample  float64        `yaml:"sample" doc:"The share of requests that is logged." min:"0" max:"1"`
	Keep    *conf.Duration `yaml:"keep" doc:"How long logs are kept; for ever if unset."`
	Tags    []level        `yaml:"tags" doc:"Which parts log." enum:"chat,bus,web"`
	Workers uint8          `yaml:"workers" doc:"How many writers run."`
}

type service struct {
	At      string        `yaml:"at" doc:"Where it listens, as host:port."`
	Timeout conf.Duration `yaml:"timeout" doc:"How long to wait for it."`
	Retries int           `yaml:"retries" doc:"How often to ask again." min:"1"`
	Limits  limits        `yaml:"limits" doc:"What it may use."`
}

type limits struct {
	At  string    `yaml:"at" doc:"When it is restarted, as hour:minute."`
	Mem conf.Size `yaml:"mem" doc:"The memory it may use."`
}

type peer struct {
	Name string   `yaml:"name" doc:"The peer's name."`
	Keys []string `yaml:"keys" doc:"Its public keys."`
	On   bool     `yaml:"on" doc:"Whether it may call."`
}

type backup struct {
	Dir   string `yaml:"dir" doc:"The folder."`
	Count *int32 `yaml:"count" doc:"How many copies."`
}

func (s service) Validate(report conf.Report) {
	if _, err := netip.ParseAddrPort(s.At); s.At != "" && err != nil {
		report("at", "expected host:port, got "+strconv.Quote(s.At), "")
	}
}

func (b *backup) Validate(report conf.Report) {
	if b.Dir == "" {
		report("dir", "a backup needs a folder", "")
	}
}

func (c *testConfig) Validate(report conf.Report) {
	for i, p := range c.Peers {
		if p.On && len(p.Keys) == 0 {
			report(conf.Path("peers").Index(i).Key("on"), "a peer without keys cannot call", "")
		}
	}
	if c.Front.Open && c.Front.Host == "0.0.0.0" {
		report("front.open", "guests and the whole network together are not allowed", "")
	}
}

func defaults() testConfig {
	return testConfig{
		Front: front{
			Host:    "127.0.0.1",
			Port:    8800,
			Hosts:   []string{"localhost"},
			Timeout: conf.Duration(time.Minute),
			MaxBody: 4 << 20,
		},
		Log:      logging{Level: "info", Sample: 1, Workers: 2},
		Services: map[string]service{"audit": {Timeout: conf.Duration(5 * time.Second)}},
	}
}

// load fills the defaults from a file's text alone.
func load(text string) (testConfig, *conf.Origins, error) {
	cfg := defaults()
	origins, err := conf.Load(&cfg, conf.Sources{File: "moothall.yaml", Data: []byte(text)})
	return cfg, origins, err
}
