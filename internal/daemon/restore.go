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
	"path"
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
// compares every hash, and checks the database and the record. It names what
// is not in it.
func CheckBackup(ctx context.Context, file string) (Missing, error) {
	dir, err := os.MkdirTemp(filepath.Dir(file), ".check-*")
	if err != nil {
		return Missing{}, homeError("check backup", file, err)
	}
	defer os.RemoveAll(dir)
	return unpackChecked(ctx, file, dir)
}

// unpackChecked unpacks a backup into an empty folder and checks what it got;
// where migrations are given, also that this program can use it.
func unpackChecked(ctx context.Context, file, dir string, migrations ...store.Set) (Missing, error) {
	man, err := unpack(file, dir)
	if err != nil {
		return Missing{}, err
	}
	if err := store.Check(ctx, filepath.Join(dir, "data", "moothall.db"), migrations...); err != nil {
		return Missing{}, fmt.Errorf("check backup: %w", err)
	}
	record := filepath.Join(dir, "data", "audit")
	if _, err := os.Stat(record); errors.Is(err, fs.ErrNotExist) {
		return man.Missing, nil // the record is kept elsewhere
	}
	report, err := verify.Dir(ctx, record, nil)
	if err != nil {
		return Missing{}, err
	}
	if f, wrong := report.Wrong(); wrong {
		return Missing{}, moothall.Fail(moothall.CodeTampered, "check backup", "the record in the backup does not verify: "+f.Where+": "+f.What)
	}
	return man.Missing, nil
}

// unpack writes the archive's files below dir and compares them with its
// manifest: nothing missing, nothing more, every hash right.
func unpack(file, dir string) (*manifest, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, homeError("read backup", file, err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		return nil, badBackup(file, "it is not a backup of a hall", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, homeError("unpack backup", dir, err)
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
			return nil, badBackup(file, "it ends too early or is damaged", err)
		}
		if head.Name == manifestName {
			man = &manifest{}
			err = json.NewDecoder(r).Decode(man)
		} else {
			err = unpackEntry(root, head, r, got)
		}
		if unwritable(err) {
			return nil, homeError("unpack backup", dir, err)
		}
		if err != nil {
			return nil, badBackup(file, head.Name, err)
		}
	}
	// The checksum of the whole stands behind the archive's end.
	if n, err := io.Copy(io.Discard, gz); err != nil || n > maxPadding {
		return nil, badBackup(file, "it ends too early or is damaged", err)
	}
	return man, compareManifest(file, man, got)
}

// unwritable reports whether it is the disk that failed, and not the backup.
func unwritable(err error) bool {
	for _, of := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, fs.ErrPermission} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}

// maxPadding is more than what a tar has behind its last entry.
const maxPadding = 64 << 10

// homeParts are what a backup may hold and a restore replaces, by the folder of
// the home. The workspace is first: the person may have mounted it, and what
// cannot be moved is to be known before anything was.
var homeParts = map[string][]string{
	"config": configFiles,
	"data": {
		"workspace", "guests", "models.json", "pins.json", "memory.duckdb", "memory.duckdb.wal",
		"moothall.db", "moothall.db-wal", "moothall.db-shm", "audit", "bus", "front.token", "peer.key",
	},
	"state": {"undo"},
}

// unpackEntry writes one file or folder. Only the home's own parts are taken,
// and the root keeps every name inside the folder.
func unpackEntry(root *os.Root, head *tar.Header, r io.Reader, got map[string]manifestFile) error {
	name := strings.TrimSuffix(head.Name, "/")
	top, rest, _ := strings.Cut(name, "/")
	part, _, _ := strings.Cut(rest, "/")
	if path.Clean(name) != name || name != snapshotName && !slices.Contains(homeParts[top], part) {
		return errNoSuchEntry
	}
	switch head.Typeflag {
	case tar.TypeDir:
		got[head.Name] = manifestFile{Name: head.Name}
		return root.MkdirAll(name, 0o700)
	case tar.TypeReg:
		return unpackFile(root, head, r, got)
	}
	return errNoSuchEntry
}

var errNoSuchEntry = errors.New("an entry that no backup has")

