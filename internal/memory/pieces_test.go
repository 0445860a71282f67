package memory_test

import (
	"strings"
	"testing"

	"moothall/internal/memory"
)

func TestPieces(t *testing.T) {
	t.Parallel()
	in := strings.Repeat(`{"text":"a","thread":"t"}`+"\n", 5) + "not json\n" + `{"text":"b","thread":"t","seq":90}`
	var got []string
	if err := memory.Pieces(strings.NewReader(in), 80, func(lines []byte) error {
		got = append(got, string(lines))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(got, "")
	if len(got) < 3 {
		t.Errorf("%d pieces", len(got))
	}
	for _, want := range []string{`"seq":1`, `"seq":5`, "not json\n", `"seq":90}`} {
		if strings.Count(all, want) != 1 {
			t.Errorf("%s is there %d times in %s", want, strings.Count(all, want), all)
		}
	}
	if strings.Count(all, "\n") != 7 {
		t.Errorf("%d lines", strings.Count(all, "\n"))
	}
}
