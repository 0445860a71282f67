package bus

import (
	"slices"
	"strings"

	"moothall"
)

const (
	// streamName names the record.
	streamName = "HALL"
	// storedPrefix is where the server repeats what it has stored.
	storedPrefix = "stored."
	// deliverPrefix is where the server hands events to observers.
	deliverPrefix = "deliver."
)

// inboxPrefix is where answers to one user's requests arrive.
func inboxPrefix(name string) string { return "_INBOX_" + name }

// wireSubject is the subject that NATS sees.
func wireSubject(s moothall.Subject, sender moothall.Identity) string {
	return string(s) + "." + string(sender)
}

// splitWire is the inverse of wireSubject, without any check.
func splitWire(wire string) (moothall.Subject, moothall.Identity) {
	i := strings.LastIndexByte(wire, '.')
	if i < 0 {
		return "", moothall.Identity(wire)
	}
	return moothall.Subject(wire[:i]), moothall.Identity(wire[i+1:])
}

// lookup returns the rule for a subject, a family, or a family's member, and
// the pattern of its wire subjects.
func lookup(s moothall.Subject) (moothall.SubjectRule, string, error) {
	for _, r := range moothall.Subjects() {
		if r.Subject == s && r.Family {
			return r, string(s) + ".*.*", nil
		}
	}
	r, ok := s.Rule()
	if !ok {
		return r, "", moothall.Fail(moothall.CodeInvalid, "bus subject", "unknown subject "+string(s))
	}
	return r, string(s) + ".*", nil
}

// rulePattern is the wire pattern of a rule for one sender, or "*" for all.
func rulePattern(r moothall.SubjectRule, sender string) string {
	if r.Family {
		return string(r.Subject) + ".*." + sender
	}
	return string(r.Subject) + "." + sender
}

// durablePatterns are the wire patterns that the record takes in.
func durablePatterns() []string {
	var out []string
	for _, r := range moothall.Subjects() {
		if r.Delivery == moothall.MustDeliver {
			out = append(out, rulePattern(r, "*"))
		}
	}
	return out
}

// matches reports whether a wire subject fits one of the patterns. Only whole
// tokens are wild.
func matches(patterns []string, wire string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matchOne(p, wire) })
}

func matchOne(pattern, wire string) bool {
	for {
		pt, prest, pmore := strings.Cut(pattern, ".")
		wt, wrest, wmore := strings.Cut(wire, ".")
		if pt != "*" && pt != wt || pmore != wmore {
			return false
		}
		if !pmore {
			return true
		}
		pattern, wire = prest, wrest
	}
}

// mayCarry reports whether the sender of a wire subject may say it at all. A
// sender that is no participant is a guest, and guests speak of tools.
func mayCarry(s moothall.Subject, sender moothall.Identity) bool {
	if sender.Known() {
		return sender.MayPublish(s)
	}
	r, ok := s.Rule()
	return ok && sender != Admin &&
		(r.Subject == moothall.SubjectToolSchema || r.Subject == moothall.SubjectToolResult)
}
