package conf_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"

	"moothall/internal/daemon/conf"
)

// checker holds a value against the part of JSON Schema that conf writes. A
// keyword it does not know fails the test, so that it cannot fall behind.
type checker struct {
	faults []string
}

func (c *checker) check(at string, schema map[string]any, value any) {
	fault := func(format string, args ...any) {
		c.faults = append(c.faults, at+": "+fmt.Sprintf(format, args...))
	}
	for keyword, rule := range schema {
		switch keyword {
		case "$schema", "title", "description", "default", "examples", "properties", "patternProperties":
		case "type":
			if !hasType(rule, value) {
				fault("type is not %v", rule)
			}
		case "enum":
			if !slices.Contains(rule.([]any), value) {
				fault("not in enum")
			}
		case "minimum":
			if n, ok := value.(float64); ok && n < rule.(float64) {
				fault("below minimum")
			}
		case "maximum":
			if n, ok := value.(float64); ok && n > rule.(float64) {
				fault("above maximum")
			}
		case "pattern":
			if s, ok := value.(string); ok && !regexp.MustCompile(rule.(string)).MatchString(s) {
				fault("does not match")
			}
		case "items":
			list, _ := value.([]any)
			for i, item := range list {
				c.check(fmt.Sprintf("%s[%d]", at, i), rule.(map[string]any), item)
			}
		case "additionalProperties":
			c.checkObject(at, schema, value)
		default:
			fault("unknown keyword %s", keyword)
		}
	}
}

func (c *checker) checkObject(at string, schema map[string]any, value any) {
	object, _ := value.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	patterns, _ := schema["patternProperties"].(map[string]any)
	for key, inner := range object {
		below := at + "." + key
		if p, ok := properties[key].(map[string]any); ok {
			c.check(below, p, inner)
			continue
		}
		matched := false
		for pattern := range patterns {
			matched = matched || regexp.MustCompile(pattern).MatchString(key)
		}
		switch rule := schema["additionalProperties"].(type) {
		case map[string]any:
			c.check(below, rule, inner)
		case bool:
			if !rule && !matched {
				c.faults = append(c.faults, below+": not allowed")
			}
		}
	}
}

func hasType(rule, value any) bool {
	types, ok := rule.([]any)
	if !ok {
		types = []any{rule}
	}
	is := map[string]func(any) bool{
		"null":    func(v any) bool { return v == nil },
		"string":  func(v any) bool { _, ok := v.(string); return ok },
		"boolean": func(v any) bool { _, ok := v.(bool); return ok },
		"number":  func(v any) bool { _, ok := v.(float64); return ok },
		"integer": func(v any) bool { n, ok := v.(float64); return ok && n == math.Trunc(n) },
		"array":   func(v any) bool { _, ok := v.([]any); return ok },
		"object":  func(v any) bool { _, ok := v.(map[string]any); return ok },
	}
	return slices.ContainsFunc(types, func(t any) bool { return is[t.(string)](value) })
}

func faultsIn(t *testing.T, document []byte) []string {
	t.Helper()
	var schema map[string]any
	if err := json.Unmarshal(conf.Schema(defaults(), "A test"), &schema); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		t.Fatal(err)
	}
	c := &checker{}
	c.check("", schema, value)
	slices.Sort(c.faults)
	return c.faults
}

func TestSchemaFitsGoodConfigurations(t *testing.T) {
	t.Parallel()
	// JSON gives a zero out of bounds as it is; in a file it would be null.
	good, plainDefaults := full(), defaults()
	good.Services = map[string]service{"a": {Retries: 1}}
	plainDefaults.Services = good.Services
	for name, document := range map[string][]byte{
		"defaults":  conf.JSON(plainDefaults),
		"full":      conf.JSON(good),
		"empty":     []byte(`{}`),
		"nulls":     []byte(`{"front": null, "log": {"level": null, "sample": null}, "services": {"a": null}}`),
		"extension": []byte(`{"x-a": {"b": 1}}`),
		"bytes":     []byte(`{"front": {"max_body": 4096}}`),
	} {
		if faults := faultsIn(t, document); len(faults) > 0 {
			t.Errorf("%s: %q", name, faults)
		}
	}
}

// Load and the schema agree on what is wrong.
func TestSchemaRefusesBadConfigurations(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"frnt": {}}`:                          ".frnt: not allowed",
		`{"front": {"prot": 1}}`:                ".front.prot: not allowed",
		`{"front": {"x-a": 1}}`:                 ".front.x-a: not allowed",
		`{"front": {"port": "80"}}`:             ".front.port: type is not [integer null]",
		`{"front": {"port": 80.5}}`:             ".front.port: type is not [integer null]",
		`{"front": {"port": 0}}`:                ".front.port: below minimum",
		`{"front": {"port": 65536}}`:            ".front.port: above maximum",
		`{"front": {"timeout": "10"}}`:          ".front.timeout: does not match",
		`{"front": {"max_body": "4 MiB"}}`:      ".front.max_body: does not match",
		`{"front": {"hosts": "a"}}`:             ".front.hosts: type is not [array null]",
		`{"front": {"hosts": [null]}}`:          ".front.hosts[0]: type is not string",
		`{"log": {"level": "loud"}}`:            ".log.level: not in enum",
		`{"log": {"tags": ["loud"]}}`:           ".log.tags[0]: not in enum",
		`{"log": {"workers": 256}}`:             ".log.workers: above maximum",
		`{"services": {"a": {"retries": 0}}}`:   ".services.a.retries: below minimum",
		`{"services": {"a": {"retires": 1}}}`:   ".services.a.retires: not allowed",
		`{"routes": {"a": [0]}}`:                ".routes.a[0]: below minimum",
		`{"weights": {"a": 2}}`:                 ".weights.a: above maximum",
		`{"peers": [{"name": "a", "nmae": 1}]}`: ".peers[0].nmae: not allowed",
		`{"backup": {"count": 2147483648}}`:     ".backup.count: above maximum",
	} {
		if got := faultsIn(t, []byte(document)); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", document, got, want)
		}
		if _, _, err := load(document); err == nil {
			t.Errorf("%s: Load accepts it", document)
		}
	}
}
