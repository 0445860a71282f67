package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"moothall"
	"moothall/internal/secret"
	"moothall/internal/secret/memory"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for in, out := range map[string]string{
		"value": "value", "value\n": "value", "value\r\n": "value", "value\n\n": "value\n", "two\nlines\n": "two\nlines",
		" spaces stay ": " spaces stay ", "\r": "\r", "\x00\xff": "\x00\xff", strings.Repeat("x", 40) + "\r\n": strings.Repeat("x", 40),
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.DataErrReader(strings.NewReader(in))} {
			v, err := secret.Read(r, 40)
			if err != nil || string(v.Reveal()) != out {
				t.Errorf("%q: %q, %v", in, v.Reveal(), err)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for in, code := range map[string]moothall.Code{
		"": moothall.CodeInvalid, "\n": moothall.CodeInvalid, "\r\n": moothall.CodeInvalid,
		canary + "\n": moothall.CodeTooLarge, canary: moothall.CodeTooLarge, strings.Repeat(canary, 9000): moothall.CodeTooLarge,
	} {
		v, err := secret.Read(strings.NewReader(in), len(canary)-1)
		want(t, err, code)
		if len(v.Reveal()) > 0 {
			t.Errorf("a value came with %v", err)
		}
	}
	_, err := secret.Read(io.MultiReader(strings.NewReader(canary), iotest.ErrReader(fmt.Errorf("broken %s", canary))), 0)
	want(t, err, moothall.CodeUnavailable)
	if v, err := secret.Read(bytes.NewReader(make([]byte, secret.MaxValue)), 0); err != nil || len(v.Reveal()) != secret.MaxValue {
		t.Errorf("the largest value: %v", err)
	}
	_, err = secret.Read(bytes.NewReader(make([]byte, secret.MaxValue+1)), 1<<30)
	want(t, err, moothall.CodeTooLarge)
}

func TestPersonsCommands(t *testing.T) {
	t.Parallel()
	s := memory.New()
	_, err := secret.Test(t.Context(), s, "openai.key")
	want(t, err, moothall.CodeNotFound)
	want(t, secret.Set(t.Context(), s, "openai.key", moothall.NewSecret([]byte("before"))), "")
	want(t, secret.Set(t.Context(), s, "openai.key", moothall.NewSecret([]byte(canary))), "")
	r, err := secret.Test(t.Context(), s, "openai.key")
	want(t, err, "")
	text, _ := json.Marshal(r)
	if r.Length != len(canary) || r.Store != "memory" || leaks(r.String()+string(text)) {
		t.Errorf("%+v", r)
	}
	want(t, secret.Delete(t.Context(), s, "openai.key"), "")
	want(t, secret.Delete(t.Context(), s, "openai.key"), moothall.CodeNotFound)
	want(t, secret.Set(t.Context(), s, "openai.key", moothall.Secret{}), moothall.CodeInvalid)
	want(t, secret.Set(t.Context(), s, "openai.key", moothall.NewSecret(make([]byte, secret.MaxValue+1))), moothall.CodeTooLarge)
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"a": true, "openai.key": true, "A-b_c.9": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, ".hidden": false, "-flag": false, "_x": false, "a b": false, "a/b": false, "*": false,
		"a\x00": false, "ä": false, "a:b": false, "a\n": false,
	} {
		if secret.ValidName(name) != ok {
			t.Errorf("%q: want %v", name, ok)
		}
	}
}

// FuzzValidName: what is accepted is safe as an argument, a file name, a key
// of the kernel and a part of a message.
func FuzzValidName(f *testing.F) {
	for _, s := range []string{"openai.key", "", "..", "-x", "a/../b", "a\x00b", "name\n", "ﬁ", strings.Repeat("a", 65)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !secret.ValidName(s) {
			return
		}
		if s == "" || len(s) > 64 || strings.ContainsAny(s, "/\\ \n\r\t\x00:;,*?'\"") || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "-") || fmt.Sprintf("%+q", s) != `"`+s+`"` {
			t.Fatalf("%q is accepted", s)
		}
	})
}
