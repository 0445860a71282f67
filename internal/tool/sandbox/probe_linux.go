//go:build amd64 || arm64

package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attempt tries one forbidden thing. It returns nil when that worked, which is
// bad, and otherwise what stood in the way.
type attempt struct {
	name string
	try  func(question) error
}

// probeMain runs inside the cage: it reads the question, tries, and answers.
func probeMain() int {
	signal.Ignore(unix.SIGXFSZ)
	var q question
	if err := json.NewDecoder(os.Stdin).Decode(&q); err != nil {
		fmt.Fprintln(os.Stderr, "question:", err)
		return 125
	}
	var out []Probe
	for _, a := range attempts() {
		err := a.try(q)
		p := Probe{Name: a.name, Held: err != nil, Detail: "it worked"}
		if err != nil {
			p.Detail = err.Error()
		}
		out = append(out, p)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		return 125
	}
	return 0
}

func attempts() []attempt {
	return []attempt{
		{"read outside", func(q question) error { return readSecret(q.Canary, q.Secret) }},
		{"write outside", writeOutside},
		{"symlink out", func(q question) error { return symlinkOut(q) }},
		{"tcp", func(q question) error { return dial(unix.SOCK_STREAM, 0, q.TCP) }},
		{"udp", func(q question) error { return dial(unix.SOCK_DGRAM, 0, q.UDP) }},
		{"mptcp", func(q question) error { return dial(unix.SOCK_STREAM, unix.IPPROTO_MPTCP, q.TCP) }},
		{"unix socket", func(q question) error { return dialUnix(q.Unix) }},
		{"abstract socket", func(q question) error { return dialUnix(q.Abstract) }},
		{"see another process", seeProcess},
		{"environment", readEnvironment},
		{"fork past the limit", forkPast},
		{"1 GiB file", bigFile},
		{"signal another process", signalHall},
		{"ptrace", func(q question) error { return unix.PtraceSeize(foreignPid(q)) }},
		{"keyctl", func(question) error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true); return err }},
		{"mount", func(q question) error { return unix.Mount("none", q.Inside, "tmpfs", 0, "") }},
		{"new namespace", func(question) error { return call(unix.SYS_UNSHARE, unix.CLONE_NEWUTS, 0, 0) }},
		{"io_uring", func(question) error { var p [120]byte; return call(unix.SYS_IO_URING_SETUP, 1, address(p[:]), 0) }},
		{"bpf", func(question) error { var p [120]byte; return call(unix.SYS_BPF, 0, address(p[:]), 120) }},
		{"userfaultfd", func(question) error { return call(unix.SYS_USERFAULTFD, 1, 0, 0) }},
		{"change mode outside", func(q question) error { return chmodOutside(q) }},
		{"hidden folder", hiddenFolder},
	}
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(&b[0])) }

func call(number, a, b, c uintptr) error {
	if _, _, errno := unix.Syscall(number, a, b, c); errno != 0 {
		return errno
	}
	return nil
}

func readSecret(path, secret string) error {
	text, err := os.ReadFile(path)
	if err == nil && !strings.Contains(string(text), secret) {
		return fmt.Errorf("%d other bytes", len(text))
	}
	return err
}

func writeOutside(q question) error {
	if f, err := os.OpenFile(q.Canary, os.O_WRONLY|os.O_APPEND, 0); err == nil {
		_ = f.Close()
		return nil
	}
	return os.WriteFile(filepath.Join(q.Outside, "planted"), []byte("x"), 0o600)
}

// symlinkOut follows a link that was there before, then one of its own.
func symlinkOut(q question) error {
	if readSecret(filepath.Join(q.Inside, "link"), q.Secret) == nil {
		return nil
	}
	own := filepath.Join(q.Inside, "own")
	if err := os.Symlink(q.Canary, own); err != nil {
		return err
	}
	return readSecret(own, q.Secret)
}

func dial(kind, proto, port int) error {
	fd, err := unix.Socket(unix.AF_INET, kind, proto)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	to := &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
	if kind == unix.SOCK_DGRAM {
		return unix.Sendto(fd, []byte("x"), 0, to)
	}
	return unix.Connect(fd, to)
}

