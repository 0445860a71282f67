package daemon_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/store"
)

// apart is a home in three folders, as without --home.
func apart(dir string) daemon.Home {
	return daemon.Home{
		Config: filepath.Join(dir, "config"), Data: filepath.Join(dir, "data"), State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"),
	}
}

// lays puts files into a home.
func lays(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// leftBehind is what a hall, its agents and its person leave in a home beside
// database, record and events.
func leftBehind(h daemon.Home, by string) map[string]string {
	return map[string]string{
		filepath.Join(h.Config, "moothall.yaml"):                            "# " + by,
		filepath.Join(h.Data, "models.json"):                                `{"by":"` + by + `"}`,
		filepath.Join(h.Data, "pins.json"):                                  "pins of " + by,
		filepath.Join(h.Data, "guests", "weather"):                          "password of " + by,
		filepath.Join(h.Workspace(), "report.md"):                           "report of " + by,
		filepath.Join(h.Workspace(), "deep", "er", "note.md"):               "note of " + by,
		filepath.Join(h.State, "undo", "20260102T030405.000000000-x.md"):    "text of " + by,
		filepath.Join(h.State, "undo", "20260102T030405.000000000.path"):    "/x.md",
		filepath.Join(h.Workspace(), strings.Repeat("long", 30)+"ä <&>.md"): by,
	}
}

// backedUp backs a hall up and says what was left out.
func backedUp(t *testing.T, h daemon.Home) (file string, leftOut []string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "b.tar.gz")
	missing, err := daemon.BackupTo(t.Context(), join(t, h), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if missing.Elsewhere != nil {
		t.Errorf("all is here, and yet elsewhere are %q", missing.Elsewhere)
	}
	return file, missing.LeftOut
}

func reads(t *testing.T, names []string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		out[name] = string(text)
	}
	return out
}

// TestBackupIsTheWholeHome takes along what agents, guests and models left, and
// a forced restore mixes none of it with what was there.
func TestBackupIsTheWholeHome(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(string) daemon.Home{"one folder": home, "three folders": apart} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := at(t.TempDir())
			serve(t, h, config())
			lays(t, leftBehind(h, "the first"))
			tool := filepath.Join(h.Workspace(), "tool")
			lays(t, map[string]string{tool: "#!/bin/sh"})
			if err := os.Chmod(tool, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(h.Workspace(), "empty"), 0o700); err != nil {
				t.Fatal(err)
			}
			file, leftOut := backedUp(t, h)
			if len(leftOut) > 0 {
				t.Errorf("left out: %q", leftOut)
			}

			again := at(t.TempDir())
			if _, err := daemon.Restore(t.Context(), again, file, false); err != nil {
				t.Fatal(err)
			}
			want := leftBehind(again, "the first")
			if diff := cmp.Diff(want, reads(t, slices.Collect(maps.Keys(want)))); diff != "" {
				t.Errorf("restored (-want +got):\n%s", diff)
			}
			if info, err := os.Stat(filepath.Join(again.Workspace(), "tool")); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("a program of the workspace: %v, %v", info, err)
			}
			if info, err := os.Stat(filepath.Join(again.Workspace(), "empty")); err != nil || !info.IsDir() {
				t.Errorf("an empty folder of the workspace: %v, %v", info, err)
			}

			lays(t, leftBehind(again, "the second"))
			other := []string{
				filepath.Join(again.Data, "guests", "other"), filepath.Join(again.Workspace(), "other.md"),
				filepath.Join(again.Data, "memory.duckdb"), filepath.Join(again.Config, "mcp.json"),
			}
			for _, file := range other {
				lays(t, map[string]string{file: "the second"})
			}
			index := filepath.Join(again.Cache, "memory", "of-the-second")
			lays(t, map[string]string{index: "x"})
			done, err := daemon.Restore(t.Context(), again, file, true)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(index); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the index of other memories is still there: %v", err)
			}
			if diff := cmp.Diff(want, reads(t, slices.Collect(maps.Keys(want)))); diff != "" {
				t.Errorf("restored by force (-want +got):\n%s", diff)
			}
			for _, file := range other {
				if _, err := os.Lstat(file); err == nil {
					t.Errorf("%s of the home before is still there", file)
				}
			}
			aside := map[string]string{}
			for file, text := range leftBehind(again, "the second") {
				dir := done.Aside[slices.IndexFunc(done.Aside, func(dir string) bool { return strings.HasPrefix(file, filepath.Dir(dir)+"/") })]
				rest, _ := strings.CutPrefix(file, filepath.Dir(dir))
				aside[dir+rest] = text
			}
			if diff := cmp.Diff(aside, reads(t, slices.Collect(maps.Keys(aside)))); diff != "" {
				t.Errorf("moved aside (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRestoreThatCannotBeFinished leaves the home as it was: on half of one the
// next start would begin a new hall, and nobody was told where the old one lies.
func TestRestoreThatCannotBeFinished(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(string) daemon.Home{"one folder": home, "three folders": apart} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := at(t.TempDir())
			serve(t, h, config())
			lays(t, map[string]string{h.MCP(): "{}"})
			file, _ := backedUp(t, h)

			again := at(t.TempDir())
			if err := open(t, again, config()).Shutdown(); err != nil {
				t.Fatal(err)
			}
			lays(t, leftBehind(again, "the second"))
			if err := os.Mkdir(again.MCP(), 0o700); err != nil { // as a mount of a file that is not there makes it
				t.Fatal(err)
			}
			before := listed(t, again)
			if done, err := daemon.Restore(t.Context(), again, file, true); err == nil || len(done.Aside) > 0 {
				t.Errorf("got %v, %v", done, err)
			}
			if diff := cmp.Diff(before, listed(t, again)); diff != "" {
				t.Errorf("the home (-before +after):\n%s", diff)
			}
			want := leftBehind(again, "the second")
			if diff := cmp.Diff(want, reads(t, slices.Collect(maps.Keys(want)))); diff != "" {
				t.Errorf("its files (-before +after):\n%s", diff)
			}
		})
	}
}

