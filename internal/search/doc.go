// Package search asks the web on behalf of the hall, and is the only service
// with a way out of the machine for content.
//
//	s := search.New(search.Options{
//		Providers: []search.Provider{searx},
//		Fetcher:   fetch.New(fetch.Options{}),
//		Model:     gateway.For(moothall.Searcher),
//	})
//	for finding, err := range s.For(moothall.ToolBroker).Search(ctx, request) { ... }
//
// # Words
//
//   - A provider is a search engine or a server that asks several ([Provider]).
//     Children of this package are providers; this package imports none.
//   - A hit is one result of a provider; a finding is what the caller gets.
//   - A summary is what a model says of a page, or, without a model, the
//     sentences of the page that have most of the query's words.
//
// # From query to findings
//
// Providers are asked in order until one has hits; one that fails, is over
// its rate or asked to be left alone is passed over, with a line in the log.
// Hits with the same address are one. Hits without a word of the query are
// dropped when others have some, and the rest is ordered by the provider's
// rank and the words together. For summaries the pages are then read, a few
// at once, and findings come in order as they are ready. A page that cannot
// be read leaves a finding made of its snippet, which says so and has little
// confidence. A request that names a page, or whose query is an address alone,
// is about that page, and no provider is asked.
//
// Confidence is the model's own word, bounded to [0, 1], and never above
// what the source allows: 0.3 for extracts and 0.2 for snippets.
//
// # What is refused
//
// Only the broker may search and fetch; everybody else gets CodeDenied. Pages
// are content of strangers: what comes from them is untrusted, summaries too.
//
// # Concurrency
//
// A [Service] is safe for concurrent use. Its goroutines live within one call
// and are waited for before the call returns; there is nothing to close.
package search
