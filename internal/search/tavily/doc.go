// Package tavily searches with the Tavily API.
//
//	p, err := tavily.New(tavily.Options{Key: key})
//
// Tavily's snippets are longer than those of others, since it reads the pages
// itself. The key is asked for before every query and kept nowhere. A
// [Provider] is safe for concurrent use. Close it when done.
package tavily
