// Package remote is a hall over HTTP: a [moothall.Client] that speaks to the
// API which package web serves, wherever that is.
//
//	hall, err := remote.New("http://127.0.0.1:8765", remote.Options{})
//	for step, err := range hall.Query(ctx, moothall.QueryRequest{Query: "..."}) {
//
// Errors come back with the code, message and remedy that the hall gave. What
// the API does not offer (backups, raw generation, agents) is refused with
// CodeUnsupported; the commands of the hall's own machine have it.
//
// A Client starts no goroutines and is safe for concurrent use. It follows no
// redirects: the token goes to the address that was named, and nowhere else.
package remote
