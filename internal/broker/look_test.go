package broker

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLookGivesUp: too much is not half looked at, and what is no folder is not
// taken for an empty one.
func TestLookGivesUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if l := lookAt(dir, 3); len(l) != 3 {
		t.Errorf("%v", l)
	}
	if l := lookAt(dir, 2); l != nil {
		t.Errorf("more than may be looked at gave %v", l)
	}
	if l := lookAt(filepath.Join(dir, "none"), 2); l == nil || len(l) != 0 {
		t.Errorf("a folder that is not there: %v", l)
	}
	if l := lookAt("a\x00b", 2); l != nil {
		t.Errorf("what cannot be looked at gave %v", l)
	}
}
