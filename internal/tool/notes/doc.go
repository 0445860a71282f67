// Package notes holds the tool notes_search, which finds notes in folders of
// Markdown files.
//
//	tool := notes.New(roots, &notes.Options{Folders: []string{"/home/me/notes"}})
//
// A note is ranked by how often the words of the query stand in it, weighed
// by how rare they are among all notes (BM25), and higher when they stand in
// its title, its file name or a heading. What is shown is the section in
// which most of them stand, with its line number for fs_read.
//
// # Concurrency
//
// [Tool] is safe for concurrent use; there is no goroutine and no index: each
// call reads the files, so that a result is never older than the notes.
//
// # What it refuses
//
// Folders that are not in the folders of the call. Files that are not text or
// over the size limit are skipped and counted.
package notes
