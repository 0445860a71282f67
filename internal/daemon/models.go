package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/gateway"
	"moothall/internal/gateway/anthropic"
	"moothall/internal/gateway/builtin"
	"moothall/internal/gateway/builtin/rules"
	"moothall/internal/gateway/google"
	"moothall/internal/gateway/ollama"
	"moothall/internal/gateway/openai"
	"moothall/internal/rpc"
)

// ModelsConfig says where models are and which does what.
type ModelsConfig struct {
	Ollama  OllamaConfig            `yaml:"ollama" doc:"The Ollama server on this machine or another of yours."`
	Servers map[string]ServerConfig `yaml:"servers" doc:"Other model servers, by a name of your choice."`
	Roles   []RoleConfig            `yaml:"roles" doc:"Which model does what; without a line for it the best model found is taken."`
	Hosted  bool                    `yaml:"hosted" doc:"Let models on other people's machines be used. Off, nothing you say leaves your machines."`
	Memory  conf.Size               `yaml:"memory" doc:"The largest model that is chosen by itself; 0 is three quarters of this machine's memory, 16GiB at most, or 16GiB where Ollama is on another."`
	Builtin string                  `yaml:"builtin" doc:"What answers where no model server does: the very small language model inside the program, or simple rules, which take no time and always answer alike." enum:"network,rules"`
}

// What ModelsConfig.Builtin may be.
const (
	builtinNetwork = "network"
	builtinRules   = "rules"
)

// OllamaConfig configures the Ollama server.
type OllamaConfig struct {
	URL       string        `yaml:"url" doc:"Its address; OLLAMA_HOST, then 127.0.0.1:11434 when empty." example:"http://127.0.0.1:11434"`
	Window    int           `yaml:"window" doc:"The context window to ask for, in tokens." min:"1024" max:"4194304"`
	KeepAlive conf.Duration `yaml:"keep_alive" doc:"How long a model stays in memory after a call; 0s leaves it to the server."`
	Parallel  int           `yaml:"parallel" doc:"How many calls of one model run at once." min:"1" max:"64"`
}

// ServerConfig configures another model server.
type ServerConfig struct {
	Kind string `yaml:"kind" doc:"What it speaks." enum:"openai,anthropic,google"`
	URL  string `yaml:"url" doc:"Its address; the service's own when empty."`
	Key  string `yaml:"key" doc:"The name of its key in the keyring, never the key itself."`
}

// RoleConfig maps a role to a model.
type RoleConfig struct {
	Role       string `yaml:"role" doc:"The role." enum:"chat,orchestrator,coder,researcher,critic,embedder,selector"`
	Complexity string `yaml:"complexity" doc:"Only for requests of this kind." enum:",simple,reasoning,code"`
	Provider   string `yaml:"provider" doc:"ollama, builtin, or the name of a server above."`
	Model      string `yaml:"model" doc:"The model's name there."`
}

// Validate reports roles that are bound to nothing.
func (c ModelsConfig) Validate(report conf.Report) {
	providers := slices.Concat([]string{ollama.Name}, slices.Sorted(maps.Keys(c.Servers)), []string{builtin.Name})
	for i, r := range c.Roles {
		at := conf.Path("roles").Index(i)
		switch {
		case r.Role == "":
			report(at.Key("role"), "it is not said what the model is for", "")
		case r.Model == "":
			report(at.Key("model"), "it is not said which model does "+r.Role, "")
		case r.Provider == "":
			report(at.Key("provider"), "it is not said where "+r.Model+" is: "+strings.Join(providers, ", "), providers[0])
		case !slices.Contains(providers, r.Provider):
			report(at.Key("provider"), fmt.Sprintf("%q is none of: %s", r.Provider, strings.Join(providers, ", ")), "")
		}
	}
}

// defaultModels is what holds without a word of configuration.
func defaultModels() ModelsConfig {
	return ModelsConfig{Ollama: OllamaConfig{Window: 32000, Parallel: 1}, Builtin: builtinNetwork}
}

