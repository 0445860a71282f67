package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"moothall"
	"moothall/internal/orchestrator/report"
	"moothall/internal/schema"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                          "",
		"One. Two. Three. Four.":    "One. Two. Three.",
		"One.\n\nTwo!  Three? Four": "One. Two! Three?",
		"It is 3.14 or 2.5. See main.go. Use e.g. this. No.":        "It is 3.14 or 2.5. See main.go. Use e.g. this.",
		"Dr. Smith met J. Doe at 5 p.m. on Monday. B. is it. C. D.": "Dr. Smith met J. Doe at 5 p.m. on Monday. B. is it. C. D.",
		"He said \"Stop.\" She did. It ended. Then more.":           "He said \"Stop.\" She did. It ended.",
		"Version v1.2.3. works. Two. Three. Four.":                  "Version v1.2.3. works. Two. Three.",
		"In 2024. Then 2025. Then 2026. Then more.":                 "In 2024. Then 2025. Then 2026.",
		"Am 3. Oktober war es. Zwei. Drei. Vier.":                   "Am 3. Oktober war es. Zwei. Drei.",
		"Wait... what? Yes. No. Maybe.":                             "Wait... what? Yes. No.",
		"これは文です。次。三。四。":                                             "これは文です。次。三。",
		"See No. 5 and p. 7 of it. Two. Three. Four.":               "See No. 5 and p. 7 of it. Two. Three.",
		"no end at all": "no end at all",
	} {
		if got := report.Sentences(text, 3); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

const whole = `{"status":"success","summary":"Done.","artifacts":["/a","/a",""],"result_quality":"verified","source":"web","new_memory_candidates":["x"],"failure_reason":"none"}`

func TestParse(t *testing.T) {
	t.Parallel()
	r, err := report.Parse("Here:\n" + whole)
	if err != nil || len(r.Artifacts) != 1 || r.Reason != nil || r.Quality != report.Verified {
		t.Errorf("%+v, %v", r, err)
	}
	for name, text := range map[string]string{
		"no JSON":         "done",
		"a field missing": strings.Replace(whole, `"source":"web",`, "", 1),
		"another status":  strings.Replace(whole, "success", "great", 1),
		"a field more":    strings.Replace(whole, "{", `{"raw":"x",`, 1),
		"no summary":      strings.Replace(whole, "Done.", " ", 1),
	} {
		if _, err := report.Parse(text); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err = report.Parse(strings.NewReplacer("success", "failed", `"none"`, "null").Replace(whole))
	if err != nil || r.Why() == "" || r.Quality != report.Uncertain || len(r.Candidates) != 0 {
		t.Errorf("a failure: %+v, %v", r, err)
	}
}

func TestAFailureFitsTheSchema(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(report.Failure(strings.Repeat("ü", 5000)))
	if err != nil {
		t.Fatal(err)
	}
	if problems := schema.Check(report.Schema(), raw); len(problems) > 0 || len(raw) > 1000 {
		t.Errorf("%v, %d bytes", problems, len(raw))
	}
}

func TestEvidenceOnlyLowers(t *testing.T) {
	t.Parallel()
	rank := map[string]int{report.Uncertain: 0, report.Inferred: 1, report.Verified: 2, report.Failed: 0, report.Partial: 1, report.Success: 2}
	for _, status := range []string{report.Success, report.Partial, report.Failed} {
		for _, quality := range []string{report.Verified, report.Inferred, report.Uncertain} {
			for _, source := range []string{report.FromTools, report.FromModel, report.FromWeb} {
				for i := range 16 {
					e := report.Evidence{Tools: i & 1, Web: i&2 != 0, Checked: i&4 != 0, Early: i&8 != 0}
					was := report.Report{Status: status, Quality: quality, Source: source}
					got, notes := was.Against(e)
					if rank[got.Quality] > rank[quality] || rank[got.Status] > rank[status] {
						t.Errorf("%+v with %+v became %+v", was, e, got)
					}
					if changed := got.Status != status || got.Quality != quality || got.Source != source; changed != (len(notes) > 0) {
						t.Errorf("%+v with %+v became %+v without a word", was, e, got)
					}
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add(`{"status":"failed","summary":"","artifacts":[],"result_quality":"uncertain","source":"web","new_memory_candidates":[],"failure_reason":null}`)
	f.Add("One. Two")
	f.Fuzz(func(t *testing.T, text string) {
		if s := report.Sentences(text, 3); !utf8.ValidString(s) || len(s) > len(text) {
			t.Fatalf("%q became %q", text, s)
		}
		r, err := report.Parse(text)
		if err != nil {
			return
		}
		if len(r.Summary) > report.MaxSummary || len(r.Artifacts) > report.MaxArtifacts || len(r.Candidates) > report.MaxCandidates || r.Status == report.Failed && r.Why() == "" {
			t.Fatalf("%+v", r)
		}
	})
}
