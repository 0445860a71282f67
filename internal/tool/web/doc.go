// Package web has the tools that reach the web: web_search and web_fetch.
//
//	tools := web.New(web.Options{Search: search, Summaries: []moothall.AgentType{"assistant", "researcher", "coder"}})
//
// They only translate: the search service does the work and guards the way
// out, the broker decides. Agents of the types in [Options.Summaries] see no
// words of pages but what a summary says of them; all others get snippets
// from web_search and the text of the page from web_fetch.
//
// web_search answers with today's date, then the findings numbered from one,
// each on lines of its own: whatever a title holds, it cannot begin another.
//
// A search that found something and then failed is a result that says what
// is missing. A search that found nothing, and a page that cannot be had, are
// failed calls with a text that a model can act on. Only a caller that gave
// up gets an error.
//
// The tools are safe for concurrent use.
package web
