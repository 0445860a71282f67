// Package searxng searches with a SearXNG server, or the older searx, through
// its JSON interface.
//
//	p, err := searxng.New(searxng.Options{URL: "http://127.0.0.1:8888"})
//
// The server must allow the format: "json" under search.formats in its
// settings. It is usually the person's own and asks several engines; engines
// that did not answer are noted, and the hits of the others stand.
//
// A [Provider] is safe for concurrent use. Close it when done.
package searxng