// openGateway starts the way to models. The built-in one comes last: it
// answers when nothing better is found.
func (h *Hall) openGateway(context.Context) (func(context.Context) error, error) {
	c := h.conf.Models
	local, err := ollama.New(ollama.Options{
		URL: c.Ollama.URL, Window: c.Ollama.Window, KeepAlive: time.Duration(c.Ollama.KeepAlive),
	})
	if err != nil {
		return nil, err
	}
	providers := []gateway.Provider{local}
	shared := map[string]gateway.Server{local.Name(): {Parallel: c.Ollama.Parallel, Preempt: true}}
	for _, name := range slices.Sorted(maps.Keys(c.Servers)) { // always in the same order: the first that will do is chosen
		p, err := h.hostedProvider(name, c.Servers[name])
		if err != nil {
			return nil, err
		}
		providers = append(providers, p)
		shared[name] = gateway.Server{Preempt: true}
	}
	inside, release, err := h.builtin()
	if err != nil {
		return nil, err
	}
	providers = append(providers, inside)
	shared[inside.Name()] = gateway.Server{Parallel: 1, Preempt: true}
	var roles []moothall.ModelBinding
	for _, r := range c.Roles {
		roles = append(roles, moothall.ModelBinding{
			Role: moothall.ModelRole(r.Role), Complexity: r.Complexity, Provider: r.Provider, Model: r.Model,
		})
	}
	largest := int64(c.Memory)
	if largest == 0 && local.Here() {
		largest = largestHere(machineMemory())
	}
	record, err := h.peer(moothall.ModelGateway).Audit()
	if err != nil {
		return nil, err
	}
	h.gateway, err = gateway.Open(gateway.Options{
		Audit: record, Providers: providers, Roles: roles, Memory: largest, Logger: h.log,
		State: h.home.Models(), Cards: h.home.cards(),
		Servers: shared, AllowHosted: h.allowHosted, Sink: h.traces.model,
	})
	if err != nil {
		return nil, err
	}
	h.here.Gateway = h.gateway.For
	return func(context.Context) error { return errors.Join(h.gateway.Close(), release()) }, nil
}

// largestHere is how large a model is at most that this machine is given unasked:
// a quarter of its memory is for the context and for everything else. Memory that is
// not known (0) leaves it to the gateway.
func largestHere(memory int64) int64 {
	return min(memory/4*3, gateway.DefaultMemory)
}

// builtin is what answers with nothing installed, and what gives it back.
func (h *Hall) builtin() (gateway.Provider, func() error, error) {
	if h.conf.Models.Builtin == builtinRules {
		return rules.Provider{}, func() error { return nil }, nil
	}
	p, err := builtin.New(builtin.Options{Logger: h.log})
	if err != nil {
		return nil, nil, err
	}
	return p, p.Close, nil
}

// inside says what answers with nothing installed.
func (c ModelsConfig) inside() string {
	if c.Builtin == builtinRules {
		return "simple rules answer, no language model"
	}
	return smallModel
}

// hostedProvider makes the provider of one configured server.
func (h *Hall) hostedProvider(name string, s ServerConfig) (gateway.Provider, error) {
	var key func(context.Context) (moothall.Secret, error)
	if s.Key != "" {
		key = h.providerKey(moothall.ModelGateway, name, s.Key)
	}
	switch s.Kind {
	case "anthropic":
		return anthropic.New(anthropic.Options{Name: name, BaseURL: s.URL, Key: key})
	case "google":
		return google.New(google.Options{Name: name, BaseURL: s.URL, Key: key})
	}
	return openai.New(openai.Options{Name: name, BaseURL: s.URL, Key: key})
}

// providerKey asks the broker, on behalf of a service, for the key that the
// configuration binds to a provider.
func (h *Hall) providerKey(as moothall.Identity, provider, ref string) func(context.Context) (moothall.Secret, error) {
	return func(ctx context.Context) (moothall.Secret, error) {
		b, err := h.peer(as).Broker()
		if err != nil {
			return moothall.Secret{}, err
		}
		return b.ProviderKey(ctx, moothall.KeyRequest{Provider: provider, Ref: moothall.SecretRef(ref)})
	}
}

// allowHosted refuses what would leave the person's machines unless the
// configuration says otherwise.
func (h *Hall) allowHosted(_ context.Context, _ moothall.Scope, provider, model string) error {
	if h.conf.Models.Hosted {
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeDenied, Op: "use model", Message: provider + "/" + model + " runs on somebody else's machine",
		Remedy: "set models.hosted to true to allow that",
	}
}

// BuiltIn says what a built-in model is, to whoever it answers.
func BuiltIn(model string) string {
	c := ModelsConfig{Builtin: builtinNetwork}
	if model == rules.Model {
		c.Builtin = builtinRules
	}
	return c.inside() + "; " + betterModel
}

// Model says which model answers.
func (h *Hall) Model(ctx context.Context) moothall.ModelHealth {
	if at := h.conf.Services.address(rpc.Gateway); at.Transport != rpc.Here {
		return moothall.ModelHealth{State: moothall.ServiceOK, Detail: "the gateway is at " + at.String()}
	}
	a := h.chat.Settings().A
	g := h.gateway.Health(ctx, a.Provider, a.Model)
	out := moothall.ModelHealth{State: moothall.ServiceOK, Provider: g.Provider, Name: g.Model, Detail: g.Notice}
	switch {
	case !g.OK:
		out.State = moothall.ServiceDown
		if g.Remedy != "" {
			out.Detail += "; " + g.Remedy
		}
	case g.Provider == builtin.Name:
		out.Detail = h.conf.Models.inside() + "; " + betterModel
	case a.Model != "" && out.Detail == "":
		out.Detail = "as set for respondent A"
	}
	return out
}
