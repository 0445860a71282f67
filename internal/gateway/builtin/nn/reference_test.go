package nn_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"testing"

	"moothall/internal/moottest"
)

const (
	weightsFile   = "../weights/model.bin"
	referenceFile = "../weights/reference.json"
)

// reference holds logits of the weights that ship, computed elsewhere in
// float32 from the same int8 numbers.
type reference struct {
	Cases []struct {
		IDs []int32      `json:"ids"`
		Top [][2]float64 `json:"top"` // pairs of token and logit, in any order
	} `json:"cases"`
}

// TestReference compares every kernel with the committed logits.
func TestReference(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile(weightsFile)
	if errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("CI") != "" {
			t.Fatal("the trained weights are missing")
		}
		t.Skip("the trained weights are not here: there is nothing to compare with")
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(text, &ref); err != nil || len(ref.Cases) == 0 {
		t.Fatalf("%s: %d cases, %v", referenceFile, len(ref.Cases), err)
	}
	each(t, func(t *testing.T, kernel string) {
		m := open(t, kernel, file)
		for i, c := range ref.Cases {
			if len(c.IDs) > longest(kernel) {
				continue
			}
			compare(t, i, feed(t, m.NewContext(), c.IDs), c.Top)
		}
	})
}

// longest is how many tokens a kernel is compared with: the one without vectors
// takes a minute for the longest prompt.
func longest(kernel string) int {
	switch {
	case moottest.Race && kernel == "plain":
		return 50
	case moottest.Race:
		return 200
	case kernel == "plain":
		return 500
	}
	return math.MaxInt
}

// compare checks the known logits of one case, and that the highest of them is
// the highest of all, if it stands out by more than the tolerance.
func compare(t *testing.T, i int, logits []float32, known [][2]float64) {
	t.Helper()
	var got []float32
	var want []float64
	best, second := -1, -1
	for j, k := range known {
		got, want = append(got, logits[int(k[0])]), append(want, k[1])
		switch {
		case best < 0 || k[1] > want[best]:
			best, second = j, best
		case second < 0 || k[1] > want[second]:
			second = j
		}
	}
	e := apart(got, want)
	if !(e <= tolerance) {
		t.Errorf("case %d: %.2e from the reference", i, e)
	}
	if len(known) < 2 || want[best]-want[second] < 2*tolerance*(1+want[best]) {
		return
	}
	for id, v := range logits {
		if v > got[best] {
			t.Errorf("case %d: token %d has %g, the reference's choice %d only %g", i, id, v, int(known[best][0]), got[best])
		}
	}
}
