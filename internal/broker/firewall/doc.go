// Package firewall stands between text from outside and a model.
//
// It does three things with a tool's result, a page, a file, a mail or the
// description of a foreign tool:
//
//	report := firewall.Scan(raw)
//	nonce := firewall.NewNonce()
//	prompt := firewall.Wrap(raw, nonce, firewall.Meta{Tool: "web_fetch", Source: url, Score: report.Score})
//
// [Clean] removes what a person cannot see and defuses what a tokenizer, a
// chat template, a terminal or our own parser of tool calls would take for
// its own. Words of any language, emoji and code stay as they are; a special
// token stays readable with other brackets.
//
// [Scan] weighs the text against rules: attempts to override instructions,
// to give the reader a new role, to have it call tools, send data out or
// keep something from the person, forged turns, hidden and encoded text. It
// looks at the raw text, since what is hidden is a finding. A text whose
// signs stay below the threshold gets the zero Report.
//
// [Wrap] cleans the text and puts it into an envelope that its content
// cannot close.
//
// # What it is not
//
// Scan is a signal with a budget for false alarms, not a boundary. A request
// in plain words, written by somebody who knows these rules, passes. What an
// agent may do after reading it is decided by the policy and by the labels
// of the run, whatever the score says. Nothing here may be used to lift a
// restriction, and no text is ever dropped because of its score.
//
// # Words
//
//   - sign: one match of a rule, with a weight from 0 to 1
//   - finding: a sign that is reported
//   - view: the text, or a decoding of a part of it, cut into words
//   - mention: a sign inside a sentence that talks about such attacks; it
//     does not count
//
// All functions are pure and safe for concurrent use. Time and memory grow
// linearly with the text. The package refuses nothing but a foreign envelope
// in [Unwrap]; limits on size are the caller's.
package firewall
