package memory_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"moothall"
	"moothall/internal/memory"
)

func FuzzImportLine(f *testing.F) {
	for _, s := range []string{
		`{"text":"hello"}`, `{"id":"a","text":"b","time":"2023-05-08","seq":-1,"thread":"t"}`, `{"text":"x","time":1e300}`, `{"text":"x","turn":{"reward":1}}`,
		`[]`, ``, `{`, `{"name":"n"}`, "{\"text\":\"\\u0000\"}", `{"text":"x","time":{"a":1}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := memory.ParseLine(b)
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Errorf("error %v of a line is not that it is invalid", err)
			}
			return
		}
		if strings.TrimSpace(l.Text) == "" && strings.TrimSpace(l.Name) == "" {
			t.Error("a line without text was taken")
		}
	})
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "Hello, World", `" OR name:*`, "日本語", "a\u0301", "\xff", "don't", strings.Repeat("x", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range memory.Asked(s) {
			if w == "" || utf8.RuneCountInString(w) > 64 || strings.ContainsAny(w, "\"'*:^(){}+- \x00") {
				t.Errorf("%q is no word", w)
			}
		}
		if strings.ContainsAny(memory.Indexed(s), "\"'*:^(){}+-\x00") {
			t.Errorf("%q is indexed with signs", s)
		}
	})
}

// FuzzRecall asks anything of a real index.
func FuzzRecall(f *testing.F) {
	m := openMemory(f).For(moothall.Person)
	library(f, m)
	for _, s := range []string{"boat", `" OR 1`, "NEAR(a b, 3)", "日本", "a:b*", "\x00", "{x} : y", strings.Repeat("a ", 500)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, mode := range []string{memory.ModeStaged, memory.ModeFused} {
			for _, err := range m.Recall(t.Context(), moothall.MemoryQuery{Text: s, Mode: mode}) {
				if c := moothall.ErrorCode(err); c != "" && c != moothall.CodeInvalid {
					t.Errorf("%q: %v", s, err)
				}
			}
		}
	})
}
