// Package fs holds the tools that read, write, list and search files:
// fs_read, fs_write, fs_list and fs_search.
//
//	roots := fs.NewRoots(&fs.RootsOptions{Home: home})
//	defer roots.Close()
//	tools := fs.New(roots, &fs.Options{Own: []string{home}}).All()
//
// Every access goes through an [os.Root] of one of the folders that the
// broker hands over with the call; a path that was checked as a string is
// never used for anything but finding that folder. [Roots.Inside] answers the
// broker's question about a path with the same code that the tools use.
//
// # Words
//
//   - A folder is one of ToolRun.Reads or ToolRun.Writes. What may be written
//     may be read.
//   - A root is an open handle of a folder, kept for a session.
//   - A place is a path as it lies in a folder.
//   - The person's own folders (Options.Own) hold what they wrote themselves;
//     what is read elsewhere makes a run untrusted.
//
// # Concurrency
//
// [Roots] and the tools are safe for concurrent use. There is no goroutine.
// Writes of one [Tools] are done one after the other, so that two appends
// both arrive; a reader sees the old file or the new one, never a part.
//
// # What it refuses
//
//   - a folder that is itself a symbolic link, that others may write to, or
//     that belongs to another account (root excepted);
//   - whatever is not a regular file: devices, FIFOs, sockets, and everything
//     on a file system that the kernel makes up (/proc, /sys, ...) or that is
//     mounted inside a folder;
//   - writing through a symbolic link, to a file with a second hard link, or
//     to a file of another account, since replacing it would change the owner;
//   - binary files, and more than the limits of [Options].
//
// A replaced file keeps its permission bits; extended attributes and access
// control lists are not carried over. A crash in the middle of a write can
// leave a file named ".moothall-new-*" beside the untouched one.
package fs
