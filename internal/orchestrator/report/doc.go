// Package report is what a subagent gives back, and nothing else: status,
// summary, paths, how sure it is and where it has it from.
//
// # First use
//
//	r, err := report.Parse(answer)       // an answer that fits report.Schema
//	r = r.Against(report.Evidence{...})  // claims that nothing backs are taken back
//	r = report.Failure("the model did not answer")
//
// # Words
//
// Evidence is what the run itself shows: which tools were used and how that
// ended, which check passed. A claim that evidence does not back is lowered,
// never raised. A failure is made here from what happened; no model words it.
//
// All functions are pure and safe for concurrent use.
package report
