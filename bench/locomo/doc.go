// Command locomo measures what to index of a dialogue: it indexes turns in
// several ways, asks questions, and counts the share of the answering turns
// among the first 5, 10 and 20. It is a module of its own, since it measures
// and is no part of the program.
//
//	go run . -cases DIR
//
// DIR holds turns.jsonl and queries.jsonl. The findings are in README.md.
package main
