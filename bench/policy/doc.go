// Package policy measures one policy in four engines side by side: the hall's
// own, OPA, Cedar and CEL. It is a module of its own, so that the others stay
// out of the program.
//
//	go test -bench . -benchmem
//
// The policy is the hall's ten layers without grants, aliases and path lists:
// a manifest of agent types and tools, the chain of types above the caller,
// and the facts of one call. Each engine answers allow, deny or ask; a test
// compares their answers on random calls before anything is timed.
//
// What favours whom: every engine gets its input in its own form, made before
// the clock starts; policies are compiled and, where the engine can,
// optimised before. The hall's own engine intersects the chain once, when an
// agent is spawned, and the others at every call; depth=0 is the same call by
// an agent without ancestors, where nobody has anything to intersect. The
// hall's own also returns layer, rule and reason, the others the verdict
// alone. Cedar knows no third verdict: its forbidding policies are annotated
// with deny or ask, and the determining ones are looked at.
package policy
