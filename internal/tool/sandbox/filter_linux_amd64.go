package sandbox

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

const auditArch = unix.AUDIT_ARCH_X86_64

// foreign ends programs that use the x32 numbers, which name the same calls
// under other numbers and would pass the list.
var foreign = []bpf.Instruction{
	bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: 0x40000000, SkipTrue: 1},
	kill,
}

var (
	deniedHere    = []int{unix.SYS_IOPERM, unix.SYS_IOPL, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS__SYSCTL}
	pretendedHere = []int{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
)
