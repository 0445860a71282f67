package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// Each driver does all the work, and gives a figure for each row that is not
// about a program of its own.
func TestEachDriverDoesTheWork(t *testing.T) {
	for name, driver := range drivers {
		got, err := measure(driver, t.TempDir(), hundredth)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, row := range rows {
			if strings.Contains(row, "program") {
				continue
			}
			if v := got[row]; v <= 0 || math.IsNaN(v) {
				t.Errorf("%s: %s is %v", name, row, v)
			}
		}
	}
}

func TestMedianAndTable(t *testing.T) {
	m := median([]figures{{rows[0]: 3}, {rows[0]: 1}, {rows[0]: 2}})
	var out bytes.Buffer
	printTable(&out, m, figures{rows[0]: 4})
	if want := "| open, new file | 2.0 ms | 4.0 ms | 2.00 |"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}
