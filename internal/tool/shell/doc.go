// Package shell holds the tools that run what an agent wrote: run_code,
// run_shell and package_install. They run nothing themselves: a [Runner], the
// sandbox, does.
//
//	tools := shell.New(runner, shell.Options{Packages: folder}).Tools()
//
// Code reaches the sandbox on standard input or in a file, never in an
// argument list, where other users of the machine could read it. Programs are
// looked for inside the sandbox, once, when [New] is called, so that a spec
// names the languages that are really there.
//
// A program works in the first folder that its agent may write; without one it
// has a private folder that is gone afterwards. There is no network, so
// package_install takes packages from a folder that the person fills, and runs
// no install scripts. A package's name is checked strictly: it is no option,
// no URL and no path.
//
// The tools hold no state; all methods may be called concurrently.
package shell
