package daemon_test

import (
	"testing"

	"moothall/internal/lazyregexp"
)

// TestPatternsCompile compiles what the parts of a hall compile only when they
// need it.
func TestPatternsCompile(t *testing.T) {
	t.Parallel()
	if n := lazyregexp.CompileAll(); n < 100 {
		t.Errorf("only %d are known", n)
	}
}