func unpackFile(root *os.Root, head *tar.Header, r io.Reader, got map[string]manifestFile) error {
	if err := root.MkdirAll(path.Dir(head.Name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(head.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600|fs.FileMode(head.Mode)&0o100)
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
	case man.Format < 1 || man.Format > backupFormat:
		return badBackup(file, fmt.Sprintf("it is of format %d, made by version %s; this program reads formats up to %d", man.Format, man.Version, backupFormat), nil)
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
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return Restored{}, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "restore", Message: "there is no file " + file, Remedy: "name one that moothall backup has written", Err: err,
		}
	}
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
	stage, err := os.MkdirTemp(h.Data, restoreStage)
	if err != nil {
		return Restored{}, homeError("restore", h.Data, err)
	}
	defer os.RemoveAll(stage)
	if _, err := unpackChecked(ctx, file, stage, schemas()...); err != nil {
		return Restored{}, err
	}
	if err := unpackBus(ctx, stage); err != nil {
		return Restored{}, err
	}
	// The index knows its memories by a version alone, and another home's may have
	// the same one; it is made anew.
	if err := os.RemoveAll(h.memoryIndex()); err != nil {
		return Restored{}, homeError("restore", h.memoryIndex(), err)
	}
	return swap(ctx, h, stage)
}

// Where files lie on their way into and out of a backup; see [Home.tidy].
const (
	backupStage  = ".backup-"
	restoreStage = ".restore-"
)

// rename is [os.Rename]; tests have it end in the middle.
var rename = os.Rename

// folders are those of a home, by their names in a backup. With --home they are
// one. The data come first: see [homeParts].
func folders(h Home) []struct{ name, dir string } {
	return []struct{ name, dir string }{{"data", h.Data}, {"config", h.Config}, {"state", h.State}}
}

// inUse reports whether the home holds anything that a restore would replace.
func inUse(h Home) bool {
	for _, f := range folders(h) {
		for _, part := range homeParts[f.name] {
			if holds(filepath.Join(f.dir, part)) {
				return true
			}
		}
	}
	return false
}

// holds reports whether something is there. An empty folder is nothing.
func holds(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	entries, err := os.ReadDir(path)
	return err != nil || len(entries) > 0
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

// swap moves what is there aside and the unpacked files into place. When that
// cannot be finished the home is as it was: see [undoRestore].
func swap(ctx context.Context, h Home, stage string) (Restored, error) {
	name := asidePrefix + time.Now().UTC().Format("20060102T150405.000Z")
	if err := noteRestoring(h, movingAside, name); err != nil {
		return Restored{}, err
	}
	out, err := clearFor(h, name)
	if err == nil {
		err = takeIn(ctx, h, stage)
	}
	if err == nil {
		err = endRestoring(h)
	}
	if err != nil {
		_, stuck := undoRestore(h)
		return Restored{}, errors.Join(err, stuck)
	}
	return out, nil
}

// clearFor moves what is there into folders called name.
func clearFor(h Home, name string) (out Restored, err error) {
	for _, f := range folders(h) {
		aside := filepath.Join(f.dir, name) // in the same folder: a rename must not cross a file system
		moved, err := moveAside(f.dir, homeParts[f.name], aside)
		if err != nil {
			return out, err
		}
		if moved {
			out.Aside = append(out.Aside, aside)
		}
	}
	slices.Sort(out.Aside)
	out.Aside = slices.Compact(out.Aside)
	return out, errors.Join(syncFolders(h), noteRestoring(h, movingIn, name))
}

// takeIn puts the unpacked files into a home that was cleared for them.
func takeIn(ctx context.Context, h Home, stage string) error {
	for _, f := range folders(h) {
		if err := moveIn(filepath.Join(stage, f.name), f.dir); err != nil {
			return err
		}
	}
	if err := syncFolders(h); err != nil {
		return err
	}
	return noteRestore(ctx, h)
}

func moveAside(dir string, names []string, aside string) (moved bool, err error) {
	for _, name := range names {
		src := filepath.Join(dir, name)
		if !holds(src) {
			continue
		}
		if err := os.MkdirAll(aside, 0o700); err != nil {
			return moved, homeError("restore", aside, err)
		}
		if err := rename(src, filepath.Join(aside, name)); err != nil {
			return moved, homeError("restore", src, err)
		}
		moved = true
	}
	return moved, nil
}

// moveIn puts unpacked files in place.
func moveIn(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return homeError("restore", from, err)
	}
	for _, e := range entries {
		dst := filepath.Join(to, e.Name())
		if err := move(e, filepath.Join(from, e.Name()), dst); err != nil {
			return homeError("restore", dst, err)
		}
	}
	return nil
}

// move also fills a folder that is there, which is empty: see [moveAside].
// Configuration and state may lie on another file system than the data; their
// small files are then written anew.
func move(e fs.DirEntry, src, dst string) error {
	err := rename(src, dst)
	if e.IsDir() && (errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.EXDEV)) {
		if err := os.MkdirAll(dst, 0o700); err != nil {
			return err
		}
		return errors.Join(moveIn(src, dst), atomicfile.SyncDir(dst))
	}
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	info, err := e.Info()
	if err != nil {
		return err
	}
	data, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	return atomicfile.Write(dst, data, info.Mode().Perm())
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
