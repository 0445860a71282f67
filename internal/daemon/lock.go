package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"moothall"
)

// holder is what the lock file says about the process that holds the home.
type holder struct {
	PID   int       `json:"pid"`
	What  string    `json:"what"` // "up", "serve audit", "restore"
	Since time.Time `json:"since"`
}

// alone reports that nobody else can use what it has opened: it is not the hall.
func (h holder) alone() bool { return h.What != "" && h.What != up }

// up is what holds a home as the hall that all commands use.
const up = "up"

// homeLock is the right to write in a home. The kernel gives it back when the
// process ends, however it ends.
type homeLock struct{ f *os.File }

// lockHome takes the home, or says who has it.
func lockHome(h Home, what string) (*homeLock, error) {
	f, err := os.OpenFile(h.Lock(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, homeError("lock home", h.Lock(), err)
	}
	if err := flock(f); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, heldBy(h, readHolder(f))
		}
		return nil, homeError("lock home", h.Lock(), err)
	}
	l, ready := &homeLock{f}, false
	defer func() {
		if !ready {
			l.Close()
		}
	}()
	if err := l.sign(what); err != nil {
		return nil, homeError("lock home", h.Lock(), err)
	}
	if err := h.tidy(); err != nil {
		return nil, err
	}
	ready = true
	return l, nil
}

// How long a lock is waited for that nobody signed, and how often it is tried.
const (
	lockPatience = 2 * time.Second
	lockLook     = 10 * time.Millisecond
)

// flock takes the lock. One that bears no name is held for a moment only, by
// who looks whether the home is in use (see [Running]), and is waited for. That is
// counted in looks: time passes also while the machine lets neither of them run.
func flock(f *os.File) error {
	for left := int(lockPatience / lockLook); ; left-- {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || readHolder(f).PID != 0 || left == 0 {
			return err
		}
		time.Sleep(lockLook)
	}
}

// sign writes who holds the lock. It is information for people only: the
// kernel's lock is what counts.
func (l *homeLock) sign(what string) error {
	b, err := json.Marshal(holder{os.Getpid(), what, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := l.f.Truncate(0); err != nil {
		return err
	}
	_, err = l.f.WriteAt(append(b, '\n'), 0)
	return err
}

// Close gives the home back. The file stays: removing it would let two
// processes hold locks on two files of one name.
func (l *homeLock) Close() error {
	err := l.f.Truncate(0)
	unlock(l.f)
	return errors.Join(err, l.f.Close())
}

// unlock gives a lock up before its file is closed: a program that this process
// is just starting may hold a copy of the descriptor for a moment, and the lock
// with it.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

func readHolder(f *os.File) holder {
	var h holder
	b := make([]byte, 512)
	n, _ := f.ReadAt(b, 0)
	_ = json.Unmarshal(b[:n], &h) // an unreadable file only makes the message shorter
	return h
}

func heldBy(h Home, by holder) error {
	who := "another process"
	if by.PID != 0 {
		who = fmt.Sprintf("process %d (moothall %s, since %s)", by.PID, by.What, by.Since.Local().Format("2006-01-02 15:04:05"))
	}
	remedy := "use that hall, stop it first, or start this one with --home in another folder"
	if by.alone() {
		remedy = "end it first; a hall that runs, moothall up, is one that all commands can use at once"
	}
	return &moothall.Error{
		Code: moothall.CodeConflict, Op: "lock home", Message: fmt.Sprintf("%s is in use by %s", h.Data, who), Remedy: remedy,
	}
}

// Running reports whether some process holds the home, without taking it.
func Running(h Home) (pid int, ok bool) {
	by, ok := held(h)
	return by.PID, ok
}

// held says who holds the home, if anybody does.
func held(h Home) (by holder, ok bool) {
	f, err := os.OpenFile(h.Lock(), os.O_RDWR, 0)
	if err != nil {
		return holder{}, false
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return readHolder(f), true
	}
	unlock(f)
	return holder{}, false
}
