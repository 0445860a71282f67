package audit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/audit/verify"
)

// fullScenario appends until the disk is full, makes room, and goes on. It
// runs in a confined child.
func fullScenario(dir string, fill, free func() error) error {
	ctx := context.Background()
	l, err := audit.Open(dir, &audit.Options{HeadEvery: 16})
	if err != nil {
		return err
	}
	face := l.For(moothall.ToolBroker)
	for round := range 3 {
		if err := fill(); err != nil {
			return err
		}
		acked := l.Stats().Entries
		for {
			n, err := face.Append(ctx, call(int(acked)))
			if err == nil {
				if n != acked {
					return fmt.Errorf("round %d: index %d, want %d", round, n, acked)
				}
				acked++
				continue
			}
			if moothall.ErrorCode(err) != moothall.CodeExhausted || moothall.ErrorRemedy(err) == "" {
				return fmt.Errorf("round %d: a full disk gives %w", round, err)
			}
			break
		}
		if err := l.Err(); err != nil {
			return fmt.Errorf("round %d: a full disk ended all writing: %w", round, err)
		}
		if r, err := verify.Dir(ctx, dir, nil); err != nil || !r.OK || r.Entries != acked {
			return fmt.Errorf("round %d: %d acknowledged, report %+v, %w", round, acked, r, err)
		}
		if err := free(); err != nil {
			return err
		}
		if n, err := face.Append(ctx, call(0)); err != nil || n != acked {
			return fmt.Errorf("round %d: after room was made: %d, %w", round, n, err)
		}
	}
	if err := l.Close(); err != nil {
		return err
	}
	r, err := verify.Dir(ctx, dir, nil)
	if err != nil || !r.OK || r.Signed != r.Entries {
		return fmt.Errorf("at the end: %+v, %w", r, err)
	}
	return nil
}

func endChild(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("fine")
	os.Exit(0)
}

func TestDiskFull(t *testing.T) {
	t.Parallel()
	for mode, attr := range map[string]*syscall.SysProcAttr{
		"full-rlimit": nil,
		"full-tmpfs":  namespaces(),
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVar+"="+mode, "AUDIT_TEST_DIR="+t.TempDir())
			cmd.SysProcAttr = attr
			out, err := cmd.CombinedOutput()
			switch text := strings.TrimSpace(string(out)); {
			case strings.HasPrefix(text, "cannot mount"), errors.Is(err, syscall.EPERM):
				if os.Getenv("CI") != "" {
					t.Fatalf("a disk of one's own is needed here: %s %v", text, err)
				}
				t.Skipf("NOT TESTED: no namespaces here: %s %v", text, err)
			case text != "fine" || err != nil:
				t.Errorf("%s %v", text, err)
			}
		})
	}
}
