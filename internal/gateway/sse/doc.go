// Package sse reads server-sent events, the framing in which hosted models
// stream their answers.
//
//	r := sse.NewReader(body, sse.Options{})
//	for {
//		event, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...
//	}
//
// It reads what the HTML standard describes, in any chunking: lines that end
// in LF, CR LF or CR, several data lines joined by LF, comments, a byte order
// mark. It departs from the standard in two points, because model servers do:
// an event that the end of the stream cuts off is handed out, marked Partial,
// instead of being dropped; and a line of the field "error" counts as data of
// an event of that name. Reconnection (the fields id and retry) is ignored: an
// answer cannot be resumed.
//
// A Reader belongs to one goroutine. It starts none.
//
// It refuses an event larger than Options.MaxEvent with [ErrTooLong], so that
// a server cannot fill the memory.
package sse
