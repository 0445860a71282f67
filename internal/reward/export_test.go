package reward

import "moothall"

// Read takes an event apart as Handle does, without keeping anything.
func Read(e moothall.Event) (query moothall.QueryID, body []byte, err error) {
	if e.Subject == moothall.SubjectUserFeedback {
		w, out, err := readFeedback(e)
		if err == nil {
			err = out.Validate()
		}
		return w.Query, out.Payload, err
	}
	f, err := read(e)
	return f.query, f.body, err
}
