// Package library is what the program knows without a model and without a
// network: thousands of short texts of its own about places, people,
// computing, science, everyday matters and the program itself. A very small
// model answers from them, since reading is what it does well.
//
// First use:
//
//	books := library.Open()
//	for _, e := range books.Find("What is the capital of Peru?", 2) {
//		fmt.Println(e.Name, e.Text)
//	}
//
// # Words
//
// An entry has a name, a text of a few sentences, tags, and questions that the
// text answers. The term of a word is what it is found by, as in the memory
// (internal/memory/terms). A content word is one that tells what a question is
// about. A question covers an entry as far as the entry holds its content
// words, rare ones counting more. The subject of an entry is its name without
// what stands in brackets.
//
// # Finding
//
// Entries are ordered by BM25 over names, questions and texts, and taken only
// when the question names their subject or is covered by them, so that a
// question about something else finds nothing. Questions that look like no
// library's business find only an entry that says itself that it answers them:
// small talk, orders to use a tool, sums, and what is so today. Those about the
// person who asks find the program's manual at most. A question that only makes
// sense after another ("and its population?") is looked up together with what
// was said before, its own words weighing more: [Library.FindAfter].
//
// Where a question is near to one that the entry answers, that answer is known
// too, and comes first in what is recalled.
//
// # Concurrency
//
// All methods are safe for concurrent use. The entries are read and indexed at
// first use; nothing changes after that. No goroutine is started.
//
// # What it refuses
//
// It is never written to. It holds nothing of the person's. A file of entries
// that cannot be read is a mistake of whoever built the program: [Library.Err]
// says which, and nothing is found.
package library
