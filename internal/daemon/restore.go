package daemon

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"moothall"
	"moothall/internal/atomicfile"
	"moothall/internal/audit"
	"moothall/internal/audit/verify"
	"moothall/internal/bus"
	"moothall/internal/store"
)

// CheckBackup proves that a backup can be restored: it unpacks it aside,
// compares every hash, and checks the database and the record.
func CheckBackup(ctx context.Context, file string) error {
	dir, err := os.MkdirTemp(filepath.Dir(file), ".check-*")
	if err != nil {
		return homeError("check backup", file, err)
	}
	defer os.RemoveAll(dir)
	return unpackChecked(ctx, file, dir)
}

// unpackChecked unpacks a backup into an empty folder and checks what it got.
func unpackChecked(ctx context.Context, file, dir string) error {
	if err := unpack(file, dir); err != nil {
		return err
	}
	if err := store.Check(ctx, filepath.Join(dir, "data", "moothall.db")); err != nil {
		return fmt.Errorf("check backup: %w", err)
	}
	record := filepath.Join(dir, "data", "audit")
	if _, err := os.Stat(record); errors.Is(err, fs.ErrNotExist) {
		return nil // the record is kept elsewhere
	}
	report, err := verify.Dir(ctx, record, nil)
	if err != nil {
		return err
	}
	if !report.OK {
		return moothall.Fail(moothall.CodeTampered, "check backup", "the record in the backup does not verify: "+report.Findings[0].What)
	}
	return nil
}

// unpack writes the archive's files below dir and compares them with its
// manifest: nothing missing, nothing more, every hash right.
func unpack(file, dir string) error {
	f, err := os.Open(file)
	if err != nil {
		return homeError("read backup", file, err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		return badBackup(file, "it is not a backup of a hall", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return homeError("unpack backup", dir, err)
	}
	defer root.Close()
	got := map[string]manifestFile{}
	var man *manifest
	for r := tar.NewReader(gz); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return badBackup(file, "it ends too early or is damaged", err)
		}
		if head.Name == manifestName {
			man = &manifest{}
			err = json.NewDecoder(r).Decode(man)
		} else {
			err = unpackFile(root, head, r, got)
		}
		if err != nil {
			return badBackup(file, head.Name, err)
		}
	}
	// The checksum of the whole stands behind the archive's end.
	if n, err := io.Copy(io.Discard, gz); err != nil || n > maxPadding {
		return badBackup(file, "it ends too early or is damaged", err)
	}
	return compareManifest(file, man, got)
}

// maxPadding is more than what a tar has behind its last entry.
const maxPadding = 64 << 10

// unpackFile writes one file. The root keeps every name inside the folder.
func unpackFile(root *os.Root, head *tar.Header, r io.Reader, got map[string]manifestFile) error {
	if head.Typeflag != tar.TypeReg || !(strings.HasPrefix(head.Name, "data/") || strings.HasPrefix(head.Name, "config/")) {
		return errors.New("an entry that no backup has")
	}
	if err := root.MkdirAll(filepath.Dir(head.Name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(head.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), r)
	got[head.Name] = manifestFile{head.Name, n, hex.EncodeToString(sum.Sum(nil))}
	return errors.Join(err, f.Sync(), f.Close())
}

func compareManifest(file string, man *manifest, got map[string]manifestFile) error {
	switch {
	case man == nil:
		return badBackup(file, "it has no manifest: it was cut off", nil)
	case man.Format != backupFormat:
		return badBackup(file, fmt.Sprintf("it is of format %d, made by version %s; this program reads format %d", man.Format, man.Version, backupFormat), nil)
	case len(man.Files) != len(got):
		return badBackup(file, "its manifest lists other files than it has", nil)
	}
	for _, want := range man.Files {
		if got[want.Name] != want {
			return badBackup(file, want.Name+" is not what was backed up", nil)
		}
	}
	return nil
}

func badBackup(file, what string, err error) error {
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Op: "backup " + file, Message: what, Err: err,
		Remedy: "take another copy of it, or an earlier backup",
	}
}

// Restored says what a restore did.
type Restored struct {
	Aside []string `json:"aside,omitempty"` // where what was there before is now
}

