// Package fs holds the tools that read, write, list and search files:
// fs_read, fs_write, fs_list and fs_search.
//
//	roots := fs.NewRoots(&fs.RootsOptions{Home: home, Hidden: []string{keys}})
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
//   - A hidden place (RootsOptions.Hidden) is kept from agents although a folder
//     holds it; a shown one (RootsOptions.Shown) inside it is not.
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
//   - whatever lies in a hidden place when every link on its way is followed,
//     or would lie there if it were made. The file that was opened is judged,
//     by the name that the kernel gives it (elsewhere than on Linux by following
//     its path once more), so that swapping a link in between changes nothing.
//     Lists and searches pass over hidden places without a word;
//   - whatever is not a regular file: devices, FIFOs, sockets, and everything
//     on a file system that the kernel makes up (/proc, /sys, ...) or that is
//     mounted inside a folder;
//   - writing through a symbolic link, to a file with a second hard link, or
//     to a file of another account, since replacing it would change the owner;
//   - binary files, and more than the limits of [Options].
//
// A hidden file that has a second name (hard link) outside of the hidden place
// can be read by that name. Neither these tools nor a command in the sandbox
// can give it one; where the person did, the second name should be hidden too.
// The same goes for a folder that is mounted in a second place.
//
// A replaced file keeps its permission bits; extended attributes and access
// control lists are not carried over. A crash in the middle of a write can
// leave a file named ".moothall-new-*" beside the untouched one.
package fs
