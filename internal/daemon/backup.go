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
	"syscall"
	"time"
	"unicode/utf8"

	"moothall"
	"moothall/internal/atomicfile"
	"moothall/internal/bus"
)

// A backup is a gzipped tar of the home: config/, data/ and state/ with the
// files by their names there, data/bus.snapshot for the bus, and manifest.json
// last, which lists them all with size and SHA-256. Format 1 had no folders and
// none of what agents, guests and models left behind; it is still read.
const (
	manifestName = "manifest.json"
	snapshotName = "data/bus.snapshot"
	backupFormat = 2
)

// manifest says what a backup must contain.
type manifest struct {
	Format  int            `json:"format"`
	Version string         `json:"version"`
	Made    time.Time      `json:"made"`
	Files   []manifestFile `json:"files"`
	Missing
}

// Missing is what a backup does not hold.
type Missing struct {
	LeftOut   []string `json:"left_out,omitempty"`  // of the home's folders: links, and what cannot be read; a configuration elsewhere
	Elsewhere []string `json:"elsewhere,omitempty"` // what other processes and servers keep, each with where
}

// manifestFile is a file, or a folder: its name ends with a slash.
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
	if h.entries != nil && h.conf.Memory.Engine.Kind == "duckdb" {
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "backup", Message: "the memories are in DuckDB, whose file cannot be copied while it is open",
			Remedy: "stop the hall and copy its files, or take the memories into its database with: moothall memory move --to sqlite",
		}
	}
	if err := h.note(ctx, moothall.ActionBackup, "begun"); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(h.home.State, backupStage)
	if err != nil {
		return homeError("backup", h.home.State, err)
	}
	defer os.RemoveAll(stage)
	if err := h.stage(ctx, stage); err != nil {
		return err
	}
	if h.record != nil {
		if err := h.record.Seal(ctx); err != nil {
			return err
		}
	}
	a := newArchive(w)
	a.man.Elsewhere = h.elsewhere()
	if err := h.archive(a, stage); err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		return homeError("backup", "the backup", err)
	}
	return h.note(ctx, moothall.ActionBackup, "finished")
}

// stage copies the database, then the bus with the place of every observer.
// What an observer does in between is not in the first, so it must not be done in
// the second: its event stays unanswered until both are made.
func (h *Hall) stage(ctx context.Context, stage string) error {
	h.copying.Lock()
	defer h.copying.Unlock()
	if err := h.stageDatabase(ctx, stage); err != nil {
		return err
	}
	if h.copied != nil {
		h.copied()
	}
	return h.stageBus(ctx, stage)
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

// elsewhere names what whoever keeps it has to back up.
func (h *Hall) elsewhere() []string {
	var out []string
	if h.record == nil {
		out = append(out, "the record, at "+h.conf.Services.Audit.At)
	}
	if h.conf.Bus.URL != "" {
		out = append(out, "the events, at "+bus.Where(h.conf.Bus.URL))
	}
	if h.entries != nil && h.conf.Memory.Engine.Kind == "chroma" {
		out = append(out, "the memories, in Chroma")
	}
	if h.entries != nil && h.conf.Memory.Graph.Kind == "neo4j" {
		out = append(out, "the facts, in Neo4j")
	}
	return out
}

// archive adds everything in its order.
func (h *Hall) archive(a *archive, stage string) error {
	for _, name := range configFiles {
		if err := a.add("config/"+name, filepath.Join(h.home.Config, name)); err != nil {
			return err
		}
	}
	if f := h.conf.file; f != h.home.ConfigFile() && fileExists(f) {
		a.leaveOut(f)
	}
	for _, name := range []string{"front.token", "peer.key", "models.json", "pins.json"} {
		if err := a.add("data/"+name, filepath.Join(h.home.Data, name)); err != nil {
			return err
		}
	}
	for _, name := range []string{"moothall.db", "bus.snapshot"} {
		if err := a.add("data/"+name, filepath.Join(stage, name)); err != nil {
			return err
		}
	}
	for _, t := range []struct{ name, dir string }{
		{"data/guests", h.home.guests()}, {"data/workspace", h.home.Workspace()}, {"state/undo", string(undosOf(h.home))},
	} {
		if err := a.tree(t.name, t.dir, stage); err != nil {
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
	return a.write(name, 0o600, io.LimitReader(f, info.Size()), info.Size())
}

// tree adds a folder with what is below it. It may be one that agents write
// into, so nothing is followed out of it, and what is neither file nor folder,
// or cannot be read, is left out and named.
func (a *archive) tree(name, dir, stage string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return homeError("backup", dir, err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(file string, e fs.DirEntry, err error) error {
		as := path.Join(name, file)
		switch {
		case err != nil:
			a.unread(as, err)
		case !utf8.ValidString(file): // the manifest could not name it
			a.leaveOut(as)
			if e.IsDir() {
				return fs.SkipDir
			}
		case e.IsDir():
			return a.folder(as + "/")
		case e.Type().IsRegular():
			return a.copied(as, root, file, stage)
		default:
			a.leaveOut(as)
		}
		return nil
	})
}

// unread leaves out what cannot be read; what went meanwhile is not missed.
func (a *archive) unread(name string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		a.leaveOut(name)
	}
}

func (a *archive) leaveOut(name string) { a.man.LeftOut = append(a.man.LeftOut, name) }

func (a *archive) folder(name string) error {
	if err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o700, ModTime: a.man.Made, Typeflag: tar.TypeDir}); err != nil {
		return homeError("backup", name, err)
	}
	a.man.Files = append(a.man.Files, manifestFile{Name: name})
	return nil
}

