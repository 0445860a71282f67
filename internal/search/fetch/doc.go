// Package fetch reads one page of the public web, and nothing that is not
// public.
//
//	c := fetch.New(fetch.Options{})
//	doc, err := c.Get(ctx, "https://example.org/news")
//
// # What is refused
//
// Who asks may be a model that a page has talked into asking. So:
//
//   - Only http and https, ports 80 and 443, no user name in the address.
//   - Host names must be plain letters, digits and hyphens after IDNA; names
//     that stand for this machine or its network, names without a dot and
//     numbers that are not a plain IP address are refused before any lookup.
//   - The address that is really dialed is compared with an explicit table
//     ([Public]) at the moment of dialing. A name that answers differently
//     the second time, a redirect and an odd spelling all end there.
//   - No proxy, no cookies, no credentials, no referrer. Five redirects at
//     most, each checked like the first address.
//   - Time, bytes on the wire and bytes after decompression are bounded. What
//     is no text (PDF, pictures, programs) is refused in words.
//
// Refusals by address are CodeDenied, addresses that make no sense are
// CodeInvalid, what cannot be read is CodeUnsupported. A page that the site
// does not give is CodeNotFound, CodeExhausted or CodeUnavailable with the
// status in its words.
//
// # Concurrency
//
// A [Client] is safe for concurrent use. It keeps no connection and no state
// between calls, so there is nothing to close.
package fetch
