package weights

import (
	"os"
	"syscall"
	"unsafe"
)

// release gives back the whole pages of b. They are the program's file, mapped
// and never written, so that what is looked at later is read from there again.
func release(b []byte) {
	size := os.Getpagesize()
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (size - 1)
	if whole := (len(b) - skip) &^ (size - 1); whole > 0 {
		// It may be refused, and nothing is lost then.
		_ = syscall.Madvise(b[skip:skip+whole], syscall.MADV_DONTNEED)
	}
}
