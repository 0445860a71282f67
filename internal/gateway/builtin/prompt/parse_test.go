package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/prompt"
)

// generated turns the text that a model would write into tokens of one byte
// each, specials by their names.
func generated(text string) []int32 {
	var ids []int32
next:
	for len(text) > 0 {
		for s := range prompt.Specials {
			if rest, ok := strings.CutPrefix(text, s.String()); ok {
				ids, text = append(ids, int32(s)), rest
				continue next
			}
		}
		ids, text = bytesOf(ids, text[:1]), text[1:]
	}
	return ids
}

// read parses and writes down what came in what order; neighbours are joined.
func read(ids []int32, skip bool) (string, error) {
	var p prompt.Parser
	if skip {
		p.Skip()
	}
	var out strings.Builder
	last := ""
	note := func(kind, s string) {
		if s == "" {
			return
		}
		if kind != last || kind == "call" {
			fmt.Fprintf(&out, "[%s]", kind)
		}
		last = kind
		out.WriteString(s)
	}
	see := func(piece prompt.Piece) {
		note("think", piece.Thinking)
		note("text", piece.Text)
		if c := piece.Call; c != nil {
			note("call", string(c.Name)+string(c.Arguments))
		}
	}
	for _, id := range ids {
		var text []byte
		if id >= int32(prompt.Specials) {
			text = []byte{byte(id - int32(prompt.Specials))}
		}
		piece, err := p.Add(id, text)
		if err != nil {
			return out.String(), err
		}
		see(piece)
	}
	see(p.End())
	return out.String(), nil
}

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"<think>Hm.</think>\nHello.<|im_end|>":        "[think]Hm.[text]Hello.",
		"<think>Hm.</think>\nHel":                     "[think]Hm.[text]Hel",
		"<think></think>\nHello.\n\nBye.\n<|im_end|>": "[text]Hello.\n\nBye.\n",
		"<think>a\n</think>\n<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call><|im_end|>":                                                                                 "[think]a\n[call]x{}",
		"<think>a</think>\nGrüße 😀\n<tool_call>{\"name\": \"x\", \"arguments\": {\"a\": \"ü\"}}</tool_call>\n<tool_call>{\"name\": \"y\", \"arguments\": {}}</tool_call><|im_end|>": "[think]a[text]Grüße 😀[call]x{\"a\": \"ü\"}[call]y{}",
		"no thought":                         "[text]no thought",
		"<think>\xf0\x9f</think>\n\xffx":     "[think]\uFFFD[text]\uFFFDx",
		"<think>a</think>\n<tool_call>{\"na": "[think]a",
		"<think>a</think>\nb<|im_end|>c":     "[think]a[text]b",
	} {
		if got, err := read(generated(in), false); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", in, got, err, want)
		}
	}
	if got, _ := read(generated("Hello."), true); got != "[text]Hello." {
		t.Error(got)
	}
	for _, bad := range []string{`{`, `{"name": "", "arguments": {}}`, `{"name": "x"}`, `{"name": "x", "arguments": []}`, `null`} {
		if _, err := read(generated("<tool_call>"+bad+"</tool_call>"), true); moothall.ErrorCode(err) != moothall.CodeInterrupted {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestParseHistory reads every assistant message of the table back from the
// form in which the prompt has it.
func TestParseHistory(t *testing.T) {
	t.Parallel()
	for _, c := range table(t) {
		_, rest, ok := strings.Cut(c.Text, "<|im_start|>assistant\n")
		for ok {
			var said string
			if said, rest, ok = strings.Cut(rest, "<|im_end|>"); !ok {
				break
			}
			if _, err := read(generated(said+"<|im_end|>"), true); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			_, rest, ok = strings.Cut(rest, "<|im_start|>assistant\n")
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\x04ab\x05\n\x06{}\x07\x03"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var p prompt.Parser
		for _, b := range in {
			if piece, err := p.Add(int32(b), []byte{b}); err == nil && strings.ToValidUTF8(piece.Text+piece.Thinking, "") != piece.Text+piece.Thinking {
				t.Fatal("half a character was handed out")
			}
		}
		p.End()
	})
}
