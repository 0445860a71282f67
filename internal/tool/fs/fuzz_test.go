package fs_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"moothall/internal/tool/fs"
)

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "text", "\xff\xfea\x00", "\xfe\xff\x00a", "\xef\xbb\xbfx", "caf\xe9", "%PDF-", "\x89PNG\r\n\x1a\n", "\xff\xfe\x00\xd8", "\x81"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text, enc, err := fs.Decode(b)
		if err != nil {
			return
		}
		if !utf8.ValidString(text) {
			t.Fatalf("%q decodes to a broken text", b)
		}
		back, err := fs.Encode(text, enc)
		if err != nil {
			t.Fatalf("%q as %s does not encode: %v", text, enc, err)
		}
		// Lone surrogates alone do not come back.
		if !bytes.Equal(back, b) && !strings.ContainsRune(text, utf8.RuneError) {
			t.Fatalf("%q as %s comes back as %q", b, enc, back)
		}
	})
}

func FuzzReplaceOnce(f *testing.F) {
	f.Add("a b c", "b", "x")
	f.Add("a\r\nb\r\n", "a\nb", "c\nd")
	f.Add("aaa", "aa", "b")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, text, old, new string) {
		got, err := fs.ReplaceOnce(text, old, new)
		if err != nil {
			if old != "" && strings.Count(text, old) == 1 && strings.Index(text, old) == strings.LastIndex(text, old) {
				t.Fatalf("%q in %q: %v", old, text, err)
			}
			return
		}
		if strings.Count(text, old) == 1 && got != strings.Replace(text, old, new, 1) {
			t.Fatalf("%q", got)
		}
		if strings.Count(text, old) > 1 {
			t.Fatalf("%q stands in %q more than once", old, text)
		}
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, a, b string) {
		if d := fs.Diff(a, b); (d == "") != (a == b) {
			t.Fatalf("%q against %q: %q", a, b, d)
		}
	})
}

func FuzzGlob(f *testing.F) {
	for _, s := range []string{"a.md", "Übung 1.md", "sub/ä[ö]{ü}*?.txt", "日本/メモ", `a\b`, "**/", "caf\xe9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		_, _ = fs.GlobMatches(name, name) // whatever it means
		if !utf8.ValidString(name) {
			return
		}
		var plain strings.Builder // every letter as it is
		for _, r := range name {
			plain.WriteString(`\` + string(r))
		}
		for _, glob := range []string{plain.String(), plain.String() + "*", "**" + plain.String()} {
			if ok, err := fs.GlobMatches(glob, name); !ok {
				t.Errorf("%q does not match %q: %v", glob, name, err)
			}
		}
	})
}
