package broker_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall/internal/broker"
	"moothall/internal/schema"
)

func FuzzStrict(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,{"b":null}]}`, `{"a":1,"A":2}`, `{"a":1}{`, `[`, `{"a":{"b":{}},"c":"\ud800"}`, "{\"\xff\":1}", ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if broker.Strict(raw) != nil {
			return
		}
		one, err := schema.Canonical(raw)
		if err != nil {
			t.Fatalf("%q was accepted and cannot be read: %v", raw, err)
		}
		// A reader into a struct, which folds the size of letters, and one
		// into a map must see as many keys.
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatalf("%q is no object: %v", raw, err)
		}
		seen := map[string]bool{}
		for key := range fields {
			if k := strings.ToLower(strings.ToUpper(key)); seen[k] {
				t.Fatalf("%q has %q twice", raw, key)
			} else {
				seen[k] = true
			}
		}
		if again, err := schema.Canonical(one); err != nil || string(again) != string(one) {
			t.Fatalf("%q has two forms: %q and %q", raw, one, again)
		}
	})
}

func FuzzKnows(f *testing.F) {
	f.Add("see https://a.example/b?c=d and (x.org/y).", "https://a.example/b?c=d")
	f.Add("red pandas", "pandas")
	f.Add("", "http://[::1]:80/%zz")
	f.Fuzz(func(t *testing.T, words, text string) {
		known := broker.Knows(words, text)
		for part := range strings.FieldsSeq(text) {
			// Every word that may go out was typed, but for an address's form.
			if known && !strings.Contains(text, "://") && !strings.Contains(words, part) {
				t.Fatalf("%q is known from %q", text, words)
			}
		}
		if fields := strings.Fields(words); len(fields) > 0 && len(fields) < 1000 && !strings.Contains(words, "://") && !broker.Knows(words, strings.Join(fields, " ")) {
			t.Fatalf("%q does not know itself", words)
		}
	})
}

// Whatever is private, three long words of it in a row are recognised,
// however they are written and whatever short words stand between them.
func FuzzPlainDoubt(f *testing.F) {
	f.Add("news about bridges", "Correct horse: battery, staple!", "correct HORSE is battery", uint8(0))
	f.Add("", "die Brücke öffnet 1984-05-23", "x", uint8(2))
	f.Add("a", "秘密の鍵は青い扉 の中 にあります", "青い", uint8(9))
	f.Fuzz(func(t *testing.T, words, private, query string, from uint8) {
		if doubt := broker.PlainDoubt(words, private, query); doubt == "" && len(query) > 256 {
			t.Fatalf("%q is a plain question", query)
		}
		var long []string
		for w := range strings.FieldsFuncSeq(strings.ToLower(private), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if len(w) >= 4 {
				long = append(long, w)
			}
		}
		ascii := !strings.ContainsFunc(private, func(r rune) bool { return r > 'z' || '0' <= r && r <= '9' })
		if at := int(from); ascii && at+3 <= len(long) {
			quoted := strings.ToUpper(long[at]) + " a " + long[at+1] + ", " + long[at+2]
			if broker.PlainDoubt("", private, quoted) == "" {
				t.Fatalf("%q is taken out of %q", quoted, private)
			}
		}
	})
}

func FuzzRedact(f *testing.F) {
	f.Add("before ", "hunter2!", " after")
	f.Add("a", "\x00\xff\"%", "==")
	f.Fuzz(func(t *testing.T, before, secret, after string) {
		if len(secret) < 4 || strings.Contains("[secret]", secret) {
			return
		}
		got := broker.Redact(before+secret+after, secret)
		// What is put in its place can form the value anew with what stands
		// around it only where the value shares its letters.
		if strings.Contains(got, secret) && !strings.ContainsAny(secret, "[secrt]") {
			t.Fatalf("%q is in %q", secret, got)
		}
	})
}
