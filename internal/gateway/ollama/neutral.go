package ollama

import "strings"

// marks are special tokens that do not have the form <|name|>.
var marks = []string{
	"<s>", "</s>", "<bos>", "<eos>", "<pad>", "<unk>", "<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>",
	"<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|tool>", "<tool|>", "<|tool_call>", "<tool_call|>", "<|tool_response>", "<tool_response|>",
	"<<SYS>>", "<</SYS>>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CALLS]", "[TOOL_RESULTS]",
	"[/TOOL_RESULTS]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[THINK]", "[/THINK]", "[ARGS]", "[CALL_ID]", "[IMG]", "[gMASK]", "<sop>", "<eop>",
	"]~b]", "]~!b[", "[e~[", "<SPECIAL_", "<extra_id_",
}

// frames are the tags in which templates put calls and results. A person may
// well write about them; in a result they would end it.
var frames = []string{"<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<tools>", "</tools>"}

// neutral breaks up special tokens with a space after their first character.
func neutral(s string) string { return breakUp(s, nil) }

// neutralTool does so for a tool's result.
func neutralTool(s string) string { return breakUp(s, frames) }

func breakUp(s string, more []string) string {
	if !strings.ContainsAny(s, "<[]") {
		return s
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '<' && c != '[' && c != ']' {
			continue
		}
		if isMark(s[i:], more) {
			b.WriteString(s[done : i+1])
			b.WriteByte(' ')
			done = i + 1
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

func isMark(s string, more []string) bool {
	for _, list := range [][]string{marks, more} {
		for _, m := range list {
			if strings.HasPrefix(s, m) {
				return true
			}
		}
	}
	return isBar(s, "|") || isBar(s, "｜")
}

// isBar reports whether s begins with <|name|> in either kind of bar. Names
// are short, which also keeps the scan linear.
func isBar(s, bar string) bool {
	name, ok := strings.CutPrefix(s, "<"+bar)
	if !ok {
		return false
	}
	name = name[:min(len(name), 64)]
	end := strings.Index(name, bar+">")
	return end > 0 && !strings.ContainsAny(name[:end], "<>\n")
}
