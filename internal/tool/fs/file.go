package fs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"moothall"
)

// openFile opens a regular file for reading. It looks before it opens, since
// opening some devices does something, and again afterwards, since the name
// may have changed its meaning in between.
func (h *root) openFile(rel, shown string) (*os.File, os.FileInfo, error) {
	info, err := h.Stat(rel)
	if err != nil {
		return nil, nil, pathError("open file", shown, err)
	}
	if err := regular(info, shown); err != nil {
		return nil, nil, err
	}
	f, err := h.OpenFile(rel, openFlags, 0)
	if err != nil {
		return nil, nil, pathError("open file", shown, err)
	}
	info, err = f.Stat()
	if err == nil {
		err = regular(info, shown)
	}
	if err == nil {
		_, err = h.holds(f, shown)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// readFile reads a regular file of at most limit bytes.
func (h *root) readFile(rel, shown string, limit int64) ([]byte, os.FileInfo, error) {
	f, info, err := h.openFile(rel, shown)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	b, err := readAll(f, info, shown, limit)
	return b, info, err
}

func readAll(f *os.File, info os.FileInfo, shown string, limit int64) ([]byte, error) {
	if info.Size() > limit {
		return nil, tooLarge(shown, info.Size(), limit)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, pathError("read file", shown, err)
	}
	if int64(len(b)) > limit {
		return nil, tooLarge(shown, int64(len(b)), limit)
	}
	return b, nil
}

func tooLarge(shown string, size, limit int64) error {
	return moothall.Fail(moothall.CodeTooLarge, "read file",
		fmt.Sprintf("%s has %s, and at most %s can be handled", shown, bytesWords(size), bytesWords(limit)))
}

// holds checks that an open file lies on the file system of the root and in
// no hidden place: this is the file that will be used, whatever its path means
// by now. It returns the file's real name where anything is hidden.
func (h *root) holds(f *os.File, shown string) (string, error) {
	s, err := systemOf(f)
	switch {
	case err != nil:
		return "", pathError("open file", shown, err)
	case s != h.system:
		return "", moothall.Fail(moothall.CodeDenied, "open file", shown+" lies on another file system that is mounted inside the folder")
	}
	return h.kept.where(f, "", shown)
}

// regular refuses whatever is not a plain file, by its name.
func regular(info os.FileInfo, shown string) error {
	mode := info.Mode()
	if mode.IsRegular() {
		return nil
	}
	what := "not a regular file"
	switch {
	case mode.IsDir():
		return &moothall.Error{Code: moothall.CodeInvalid, Op: "open file", Message: shown + " is a folder", Remedy: "use fs_list to see what is in it"}
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return moothall.Fail(moothall.CodeDenied, "open file", shown+" is "+what+"; only regular files can be used")
}

// pathError turns an error of the system into words that name no other path.
func pathError(op, shown string, err error) error {
	e := &moothall.Error{Code: moothall.CodeDenied, Op: op, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message = moothall.CodeNotFound, shown+" does not exist"
		e.Remedy = "use fs_list to see which files there are"
	case errors.Is(err, fs.ErrExist):
		e.Code, e.Message = moothall.CodeConflict, shown+" exists already"
	case errors.Is(err, fs.ErrPermission):
		e.Message = shown + " may not be used by this account"
	case errors.Is(err, syscall.ENOTDIR):
		e.Code, e.Message = moothall.CodeInvalid, "a part of "+shown+" is not a folder"
	case errors.Is(err, syscall.ENAMETOOLONG):
		e.Code, e.Message = moothall.CodeInvalid, "the path is too long"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Code, e.Message, e.Remedy = moothall.CodeExhausted, "the disk is full", "make room on the disk"
	default:
		e.Message = shown + " cannot be used: it leads out of the allowed folder, or the system refuses it"
	}
	return e
}

// bytesWords writes a size for people.
func bytesWords(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
