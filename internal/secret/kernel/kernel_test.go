//go:build linux

package kernel_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/secret/kernel"
)

const canary = "canary-51c7-value-of-the-test"

// role makes this test's program a helper of its own, in another situation.
const role = "MOOTHALL_KERNEL_TEST"

func TestMain(m *testing.M) {
	if what := os.Getenv(role); what != "" {
		os.Exit(child(what, os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// open returns the store, or says why this machine cannot test it.
func open(t testing.TB) *kernel.Store {
	t.Helper()
	s := kernel.New()
	err := s.Ping(t.Context())
	if moothall.ErrorCode(err) == moothall.CodeUnsupported {
		moottest.Cannot(t, "the machine forbids add_key or keyctl (as some containers do), so the kernel's keyring is not tested: "+err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fresh returns a name of the test's own, which is free again afterwards.
func fresh(t testing.TB, s *kernel.Store) string {
	t.Helper()
	name := "test." + moothall.NewID()
	t.Cleanup(func() {
		// The test's own context is over by now.
		if err := s.Delete(background(), name); err != nil && moothall.ErrorCode(err) != moothall.CodeNotFound {
			t.Error(err)
		}
	})
	return name
}

func want(t *testing.T, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("code %q, want %q: %v", got, code, err)
	}
	if err != nil && strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), canary) {
		t.Fatal("a value stands in an error")
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	s := open(t)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for what, v := range map[string][]byte{
		"text": []byte(canary), "one zero": {0}, "all bytes": all, "newlines": []byte("a\r\n\n"), "large": bytes.Repeat([]byte{0xa5}, 8000),
	} {
		t.Run(what, func(t *testing.T) {
			name := fresh(t, s)
			_, err := s.Get(t.Context(), name)
			want(t, err, moothall.CodeNotFound)
			want(t, s.Set(t.Context(), name, []byte(canary+" before")), "")
			want(t, s.Set(t.Context(), name, v), "")
			got, err := s.Get(t.Context(), name)
			want(t, err, "")
			if !bytes.Equal(got, v) {
				t.Errorf("%d bytes came back, want %d", len(got), len(v))
			}
			want(t, s.Delete(t.Context(), name), "")
			want(t, s.Delete(t.Context(), name), moothall.CodeNotFound)
			want(t, s.Set(t.Context(), name, v), "") // again, over the dead key
		})
	}
	want(t, s.Set(t.Context(), fresh(t, s), make([]byte, kernel.MaxValue+1)), moothall.CodeTooLarge)
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	s := open(t)
	name := fresh(t, s)
	want(t, s.Set(t.Context(), name, []byte(canary)), "")
	// Only a possessor may look, so this thread becomes one.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", "moothall:"+name, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_LINK, id, unix.KEY_SPEC_THREAD_KEYRING, 0, 0); err != nil {
		t.Fatal(err)
	}
	defer unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_THREAD_KEYRING, 0, 0)
	about, err := unix.KeyctlString(unix.KEYCTL_DESCRIBE, id)
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Split(about, ";") // type;uid;gid;permissions;description
	if len(f) != 5 || f[0] != "user" || f[1] != strconv.Itoa(os.Getuid()) || f[3] != "3f000000" {
		t.Errorf("described as %q, want a key of this user with the possessor's permissions alone", about)
	}
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	s := open(t)
	name := fresh(t, s)
	values := []string{strings.Repeat("a", 10), strings.Repeat("b", 1000)}
	want(t, s.Set(t.Context(), name, []byte(values[0])), "")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if i%2 == 0 {
					if err := s.Set(t.Context(), name, []byte(values[i/2%2])); err != nil {
						t.Error(err)
					}
					continue
				}
				v, err := s.Get(t.Context(), name)
				if err != nil || string(v) != values[0] && string(v) != values[1] {
					t.Errorf("%d bytes, %v", len(v), err)
				}
			}
		})
	}
	wg.Wait()
}

// TestDeletedMeanwhile lets two delete and two set the same name: each sees
// only answers that make sense.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	name := fresh(t, s)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 100 {
				var err error
				if i%2 == 0 {
					err = s.Set(t.Context(), name, []byte(canary))
				} else if err = s.Delete(t.Context(), name); moothall.ErrorCode(err) == moothall.CodeNotFound {
					err = nil
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestOtherProcesses reads a secret from processes that this one is not: one
// like it, and one whose session keyring knows nothing of the user's.
func TestOtherProcesses(t *testing.T) {
	t.Parallel()
	s := open(t)
	name := fresh(t, s)
	want(t, s.Set(t.Context(), name, []byte(canary)), "")
	for _, what := range []string{"like us", "own session"} {
		if out, err := helper(what, name, 0).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
}

// TestQuota fills the share of a user who has nothing else.
func TestQuota(t *testing.T) {
	t.Parallel()
	open(t)
	if os.Getuid() != 0 {
		moottest.Cannot(t, "only root can become a user without keys of its own; the translation of EDQUOT is tested without")
	}
	out, err := helper("quota", "", 54321).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func helper(what, name string, uid uint32) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", name)
	cmd.Env = []string{role + "=" + what}
	if uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	return cmd
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		errno  error
		code   moothall.Code
		remedy string
	}{
		{unix.EPERM, moothall.CodeUnsupported, "keyctl"},
		{unix.ENOSYS, moothall.CodeUnsupported, "keyctl"},
		{unix.EDQUOT, moothall.CodeExhausted, "kernel.keys.maxbytes"},
		{unix.ENOMEM, moothall.CodeExhausted, ""},
		{unix.EACCES, moothall.CodeUnavailable, "user"},
		{unix.ENOKEY, moothall.CodeNotFound, "moothall secrets set"},
		{unix.EKEYREVOKED, moothall.CodeNotFound, "moothall secrets set"},
		{unix.EIO, moothall.CodeInternal, ""},
	} {
		err := kernel.KeyError("name", c.errno)
		if moothall.ErrorCode(err) != c.code || !strings.Contains(moothall.ErrorRemedy(err), c.remedy) {
			t.Errorf("%v: %v, remedy %q", c.errno, err, moothall.ErrorRemedy(err))
		}
		if c.code != moothall.CodeNotFound && !errors.Is(err, c.errno) {
			t.Errorf("%v: the cause is lost", c.errno)
		}
	}
}
