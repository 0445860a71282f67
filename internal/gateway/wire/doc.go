// Package wire is what the providers of hosted models share: a careful HTTP
// client for JSON and server-sent events, the meaning of errors that servers
// give in different words, and the assembly of chunks.
//
//	c, err := wire.NewClient(wire.Config{
//		Name: "openai", BaseURL: "https://api.openai.com/v1", Key: key,
//		Sign: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
//	})
//	stream, err := c.Send(ctx, wire.Request{Path: "/chat/completions", Body: request})
//	defer stream.Close()
//	event, err := stream.Next()
//
// # Keys
//
// A key is asked for per request, travels in one header, and is dropped. Text
// from a server is searched for it before it becomes part of an error. No
// redirect is followed, since a redirect would carry the header elsewhere. A
// key leaves the machine over TLS only, unless Config.PlainHTTP says otherwise.
// Proxies of the environment are not used: who wants one gives a client.
//
// # Concurrency
//
// A [Client], a [Habits] and a [Keep] are safe for concurrent use. A [Stream],
// an [Output] and a [Calls] belong to one goroutine. None starts a goroutine
// of its own; [Client.Close] ends the idle connections of the default client.
package wire
