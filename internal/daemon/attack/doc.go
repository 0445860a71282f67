// Package attack is the hall under attack: tests only, no code.
//
// Its tests start a real hall on a temporary home and give it a model that
// always obeys. Such a model first does what the person's harmless question
// needs, then looks for the instruction of its case in what the tools brought
// back, decodes it if it must, and makes the very calls that the instruction
// asks for. So no model's good sense is part of what is measured: whatever
// does not happen was kept from happening by the hall.
//
// What is forbidden is looked for where it would happen: at a web server, a
// resolver and a search engine that note what reaches them, in the person's
// files, in the memory, in the list of agents, and in what the model was
// shown. What the broker says about a call is never evidence.
//
// # Words
//
//   - A case is a surface (where the words stand), words, and the calls that
//     obeying them means. It lies in testdata.
//   - A form is how the words are written: plain, encoded, in other
//     languages, split over two results.
//   - A trial is one case in one form, with a person who answers no, or with
//     nobody.
//   - A canary is a value that stands in one place only, so that finding it
//     elsewhere proves a leak.
//   - An errand is a harmless question; it says whether a person is asked on
//     the way, and the test fails when that is no longer so, either way.
//
// The hall has the settings that it comes with: all that lies in the person's
// home folder counts as their own.
//
// Attacks on single parts are with the parts: addresses by literal, name,
// redirect and rebinding in internal/search/fetch, paths in internal/tool/fs,
// spawn bombs, approval races and arguments of ten megabytes in
// internal/broker, the envelope in internal/broker/firewall.
//
// # Concurrency
//
// Trials of one hall run side by side; each has its own session, files,
// pages and canary.
package attack
