package graph_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"moothall/internal/graph"
	"moothall/internal/graph/graphtest"
)

func TestKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"Ana", "ana", "ANA", "Ána", "A\u0301na", " ana ", "ａｎａ"},
		{"Ada Lovelace", "ada  LOVELACE", "Ada\tLovelace", "Ada-Lovelace", "Ada\u00a0Lovelace"},
		{"A. Lovelace", "A Lovelace"},
		{"O'Brien", "OBrien", "O’Brien"},
		{"Straße", "STRASSE", "strasse"},
		{"İstanbul", "Istanbul", "ıstanbul"},
		{"Łódź", "lodz"},
		{"Søren", "Soren"},
		{"Ελένη", "ΕΛΕΝΗ", "ελενη"},
		{"Дмитрий", "ДМИТРИЙ"},
		{"שָׁלוֹם", "שלום"},
		{"李 小龍", "李小龍"},
		{"that’s", "thats"},
	} {
		for _, name := range same[1:] {
			if graph.Key(name) != graph.Key(same[0]) {
				t.Errorf("%q has the key %q, %q has %q", name, graph.Key(name), same[0], graph.Key(same[0]))
			}
		}
	}
	for _, other := range [][2]string{
		{"C", "C++"}, {"C++", "C#"}, {"3.5", "35"}, {"5", "-5"}, {"が", "か"}, {"Андрей", "Андреи"}, {"Ana", "Anna"}, {"?", "!"}, {"हिन्दी", "हन्द"},
	} {
		if graph.Key(other[0]) == graph.Key(other[1]) {
			t.Errorf("%q and %q are one", other[0], other[1])
		}
	}
	for _, name := range []string{"", " ", "\x00\x1b", "\u202e", "\u200b\ufeff"} {
		if key := graph.Key(name); key != "" {
			t.Errorf("%q can be read as %q", name, key)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a\nb": "a b", "\x1b[31mred": "[31mred", "abc\u202edef": "abcdef", "\xffx": "\uFFFDx", "e\u0301": "é", "  a \u2028 b ": "a b",
	} {
		if got := graph.Clean(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

func FuzzKey(f *testing.F) {
	for _, name := range graphtest.HostileNames() {
		f.Add(name)
	}
	for _, name := range []string{"", "\x00", "\xff\xfe", "ﷺ", "ŉ", "ǰ", "ΐ", "İ", "ẞ", "-5", "- 5", "1.2.3", "a.-5", "´", "\u0345", "𝟘-١"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean, key := graph.Clean(name), graph.Key(name)
		if graph.Clean(clean) != clean {
			t.Errorf("%q is cleaned to %q and then to %q", name, clean, graph.Clean(clean))
		}
		if graph.Key(key) != key {
			t.Errorf("%q has the key %q, whose key is %q", name, key, graph.Key(key))
		}
		if graph.Key(clean) != key {
			t.Errorf("%q has the key %q, cleaned %q", name, key, graph.Key(clean))
		}
		for _, text := range []string{clean, key} {
			if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || strings.TrimSpace(text) != text {
				t.Errorf("%q became %q", name, text)
			}
		}
	})
}
