package toolcall

// Work is how many bytes the reader has looked at in attempts to read a call.
func (r *Reader) Work() int { return r.work }
