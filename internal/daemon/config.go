package daemon

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/rpc"
)

// Config is the whole configuration. Its zero value is not useful; start from
// [DefaultConfig].
type Config struct {
	Front     FrontConfig     `yaml:"front" doc:"The HTTP face: page, events, metrics and API."`
	Services  ServicesConfig  `yaml:"services" doc:"Where each service runs."`
	Peers     PeersConfig     `yaml:"peers" doc:"How processes of the hall prove to each other who they are."`
	Audit     AuditConfig     `yaml:"audit" doc:"The record of everything that is done."`
	Bus       BusConfig       `yaml:"bus" doc:"The event plane."`
	Models    ModelsConfig    `yaml:"models" doc:"The models that think."`
	Chat      ChatConfig      `yaml:"chat" doc:"How questions are answered."`
	Committee CommitteeConfig `yaml:"committee" doc:"How personas deliberate; personas.yaml says who they are."`
	Tasks     TasksConfig     `yaml:"tasks" doc:"How large tasks are worked on."`
	Critic    CriticConfig    `yaml:"critic" doc:"How answers are judged."`
	Reward    RewardConfig    `yaml:"reward" doc:"What becomes of your opinion on answers."`
	Memory    MemoryConfig    `yaml:"memory" doc:"What the hall remembers."`
	Tools     ToolsConfig     `yaml:"tools" doc:"What agents use. Who may use what is in manifest.yaml."`
	Search    SearchConfig    `yaml:"search" doc:"The way to the web. Nothing is searched until one is configured."`
	Secrets   SecretsConfig   `yaml:"secrets" doc:"Where keys and passwords are kept."`
	Traces    TracesConfig    `yaml:"traces" doc:"Traces for an OpenTelemetry collector of yours."`
	Log       LogConfig       `yaml:"log" doc:"What the program says about itself on standard error."`

	file string // that it was read from; "" when nobody said
}

// FrontConfig configures the HTTP face.
type FrontConfig struct {
	Listen   string    `yaml:"listen" doc:"The address to listen on. Anything but loopback makes every request need the token in the front.token file." example:"127.0.0.1"`
	Port     int       `yaml:"port" doc:"The port to listen on; 0 takes a free one." min:"0" max:"65535"`
	Hosts    []string  `yaml:"hosts" doc:"Names, beyond addresses and localhost, under which browsers may reach the hall."`
	Headless bool      `yaml:"headless" doc:"Leave the page out and serve only the API."`
	MaxBody  conf.Size `yaml:"max_body" doc:"The largest request body." min:"1KiB" max:"1GiB"`
}

// ServicesConfig says where services run.
type ServicesConfig struct {
	Audit   ServiceConfig `yaml:"audit" doc:"The record."`
	Gateway ServiceConfig `yaml:"gateway" doc:"The way to models."`
	Memory  ServiceConfig `yaml:"memory" doc:"What the hall remembers."`
	Broker  ServiceConfig `yaml:"broker" doc:"The only way to tools."`
	Secrets ServiceConfig `yaml:"secrets" doc:"The keyring."`
	Search  ServiceConfig `yaml:"search" doc:"The way to the web."`
}

// ServiceConfig says where one service runs.
type ServiceConfig struct {
	At     string   `yaml:"at" doc:"Where callers find it: here, unix:/path, h2c://host:port or mtls://host:port." example:"here"`
	Listen []string `yaml:"listen" doc:"Where this process offers it to others as well; moothall serve listens at the address above when this is empty."`
}

// PeersConfig holds the proofs of identity.
type PeersConfig struct {
	Key  string           `yaml:"key" doc:"File with the key that h2c peers share; the home's peer.key when empty."`
	UIDs map[string][]int `yaml:"uids" doc:"For unix sockets: which user ids may act as which identity. An identity not listed is for this process's own user."`
	TLS  TLSConfig        `yaml:"tls" doc:"For mtls: this process's certificate, whose names are the identities it may act as."`
}

