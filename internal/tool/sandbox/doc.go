// Package sandbox is the cage in which the hall runs what it did not write:
// code and commands of agents, package installers, stdio servers.
//
//	cage, err := sandbox.Open(ctx, sandbox.Options{Helper: []string{self, "sandbox-helper"}})
//	defer cage.Close()
//	res, err := cage.Run(ctx, sandbox.Command{
//		Argv: []string{"sh"}, Stdin: strings.NewReader(script),
//		Writes: []string{workspace},
//	})
//
// The program that is named by Options.Helper must call [Main] with the
// arguments that follow.
//
// # Levels
//
// Bubblewrap is tried first: namespaces of its own for users, processes,
// mounts, network, IPC and host name; nothing mounted but a read-only system
// and the folders of the command. Then Landlock: the helper limits itself and
// becomes the command, in the machine's own namespaces. Landlock needs ABI 6
// (Linux 6.12), since older ones let signals out. Both get the same system
// call filter, in which socket(2) does not exist. Where neither works, [Sandbox.Run]
// refuses.
//
// Before the first command a self-test runs at the level that was found and
// really tries the forbidden things (see [Probes]). A level that cannot start
// is passed over; one that starts and lets a single probe through disables the
// cage, because what is wrong there is not understood.
//
// # The end of a command
//
// When a command ends, and when the hall does, nothing of the command is left;
// a hall that is killed has no time to see to that. Bubblewrap's first process
// is told by the kernel, and the namespace ends with it. At the Landlock level a
// watcher is left outside the cage for each command, a process by the name of
// cage-watcher that holds a pipe to the hall: when that breaks, it kills the
// group that the command cannot leave.
//
// # Hidden places
//
// Options.Hidden are kept from every command, whatever folder holds them.
// Bubblewrap covers them with an empty read-only folder, or a device that
// cannot be opened, and what is shown inside is bound again. In folders that
// can be written, every folder around a hidden place becomes a mount point of
// its own, since those cannot be renamed: moving the place away would uncover
// it for the next command. Landlock cannot take a part of a folder away, so a
// folder with a hidden place in it is refused there. Refused at both levels
// are a folder inside a hidden place and, for writing, one that holds a link
// on the way to a hidden place.
//
// Where nothing is, nothing is covered: a hidden place that does not exist can
// be made by a command that may write around it, and one that is made outside
// while a command runs is seen by it until it ends.
//
// # What the levels do not do
//
// Landlock cannot hide that a file exists, nor its size and times. A program
// that changes mode, owner or times of a file by name is told that it worked
// when nothing was done, and no process can leave its group. Memory is limited
// per process, not per command. When the hall runs as root, the kernel does not
// count processes, so a pids control group is needed; without one the self-test
// disables the cage.
//
// # Sockets
//
// No command gets socket(2), of any family: a folder of the person's may hold
// a Unix socket of some service, and the network namespace would not stop a
// connection to it. Only socketpair of connected Unix types is left, which
// language runtimes use between parent and child and which reaches nobody else.
//
// # Concurrency
//
// All methods of [Sandbox] may be called concurrently. [Sandbox.Close] waits
// for the self-test; commands belong to the contexts of their callers.
package sandbox
