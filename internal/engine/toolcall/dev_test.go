package toolcall_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine/toolcall"
)

// devRow is a row of the shared cases.
type devRow struct {
	ID          string    `json:"id"`
	Family      string    `json:"family"`
	Text        string    `json:"text"`
	ExpectCalls []devCall `json:"expect_calls"`
	Content     *string   `json:"expect_content"`
	Thinking    *string   `json:"expect_thinking"`
	ArgsMatch   string    `json:"args_match"`
	Prefilled   bool      `json:"thinking_prefilled"`
	Tools       []devTool `json:"tools"`
	Quirk       string    `json:"quirk"`
}

type devCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type devTool struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"`
}

// sharedCases finds the folder of shared cases beside the repository.
func sharedCases(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", "cases", "toolcalls-dev.jsonl")
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

func readDevRows(t testing.TB) []devRow {
	f, err := os.Open(sharedCases(t))
	if err != nil {
		t.Skip("the shared cases are not here; the cases of our own in testdata are tested in TestCases")
	}
	defer f.Close()
	var rows []devRow
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var r devRow
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// familyTools are the tools of rows that name none: all that the family's
// rows name, with a schema where one of them has it.
func familyTools(rows []devRow, family string, schemas bool) []moothall.ToolSpec {
	var specs []moothall.ToolSpec
	add := func(name string, params json.RawMessage) {
		i := slices.IndexFunc(specs, func(s moothall.ToolSpec) bool { return string(s.Name) == name })
		if i < 0 {
			i = len(specs)
			specs = append(specs, moothall.ToolSpec{Name: moothall.ToolName(name)})
		}
		if schemas && specs[i].Parameters == nil {
			specs[i].Parameters = params
		}
	}
	for _, r := range rows {
		if r.Family != family {
			continue
		}
		for _, c := range r.ExpectCalls {
			add(c.Name, nil)
		}
		for _, t := range r.Tools {
			add(t.Name, t.Parameters)
		}
	}
	return specs
}

func (r *devRow) options(rows []devRow, family, schemas bool) *toolcall.Options {
	o := &toolcall.Options{ThinkingPrefilled: r.Prefilled}
	if family {
		o.Family = r.Family
	}
	if r.Tools == nil {
		o.Tools = familyTools(rows, r.Family, schemas)
		return o
	}
	for _, t := range r.Tools {
		o.Tools = append(o.Tools, moothall.ToolSpec{Name: moothall.ToolName(t.Name), Parameters: t.Parameters})
	}
	return o
}

func sameArgs(want, got json.RawMessage, subset bool) bool {
	var w, g map[string]any
	if json.Unmarshal(want, &w) != nil || json.Unmarshal(got, &g) != nil {
		return false
	}
	if subset {
		for k := range g {
			if _, there := w[k]; !there {
				delete(g, k)
			}
		}
	}
	return len(w) == 0 && len(g) == 0 || reflect.DeepEqual(w, g)
}

func (r *devRow) score(got toolcall.Result) (calls, content, thinking bool) {
	calls = len(got.Calls) == len(r.ExpectCalls)
	for i := 0; calls && i < len(got.Calls); i++ {
		w, g := r.ExpectCalls[i], got.Calls[i]
		calls = w.Name == string(g.Name) && sameArgs(w.Arguments, g.Arguments, r.ArgsMatch == "subset")
	}
	same := func(want *string, got string) bool {
		return want == nil || strings.TrimSpace(*want) == strings.TrimSpace(got)
	}
	return calls, same(r.Content, got.Content), same(r.Thinking, got.Thinking)
}

// tally counts rows, and which of their parts were read right.
type tally struct{ rows, calls, callRows, callRowsRight, content, thinking, both, falseCalls int }

func (y *tally) add(r *devRow, got toolcall.Result) (right bool) {
	calls, content, thinking := r.score(got)
	y.rows++
	y.calls += count(calls)
	y.callRows += count(len(r.ExpectCalls) > 0)
	y.callRowsRight += count(len(r.ExpectCalls) > 0 && calls)
	y.content += count(content)
	y.thinking += count(thinking)
	y.both += count(content && thinking)
	y.falseCalls += count(len(r.ExpectCalls) == 0 && len(got.Calls) > 0)
	return calls && content && thinking
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// TestDevCases measures against other projects' cases, where they are.
func TestDevCases(t *testing.T) {
	t.Parallel()
	rows := readDevRows(t)
	for _, v := range []struct {
		name            string
		family, schemas bool
		calls           float64
	}{
		{"family given", true, true, 97},
		{"family hidden", false, true, 92},
		{"family given, names only", true, false, 97},
		{"family hidden, names only", false, false, 92},
	} {
		total, byFamily := tally{}, map[string]*tally{}
		for _, r := range rows {
			if r.Quirk != "" {
				continue
			}
			if byFamily[r.Family] == nil {
				byFamily[r.Family] = &tally{}
			}
			got := toolcall.Parse(r.Text, r.options(rows, v.family, v.schemas))
			byFamily[r.Family].add(&r, got)
			if !total.add(&r, got) {
				t.Logf("%s: %s (%s) reads otherwise", v.name, r.ID, r.Family)
			}
		}
		t.Logf("%s: %d rows: calls %.1f %% (of rows with calls %.1f %%), content %.1f %%, thinking %.1f %%, both %.1f %%, false calls %d",
			v.name, total.rows, share(total.calls, total.rows), share(total.callRowsRight, total.callRows),
			share(total.content, total.rows), share(total.thinking, total.rows), share(total.both, total.rows), total.falseCalls)
		for _, family := range slices.Sorted(maps.Keys(byFamily)) {
			f := byFamily[family]
			t.Logf("%s: %s: %d rows, calls %d, content %d, thinking %d", v.name, family, f.rows, f.calls, f.content, f.thinking)
		}
		if share(total.callRowsRight, total.callRows) < v.calls || share(total.both, total.rows) < 95 || total.falseCalls > 0 {
			t.Errorf("%s: below the target", v.name)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDevCasesChunked reads every row in random chunks.
func TestDevCasesChunked(t *testing.T) {
	t.Parallel()
	rows := readDevRows(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range rows {
		o := r.options(rows, true, true)
		for range 8 {
			checkChunked(t, r.ID, r.Text, o, rng)
		}
	}
}

// checkChunked compares a chunked reading with the whole one.
func checkChunked(t testing.TB, id, text string, o *toolcall.Options, rng *rand.Rand) {
	t.Helper()
	want := toolcall.Parse(text, o)
	r := toolcall.NewReader(o)
	var pieces []toolcall.Piece
	size := 1 + rng.IntN(12)
	for rest := text; rest != ""; {
		n := min(len(rest), 1+rng.IntN(size))
		pieces = append(pieces, r.Write(rest[:n])...)
		rest = rest[n:]
	}
	got := r.Close()
	pieces = append(pieces, r.Rest()...)
	if a, b := dump(t, want), dump(t, got); !bytes.Equal(a, b) {
		t.Fatalf("%s: in chunks\n%s\nas a whole\n%s\nof %q", id, b, a, text)
	}
	if content, thinking := toolcall.Join(pieces); content != got.Content || thinking != got.Thinking {
		t.Fatalf("%s: pieces give %q and %q, the result is %q and %q", id, content, thinking, got.Content, got.Thinking)
	}
}

func dump(t testing.TB, r toolcall.Result) []byte {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
