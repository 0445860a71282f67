package fs_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/fs"
)

// writerFolder makes the test program write in that folder until it is killed.
const writerFolder = "MOOTHALL_TEST_WRITER"

// wholeSize is large enough for a write to take a while.
const wholeSize = 1 << 18

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerFolder); dir != "" {
		writeForever(dir)
	}
	os.Exit(m.Run())
}

func writeForever(dir string) {
	roots := fs.NewRoots(nil)
	tool := fs.New(roots, nil).All()[1]
	for i := 0; ; i++ {
		raw, err := json.Marshal(map[string]any{"path": "f", "content": strings.Repeat([]string{"a", "b"}[i%2], wholeSize)})
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString("writing\n")
		r, err := tool.Run(context.Background(), moothall.ToolRun{Call: moothall.ToolCall{Arguments: raw}, Writes: []string{dir}, Note: func(string) {}})
		if err != nil || r.Status != moothall.CallOK {
			panic(r.Text)
		}
	}
}
