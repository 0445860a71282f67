// Package brave searches with the Brave Search API.
//
//	p, err := brave.New(brave.Options{Key: key})
//
// The key is asked for before every query and kept nowhere. A [Provider] is
// safe for concurrent use. Close it when done.
package brave
