package audit

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"moothall"
)

// The files of a log directory.
const (
	fileLog     = "log"
	fileHeads   = "heads"
	fileKey     = "key"
	filePublic  = "key.pub"
	fileHashKey = "hash.key"
)

// create makes the log of a directory that has no signing key, from whatever
// an interrupted creation left. The signing key is written last: with it, the
// log exists.
func create(root *os.Root, log *os.File, origin string) error {
	if err := checkUnborn(root, log); err != nil {
		return err
	}
	k, err := newKeys(origin)
	if err != nil {
		return ioFailure("create audit keys", err)
	}
	line, frame, err := genesis(k)
	if err != nil {
		return ioFailure("sign first head", err)
	}
	if err := errors.Join(log.Truncate(0), writeSync(log, line)); err != nil {
		return ioFailure("create audit log", err)
	}
	secretHash := []byte(hexText(k.hash))
	for _, f := range []struct {
		name string
		data []byte
	}{
		{fileHeads, frame}, {fileHashKey, secretHash}, {filePublic, []byte(k.public + "\n")},
		{fileKey, []byte(k.secret + "\n")},
	} {
		if err := writeFile(root, f.name, f.data); err != nil {
			return ioFailure("create audit log", err)
		}
	}
	return nil
}

// genesis returns the first line of the log and the first head.
func genesis(k *keys) (line, frame []byte, err error) {
	json := appendEntry(nil, moothall.AuditKeeper, &moothall.AuditEntry{
		Time: time.Now(), Action: actionGenesis, Status: moothall.StatusOK, Note: k.note(),
	}, "")
	var tree frontier
	if err := tree.add(tlog.RecordHash(json)); err != nil {
		return nil, nil, err
	}
	h, err := tree.head()
	if err != nil {
		return nil, nil, err
	}
	frame, err = k.sign(h)
	return appendLine(nil, 0, 0, json), append(frame, headEnd...), err
}

// checkUnborn makes sure that a directory without a signing key never had a
// log in use: a log that was returned by Open and appended to holds two lines.
func checkUnborn(root *os.Root, log *os.File) error {
	lines, err := readStart(log)
	if err != nil {
		return ioFailure(opOpen, err)
	}
	var heads []byte
	f, err := root.Open(fileHeads)
	if err == nil {
		heads, err = readStart(f)
		f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioFailure(opOpen, err)
	}
	used := len(lines) > maxHead || bytes.Count(lines, []byte("\n")) > 1 ||
		len(heads) > maxHead || bytes.Count(heads, []byte(headEnd)) > 1
	if used {
		return tampered(opOpen, "the signing key is missing, but the log holds entries")
	}
	return nil
}

func readStart(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxHead+1)) }

// loadKeys reads the keys of a log that exists.
func loadKeys(root *os.Root) (*keys, error) {
	var text [3]string
	for i, name := range []string{fileKey, filePublic, fileHashKey} {
		f, err := root.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, tampered(opOpen, "the file %s is missing", name)
		}
		if err != nil {
			return nil, ioFailure(opOpen, err)
		}
		b, err := readStart(f)
		f.Close()
		if err != nil {
			return nil, ioFailure(opOpen, err)
		}
		text[i] = string(b)
	}
	return parseKeys(text[0], text[1], text[2])
}

// writeFile replaces a file: temporary name, flush, rename, flush of the
// directory.
func writeFile(root *os.Root, name string, data []byte) error {
	tmp := name + ".tmp"
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(writeSync(f, data), f.Close())
	if err != nil {
		return err
	}
	if err := root.Rename(tmp, name); err != nil {
		return err
	}
	return syncDir(root)
}

func writeSync(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir makes names durable.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
