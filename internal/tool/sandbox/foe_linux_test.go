//go:build amd64 || arm64

package sandbox_test

import (
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// attack tries to end, stop or change a process. It says what worked. What it
// does at last ends its own process group.
func attack(arg string) int {
	pid, err := strconv.Atoi(arg)
	if err != nil {
		return 125
	}
	for _, sig := range []unix.Signal{0, unix.SIGCONT, unix.SIGSTOP, unix.SIGKILL} {
		tried := map[string]error{
			"kill":           unix.Kill(pid, sig),
			"kill the group": unix.Kill(-pid, sig),
			"kill a thread":  unix.Tgkill(pid, pid, sig),
		}
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			for _, flags := range []int{0, unix.PIDFD_SIGNAL_THREAD_GROUP, unix.PIDFD_SIGNAL_PROCESS_GROUP} {
				tried[fmt.Sprint("by descriptor ", flags)] = unix.PidfdSendSignal(fd, sig, nil, flags)
			}
		}
		for name, err := range tried {
			if err == nil {
				fmt.Println(name, sig)
			}
		}
	}
	if unix.PtraceSeize(pid) == nil || unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{}, nil) == nil {
		fmt.Println("trace or limit")
	}
	for _, to := range []int{pid, -pid, -unix.Getpgrp()} {
		if to == -unix.Getpgrp() {
			fmt.Print(lastTry)
		}
		if err := signalByFile(to); err != nil {
			fmt.Println(err)
		}
	}
	return 0
}

// signalByFile has the kernel send the signal: a pipe tells its owner, whom
// everybody may choose, that something was written.
func signalByFile(to int) error {
	var fds [2]int
	if err := unix.Pipe2(fds[:], 0); err != nil {
		return err
	}
	for _, set := range [][2]int{{unix.F_SETOWN, to}, {unix.F_SETSIG, int(unix.SIGKILL)}, {unix.F_SETFL, unix.O_ASYNC}} {
		if _, err := unix.FcntlInt(uintptr(fds[0]), set[0], set[1]); err != nil && !slices.Contains([]error{unix.EPERM, unix.ESRCH}, err) {
			return fmt.Errorf("signal by a file: %w", err)
		}
	}
	_, err := unix.Write(fds[1], []byte{1})
	return err
}