// Restore puts a backup in place of a home that nobody uses. What was there
// is moved aside, not deleted; without force a home that holds a hall is left
// alone.
func Restore(ctx context.Context, h Home, file string, force bool) (Restored, error) {
	if err := h.make(); err != nil {
		return Restored{}, err
	}
	lock, err := lockHome(h, "restore")
	if err != nil {
		return Restored{}, err
	}
	defer lock.Close()
	if inUse(h) && !force {
		return Restored{}, &moothall.Error{
			Code: moothall.CodeConflict, Op: "restore", Message: h.Data + " holds a hall already",
			Remedy: "--force moves what is there aside first; nothing is deleted",
		}
	}
	stage, err := os.MkdirTemp(h.Data, ".restore-*")
	if err != nil {
		return Restored{}, homeError("restore", h.Data, err)
	}
	defer os.RemoveAll(stage)
	if err := unpackChecked(ctx, file, stage); err != nil {
		return Restored{}, err
	}
	if err := unpackBus(ctx, stage); err != nil {
		return Restored{}, err
	}
	out, err := swap(h, stage)
	if err != nil {
		return out, err
	}
	return out, noteRestore(ctx, h)
}

// homeParts are what a restore replaces, by place.
func homeParts(h Home) map[string][]string {
	return map[string][]string{
		h.Config: configFiles,
		h.Data:   {"moothall.db", "moothall.db-wal", "moothall.db-shm", "audit", "bus", "front.token", "peer.key"},
	}
}

// inUse reports whether the home holds anything that a restore would replace.
func inUse(h Home) bool {
	for dir, names := range homeParts(h) {
		for _, name := range names {
			if fileExists(filepath.Join(dir, name)) {
				return true
			}
		}
	}
	return false
}

// unpackBus turns the snapshot back into the bus's own files.
func unpackBus(ctx context.Context, stage string) error {
	file := filepath.Join(stage, filepath.FromSlash(snapshotName))
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return homeError("restore bus", file, err)
	}
	defer f.Close()
	if err := bus.Restore(ctx, filepath.Join(stage, "data", "bus"), f); err != nil {
		return err
	}
	return os.Remove(file)
}

// swap moves what is there aside and the unpacked files into place.
func swap(h Home, stage string) (Restored, error) {
	out := Restored{}
	name := "before-restore-" + time.Now().UTC().Format("20060102T150405.000Z")
	for dir, names := range homeParts(h) {
		aside := filepath.Join(dir, name) // in the same folder: a rename must not cross a file system
		moved, err := moveAside(dir, names, aside)
		if moved {
			out.Aside = append(out.Aside, aside)
		}
		if err != nil {
			return out, err
		}
	}
	slices.Sort(out.Aside)
	for sub, to := range map[string]string{"config": h.Config, "data": h.Data} {
		if err := moveIn(filepath.Join(stage, sub), to); err != nil {
			return out, err
		}
	}
	return out, errors.Join(atomicfile.SyncDir(h.Config), atomicfile.SyncDir(h.Data))
}

func moveAside(dir string, names []string, aside string) (moved bool, err error) {
	for _, name := range names {
		src := filepath.Join(dir, name)
		if !fileExists(src) {
			continue
		}
		if err := os.MkdirAll(aside, 0o700); err != nil {
			return moved, homeError("restore", aside, err)
		}
		if err := os.Rename(src, filepath.Join(aside, name)); err != nil {
			return moved, homeError("restore", src, err)
		}
		moved = true
	}
	return moved, nil
}

// moveIn puts unpacked files in place. The configuration may lie on another
// file system than the data; its small files are then written anew.
func moveIn(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return homeError("restore", from, err)
	}
	for _, e := range entries {
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		err := os.Rename(src, dst)
		if errors.Is(err, syscall.EXDEV) && !e.IsDir() {
			var data []byte
			if data, err = os.ReadFile(src); err == nil {
				err = writeFile(dst, data)
			}
		}
		if err != nil {
			return homeError("restore", dst, err)
		}
	}
	return nil
}

// noteRestore makes the restore the first thing that the restored record
// tells of itself.
func noteRestore(ctx context.Context, h Home) error {
	if !fileExists(h.Audit()) {
		return nil
	}
	log, err := audit.Open(h.Audit(), nil)
	if err != nil {
		return err
	}
	_, err = log.For(moothall.Hall).Append(ctx, moothall.AuditEntry{Action: moothall.ActionRestore, Status: moothall.StatusOK})
	return errors.Join(err, log.Close())
}
