package conf_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon/conf"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		span time.Duration
		text string
	}{
		"0s":                    {0, "0s"},
		"10s":                   {10 * time.Second, "10s"},
		"90s":                   {90 * time.Second, "1m30s"},
		"1h30m":                 {90 * time.Minute, "1h30m"},
		"1.5s":                  {1500 * time.Millisecond, "1s500ms"},
		"0.25h":                 {15 * time.Minute, "15m"},
		"24h":                   {24 * time.Hour, "1d"},
		"14d":                   {14 * 24 * time.Hour, "14d"},
		"1d12h":                 {36 * time.Hour, "36h"},
		"250us":                 {250 * time.Microsecond, "250us"},
		"250µs":                 {250 * time.Microsecond, "250us"},
		"1s1ns":                 {time.Second + 1, "1s1ns"},
		"106751d":               {106751 * 24 * time.Hour, "106751d"},
		"9223372036854775807ns": {math.MaxInt64, "2562047h47m16s854ms775us807ns"},
	} {
		got, err := conf.ParseDuration(text)
		if err != nil || time.Duration(got) != want.span || got.String() != want.text {
			t.Errorf("%s: got %d %q %v, want %d %q", text, got, got, err, want.span, want.text)
		}
	}
	for _, text := range []string{
		"", "s", "1", "-1s", "1 s", "1x", "1.s", ".5s", "1..5s", "1s ", "106752d", "106751d24h",
		"9223372036854775808ns", "99999999999999999999s", "0.0000000001s", "1e3s",
	} {
		if got, err := conf.ParseDuration(text); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: got %v and %v, want an error of code invalid", text, got, err)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		bytes conf.Size
		text  string
	}{
		"0":                   {0, "0B"},
		"512":                 {512, "512B"},
		"1KB":                 {1000, "1KB"},
		"1kB":                 {1000, "1KB"},
		"64KiB":               {64 << 10, "64KiB"},
		"1.5GiB":              {3 << 29, "1536MiB"},
		"10MB":                {10_000_000, "10MB"},
		"1TiB":                {1 << 40, "1TiB"},
		"8388607TiB":          {8388607 << 40, "8388607TiB"},
		"9223372036854775807": {math.MaxInt64, "9223372036854775807B"},
	} {
		got, err := conf.ParseSize(text)
		if err != nil || got != want.bytes || got.String() != want.text {
			t.Errorf("%s: got %d %q %v, want %d %q", text, int64(got), got, err, int64(want.bytes), want.text)
		}
	}
	for _, text := range []string{"", "B", "-1", "1 KiB", "1KiB1B", "1.1B", "1K", "8388608TiB", "1Kib"} {
		if got, err := conf.ParseSize(text); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: got %v and %v, want an error of code invalid", text, got, err)
		}
	}
}

func TestUnitsInJSON(t *testing.T) {
	t.Parallel()
	type pair struct {
		D conf.Duration
		S conf.Size
	}
	want := pair{conf.Duration(time.Hour), 1 << 20}
	data, err := json.Marshal(want)
	if err != nil || string(data) != `{"D":"1h","S":"1MiB"}` {
		t.Fatalf("got %s, %v", data, err)
	}
	var got pair
	if err := json.Unmarshal(data, &got); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := json.Unmarshal([]byte(`{"D":"soon"}`), &got); err == nil {
		t.Error("a word was taken for a duration")
	}
}