// listed is what lies in a home, by name and size, but for what can be made again.
func listed(t *testing.T, h daemon.Home) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for _, dir := range []string{h.Config, h.Data, h.State} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path == h.Cache {
				return fs.SkipDir
			}
			if info, err := e.Info(); err == nil && !e.IsDir() {
				out[path] = info.Size()
			} else {
				out[path] = 0
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestBackupFollowsNothing leaves out what agents may have put into the
// workspace to have something else read, or to have the backup wait.
func TestBackupFollowsNothing(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	serve(t, h, config())
	outside := t.TempDir()
	lays(t, map[string]string{filepath.Join(outside, "key"): "not the hall's", filepath.Join(h.Workspace(), "plain"): "plain"})
	for name, to := range map[string]string{"file": filepath.Join(outside, "key"), "folder": outside, "inside": "plain", "nowhere": "nothing"} {
		if err := os.Symlink(to, filepath.Join(h.Workspace(), name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(h.Workspace(), "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"data/workspace/file", "data/workspace/folder", "data/workspace/inside", "data/workspace/nowhere", "data/workspace/pipe"}
	if err := os.Mkdir(filepath.Join(h.Workspace(), "z\xff"), 0o700); err == nil { // some disks refuse such names
		want = append(want, "data/workspace/z\uFFFD")
	}
	file, leftOut := backedUp(t, h)
	if diff := cmp.Diff(want, leftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	again := home(t.TempDir())
	if _, err := daemon.Restore(t.Context(), again, file, false); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(again.Workspace())
	if err != nil || len(entries) != 1 || entries[0].Name() != "plain" {
		t.Errorf("the restored workspace: %v, %v", entries, err)
	}
}

// TestBackupOfDuckDB refuses: without the memories it would not be the home.
func TestBackupOfDuckDB(t *testing.T) {
	t.Parallel()
	hall := open(t, home(t.TempDir()), config())
	hall.InDuckDB()
	if err := hall.Backup(t.Context(), io.Discard); moothall.ErrorCode(err) != moothall.CodeUnsupported || moothall.ErrorRemedy(err) == "" {
		t.Errorf("got %v", err)
	}
}

// remade writes a backup anew: with the entries for which keep is true and one
// more, under a manifest that fits.
func remade(t *testing.T, file string, format int, keep func(name string) bool, more ...tar.Header) string {
	t.Helper()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		Name   string `json:"name"`
		Size   int64  `json:"size"`
		SHA256 string `json:"sha256"`
	}
	man := struct {
		Format int     `json:"format"`
		Files  []entry `json:"files"`
	}{Format: format}
	var out bytes.Buffer
	gz := gzip.NewWriter(&out)
	w := tar.NewWriter(gz)
	put := func(head tar.Header, data []byte) {
		head.Size, head.Format = int64(len(data)), tar.FormatUnknown
		if err := w.WriteHeader(&head); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		e := entry{Name: head.Name, Size: head.Size}
		if head.Typeflag == tar.TypeReg {
			sum := sha256.Sum256(data)
			e.SHA256 = hex.EncodeToString(sum[:])
		}
		man.Files = append(man.Files, e)
	}
	for r := tar.NewReader(bytes.NewReader(unzip(whole))); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if head.Name != "manifest.json" && keep(head.Name) {
			put(*head, data)
		}
	}
	for _, head := range more {
		put(head, nil)
	}
	b, err := json.Marshal(man)
	if err != nil {
		t.Fatal(err)
	}
	put(tar.Header{Name: "manifest.json", Mode: 0o600, Typeflag: tar.TypeReg}, b)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "remade.tar.gz")
	if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestOldBackupIsRestored reads format 1, which knew no folders. What such a
// backup says nothing of is moved aside like the rest.
func TestOldBackupIsRestored(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	id := say(t, hall, "remember me")
	file, _ := backedUp(t, h)
	old := remade(t, file, 1, func(name string) bool { return !strings.HasSuffix(name, "/") && !strings.Contains(name, "models.json") })
	again := home(t.TempDir())
	lays(t, leftBehind(again, "the second"))
	if _, err := daemon.Restore(t.Context(), again, old, false); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("a home that holds something: %v", err)
	}
	if _, err := daemon.Restore(t.Context(), again, old, true); err != nil {
		t.Fatal(err)
	}
	for file := range leftBehind(again, "the second") {
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s of the home before is still there", file)
		}
	}
	if e, err := open(t, again, config()).At(t.Context(), 2); err != nil || e.ID != id {
		t.Errorf("the restored bus has %v, %v", e.ID, err)
	}
	if _, err := daemon.CheckBackup(t.Context(), remade(t, file, 3, func(string) bool { return true })); moothall.ErrorCode(err) != moothall.CodeCorrupt {
		t.Errorf("a backup of a later format: %v", err)
	}
}

// TestBackupOfAnotherMaking refuses entries that lead out of the home, or to
// what no backup has.
func TestBackupOfAnotherMaking(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	serve(t, h, config())
	file, _ := backedUp(t, h)
	all := func(string) bool { return true }
	if _, err := daemon.CheckBackup(t.Context(), remade(t, file, 2, all, tar.Header{Name: "data/workspace/x", Mode: 0o600, Typeflag: tar.TypeReg})); err != nil {
		t.Errorf("a file of the workspace: %v", err)
	}
	for _, bad := range []tar.Header{
		{Name: "data/workspace/../../../x", Typeflag: tar.TypeReg},
		{Name: "data/workspace/../x", Typeflag: tar.TypeReg},
		{Name: "data/workspace/../pins.json", Typeflag: tar.TypeReg},
		{Name: "data/./workspace/x", Typeflag: tar.TypeReg},
		{Name: "/data/workspace/x", Typeflag: tar.TypeReg},
		{Name: "../x", Typeflag: tar.TypeReg},
		{Name: "data/../../x/", Typeflag: tar.TypeDir},
		{Name: "data/lock", Typeflag: tar.TypeReg},
		{Name: "data/other/x", Typeflag: tar.TypeReg},
		{Name: "config/other", Typeflag: tar.TypeReg},
		{Name: "state/other", Typeflag: tar.TypeReg},
		{Name: "cache/cards/x", Typeflag: tar.TypeReg},
		{Name: "data/workspace/x", Linkname: "/etc", Typeflag: tar.TypeSymlink},
		{Name: "data/workspace/x", Linkname: "y", Typeflag: tar.TypeSymlink},
		{Name: "data/workspace/x", Linkname: "data/moothall.db", Typeflag: tar.TypeLink},
		{Name: "data/workspace/x", Typeflag: tar.TypeFifo},
		{Name: "data/workspace/x", Typeflag: tar.TypeChar},
	} {
		into := filepath.Join(t.TempDir(), "deep", "er")
		_, err := daemon.Restore(t.Context(), home(into), remade(t, file, 2, all, bad), false)
		if moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Errorf("%s (%c, to %q): %v", bad.Name, bad.Typeflag, bad.Linkname, err)
		}
		err = filepath.WalkDir(filepath.Dir(filepath.Dir(into)), func(path string, e fs.DirEntry, err error) error {
			if e != nil && (e.Name() == "x" || e.Name() == "moothall.db") {
				t.Errorf("%s (%c): %s is there", bad.Name, bad.Typeflag, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestBackupOfANewerProgram is not put in place of a home: no hall of this
// program would start there.
func TestBackupOfANewerProgram(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	later(t, hall)
	file, _ := backedUp(t, h)
	again := home(t.TempDir())
	lays(t, leftBehind(again, "the second"))
	_, err := daemon.Restore(t.Context(), again, file, true)
	if moothall.ErrorCode(err) != moothall.CodeUnsupported || moothall.ErrorRemedy(err) == "" {
		t.Errorf("got %v", err)
	}
	want := leftBehind(again, "the second")
	if diff := cmp.Diff(want, reads(t, slices.Collect(maps.Keys(want)))); diff != "" {
		t.Errorf("the home (-before +after):\n%s", diff)
	}
}

// later has a hall's database say that a newer program has changed it.
func later(t *testing.T, hall *daemon.Hall) {
	t.Helper()
	err := hall.DB().Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO store_migration (suite, version, name, sha256, applied_at, program)
			VALUES ('chat', (SELECT max(version) + 1 FROM store_migration WHERE suite = 'chat'), 'later', '', 0, 'moothall of next year')`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
