package gateway_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway"
)

func bindingOf(role moothall.ModelRole, complexity, model string) moothall.ModelBinding {
	return moothall.ModelBinding{Role: role, Complexity: complexity, Provider: "local", Model: model}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	p := newFake("local", "talk", "reason", "code", "plan", "named")
	g := open(t, gateway.Options{Providers: []gateway.Provider{p}, Roles: []moothall.ModelBinding{
		bindingOf(moothall.ModelChat, "", "talk"), bindingOf(moothall.ModelChat, "reasoning", "reason"),
		bindingOf(moothall.ModelCoder, "", "code"), bindingOf(moothall.ModelOrchestrator, "reasoning", "plan"),
	}})
	tests := []struct {
		role              moothall.ModelRole
		complexity, model string
		want              string
	}{
		{"", "", "", "talk"},
		{moothall.ModelChat, "", "", "talk"},
		{moothall.ModelChat, "reasoning", "", "reason"},
		{moothall.ModelChat, "simple", "", "talk"},
		{moothall.ModelCoder, "code", "", "code"},
		{moothall.ModelOrchestrator, "reasoning", "", "plan"},
		{moothall.ModelOrchestrator, "", "", "talk"},
		{moothall.ModelCritic, "reasoning", "", "reason"},
		{moothall.ModelCoder, "", "named", "named"},
		{moothall.ModelCoder, "", "local/named", "named"},
	}
	for _, tt := range tests {
		r := hello()
		r.Role, r.Complexity, r.Model = tt.role, tt.complexity, tt.model
		if _, last := must(t, g.For(moothall.Person), r); last.Model != tt.want || last.Provider != "local" {
			t.Errorf("%s %s %s is answered by %s/%s, want %s", tt.role, tt.complexity, tt.model, last.Provider, last.Model, tt.want)
		}
	}
}

