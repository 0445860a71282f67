// Package wire makes the one exchange that every search engine is: a request
// with a key, a JSON answer, and errors in the words of the hall.
//
//	c, err := wire.New(wire.Config{Name: "brave", BaseURL: "https://api.example.org", Key: key, Sign: sign})
//	err = c.JSON(ctx, wire.Request{Path: "/search?q=x", Sent: q.Sent}, &reply)
//
// The address comes from the person's configuration, so it may be on this
// machine, unlike those of pages. Redirects are not followed, the environment
// names no proxy, answers are bounded, and a key never crosses a network in
// the clear nor stands in an error.
//
// A [Client] is safe for concurrent use. Close it to end idle connections.
package wire
