//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"moothall"
)

// watch makes a second process that ends the command when the hall is gone. A
// signal at the parent's death reaches the first process of the command only;
// what that one started would go on for ever.
//
// The watcher is a copy of the helper that executes nothing: to start a
// program of the hall's size once more would double the time of a short
// command. It is made before the command is limited, so that Landlock keeps the
// command's signals from it. It also leaves the command's process group: there
// are kernels (6.12.90 is one) whose Landlock lets a signal pass that is sent
// for a file (F_SETSIG) to a whole group, when its youngest process asks.
func watch() error {
	group, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return fmt.Errorf("watcher: %w", err)
	}
	defer unix.Close(group)
	// No signal at all, to know now whether the kernel will send one then.
	if err := unix.PidfdSendSignal(group, 0, nil, unix.PIDFD_SIGNAL_PROCESS_GROUP); err != nil {
		return fmt.Errorf("watcher: %w", err)
	}
	// The copy has the handlers of a Go runtime that is not alive in it.
	var all, before unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, &before); err != nil {
		return fmt.Errorf("watcher: %w", err)
	}
	pid, errno := forkWatcher(group)
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil); err != nil {
		return fmt.Errorf("watcher: %w", err)
	}
	if errno != 0 {
		return fmt.Errorf("watcher: %w", errno)
	}
	if _, err := unix.Write(fdStatus, fmt.Appendf(nil, "%c%d\n", statusWatched, pid)); err != nil {
		return fmt.Errorf("the hall went away: %w", err)
	}
	return nil
}

// Go's heap comes in arenas of this size and alignment; the stack of a
// goroutine lies in one. What is kept around it is a multiple of any page.
const (
	heapArena = 64 << 20
	heapKept  = 64 << 10
)

// watcherName is what a person sees among the processes.
var watcherName = [...]byte{'c', 'a', 'g', 'e', '-', 'w', 'a', 't', 'c', 'h', 'e', 'r', 0}

// forkWatcher forks without exec. The child has one thread and a Go runtime
// that is not alive, so it may do nothing but raw calls, and those of package
// syscall: the ones of package unix are watched by the race detector on their
// way. It becomes the hall's child: the command would find one that it never
// made. It is spared the helper's heap, which is most of the memory that it
// would hold.
//
// It keeps two descriptors: the group's, and the end of a pipe whose other end
// only the hall has.
//
//go:noinline
//go:nosplit
//go:norace
func forkWatcher(group int) (int, syscall.Errno) {
	hall := unix.PollFd{Fd: fdGo} // no event is asked for: a hang-up is always told
	here := uintptr(unsafe.Pointer(&hall)) &^ (heapKept - 1)
	arena := here &^ (heapArena - 1)
	below, above := here-heapKept, here+2*heapKept
	syscall.RawSyscall6(unix.SYS_MADVISE, arena, below-arena, unix.MADV_DONTFORK, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_MADVISE, above, arena+heapArena-above, unix.MADV_DONTFORK, 0, 0, 0)
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, unix.CLONE_PARENT|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 || pid != 0 {
		return int(pid), errno
	}
	syscall.RawSyscall6(unix.SYS_SETSID, 0, 0, 0, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_NAME, uintptr(unsafe.Pointer(&watcherName)), 0, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, 0, fdGo-1, 0, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, fdGo+1, uintptr(group-1), 0, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, uintptr(group+1), uintptr(^uint32(0)), 0, 0, 0, 0)
	for errno = unix.EINTR; errno == unix.EINTR; {
		_, _, errno = syscall.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&hall)), 1, 0, 0, 0, 0)
	}
	syscall.RawSyscall6(unix.SYS_PIDFD_SEND_SIGNAL, uintptr(group), uintptr(unix.SIGKILL), 0, unix.PIDFD_SIGNAL_PROCESS_GROUP, 0, 0)
	for {
		syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0)
	}
}

// letGo lets the waiting process go on and hears of a helper the watcher's
// number. That is in the first line or not there: later ones may hold words
// that somebody else chose. Nobody kills the helper meanwhile: a watcher whose
// number it did not come to say would stay among the hall's children, dead and
// unknown.
func (g *caged) letGo(release *os.File) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := release.Write([]byte{'g'}); err != nil || g.said == nil {
		return err
	}
	if first, err := g.said.Peek(1); err != nil || first[0] != statusWatched {
		return nil // became knows what that means
	}
	line, err := g.said.ReadString('\n')
	g.watcher, _ = strconv.Atoi(strings.Trim(line, "W\n"))
	return err
}

// unwatch ends the watcher, once there is nothing left to watch, and waits for
// it: it is a child of this process, and nobody else does. One that had ended
// before is an error, so that the self-test finds a level where it cannot live.
func (g *caged) unwatch() error {
	if g.life == nil {
		return nil
	}
	defer g.life.Close()
	if g.watcher <= 0 {
		return nil
	}
	_ = unix.Kill(g.watcher, unix.SIGKILL)
	var st unix.WaitStatus
	for {
		if _, err := unix.Wait4(g.watcher, &st, 0, nil); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if st.Signaled() && st.Signal() == unix.SIGKILL {
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeUnsupported, Op: "sandbox", Message: fmt.Sprintf("the watcher of the command ended too early: %#x", st),
		Remedy: "install bubblewrap, which needs none",
	}
}
