// Package canned is a small web that is given, for stories, demonstrations
// and tests: it searches its own pages, fetches them, and reaches nothing.
//
//	web := canned.New(canned.Page{URL: "https://news.example/tides", Title: "Tides", Text: "..."})
//	s := search.New(search.Options{Providers: []search.Provider{web}, Fetcher: web})
//
// Addresses are held to the same rules as on the real web, so that what is
// denied there is denied here. A [Web] does not change and is safe for
// concurrent use.
package canned