// TestSwitchSurvives checks that a binding made at run time outlives the
// gateway and stands before the configured one.
func TestSwitchSurvives(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "models.json")
	o := gateway.Options{
		Providers: []gateway.Provider{newFake("local", "old", "new")}, State: state,
		Roles: []moothall.ModelBinding{bindingOf(moothall.ModelChat, "", "old")},
	}
	g := open(t, o)
	if err := g.For(moothall.Person).BindModel(t.Context(), moothall.Scope{}, moothall.ModelBinding{Role: moothall.ModelChat, Model: "new"}); err != nil {
		t.Fatal(err)
	}
	for _, g := range []*gateway.Gateway{g, open(t, o)} {
		if _, last := must(t, g.For(moothall.Person), hello()); last.Model != "new" {
			t.Errorf("%s answers, want new", last.Model)
		}
		_, bindings, err := g.For(moothall.Person).Models(t.Context(), moothall.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]moothall.ModelBinding{bindingOf(moothall.ModelChat, "", "new")}, bindings); d != "" {
			t.Error(d)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(state), ".*")); err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestDamagedState(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"version":2}`, `{"version":1,"bindings":[{"role":"chat"}]}`} {
		state := filepath.Join(t.TempDir(), "models.json")
		if err := os.WriteFile(state, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := gateway.Open(gateway.Options{State: state})
		wantCode(t, err, moothall.CodeCorrupt)
		if !strings.Contains(moothall.ErrorRemedy(err), "remove the file") {
			t.Errorf("the remedy is %q", moothall.ErrorRemedy(err))
		}
	}
}

// TestStateThatCannotBeWritten checks that a switch which is not kept is not
// made.
func TestStateThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "gone", "models.json")
	g := open(t, gateway.Options{
		Providers: []gateway.Provider{newFake("local", "old", "new")}, State: state,
		Roles: []moothall.ModelBinding{bindingOf(moothall.ModelChat, "", "old")},
	})
	err := g.For(moothall.Person).BindModel(t.Context(), moothall.Scope{}, bindingOf(moothall.ModelChat, "", "new"))
	wantCode(t, err, moothall.CodeNotFound)
	if _, last := must(t, g.For(moothall.Person), hello()); last.Model != "old" {
		t.Errorf("%s answers, want old", last.Model)
	}
}

func TestBindRefuses(t *testing.T) {
	t.Parallel()
	p := newFake("local", "talk")
	p.cards = append(p.cards, moothall.ModelCard{Provider: "local", Model: "vectors", Notes: []string{gateway.NoteEmbeds}})
	g := open(t, providers(p))
	tests := map[string]struct {
		who  moothall.Identity
		b    moothall.ModelBinding
		want moothall.Code
	}{
		"an agent":             {moothall.Orchestrator, bindingOf(moothall.ModelChat, "", "talk"), moothall.CodeDenied},
		"no role":              {moothall.Person, bindingOf("", "", "talk"), moothall.CodeInvalid},
		"no such role":         {moothall.Person, bindingOf("chta", "", "talk"), moothall.CodeInvalid},
		"no such complexity":   {moothall.Person, bindingOf(moothall.ModelChat, "cod", "talk"), moothall.CodeInvalid},
		"no model":             {moothall.Person, bindingOf(moothall.ModelChat, "", ""), moothall.CodeInvalid},
		"unknown model":        {moothall.Person, bindingOf(moothall.ModelChat, "", "gone"), moothall.CodeNotFound},
		"unknown provider":     {moothall.Person, moothall.ModelBinding{Role: "chat", Provider: "gone", Model: "talk"}, moothall.CodeNotConfigured},
		"embedder for chat":    {moothall.Person, bindingOf(moothall.ModelChat, "", "vectors"), moothall.CodeUnsupported},
		"chat for embedder":    {moothall.Person, bindingOf(moothall.ModelEmbedder, "", "talk"), moothall.CodeUnsupported},
		"embedder to embed":    {moothall.Person, bindingOf(moothall.ModelEmbedder, "", "vectors"), ""},
		"as the hall":          {moothall.Hall, bindingOf(moothall.ModelChat, "", "talk"), ""},
		"nobody in particular": {"", bindingOf(moothall.ModelChat, "", "talk"), moothall.CodeDenied},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wantCode(t, g.For(tt.who).BindModel(t.Context(), moothall.Scope{}, tt.b), tt.want)
		})
	}
}

// TestBindByWholeName checks that a model is bound as its provider calls it,
// also when it was named with the provider's name before it.
func TestBindByWholeName(t *testing.T) {
	t.Parallel()
	g := open(t, providers(newFake("local", "old", "new")))
	err := g.For(moothall.Person).BindModel(t.Context(), moothall.Scope{}, moothall.ModelBinding{Role: moothall.ModelChat, Model: "local/new"})
	if err != nil {
		t.Fatal(err)
	}
	if _, last := must(t, g.For(moothall.Person), hello()); last.Provider != "local" || last.Model != "new" {
		t.Errorf("%s of %s answers, want new", last.Model, last.Provider)
	}
}

// TestOffline checks that nothing is asked of a hosted provider that was not
// allowed.
func TestOffline(t *testing.T) {
	t.Parallel()
	hosted, local := newFake("cloud", "big"), newFake("local", "small")
	hosted.hosted = true
	var asked []string
	allow := func(_ context.Context, s moothall.Scope, provider, model string) error {
		asked = append(asked, string(s.Session)+" "+provider+" "+model)
		if s.Session == "free" {
			return nil
		}
		return moothall.Fail(moothall.CodeDenied, "hosted model", "this session is private")
	}
	ask := func(g *gateway.Gateway, session moothall.SessionID) error {
		r := hello()
		r.Session, r.Provider, r.Model = session, "cloud", "big"
		_, _, err := collect(t.Context(), g.For(moothall.Person), r)
		return err
	}
	closed := open(t, providers(hosted, local))
	wantCode(t, ask(closed, "free"), moothall.CodeDenied)
	if _, last := must(t, closed.For(moothall.Person), hello()); last.Provider != "local" {
		t.Errorf("%s was chosen", last.Provider)
	}
	cards, _, err := closed.For(moothall.Person).Models(t.Context(), moothall.Scope{})
	if err != nil || len(cards) != 1 {
		t.Errorf("%d cards, %v", len(cards), err)
	}
	if _, err := closed.For(moothall.Person).ShowModel(t.Context(), moothall.ModelRequest{Model: "big"}); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("a hosted model was looked for by name: %v", err)
	}
	if n := len(hosted.models()); n != 0 || hosted.lists != 0 {
		t.Errorf("the hosted provider was asked: %d calls, %d lists", n, hosted.lists)
	}
	o := providers(hosted, local)
	o.AllowHosted = allow
	g := open(t, o)
	wantCode(t, ask(g, "private"), moothall.CodeDenied)
	wantCode(t, ask(g, "free"), "")
	if d := cmp.Diff([]string{"private cloud big", "free cloud big"}, asked); d != "" {
		t.Error(d)
	}
}

// outsider is a local server with a cloud model.
type outsider struct{ *fake }

func (o outsider) Outside(_ context.Context, model string) (string, error) {
	if model == "far" {
		return "https://example.com", nil
	}
	return "", nil
}

// TestCloudModelOfLocalServer checks that a local server is no way around.
func TestCloudModelOfLocalServer(t *testing.T) {
	t.Parallel()
	f := newFake("local", "near", "far")
	f.cards[1].Parameters, f.cards[1].Notes = "400B", []string{gateway.NoteOutside + "https://example.com"}
	g := open(t, providers(outsider{f}))
	r := hello()
	r.Model = "far"
	_, _, err := collect(t.Context(), g.For(moothall.Person), r)
	wantCode(t, err, moothall.CodeDenied)
	if _, last := must(t, g.For(moothall.Person), hello()); last.Model != "near" {
		t.Errorf("%s was chosen", last.Model)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]gateway.Options{
		"same name twice":     providers(newFake("a", "m"), newFake("a", "m")),
		"no name":             providers(newFake("", "m")),
		"role of a stranger":  {Roles: []moothall.ModelBinding{{Role: "chat", Provider: "gone", Model: "m"}}},
		"settings of nothing": {Servers: map[string]gateway.Server{"gone": {}}},
	} {
		if _, err := gateway.Open(o); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
