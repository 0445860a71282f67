package sandbox

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

const auditArch = unix.AUDIT_ARCH_AARCH64

// This architecture has one set of numbers and none of the old calls.
var (
	foreign                   []bpf.Instruction
	deniedHere, pretendedHere []int
)
