//go:build amd64 || arm64

package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Descriptors of the helper, after the standard three.
const (
	fdOrder  = 3 // what to do, JSON
	fdStatus = 4 // ready, or what went wrong
	fdGo     = 5 // one byte: the hall has put the limits around us; its end: the hall is gone
)

// order is what the helper must become.
type order struct {
	Path   string
	Argv   []string
	Env    []string
	Dir    string
	Reads  []string
	Writes []string
	Limits []limit
}

// limit is one resource limit.
type limit struct {
	Resource int
	Value    uint64
}

// rlimit is the limit as the kernel takes it. The hard one of processor time
// comes a second later: at the soft one a signal says what was used up, where
// the hard one kills without a word.
func (l limit) rlimit() *unix.Rlimit {
	r := unix.Rlimit{Cur: l.Value, Max: l.Value}
	if l.Resource == unix.RLIMIT_CPU {
		r.Max++
	}
	return &r
}

const (
	statusWatched = 'W' // and the watcher's process id
	statusReady   = 'R'
	statusFailed  = 'E' // and why
)

// Main is the entry of the helper program, with the arguments that follow its
// own name there. It returns an exit status, or does not return because the
// process has become the command.
func Main(args []string) int {
	if len(args) != 1 {
		return 125
	}
	switch args[0] {
	case "exec":
		return execMain()
	case "probe":
		return probeMain()
	}
	return 125
}

// execMain limits this process and becomes the command. It never unlocks its
// thread: the limits are the thread's, and exec keeps only this one.
func execMain() int {
	runtime.LockOSThread()
	unix.CloseOnExec(fdOrder)
	unix.CloseOnExec(fdStatus)
	unix.CloseOnExec(fdGo)
	err := becomeCommand()
	_, _ = unix.Write(fdStatus, append([]byte{statusFailed}, err.Error()...))
	return 125
}

func becomeCommand() error {
	var one [1]byte
	if n, err := unix.Read(fdGo, one[:]); n != 1 {
		return fmt.Errorf("the hall went away: %w", err)
	}
	if err := watch(); err != nil {
		return err
	}
	var o order
	if err := json.NewDecoder(os.NewFile(fdOrder, "order")).Decode(&o); err != nil {
		return fmt.Errorf("order: %w", err)
	}
	prog, err := filter(Landlock)
	if err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	if err := unix.Chdir(o.Dir); err != nil {
		return fmt.Errorf("working folder: %w", err)
	}
	unix.Umask(0o077)
	if err := dropPrivileges(); err != nil {
		return err
	}
	if err := restrictFiles(o.Reads, o.Writes); err != nil {
		return err
	}
	for _, l := range o.Limits {
		if err := unix.Prlimit(0, l.Resource, l.rlimit(), nil); err != nil {
			return fmt.Errorf("limit %d: %w", l.Resource, err)
		}
	}
	if err := unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close files: %w", err)
	}
	_, _ = unix.Write(fdStatus, []byte{statusReady})
	raw := make([]unix.SockFilter, len(prog))
	for i, p := range prog {
		raw[i] = unix.SockFilter{Code: p.Op, Jt: p.Jt, Jf: p.Jf, K: p.K}
	}
	fprog := unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return fmt.Errorf("system call filter: %w", errno)
	}
	return fmt.Errorf("execute: %w", syscall.Exec(o.Path, o.Argv, o.Env))
}

// dropPrivileges gives up every capability, for good. The user stays: root
// without capabilities is the owner of root's files and nothing more.
func dropPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		// Fails for those without CAP_SETPCAP, who have nothing to drop.
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
	}
	const noRoot = 1<<0 | 1<<1 // SECBIT_NOROOT and its lock
	_ = unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0)
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}
