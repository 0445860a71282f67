package verify

import "fmt"

// Severity says how bad a [Finding] is.
type Severity string

// The severities. Tampered and Damaged make a report not OK.
const (
	Tampered Severity = "tampered" // contradicts a signature, a key or the order
	Damaged  Severity = "damaged"  // unreadable, but covered by no signed head
	Warning  Severity = "warning"  // worth a look
	Info     Severity = "info"
)

// Finding is one thing that a check noticed.
type Finding struct {
	Severity Severity `json:"severity"`
	Where    string   `json:"where"`
	What     string   `json:"what"`
	Remedy   string   `json:"remedy,omitempty"`
}

// Report is the result of a check.
type Report struct {
	OK       bool      `json:"ok"`        // nothing tampered with or damaged
	Entries  uint64    `json:"entries"`   // intact records, genesis included
	Heads    int       `json:"heads"`     // valid heads
	Signed   uint64    `json:"signed"`    // entries covered by the last valid head
	LastHead string    `json:"last_head"` // that head, a signed note: keep it elsewhere as an anchor
	Root     string    `json:"root"`      // Merkle root over Entries, base64
	Key      string    `json:"key"`       // verifier key that was used
	Findings []Finding `json:"findings"`
}

const (
	remedyKeep = "keep the directory as evidence; compare it with a backup and with heads kept elsewhere"
	remedyTorn = "start the hall: it cuts off a torn end and notes it; if it refuses, the damage is not from a crash"
)

func (r *Report) add(s Severity, remedy, where, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{
		Severity: s, Where: where, What: fmt.Sprintf(format, args...), Remedy: remedy,
	})
}

func (r *Report) tampered(where, format string, args ...any) {
	r.add(Tampered, remedyKeep, where, format, args...)
}

// Wrong is the first finding that makes the report not OK, if there is one: what
// stands before it may only be worth a look.
func (r *Report) Wrong() (Finding, bool) {
	for _, f := range r.Findings {
		if f.Severity == Tampered || f.Severity == Damaged {
			return f, true
		}
	}
	return Finding{}, false
}

// settle decides on OK.
func (r *Report) settle() {
	_, wrong := r.Wrong()
	r.OK = !wrong
}
