package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	filetool "moothall/internal/tool/fs"
)

// workplace is a home with a file, and what changes it as an agent does.
func workplace(t *testing.T) (h Home, path string, change func(text string)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h, path = Home{State: filepath.Join(dir, "state")}, filepath.Join(dir, "list.txt")
	return h, path, func(text string) {
		t.Helper()
		old, err := os.ReadFile(path)
		if err != nil {
			old = nil
		}
		if _, err := undosOf(h).keep(filetool.Before{Path: path, Folder: dir, Data: old}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

func changes(t *testing.T, h Home) []FileChange {
	t.Helper()
	list, err := FileChanges(h)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestUndo(t *testing.T) {
	t.Parallel()
	h, path, change := workplace(t)
	if list := changes(t, h); len(list) != 0 {
		t.Errorf("at first: %+v", list)
	}
	change("eggs")
	change("eggs\nmilk")
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("it holds %q, %v; want %q", got, err, want)
		}
	}
	undo := func(c FileChange) {
		t.Helper()
		if err := UndoFile(h, c); err != nil {
			t.Fatal(err)
		}
	}
	first := changes(t, h)
	if len(first) != 2 || first[0].Made || first[0].Bytes != 4 || !first[1].Made || first[1].Path != path {
		t.Fatalf("%+v", first)
	}
	undo(first[0])
	holds("eggs")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	undo(changes(t, h)[0]) // the undo is undone
	holds("eggs\nmilk")
	undo(first[1]) // it was not there
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("it is there: %v", err)
	}
	if err := UndoFile(h, first[1]); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("twice: %v", err)
	}
	undo(changes(t, h)[0])
	holds("eggs\nmilk")
}

func TestUndoLeavesAlone(t *testing.T) {
	t.Parallel()
	h, path, change := workplace(t)
	change("a")
	change("b")
	last := changes(t, h)[0]
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := UndoFile(h, last); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("it holds that already: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", path); err != nil {
		t.Fatal(err)
	}
	if err := UndoFile(h, last); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("a link is in its place: %v", err)
	}
}

// TestUndoFollowsNoLink: an agent that puts a link in the place of a folder does
// not have the person write where it may not.
func TestUndoFollowsNoLink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		old  []byte
		mark bool // of before the folder was kept: none
	}{
		{"change", []byte("evil key"), true}, {"new file", nil, true}, {"older change", []byte("evil key"), false}, {"older new file", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h, list, _ := workplace(t)
			base := filepath.Dir(list)
			folder, private := filepath.Join(base, "work", "d"), filepath.Join(base, "private")
			for _, dir := range []string{folder, private} {
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "keys"), []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			was := filetool.Before{Path: filepath.Join(folder, "keys"), Data: c.old}
			if c.mark {
				was.Folder = folder
			}
			if _, err := undosOf(h).keep(was); err != nil {
				t.Fatal(err)
			}
			change := changes(t, h)[0]
			if err := os.Rename(folder, folder+"2"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(private, folder); err != nil {
				t.Fatal(err)
			}
			err := UndoFile(h, change)
			if moothall.ErrorCode(err) != moothall.CodeConflict || moothall.ErrorRemedy(err) == "" {
				t.Errorf("a link is in the folder's place: %v", err)
			}
			if got, err := os.ReadFile(filepath.Join(private, "keys")); string(got) != "mine" {
				t.Errorf("there is %q, %v", got, err)
			}
			if err := os.Remove(folder); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(folder+"2", folder); err != nil {
				t.Fatal(err)
			}
			if err := UndoFile(h, change); err != nil {
				t.Errorf("the folder is back: %v", err)
			}
			if got, _ := os.ReadFile(was.Path); string(got) != string(c.old) {
				t.Errorf("there is %q", got)
			}
		})
	}
}

// TestUndoBehindTheirLink: a link that the person had all along is no obstacle.
func TestUndoBehindTheirLink(t *testing.T) {
	t.Parallel()
	h, path, _ := workplace(t)
	folder := filepath.Dir(path)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	was := filetool.Before{Path: filepath.Join(link, "list.txt"), Folder: folder, Data: []byte("eggs"), Mode: 0o600}
	if _, err := undosOf(h).keep(was); err != nil {
		t.Fatal(err)
	}
	if err := UndoFile(h, changes(t, h)[0]); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); string(got) != "eggs" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestUndoKept has more changes than are kept, and one whose writing was broken
// off before its path.
func TestUndoKept(t *testing.T) {
	t.Parallel()
	h, _, change := workplace(t)
	for i := range undoKept + 5 {
		change(fmt.Sprint(i))
	}
	u := undosOf(h)
	if list := changes(t, h); len(list) != undoKept {
		t.Errorf("%d changes are kept", len(list))
	}
	list := changes(t, h)
	oldest, other := list[undoKept-1], list[undoKept-2]
	for _, gone := range []string{oldest.ID + ".path", other.ID + "-list.txt"} { // either half alone is no change
		if err := os.Remove(u.file(gone)); err != nil {
			t.Fatal(err)
		}
	}
	if list := changes(t, h); len(list) != undoKept-2 {
		t.Errorf("%d changes are listed", len(list))
	}
	change("more")
	change("still more")
	if entries, err := os.ReadDir(string(u)); err != nil || len(entries) != 2*undoKept {
		t.Errorf("%d files are kept, %v", len(entries), err)
	}
}