// TLSConfig names the files of a certificate.
type TLSConfig struct {
	CA   string `yaml:"ca" doc:"Certificates of the authority that signs peers."`
	Cert string `yaml:"cert" doc:"This process's certificate."`
	Key  string `yaml:"key" doc:"Its private key."`
}

// AuditConfig configures the record.
type AuditConfig struct {
	HeadEvery int           `yaml:"head_every" doc:"A signed head is written after so many entries, and at the end of every run." min:"1" max:"100000"`
	Window    conf.Duration `yaml:"window" doc:"How long an entry that guards no effect may wait to share a disk flush." min:"0s" max:"100ms"`
}

// BusConfig configures the event plane.
type BusConfig struct {
	URL         string            `yaml:"url" doc:"An existing NATS server or cluster (comma separated); empty runs one inside." example:"nats://10.0.0.2:4222"`
	Credentials map[string]string `yaml:"credentials" doc:"For such a server: a credentials file for each identity, or one named default."`
	Listen      string            `yaml:"listen" doc:"Address on which the server inside takes tools and peers from outside; empty opens no port." example:"127.0.0.1:4222"`
	MaxAge      conf.Duration     `yaml:"max_age" doc:"How long events are kept for replay." min:"1h"`
	MaxSize     conf.Size         `yaml:"max_size" doc:"How much of them is kept." min:"1MiB"`
	Guests      []GuestConfig     `yaml:"guests" doc:"Tools in other processes and languages that live on the bus; listen must be set for them."`
}

// LogConfig configures the program's own log.
type LogConfig struct {
	Level  string `yaml:"level" doc:"The least severe message that is written." enum:"debug,info,warn,error"`
	Format string `yaml:"format" doc:"How messages are written." enum:"text,json"`
}

// DefaultConfig is the configuration of somebody who wrote none.
func DefaultConfig() Config {
	here := ServiceConfig{At: string(rpc.Here)}
	return Config{
		Front:     FrontConfig{Listen: "127.0.0.1", Port: 8765, MaxBody: 1 << 20},
		Services:  ServicesConfig{Audit: here, Gateway: here, Memory: here, Broker: here, Secrets: here, Search: here},
		Audit:     AuditConfig{HeadEvery: 256, Window: conf.Duration(2 * time.Millisecond)},
		Bus:       BusConfig{MaxAge: conf.Duration(14 * 24 * time.Hour), MaxSize: 1 << 30},
		Models:    defaultModels(),
		Chat:      defaultChat(),
		Committee: defaultCommittee(),
		Tasks:     defaultTasks(),
		Critic:    defaultCritic(),
		Reward:    defaultReward(),
		Memory:    defaultMemory(),
		Tools:     defaultTools(),
		Secrets:   SecretsConfig{Keyring: "auto"},
		Log:       LogConfig{Level: "warn", Format: "text"},
	}
}

// Loaded is a configuration together with where its values come from.
type Loaded struct {
	Config
	File    string
	Origins *conf.Origins
}

// LoadConfig reads the configuration of a home: defaults, file, environment,
// then what flags set, by dotted path. A file named by the person must exist;
// the home's own need not.
func LoadConfig(h Home, file string, environ []string, set map[string]string) (Loaded, error) {
	l := Loaded{Config: DefaultConfig(), File: file}
	src := conf.Sources{
		File: file, FileRequired: file != "", Env: environ, Set: set,
		EnvIgnore: []string{"MOOTHALL_HOME", "MOOTHALL_CONFIG", "MOOTHALL_TOKEN"},
		FlagNames: map[string]string{
			"chat.respondent_b.enabled": "--respondent-b", "chat.respondent_b.model": "--model-b", "chat.respondent_b.temperature": "--temperature-b",
		},
	}
	if file == "" {
		src.File = h.ConfigFile()
		l.File = src.File
	}
	var err error
	if l.file, err = filepath.Abs(l.File); err != nil {
		return l, homeError("load configuration", l.File, err)
	}
	if l.Origins, err = conf.Load(&l.Config, src); err != nil {
		return l, err
	}
	if l.Models.Ollama.URL == "" {
		l.Models.Ollama.URL = ollamaURL(lookup(environ, "OLLAMA_HOST")) // as Ollama's own tools do
	}
	if l.Secrets.Bus == "" {
		l.Secrets.Bus = lookup(environ, "DBUS_SESSION_BUS_ADDRESS")
	}
	return l, nil
}

