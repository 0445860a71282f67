package token_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"moothall/internal/gateway/builtin/token"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{ // pieces joined by "|"
		{"hello", "hello"},
		{"hello world", "hello| world"},
		{"hello  world", "hello| | world"},
		{"hello   world  ", "hello|  | world|  "},
		{"it's they're I've I'm we'll he'd don't", "it|'s| they|'re| I|'ve| I|'m| we|'ll| he|'d| don|'t"},
		{"IT'S THEY'RE I'Ve", "IT|'S| THEY|'RE| I|'Ve"},
		{"'sound 'tis 'rest 'x 're", "'s|ound| '|tis| '|rest| '|x| '|re"},
		{"x'sy'lly'l", "x|'s|y|'ll|y|'l"},
		{"'ſo", "'ſo"},
		{"a1b22", "a|1|b|2|2"},
		{" 12", " |1|2"},
		{"٣٤ Ⅷ½", "٣|٤| |Ⅷ|½"},
		{"(hello)", "(hello|)"},
		{"((hello))", "((|hello|))"},
		{" ((x", " ((|x"},
		{"  ((x", " | ((|x"},
		{"a.b.c", "a|.b|.c"},
		{"a\tb", "a|\tb"},
		{"a \tb", "a| |\tb"},
		{"a\nb", "a|\n|b"},
		{"a\r\nb", "a|\r\n|b"},
		{"a \n b", "a| \n| b"},
		{"a\n\n\n  b", "a|\n\n\n| | b"},
		{"a  \r\n  \n\t b", "a|  \r\n  \n|\t| b"},
		{"a;\n\nb", "a|;\n\n|b"},
		{"a ;\r\n b", "a| ;\r\n| b"},
		{"a;  \n b", "a|;|  \n| b"},
		{"a ", "a| "},
		{"a  ", "a|  "},
		{"a\n", "a|\n"},
		{"a \n ", "a| \n| "},
		{" ", " "},
		{"\n", "\n"},
		{"\t\t=", "\t|\t|="},
		{"\t=", "\t|="},
		{"a\u00a0b \u3000c", "a|\u00a0b| |\u3000c"},
		{"a\u00a0=\u2028\u2028b", "a|\u00a0|=|\u2028|\u2028b"},
		{"\u0085\n", "\u0085\n"},
		{"日本語テキスト、漢字。", "日本語テキスト|、漢字|。"},
		{"привет мир", "привет| мир"},
		{"e\u0301x", "e|\u0301x"},
		{"नमस्ते", "नमस|्त|े"},
		{"👍 ok👍👍", "👍| ok|👍👍"},
		{"x\xffy \xff\xfe", "x|\xffy| \xff\xfe"},
		{"\xe6\x9d", "\xe6\x9d"},
		{`{"a": "b c"}`, `{"|a|":| "|b| c|"}`},
		{"<tool_call>", "<tool|_call|>"},
		{"<|im_end|>", "<||im|_end||>"}, // the first and the last piece are <| and |>
		{"", ""},
	} {
		got := token.Split(c.text)
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, strings.Join(got, "|"), c.want)
		}
	}
}

// oracle is the pattern, all but the look-ahead. Folding is written out, since
// Go's would let a long s be an s.
var oracle = regexp.MustCompile(`^(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]` +
	`|[^\r\n\pL\pN]?\pL+|\pN| ?[^\s\x0b\x{85}\pZ\pL\pN]+[\r\n]*|[\s\x0b\x{85}\pZ]*[\r\n]+|([\s\x0b\x{85}\pZ]+))`)

// split divides by the oracle: white space that the last alternatives match
// gives its last character back when more follows.
func split(s string) []string {
	var out []string
	for s != "" {
		m := oracle.FindStringSubmatchIndex(s)
		n := m[1]
		if m[2] >= 0 && n < len(s) {
			if _, last := utf8.DecodeLastRuneInString(s[:n]); last < n {
				n -= last
			}
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

func TestSplitAsThePattern(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	parts := []string{
		"a", "S", "re", "LL", "é", "東", "ſ", "1", "٣", "½", " ", "  ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\u0085",
		"\u00a0", "\u2028", "\u3000", "'", "''", ".", ";", "\u0301", "👍", "_", "\x00", "\u200b", "\ufeff",
	}
	for range 30_000 {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		if got, want := token.Split(b.String()), split(b.String()); !slices.Equal(got, want) {
			t.Fatalf("%q:\n got %q\nwant %q", b.String(), got, want)
		}
	}
}
