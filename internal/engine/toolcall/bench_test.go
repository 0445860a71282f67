package toolcall_test

import (
	"strings"
	"testing"

	"moothall/internal/engine/toolcall"
)

const paragraph = "The archive keeps every letter in the order of its arrival, and nobody has asked for another one " +
	"since the days of the old clerk. It's dry, it's quiet: a place for people who like both.\n\n" +
	"- The first room holds maps (most of them wrong).\n- The second holds ledgers; see \"Accounts\" below.\n"

func BenchmarkPlainText(b *testing.B) {
	text := strings.Repeat(paragraph, 1<<20/len(paragraph))
	o := &toolcall.Options{Tools: officeTools()}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if r := toolcall.Parse(text, o); len(r.Content) == 0 {
			b.Fatal("no content")
		}
	}
}

// replyWithCalls is a reply of 10 KB with thinking, text and ten calls.
func replyWithCalls() string {
	var s strings.Builder
	s.WriteString("<think>" + strings.Repeat("I should look at the shelves first. ", 60) + "</think>\n")
	for s.Len() < 10<<10 {
		s.WriteString(paragraph)
		s.WriteString("<tool_call>\n{\"name\": \"find_book\", \"arguments\": {\"title\": \"" + strings.Repeat("x", 300) +
			"\", \"year\": 1815, \"tags\": [\"a\", \"b\"]}}\n</tool_call>\n")
	}
	return s.String()
}

func BenchmarkReplyWithCalls10KB(b *testing.B) {
	text, o := replyWithCalls(), &toolcall.Options{Tools: officeTools()}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if r := toolcall.Parse(text, o); len(r.Calls) < 5 {
			b.Fatal("no calls")
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, unit := range hostile() {
		b.Run(name, func(b *testing.B) {
			text, o := strings.Repeat(unit, 1<<20/len(unit)), &toolcall.Options{Tools: officeTools()}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				toolcall.Parse(text, o)
			}
		})
	}
}

func BenchmarkStreamBytes(b *testing.B) {
	text, o := replyWithCalls(), &toolcall.Options{Tools: officeTools()}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := toolcall.NewReader(o)
		for i := range len(text) {
			r.Write(text[i : i+1])
		}
		if res := r.Close(); len(res.Calls) < 5 {
			b.Fatal("no calls")
		}
	}
}
