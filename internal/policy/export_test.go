package policy

// CeilingWithin reports whether b's ceiling has everything that a's has.
func (a Authority) CeilingWithin(b Authority) bool { return a.ceiling.within(b.ceiling) }

// CallableWithin reports whether b's ceiling has everything that a may call.
func (a Authority) CallableWithin(b Authority) bool { return a.callable.within(b.ceiling) }

func (s set) within(o set) bool {
	for i := range s {
		if s[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

// Slots counts the lists of folders, and List returns one without a copy.
func (a Authority) Slots() int             { return len(a.slots) }
func (a Authority) List(slot int) []string { return a.list(slot) }

// Inside and Distance are tested on their own.
var (
	Inside   = inside
	Distance = distance
)
