package sse_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"moothall/internal/gateway/sse"
)

// read collects all events, with their data copied, and the error that ended
// the stream, nil for its end.
func read(src io.Reader, o sse.Options) ([]sse.Event, error) {
	var out []sse.Event
	r := sse.NewReader(src, o)
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		e.Data = append([]byte{}, e.Data...)
		out = append(out, e)
	}
}

func event(name, data string) sse.Event { return sse.Event{Name: name, Data: []byte(data)} }

func partial(name, data string) sse.Event {
	return sse.Event{Name: name, Data: []byte(data), Partial: true}
}

func TestReader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		want     []sse.Event
	}{
		{"nothing", "", nil},
		{"one", "data: a\n\n", []sse.Event{event("", "a")}},
		{"no space", "data:a\n\n", []sse.Event{event("", "a")}},
		{"one space is dropped", "data:  a\n\n", []sse.Event{event("", " a")}},
		{"two", "data: a\n\ndata: b\n\n", []sse.Event{event("", "a"), event("", "b")}},
		{"named", "event: ping\ndata: {}\n\n", []sse.Event{event("ping", "{}")}},
		{"name without data", "event: ping\n\ndata: a\n\n", []sse.Event{event("", "a")}},
		{"data lines are joined", "data: a\ndata: b\n\n", []sse.Event{event("", "a\nb")}},
		{"data line without value", "data\n\n", []sse.Event{event("", "")}},
		{"comments and unknown fields", ": alive\nid: 7\nretry: 10\nfoo\ndata: a\n\n", []sse.Event{event("", "a")}},
		{"carriage returns", "data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", []sse.Event{event("", "a"), event("", "b"), event("", "c")}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []sse.Event{event("", "a")}},
		{"byte order mark later", "\n\xef\xbb\xbfdata: a\n\n", nil},
		{"error field", "error: {\"code\":500}\n\n", []sse.Event{event("error", `{"code":500}`)}},
		{"end without blank line", "data: a\n", []sse.Event{partial("", "a")}},
		{"end in a line", "data: a\n\ndata: [DONE]", []sse.Event{event("", "a"), partial("", "[DONE]")}},
		{"end in a field name", "data: a\n\nda", []sse.Event{event("", "a")}},
		{"end in another field", "data: a\n\ndatabase: 7", []sse.Event{event("", "a")}},
		{"many blank lines", "\n\n\n\ndata: a\n\n\n\n", []sse.Event{event("", "a")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for name, src := range map[string]io.Reader{
				"at once":       strings.NewReader(test.in),
				"byte by byte":  iotest.OneByteReader(strings.NewReader(test.in)),
				"error at last": iotest.DataErrReader(strings.NewReader(test.in)),
			} {
				got, err := read(src, sse.Options{})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", name, diff)
				}
			}
		})
	}
}

func TestReaderBoundsEvents(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"one line":     "data: " + strings.Repeat("a", 200),
		"whole line":   "data: " + strings.Repeat("a", 200) + "\n\n",
		"many lines":   strings.Repeat("data: a\n", 40),
		"empty fields": strings.Repeat("foo\n", 40) + "\n",
	} {
		got, err := read(strings.NewReader("data: ok\n\n"+in), sse.Options{MaxEvent: 100})
		if !errors.Is(err, sse.ErrTooLong) || len(got) != 1 {
			t.Errorf("%s: got %d events and %v, want the first and ErrTooLong", name, len(got), err)
		}
	}
	if _, err := read(strings.NewReader(strings.Repeat("data: ok\n\n", 100)), sse.Options{MaxEvent: 100}); err != nil {
		t.Errorf("many small events: %v", err)
	}
}

func TestReaderPassesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	got, err := read(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)), sse.Options{})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the source's error", err)
	}
	if diff := cmp.Diff([]sse.Event{event("", "a")}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("event: a\ndata: {\"b\":1}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("\xef\xbb\xbf: c\r\ndata:x\r\rdata\n\nerror: y"))
	f.Fuzz(func(t *testing.T, in []byte) {
		o := sse.Options{MaxEvent: 512}
		whole, err := read(bytes.NewReader(in), o)
		bytewise, err2 := read(iotest.OneByteReader(bytes.NewReader(in)), o)
		if !errors.Is(err2, err) {
			t.Fatalf("at once %v, byte by byte %v", err, err2)
		}
		if diff := cmp.Diff(whole, bytewise); diff != "" {
			t.Fatalf("chunking matters: %s", diff)
		}
		total := 0
		for _, e := range whole {
			total += len(e.Data)
		}
		if total > len(in) {
			t.Fatalf("%d bytes of data out of %d", total, len(in))
		}
	})
}
