//go:build !linux

package audit_test

import (
	"fmt"
	"os"
	"syscall"
)

func namespaces() *syscall.SysProcAttr { return nil }

func childFullTmpfs() { notHere() }

func childFullRlimit() { notHere() }

func notHere() {
	fmt.Println("cannot mount: not Linux")
	os.Exit(0)
}
