//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data. Both architectures are little endian: the
// low half of an argument comes first.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

var (
	allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	kill  = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
)

func fail(errno unix.Errno) bpf.RetConstant {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

func argLow(i uint32) bpf.Instruction  { return bpf.LoadAbsolute{Off: offArgs + 8*i, Size: 4} }
func argHigh(i uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: offArgs + 8*i + 4, Size: 4} }

// absent are answered as by a kernel without them, so that programs fall back.
// clone3 hides its flags behind a pointer, which no filter can follow.
var absent = []int{
	unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
}

// denied reach the network, the kernel, or other processes.
var denied = []int{
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_KCMP, unix.SYS_PIDFD_GETFD, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP, unix.SYS_PERSONALITY,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_NFSSERVCTL,
}

// shared is denied where the command lives in the machine's own namespaces:
// each of these reaches something that Landlock does not govern. Without
// setsid and setpgid the command stays one process group, which a single
// signal ends; nothing can fork faster than that.
var shared = []int{
	unix.SYS_SETSID, unix.SYS_SETPGID,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMCTL, unix.SYS_SEMTIMEDOP,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR,
	unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
	unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
}

// pretended does nothing and says that it worked. Landlock cannot limit the
// change of modes, owners and times by name, yet installers and archivers give
// up without it. By descriptor they work: that was opened within the limits.
var pretended = []int{unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT}

// byName pretends when the second argument, a name, is given at all. Both
// halves of the pointer count: an address may end in zeros.
var byName = []bpf.Instruction{
	argLow(1),
	bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 3},
	argHigh(1),
	bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 1},
	allow,
	fail(0),
}

// own takes a process id first, of which only zero, the caller, is allowed.
var own = []int{
	unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
}

const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWTIME

// filter is the system call filter of a level, ready for the kernel.
func filter(l Level) ([]bpf.RawInstruction, error) {
	prog := append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		kill,
		bpf.LoadAbsolute{Off: offNumber, Size: 4},
	}, foreign...)
	add := func(numbers []int, body ...bpf.Instruction) {
		for _, n := range numbers {
			prog = append(prog, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(n), SkipTrue: uint8(len(body))})
			prog = append(prog, body...)
		}
	}
	add(absent, fail(unix.ENOSYS))
	add(denied, fail(unix.EPERM))
	add(deniedHere, fail(unix.EPERM))
	add([]int{unix.SYS_CLONE}, argLow(0), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: newNamespaces, SkipTrue: 1}, allow, fail(unix.EPERM))
	add([]int{unix.SYS_SOCKETPAIR}, pairOnly...)
	add([]int{unix.SYS_IOCTL}, argLow(1),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCLINUX, SkipTrue: 1},
		allow, fail(unix.EPERM))
	if l == Landlock {
		add(shared, fail(unix.EPERM))
		add(pretended, fail(0))
		add(pretendedHere, fail(0))
		add([]int{unix.SYS_UTIMENSAT}, byName...)
		add(own, argLow(0), bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 1}, allow, fail(unix.EPERM))
	}
	return bpf.Assemble(append(prog, allow))
}

// pairOnly lets through connected Unix pairs. A datagram socket is refused: it
// could be sent to any address later.
var pairOnly = []bpf.Instruction{
	argLow(0),
	bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.AF_UNIX, SkipTrue: 4},
	argLow(1),
	bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xf},
	bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 2},
	bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_SEQPACKET, SkipTrue: 1},
	fail(unix.EPERM),
	allow,
}

// encode writes a filter as bubblewrap reads it: struct sock_filter, in the
// byte order of the machine.
func encode(prog []bpf.RawInstruction) []byte {
	var b bytes.Buffer
	for _, i := range prog {
		_ = binary.Write(&b, binary.NativeEndian, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	return b.Bytes()
}
