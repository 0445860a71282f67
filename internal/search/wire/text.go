package wire

import (
	"strings"
	"time"

	"golang.org/x/net/html"
)

// Plain returns the text of a title or snippet that may hold HTML, on one
// line.
func Plain(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return strings.Join(strings.Fields(s), " ")
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.WriteString(string(z.Text()))
		}
	}
}

// dateLayouts are the forms in which engines write when a page is from.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05-0700", "2006-01-02 15:04:05", time.DateOnly, time.RFC1123, time.RFC1123Z, "January 2, 2006",
	"Jan 2, 2006",
}

// Date reads a date, or returns the zero time for what is none.
func Date(s string) time.Time {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}
