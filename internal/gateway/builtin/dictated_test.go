package builtin_test

import (
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
)

// TestDictatedIntoTheEnd checks that words which are dictated to a thought stay
// there, when its room is used up before they are said.
func TestDictatedIntoTheEnd(t *testing.T) {
	t.Parallel()
	const thought = "Today is 2026-11-17; Christmas, 25 December is still to come this year, so it is"
	p := scripted(t, builtin.Options{Thought: len(thought) + len(" 202")}, "<think>"+thought+" 202</think>\nIn December.<|im_end|>")
	a := must(t, p, moothall.GenerateRequest{Messages: user("When is Christmas?")})
	if !strings.HasSuffix(a.thinking, " 202") || a.text != "In December." {
		t.Errorf("it thinks %q and says %q", a.thinking, a.text)
	}
}
