package bus_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/bus"
)

const envelope = `{"id":"1","subject":"critique.result","type":"critique.result/1","time":"2026-01-02T03:04:05Z","sender":"critic","payload":{"score":4}}`

func TestDecode(t *testing.T) {
	t.Parallel()
	const wire = "critique.result.critic"
	edit := func(old, new string) string { return strings.Replace(envelope, old, new, 1) }
	for _, tc := range []struct {
		name, wire, data string
		code             moothall.Code
	}{
		{"as it should be", wire, envelope, ""},
		{"a newer field", wire, edit(`{"id"`, `{"mood":{"sender":"x"},"id"`), ""},
		{"a place of its own making", wire, edit(`{"id"`, `{"seq":77,"id"`), ""},
		{"a guest's result", "tool.result.forecast.weather",
			`{"id":"1","subject":"tool.result.forecast","type":"t","time":"2026-01-02T03:04:05Z","sender":"weather"}`, ""},
		{"a guest's request", "tool.request.forecast.weather",
			`{"id":"1","subject":"tool.request.forecast","type":"t","time":"2026-01-02T03:04:05Z","sender":"weather"}`, moothall.CodeInvalid},
		{"the admin as a guest", "tool.schema.bus",
			`{"id":"1","subject":"tool.schema","type":"t","time":"2026-01-02T03:04:05Z","sender":"bus"}`, moothall.CodeInvalid},
		{"another sender", wire, edit(`"critic"`, `"broker"`), moothall.CodeInvalid},
		{"another sender on the wire", "critique.result.broker", edit(`"critic"`, `"broker"`), moothall.CodeInvalid},
		{"another subject", wire, edit(`"critique.result"`, `"pairwise.result"`), moothall.CodeInvalid},
		{"no subject on the wire", "critic", envelope, moothall.CodeInvalid},
		{"a sender twice", wire, edit(`"sender":`, `"sender":"broker","sender":`), moothall.CodeInvalid},
		{"a sender in capitals", wire, edit(`"sender":`, `"SENDER":"broker","sender":`), moothall.CodeInvalid},
		{"a sender with a long s", wire, edit(`"sender":`, `"ſender":"broker","sender":`), moothall.CodeInvalid},
		{"an escaped name", wire, edit(`"sender":`, `"\u0073ender":`), moothall.CodeInvalid},
		{"an empty name escaped", wire, edit(`{"id"`, `{"\"":1,"id"`), moothall.CodeInvalid},
		{"no id", wire, edit(`"id":"1",`, ``), moothall.CodeInvalid},
		{"no time", wire, edit(`"time":"2026-01-02T03:04:05Z",`, ``), moothall.CodeInvalid},
		{"cut off", wire, envelope[:len(envelope)-1], moothall.CodeInvalid},
		{"two of them", wire, envelope + envelope, moothall.CodeInvalid},
		{"null", wire, `null`, moothall.CodeInvalid},
		{"a list", wire, `[` + envelope + `]`, moothall.CodeInvalid},
		{"nothing", wire, ``, moothall.CodeInvalid},
		{"an answer of the server", wire, `{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{"subject":"critique.result.critic","data":"e30="}}`, moothall.CodeInvalid},
		{"far too large", wire, edit(`4`, strings.Repeat("4", 8<<20)), moothall.CodeTooLarge},
	} {
		got, err := bus.Decode(tc.wire, []byte(tc.data))
		if code := moothall.ErrorCode(err); code != tc.code {
			t.Errorf("%s: got %v, want code %q", tc.name, err, tc.code)
		}
		if err == nil && got.Seq != 0 {
			t.Errorf("%s: has the place %d", tc.name, got.Seq)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("critique.result.critic", []byte(envelope))
	f.Add("tool.result.forecast.weather", []byte(`{"id":"1","subject":"tool.result.forecast","type":"t","time":"2026-01-02T03:04:05Z","sender":"weather","agent_lineage":["a","b"]}`))
	f.Add("dead.letter.critic", []byte(`{"id":"1","subject":"dead.letter","type":"t","time":"2026-01-02T03:04:05+02:00","sender":"critic","payload":"\\\""}`))
	f.Add("", []byte(`{"a":[{"b":"}"}],"a":null}`))
	f.Add("x", []byte("\"\\"))
	f.Fuzz(func(t *testing.T, wire string, data []byte) {
		e, err := bus.Decode(wire, data)
		if err != nil {
			if c := moothall.ErrorCode(err); c != moothall.CodeInvalid && c != moothall.CodeTooLarge {
				t.Fatalf("code %s: %v", c, err)
			}
			return
		}
		if wire != string(e.Subject)+"."+string(e.Sender) {
			t.Fatalf("%q let through as %s by %s", wire, e.Subject, e.Sender)
		}
		if e.Sender.Known() && !e.Sender.MayPublish(e.Subject) {
			t.Fatalf("%s may not say %s", e.Sender, e.Subject)
		}
		// A reader that takes the first of two fields must see the same.
		if first := firstSender(data); first != string(e.Sender) {
			t.Fatalf("another reader sees the sender %q, not %q", first, e.Sender)
		}
		again, err := bus.Encode(e)
		if err != nil {
			if moothall.ErrorCode(err) == moothall.CodeTooLarge {
				return
			}
			t.Fatalf("encode what was decoded: %v", err)
		}
		back, err := bus.Decode(wire, again)
		if err != nil {
			t.Fatalf("decode what was encoded: %v\n%s", err, again)
		}
		e.Payload, back.Payload = compact(e.Payload), compact(back.Payload)
		if diff := cmp.Diff(e, back); diff != "" {
			t.Fatalf("changed on the way: want -, got +:\n%s", diff)
		}
	})
}

// firstSender reads the first field that could be taken for the sender.
func firstSender(data []byte) string {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.Token()
	for dec.More() {
		key, _ := dec.Token()
		var v json.RawMessage
		dec.Decode(&v)
		if k, _ := key.(string); strings.EqualFold(k, "sender") {
			var s string
			json.Unmarshal(v, &s)
			return s
		}
	}
	return ""
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.Len() == 0 {
		return nil
	}
	return b.Bytes()
}
