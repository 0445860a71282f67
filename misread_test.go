package moothall_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moothall"
)

func TestMisread(t *testing.T) {
	t.Parallel()
	type inner struct {
		List []int `json:"list"`
	}
	type expected struct {
		inner
		Name   string    `json:"name"`
		In     *inner    `json:"in"`
		Small  int8      `json:"small"`
		Share  float64   `json:"share"`
		Yes    bool      `json:"yes"`
		Made   time.Time `json:"made"`
		Lookup map[string]string
	}
	for in, want := range map[string]string{
		`{"name":5}`:            "name must be string, is number",
		`{"in":{"list":["x"]}}`: "in.list must be integer, is string",
		`{"in":{"list":3}}`:     "in.list must be array, is number",
		`{"in":"x"}`:            "in must be object, is string",
		`{"Lookup":[]}`:         "Lookup must be object, is array",
		`{"small":300}`:         "small must be integer, is number 300",
		`{"share":true}`:        "share must be number, is boolean",
		`{"yes":"no"}`:          "yes must be boolean, is string",
		`[1]`:                   "it must be object, is array",
		`{`:                     "it ends in the middle",
		``:                      "it is empty",
		`{"name" "x"}`:          "it is no JSON at byte 9: invalid character '\"' after object key",
		`{"nme":"x"}`:           `there is no field "nme"`,
		`{"made":"today"}`:      `"today" is no time such as 2026-01-02T15:04:05Z`,
	} {
		var v expected
		d := json.NewDecoder(strings.NewReader(in))
		d.DisallowUnknownFields()
		err := d.Decode(&v)
		if err == nil {
			t.Fatalf("%s was read", in)
		}
		got := moothall.Misread(err)
		if !strings.HasPrefix(got, want) || strings.Contains(got, "Go ") || strings.Contains(got, "moothall_test") {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
