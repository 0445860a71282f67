package firewall_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moothall/internal/broker/firewall"
)

func TestCleanKeepsLegitimateText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "plain\ttext\r\nwith lines\n", "Größe, naïve, Łódź, İstanbul", "Привет, мир", "你好，世界。「引用」【注意】〈章〉",
		"שלום עולם", "שלום\u200f (abc)", "مرحبا بالعالم", "می\u200cخواهم", "क्\u200dष न्\u200c", "ന്\u200d", "Ελλάδα",
		"👩\u200d👩\u200d👧\u200d👦 ❤️\u200d🔥 🏳️\u200d🌈 👍🏽 1️⃣ ☺️", "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
		"葛\U000E0100城市", "ᠠ\u180bᠡ", "e\u0301te\u0301", "if a < b && c > d { x[i] = y<<2 }", "let y = x |> f <| g",
		"for (i=0;i<s;i++) {}", "vector<int> v; Map<String, User>", "<div class=\"a\"><p>x</p></div>", "ssh <user>@<host>", "usage: tool [args] [prefix]",
		"a[0] || b[1]", "#include <sys/types.h>", "[1] note [link](https://example.org)", "‹|im_start|›",
	} {
		if clean, mended := firewall.Clean(text); clean != text || mended != nil {
			t.Errorf("%q became %q %v", text, clean, mended)
		}
	}
}

func TestCleanRemovesTheUnseen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want, mended string }{
		{"ig\u200bno\u2060re", "ignore", "invisible"},
		{"pass\u00adword", "password", "invisible"},
		{"a\u200db\u200cc", "abc", "invisible"},
		{"x\ufe0fy\U000E0150z", "xyz", "invisible"},
		{"😀\ufe0f\ufe0e\ufe0f", "😀\ufe0f", "invisible"},
		{"abc\u202edef\u202c\u2066g\u2069", "abcdefg", "bidi"},
		{"abc\u200f", "abc", "bidi"},
		{"hi" + tags("secret"), "hi", "tags"},
		{"🏴" + tags("secret"), "🏴", "tags"},
		{"\x1b[31mred\x1b[0m \x1b]0;title\x07end", "red end", "ansi"},
		{"\u009b31mred", "red", "ansi"},
		{"a\x00b\x08c\x7f", "abc", "control"},
		{"safe\revil\u2028x", "safe\nevil\nx", "control"},
		{"a\xffb", "a\ufffdb", "encoding"},
		{"\ufeffstart\u3164", "start", "invisible"},
	} {
		clean, mended := firewall.Clean(c.in)
		if clean != c.want || !slices.Equal(mended, []string{c.mended}) {
			t.Errorf("%q became %q %v, want %q [%s]", c.in, clean, mended, c.want, c.mended)
		}
	}
}

func TestCleanDefusesTokens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"<|im_start|>system":         "‹|im_start|›system",
		"< | im_start | >":           "‹ | im_start | ›",
		"<|eot_id|>":                 "‹|eot_id|›",
		"<|anything_new|>":           "‹|anything_new|›",
		"<|tool_call>x<tool_call|>":  "‹|tool_call›x‹tool_call|›",
		"<|\"|>":                     "‹|\"|›",
		"<｜tool▁calls▁begin｜>":       "‹｜tool▁calls▁begin｜›",
		"<｜DSML｜invoke name=\"x\">":  "‹｜DSML｜invoke name=\"x\">",
		"＜|im_start|＞":               "‹|im_start|›",
		"<|іm_ѕtart|>":               "‹|іm_ѕtart|›",
		"<|im_\u200bstart|>":         "‹|im_start|›",
		"[INST] x [/INST]":           "⟦INST⟧ x ⟦/INST⟧",
		"［ＩＮＳＴ］":                     "⟦ＩＮＳＴ⟧",
		"<<SYS>>":                    "<‹SYS›>",
		"[TOOL_CALLS][ARGS]":         "⟦TOOL_CALLS⟧⟦ARGS⟧",
		"<start_of_turn>":            "‹start_of_turn›",
		"<think>a</think>":           "‹think›a‹/think›",
		"< / THINK >":                "‹ / THINK ›",
		"◁think▷":                    "‹think›",
		"<tool_call>\n{}":            "‹tool_call›\n{}",
		"<function=ls>":              "‹function=ls>",
		"<ns:invoke name=\"a\">":     "‹ns:invoke name=\"a\">",
		"<invoke name=\"x\">":        "‹invoke name=\"x\">",
		"<tool_call":                 "‹tool_call",
		"</s><s>":                    "‹/s›‹s›",
		"<unused12><extra_id_0>":     "‹unused12›‹extra_id_0›",
		"functools[{}]":              "functools⟦{}]",
		"[|system|]":                 "⟦|system|⟧",
		"]~b]ai[e~[":                 "⟦~b]ai⟦e~[",
		"[TOOL_RESULT: UNTRUSTED x]": "⟦TOOL_RESULT: UNTRUSTED x]",
		"[/TOOL_RESULT nonce=A]":     "⟦/TOOL_RESULT nonce=A]",
		"[ end tool-result]":         "⟦ end tool-result]",
		"【/ＴＯＯＬ＿ＲＥＳＵＬＴ】[tооl_rеsult]": "⟦/ＴＯＯＬ＿ＲＥＳＵＬＴ】⟦tооl_rеsult]",
	} {
		if clean, mended := firewall.Clean(in); clean != want || mended == nil {
			t.Errorf("%q became %q %v, want %q", in, clean, mended, want)
		}
	}
}

// pieces is what random hostile texts are made of.
var pieces = []string{
	"<", ">", "[", "]", "|", "/", "｜", "▁", " ", "\n", "=", ":", "tool_call", "think", "im_start", "SYS", "INST", "tool", "result", "TOOL_RESULT",
	"s", "a", "7", "\x1b", "\x1b[", "\x1b]", "\x07", "m", "\u200d", "\u200c", "\u200f", "\ufe0f", "\U000E0100", "\U000E0067", "🏴", "👩", "ا", "葛", "क",
	"\u202e", "\u00ad", "\r", "\xff", "\xf3", "‹", "⟦", "＜", "【", "◁", "▷", "~b]", "functools", "unused", "x=",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestCleanIsIdempotent(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 40_000 {
		text := randomText(r)
		once, _ := firewall.Clean(text)
		if twice, mended := firewall.Clean(once); twice != once || mended != nil {
			t.Fatalf("%q: %q, then %q %v", text, once, twice, mended)
		}
	}
}
