package main

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestGoContestantsDoTheTask(t *testing.T) {
	t.Parallel()
	for name, build := range goContestants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := new(script)
			server := httptest.NewServer(s.handler())
			defer server.Close()
			c, err := build(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			if c.close != nil {
				defer c.close()
			}
			r := c.turn(t.Context(), 3)
			if r.Error != "" || len(r.Millis) != 3 {
				t.Errorf("report: %+v", r)
			}
			if got := s.asked.Load(); got != 3*requests {
				t.Errorf("the script was asked %d times", got)
			}
		})
	}
}

func TestTurnRefusesARunThatDidNotDoTheTask(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer string
		ran    int
	}{
		"wrong answer":  {"I do not know.", calls},
		"call left out": {answer, calls - 1},
	} {
		ran := new(int)
		lazy := &contestant{ran: ran, run: func(context.Context) (string, error) {
			*ran += c.ran
			return c.answer, nil
		}}
		if r := lazy.turn(t.Context(), 1); r.Error == "" {
			t.Errorf("%s: counted as a run", name)
		}
	}
}

func TestContestSpeaksInLines(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(new(script).handler())
	defer server.Close()
	var out strings.Builder
	if err := contest("bare-openai", server.URL, strings.NewReader("2\n1\n"), &out); err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(strings.NewReader(out.String()))
	for i, want := range []int{0, 2, 1} {
		var r report
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if len(r.Millis) != want || (r.Version == "") != (i > 0) {
			t.Errorf("line %d: %+v", i, r)
		}
	}
}
