// Package kernel is a keyring in the memory of the Linux kernel, for machines
// without a desktop.
//
//	s := kernel.New()
//	err := s.Set(ctx, "openai.key", value)
//
// # Where a secret is and how long
//
// Each secret is a key of type "user" named "moothall:NAME" in the user
// keyring (@u) of the user who runs the process. It survives the process and
// the login session, never touches a disk, and is gone when the machine is
// switched off: it has to be set again after each start. Kernels before 5.3
// drop it already when the user's last process ends. The persistent keyring
// was not chosen: it forgets what was not used for three days.
//
// Keyrings belong to a user and a user namespace: a process in a container
// with a user namespace of its own sees other secrets than one outside.
//
// # Who can read it
//
// Permissions are the possessor's alone; no other user has any, and a process
// of the same user reads it only when the user keyring is among its own
// keyrings. A service manager may start a process whose session keyring is not
// connected with @u: such a process owns the keys and could still not read
// them. Each operation therefore runs on one thread whose thread keyring holds
// a link to @u for as long as it takes; the session's keyrings stay as they
// are. Every process of the same user can do the same: like all keyrings of a
// user, this one does not keep that user's programs apart.
//
// # Limits
//
// A value is at most [MaxValue] bytes. The kernel counts keys and bytes per
// user (kernel.keys.maxkeys and maxbytes, by default 200 and 20,000); what goes
// beyond is CodeExhausted with a remedy. Machines that forbid the system calls
// (some containers) and systems other than Linux give CodeUnsupported.
//
// All methods are safe for concurrent use, and none starts a goroutine. Names
// are judged by the parent.
package kernel