// copied adds a file by way of a copy: it may be cut while it is read, and how
// long it is comes first.
func (a *archive) copied(name string, root *os.Root, file, stage string) error {
	f, err := root.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe in its place would be waited for
	if err != nil {
		a.unread(name, err)
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return homeError("backup", name, err)
	}
	if !info.Mode().IsRegular() {
		a.leaveOut(name)
		return nil
	}
	c, err := os.CreateTemp(stage, "file-")
	if err != nil {
		return homeError("backup", stage, err)
	}
	defer os.Remove(c.Name())
	defer c.Close()
	size, err := io.Copy(c, io.LimitReader(f, info.Size()))
	if err != nil {
		return homeError("backup", name, err)
	}
	if _, err := c.Seek(0, io.SeekStart); err != nil {
		return homeError("backup", name, err)
	}
	return a.write(name, 0o600|info.Mode()&0o100, c, size)
}

func (a *archive) write(name string, mode fs.FileMode, r io.Reader, size int64) error {
	head := &tar.Header{Name: name, Mode: int64(mode), Size: size, ModTime: a.man.Made, Typeflag: tar.TypeReg}
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
// read back, its hashes compared, its database and record checked. It names
// what is not in it.
func BackupTo(ctx context.Context, c moothall.Client, file string, progress func(int64)) (missing Missing, err error) {
	if _, err := os.Lstat(file); err == nil {
		return missing, backupThere(file)
	}
	part, err := os.CreateTemp(filepath.Dir(file), "."+path.Base(file)+".part-*") // 0600: it holds keys
	if errors.Is(err, fs.ErrNotExist) {
		return missing, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "backup", Message: "there is no folder " + filepath.Dir(file), Remedy: "make it first, or name another file",
		}
	}
	if err != nil {
		return missing, homeError("backup", file, err)
	}
	defer os.Remove(part.Name())
	err = c.Backup(ctx, &counted{part, 0, progress})
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return missing, err
	}
	if missing, err = CheckBackup(ctx, part.Name()); err != nil {
		return missing, err
	}
	return missing, publishBackup(part.Name(), file)
}

// publishBackup gives a backup its name. A rename would replace a file that was
// made meanwhile, so an empty one takes the name first; a second name, which
// would not, is unknown to disks that other systems read as well (FAT, exFAT).
func publishBackup(part, file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return backupThere(file)
	}
	if err != nil {
		return homeError("backup", file, err)
	}
	if err := errors.Join(f.Close(), os.Rename(part, file)); err != nil {
		return homeError("backup", file, errors.Join(err, os.Remove(file)))
	}
	return atomicfile.SyncDir(filepath.Dir(file))
}

func backupThere(file string) error {
	return &moothall.Error{
		Code: moothall.CodeConflict, Op: "backup", Message: file + " is there already",
		Remedy: "choose another name; a backup never replaces a file",
	}
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
