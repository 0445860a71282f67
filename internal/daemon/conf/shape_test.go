package conf_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/daemon/conf"
)

type loop struct {
	Inner *loop `yaml:"inner"`
}

// brokenStructs are destinations with what Load says of them.
var brokenStructs = map[string]struct {
	dst  any
	want string
}{
	"no pointer": {struct{}{}, "needs a pointer"},
	"no struct":  {new(int), "needs a pointer"},
	"nil":        {nil, "needs a pointer"},
	"no tag":     {&struct{ A int }{}, "yaml tag"},
	"tag options": {&struct {
		A int `yaml:"a,omitempty"`
	}{}, "plain yaml tag"},
	"same variable": {&struct {
		A int `yaml:"a_b"`
		B int `yaml:"a-b"`
	}{}, "too close"},
	"channel": {&struct {
		A chan int `yaml:"a"`
	}{}, "not supported"},
	"any": {&struct {
		A any `yaml:"a"`
	}{}, "not supported"},
	"go duration": {&struct {
		A time.Duration `yaml:"a"`
	}{}, "conf.Duration"},
	"map key": {&struct {
		A map[int]int `yaml:"a"`
	}{}, "keys are not strings"},
	"list of lists": {&struct {
		A [][]int `yaml:"a"`
	}{}, "list of lists"},
	"list of maps": {&struct {
		A []map[string]int `yaml:"a"`
	}{}, "list of lists or maps"},
	"pointers": {&struct {
		A []*int `yaml:"a"`
	}{}, "pointers"},
	"list pointer": {&struct {
		A *[]int `yaml:"a"`
	}{}, "pointer to a list"},
	"bounds": {&struct {
		A string `yaml:"a" min:"1"`
	}{}, "not a number"},
	"bound text": {&struct {
		A int `yaml:"a" min:"x"`
	}{}, "bound"},
	"enum": {&struct {
		A int `yaml:"a" enum:"1,2"`
	}{}, "not a string"},
	"loop": {&loop{}, "its own type"},
}

// A struct that cannot be a configuration says so at its first use.
func TestBrokenStructsPanic(t *testing.T) {
	t.Parallel()
	for name, tc := range brokenStructs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, tc.want) {
					t.Errorf("got panic %q, want %q in it", got, tc.want)
				}
			}()
			_, err := conf.Load(tc.dst, conf.Sources{})
			t.Errorf("no panic; error %v", err)
		})
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	var p conf.Path
	for _, tc := range []struct{ got, want conf.Path }{
		{p.Key("a").Key("b"), "a.b"},
		{p.Key("a").Index(2).Key("b"), "a[2].b"},
		{p.Key("a.b").Key(""), `"a.b".""`},
		{p.Key("a").Join("b.c"), "a.b.c"},
		{p.Key("a").Join("[1]"), "a[1]"},
		{p.Key("a").Join(""), "a"},
		{p.Join("a"), "a"},
		{p.Key("qwen3:8b"), "qwen3:8b"},
		{p.Key("a b\"c"), `"a b\"c"`},
	} {
		if tc.got != tc.want {
			t.Errorf("got %s, want %s", tc.got, tc.want)
		}
	}
}

// wide has more keys than a message lists, and long remarks.
type wide struct {
	A int      `yaml:"aa"`
	B int      `yaml:"bb"`
	C int      `yaml:"cc"`
	D int      `yaml:"dd"`
	E int      `yaml:"ee"`
	F int      `yaml:"ff"`
	G int      `yaml:"gg"`
	H int      `yaml:"hh"`
	I int      `yaml:"ii"`
	J int      `yaml:"jj"`
	K int      `yaml:"kk"`
	L uint     `yaml:"ll" max:"0x10"`
	M string   `yaml:"mm" doc:"A sentence that goes on and on, from one word to the next one, so that no screen can hold it in a line." example:"x"`
	N struct{} `yaml:"nn"`
}

func TestWideStruct(t *testing.T) {
	t.Parallel()
	var cfg wide
	_, err := conf.Load(&cfg, conf.Sources{Data: []byte("zebra: 1\nll: 17\n")})
	want := "configuration:1:1: zebra: unknown key; the keys here are aa, bb, cc, dd, ee, ff, gg, hh, ii, jj, kk, ll and 2 more\n" +
		"configuration:2:5: ll: must be at most 0x10, got 17"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got:\n%v\nwant at its end:\n%s", err, want)
	}
	text := show(t, cfg, nil, false)
	remark := "# A sentence that goes on and on, from one word to the next one, so that no screen can hold it in\n" +
		"# a line. Example: x\nmm: \"\"\n\nnn: {}\n"
	if !strings.HasSuffix(text, remark) {
		t.Errorf("got:\n%s\nwant at its end:\n%s", text, remark)
	}
	schema := string(conf.Schema(cfg, "Wide"))
	if !strings.Contains(schema, `"minimum": 0,`) || !strings.Contains(schema, `"maximum": 16,`) {
		t.Errorf("no bounds of ll in:\n%s", schema)
	}
}
