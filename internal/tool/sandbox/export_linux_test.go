//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"

	"golang.org/x/net/bpf"
)

// Plan is what a test may spoil.
type Plan = plan

// OpenSpoiled opens a sandbox whose every command is changed by spoil, as a
// broken installation would.
func OpenSpoiled(ctx context.Context, o Options, spoil func(*Plan)) (*Sandbox, error) {
	return open(ctx, o, spoil)
}

// ShareNetwork leaves the command in the hall's network, without a filter.
func (p *plan) ShareNetwork() {
	p.filtered = false
	i := slices.Index(p.args, "--unshare-all")
	p.args = slices.Replace(p.args, i, i+1, "--unshare-pid", "--unshare-ipc", "--unshare-uts")
}

// KeepEnvironment leaves the launcher's variables in place.
func (p *plan) KeepEnvironment() {
	p.args = slices.DeleteFunc(p.args, func(a string) bool { return a == "--clearenv" })
}

// MountAll shows the whole machine.
func (p *plan) MountAll() { p.args = append(p.args, "--bind", "/", "/") }

// Uncover leaves out what hides places.
func (p *plan) Uncover() {
	var out []string
	for i := 0; i < len(p.args); i++ {
		switch rest := p.args[i:]; {
		case rest[0] == "--perms" && filepath.Base(rest[min(3, len(rest)-1)]) == "hidden":
			i += 3
		case rest[0] == "--remount-ro" && filepath.Base(rest[1]) == "hidden":
			i++
		default:
			out = append(out, rest[0])
		}
	}
	p.args = out
}

// Unpin lets the folder around a hidden place be moved.
func (p *plan) Unpin() {
	i := slices.IndexFunc(p.args, func(a string) bool { return filepath.Base(a) == "around" })
	p.args = slices.Delete(p.args, i-1, i+2)
}

// Unlimited removes the limits.
func (p *plan) Unlimited() {
	p.limits, p.order.Limits, p.tasks = nil, nil, 1<<15
}

// Decide runs the filter of a level on one system call and returns the
// kernel's action.
func Decide(l Level, arch, number uint32, args ...uint64) (uint32, error) {
	raw, err := filter(l)
	if err != nil {
		return 0, err
	}
	prog, _ := bpf.Disassemble(raw)
	vm, err := bpf.NewVM(prog)
	if err != nil {
		return 0, err
	}
	// The interpreter reads network byte order where the kernel reads its own.
	packet := binary.BigEndian.AppendUint32(nil, number)
	packet = binary.BigEndian.AppendUint32(packet, arch)
	packet = binary.BigEndian.AppendUint64(packet, 0)
	for i := range 6 {
		var v uint64
		if i < len(args) {
			v = args[i]
		}
		packet = binary.BigEndian.AppendUint32(packet, uint32(v))
		packet = binary.BigEndian.AppendUint32(packet, uint32(v>>32))
	}
	action, err := vm.Run(packet)
	return uint32(action), err
}

// Arch is the one that the filter is for.
const Arch = auditArch
