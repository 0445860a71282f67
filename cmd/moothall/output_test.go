package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestOutputLost: a command whose output nobody gets has failed.
func TestOutputLost(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		cannot(t, err.Error())
	}
	defer full.Close()
	for _, args := range [][]string{{"version"}, {"undo"}, {"config", "schema"}} {
		var errs bytes.Buffer
		if code := run(t.Context(), append(args, "--home", t.TempDir()), strings.NewReader(""), full, &errs); code != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: exit code %d, %s", args, code, errs.String())
		}
	}
}
