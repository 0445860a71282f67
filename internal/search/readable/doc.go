// Package readable finds what a person would read in a document of the web:
// the article without menus, advertisements and comments, its title, its date
// and its language.
//
//	article := readable.Extract(readable.Source{URL: "https://example.org/a", Kind: readable.HTML, Body: page})
//
// The article of HTML is found by go-readability; docs/decisions/readable.md
// says why. Where it finds none, all visible text of the page is taken. The
// date and the language are found here, since the library knows fewer places
// where they stand.
//
// The input is whatever a site sends. Nothing of it makes [Extract] panic or
// fail; its time and memory are bounded by [Source.Body] alone, and documents
// beyond a size that articles have are read in the plain way, which is linear.
//
// All functions are pure and safe for concurrent use.
package readable