func dialUnix(name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Connect(fd, &unix.SockaddrUnix{Name: name})
}

// foreignPid is a process that is not of this cage. Within a namespace the
// hall's number belongs to nobody, unless it is so small that it is ours.
func foreignPid(q question) int {
	if q.Hall <= os.Getpid() && os.Getpid() < 16 {
		return 1 << 21
	}
	return q.Hall
}

func seeProcess(q question) error {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return readSecret(fmt.Sprintf("/proc/%d/cmdline", foreignPid(q)), "")
	}
	for _, d := range names {
		pid, err := strconv.Atoi(d.Name())
		if err == nil && pid != os.Getpid() && pid != 1 {
			return nil
		}
	}
	return fmt.Errorf("only this one among %d names", len(names))
}

// readEnvironment looks for the canary in its own environment, and for
// anything else in those of others. The first process of a namespace is
// bubblewrap itself, which was started with the canary and must have no more.
func readEnvironment(q question) error {
	if os.Getenv(q.Variable) != "" || readSecret("/proc/self/environ", q.Secret) == nil {
		return nil
	}
	for _, pid := range []int{1, os.Getppid(), foreignPid(q)} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && strings.Trim(string(text), "\x00") != q.Variable+"="+q.Secret {
			return nil
		}
	}
	return fmt.Errorf("%d variables, none of the hall's", len(os.Environ()))
}

// forkPast makes processes that only wait, until it is stopped.
func forkPast(q question) error {
	var made []int
	var stopped error
	for len(made) < q.Forks && stopped == nil {
		pid, errno := forkWaiting()
		if errno != 0 {
			stopped = fmt.Errorf("%w after %d", errno, len(made))
			break
		}
		made = append(made, pid)
	}
	for _, pid := range made {
		_ = unix.Kill(pid, unix.SIGKILL)
		_, _ = unix.Wait4(pid, nil, 0, nil)
	}
	return stopped
}

// forkWaiting forks without exec. The child has one thread and a Go runtime
// that is not alive, so it may do nothing but raw calls.
//
//go:noinline
//go:norace
func forkWaiting() (int, unix.Errno) {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno == 0 && pid == 0 {
		for {
			unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
		}
	}
	return int(pid), errno
}

func bigFile(q question) error {
	for _, dir := range []string{q.Inside, os.TempDir()} {
		f, err := os.Create(filepath.Join(dir, "big"))
		if err != nil {
			return err
		}
		_, err = f.WriteAt([]byte{1}, q.FileSize-1)
		_ = f.Close()
		_ = os.Remove(f.Name())
		if err == nil {
			return nil
		}
		if dir == os.TempDir() {
			return err
		}
	}
	return nil
}

// hiddenFolder reads what is hidden, writes there, and tries to move it to
// where the next command would see it.
func hiddenFolder(q question) error {
	if readSecret(filepath.Join(q.Hidden, "canary"), q.Secret) == nil {
		return nil
	}
	if os.WriteFile(filepath.Join(q.Hidden, "planted"), []byte("x"), 0o600) == nil {
		return nil
	}
	if os.Rename(q.Hidden, filepath.Join(q.Inside, "moved")) == nil {
		return nil
	}
	return os.Rename(filepath.Dir(q.Hidden), filepath.Join(q.Inside, "moved"))
}

func signalHall(q question) error { return unix.Kill(foreignPid(q), 0) }

// chmodOutside says what the call said; whether the mode changed is looked at
// from outside.
func chmodOutside(q question) error {
	_ = os.Chtimes(q.Canary, time.Unix(1, 0), time.Unix(1, 0))
	if err := os.Chmod(q.Canary, 0o666); err != nil {
		return err
	}
	st, err := os.Stat(q.Canary)
	if err != nil {
		return err
	}
	if st.Mode().Perm() != 0o666 {
		return fmt.Errorf("the call did nothing")
	}
	return nil
}
