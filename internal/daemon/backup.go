package daemon

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"moothall"
	"moothall/internal/atomicfile"
)

// A backup is a gzipped tar of the home: config/ and data/ with the files by
// their names there, data/bus.snapshot for the bus, and manifest.json last,
// which lists them all with size and SHA-256.
const (
	manifestName = "manifest.json"
	snapshotName = "data/bus.snapshot"
	backupFormat = 1
)

// manifest says what a backup must contain.
type manifest struct {
	Format  int            `json:"format"`
	Version string         `json:"version"`
	Made    time.Time      `json:"made"`
	Files   []manifestFile `json:"files"`
}

type manifestFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// configFiles are what a person may have written.
var configFiles = []string{"moothall.yaml", "manifest.yaml", "personas.yaml", "mcp.json"}

// auditFiles in the order in which they are copied: the heads before the log,
// so that the log has everything that a copied head speaks of.
var auditFiles = []string{"key", "key.pub", "hash.key", "heads", "log"}

// backup writes the home to w while everything goes on. The copy is of one
// moment for each part: an audit entry made meanwhile may be there without
// the row that it speaks of, never the other way round.
func (h *Hall) backup(ctx context.Context, w io.Writer) error {
	if err := h.note(ctx, moothall.ActionBackup, "begun"); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(h.home.State, "backup-")
	if err != nil {
		return homeError("backup", h.home.State, err)
	}
	defer os.RemoveAll(stage)
	if err := h.stageDatabase(ctx, stage); err != nil {
		return err
	}
	if err := h.stageBus(ctx, stage); err != nil {
		return err
	}
	if h.record != nil {
		if err := h.record.Seal(ctx); err != nil {
			return err
		}
	}
	a := newArchive(w)
	if err := h.archive(a, stage); err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		return homeError("backup", "the backup", err)
	}
	return h.note(ctx, moothall.ActionBackup, "finished")
}

func (h *Hall) stageDatabase(ctx context.Context, stage string) error {
	return h.db.Backup(ctx, filepath.Join(stage, "moothall.db"))
}

// stageBus takes the events along when they are kept here; a server elsewhere
// is backed up by whoever runs it.
func (h *Hall) stageBus(ctx context.Context, stage string) error {
	if h.conf.Bus.URL != "" {
		return nil
	}
	f, err := os.Create(filepath.Join(stage, "bus.snapshot"))
	if err != nil {
		return homeError("backup", stage, err)
	}
	return errors.Join(h.bus.Snapshot(ctx, f), f.Close())
}

// archive adds everything in its order.
func (h *Hall) archive(a *archive, stage string) error {
	for _, name := range configFiles {
		if err := a.add("config/"+name, filepath.Join(h.home.Config, name)); err != nil {
			return err
		}
	}
	for _, name := range []string{"front.token", "peer.key"} {
		if err := a.add("data/"+name, filepath.Join(h.home.Data, name)); err != nil {
			return err
		}
	}
	for _, name := range []string{"moothall.db", "bus.snapshot"} {
		if err := a.add("data/"+name, filepath.Join(stage, name)); err != nil {
			return err
		}
	}
	for _, name := range auditFiles {
		if err := a.add("data/audit/"+name, filepath.Join(h.home.Audit(), name)); err != nil {
			return err
		}
	}
	return nil
}

// archive is a backup being written.
type archive struct {
	gz  *gzip.Writer
	tar *tar.Writer
	man manifest
}

func newArchive(w io.Writer) *archive {
	gz := gzip.NewWriter(w)
	return &archive{gz: gz, tar: tar.NewWriter(gz), man: manifest{Format: backupFormat, Version: Version(), Made: time.Now().UTC()}}
}

// add copies a file as long as it is now; one that is not there is left out.
func (a *archive) add(name, file string) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return homeError("backup", file, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return homeError("backup", file, err)
	}
	return a.write(name, io.LimitReader(f, info.Size()), info.Size())
}

func (a *archive) write(name string, r io.Reader, size int64) error {
	head := &tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: a.man.Made, Typeflag: tar.TypeReg}
	if err := a.tar.WriteHeader(head); err != nil {
		return homeError("backup", name, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(a.tar, sum), r); err != nil {
		return homeError("backup", name, err)
	}
	a.man.Files = append(a.man.Files, manifestFile{name, size, hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// Close writes the manifest and ends the archive.
func (a *archive) Close() error {
	b, err := json.MarshalIndent(a.man, "", " ")
	if err != nil {
		return err
	}
	head := &tar.Header{Name: manifestName, Mode: 0o600, Size: int64(len(b)), ModTime: a.man.Made, Typeflag: tar.TypeReg}
	if err := a.tar.WriteHeader(head); err != nil {
		return err
	}
	_, err = a.tar.Write(b)
	return errors.Join(err, a.tar.Close(), a.gz.Close())
}

// BackupTo writes a backup file through a client and proves it: the file is
// read back, its hashes compared, its database and record checked.
func BackupTo(ctx context.Context, c moothall.Client, file string, progress func(int64)) (err error) {
	if _, err := os.Lstat(file); err == nil {
		return &moothall.Error{
			Code: moothall.CodeConflict, Op: "backup", Message: file + " is there already",
			Remedy: "choose another name; a backup never replaces a file",
		}
	}
	part, err := os.CreateTemp(filepath.Dir(file), "."+path.Base(file)+".part-*") // 0600: it holds keys
	if err != nil {
		return homeError("backup", file, err)
	}
	defer os.Remove(part.Name())
	err = c.Backup(ctx, &counted{part, 0, progress})
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return err
	}
	if err := CheckBackup(ctx, part.Name()); err != nil {
		return err
	}
	// Link refuses where rename would replace a file made meanwhile.
	if err := os.Link(part.Name(), file); err != nil {
		return homeError("backup", file, err)
	}
	return atomicfile.SyncDir(filepath.Dir(file))
}

// counted reports how much has gone through.
type counted struct {
	w        io.Writer
	n        int64
	progress func(int64)
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if c.progress != nil {
		c.progress(c.n)
	}
	return n, err
}