// lookup finds a variable in NAME=value lines.
func lookup(environ []string, name string) string {
	for _, line := range environ {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// Validate reports an address that cannot be listened on.
func (c FrontConfig) Validate(report conf.Report) {
	if c.Listen == "localhost" {
		return
	}
	if _, err := netip.ParseAddr(c.Listen); err != nil {
		report("listen", fmt.Sprintf("%q is not an IP address", c.Listen), "127.0.0.1")
	}
}

// Loopback reports whether only this machine can reach the front.
func (c FrontConfig) Loopback() bool {
	a, err := netip.ParseAddr(c.Listen)
	return c.Listen == "localhost" || (err == nil && a.IsLoopback())
}

// Address is where the front listens, as host:port.
func (c FrontConfig) Address() string {
	return net.JoinHostPort(c.Listen, strconv.Itoa(c.Port))
}

// Validate reports an address that cannot be read.
func (c ServiceConfig) Validate(report conf.Report) {
	if _, err := rpc.ParseAddress(c.At); err != nil {
		report("at", err.Error(), string(rpc.Here))
	}
	for _, l := range c.Listen {
		a, err := rpc.ParseAddress(l)
		if err != nil {
			report("listen", err.Error(), "")
		} else if a.Transport == rpc.Here {
			report("listen", "here is where it is in any case; name a socket or a port", "")
		}
	}
}

// Validate reports identities that are none, and half a certificate.
func (c PeersConfig) Validate(report conf.Report) {
	for name := range c.UIDs {
		if !moothall.Identity(name).Known() {
			report(conf.Path("uids").Key(name), "no participant of the hall has this name", "")
		}
	}
	n := 0
	for _, f := range []string{c.TLS.CA, c.TLS.Cert, c.TLS.Key} {
		if f != "" {
			n++
		}
	}
	if n != 0 && n != 3 {
		report("tls", "ca, cert and key belong together: give all three or none", "")
	}
}

// of returns where a service runs.
func (c ServicesConfig) of(s rpc.Service) ServiceConfig {
	switch s {
	case rpc.Audit:
		return c.Audit
	case rpc.Gateway:
		return c.Gateway
	case rpc.Memory:
		return c.Memory
	case rpc.Broker:
		return c.Broker
	case rpc.Secrets:
		return c.Secrets
	case rpc.Search:
		return c.Search
	}
	return ServiceConfig{At: string(rpc.Here)}
}

// address is where a service runs, as validated.
func (c ServicesConfig) address(s rpc.Service) rpc.Address {
	a, err := rpc.ParseAddress(c.of(s).At)
	if err != nil {
		return rpc.Address{Transport: rpc.Here}
	}
	return a
}

// Logger returns the program's log as configured, on w.
func (c LogConfig) Logger(w io.Writer) *slog.Logger {
	level := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}[c.Level]
	o := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// ShowConfig writes the configuration in force as YAML.
func ShowConfig(w io.Writer, l Loaded, origins bool) error {
	return conf.Show(w, l.Config, l.Origins, origins)
}

// ConfigJSON writes it as JSON.
func ConfigJSON(w io.Writer, l Loaded) error {
	_, err := w.Write(append(conf.JSON(l.Config), '\n'))
	return err
}

// ConfigSchema is the JSON schema of the configuration file.
func ConfigSchema() []byte { return conf.Schema(DefaultConfig(), "Moothall configuration") }