// TestUndoLongName: the longest name that a file can have.
func TestUndoLongName(t *testing.T) {
	t.Parallel()
	h, list, _ := workplace(t)
	path := filepath.Join(filepath.Dir(list), strings.Repeat("長", 83)+".txt.x")
	if err := os.WriteFile(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := undosOf(h).keep(filetool.Before{Path: path, Folder: filepath.Dir(path), Data: []byte("old")}); err != nil {
		t.Fatal(err)
	}
	if err := UndoFile(h, changes(t, h)[0]); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestUndoPrunesEveryName: also one with a line break, which is an allowed name.
func TestUndoPrunesEveryName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"20261117T214700.000000000-a\nb", "20261117T214700.000000000-a", "20261117T214700.000000000.path"} {
		if !undoName.MatchString(name) {
			t.Errorf("%q is no file of a change", name)
		}
	}
}

// TestUndoClock: after the clock was set back a new change is still the newest.
func TestUndoClock(t *testing.T) {
	t.Parallel()
	h, path, change := workplace(t)
	u := undosOf(h)
	if err := os.MkdirAll(string(u), 0o700); err != nil {
		t.Fatal(err)
	}
	ahead := time.Now().UTC().Add(24 * time.Hour)
	for i := range undoKept {
		id := ahead.Add(time.Duration(i)).Format(undoForm)
		for name, text := range map[string]string{id + "-list.txt": "stale", id + ".path": path} {
			if err := os.WriteFile(u.file(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	change("precious")
	change("overwritten")
	list := changes(t, h)
	if len(list) != undoKept {
		t.Errorf("%d changes are kept", len(list))
	}
	if err := UndoFile(h, list[0]); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); string(got) != "precious" {
		t.Errorf("it holds %q, %v", got, err)
	}
}

// TestUndoTogether: the hall and moothall undo keep changes and forget old ones
// at the same time.
func TestUndoTogether(t *testing.T) {
	t.Parallel()
	h, path, change := workplace(t)
	for i := range undoKept {
		change(fmt.Sprint(i))
	}
	var wg sync.WaitGroup
	for part := range 2 {
		wg.Go(func() {
			for i := range 40 {
				if _, err := undosOf(h).keep(filetool.Before{Path: path, Data: fmt.Append(nil, part, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if list := changes(t, h); len(list) != undoKept {
		t.Errorf("%d changes are kept", len(list))
	}
	if err := undosOf(h).remove("gone already"); err != nil {
		t.Error(err)
	}
}

// TestUndoForgets: an undo that cannot be done is no change.
func TestUndoForgets(t *testing.T) {
	t.Parallel()
	h, path, _ := workplace(t)
	u := undosOf(h)
	for _, old := range [][]byte{nil, []byte("eggs")} {
		forget, err := u.keep(filetool.Before{Path: path, Data: old})
		if err != nil {
			t.Fatal(err)
		}
		if len(changes(t, h)) != 1 {
			t.Error("it is not kept")
		}
		if err := forget(); err != nil {
			t.Error(err)
		}
		if entries, err := os.ReadDir(string(u)); err != nil || len(entries) != 0 {
			t.Errorf("left behind: %v, %v", entries, err)
		}
	}
}

// TestUndoMode: a private file that is gone comes back as one, also where its mode
// was not kept yet.
func TestUndoMode(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o755} {
		h, path, _ := workplace(t)
		if _, err := undosOf(h).keep(filetool.Before{Path: path, Data: []byte("salaries"), Mode: mode}); err != nil {
			t.Fatal(err)
		}
		const older = "20060102T150405.000000000"
		for name, text := range map[string]string{older + "-list.txt": "salaries", older + ".path": path} {
			if err := os.WriteFile(undosOf(h).file(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		list := changes(t, h)
		for i, want := range []os.FileMode{mode, 0o600} {
			if err := UndoFile(h, list[i]); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%v, %v; want %v", info.Mode(), err, want)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestUndoWithoutAPlace: where nothing can be kept the change is refused, with
// what to do about it.
func TestUndoWithoutAPlace(t *testing.T) {
	t.Parallel()
	h := newHall(Options{Home: Home{State: t.TempDir()}})
	if err := os.WriteFile(string(undosOf(h.home)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := h.keepUndo(filetool.Before{Path: "/list.txt", Data: []byte("eggs")})
	if moothall.ErrorCode(err) != moothall.CodeConflict || moothall.ErrorRemedy(err) == "" || !strings.Contains(err.Error(), "/list.txt was not changed") {
		t.Errorf("%v, with the remedy %q", err, moothall.ErrorRemedy(err))
	}
}
