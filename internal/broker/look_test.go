package broker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLookGivesUp: too much is not half looked at, and what is no folder is not
// taken for an empty one.
func TestLookGivesUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if l := lookAt(dir, 3); len(l) != 3 {
		t.Errorf("%v", l)
	}
	if l := lookAt(dir, 2); l != nil {
		t.Errorf("more than may be looked at gave %v", l)
	}
	if l := lookAt(filepath.Join(dir, "none"), 2); l == nil || len(l) != 0 {
		t.Errorf("a folder that is not there: %v", l)
	}
	for _, what := range []string{"a\x00b", filepath.Join(dir, "a")} {
		if l := lookAt(what, 2); l != nil {
			t.Errorf("%q, which is no folder, gave %v", what, l)
		}
	}
}

// TestLookFollowsItsRoot: a folder to write may be a link.
func TestLookFollowsItsRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	before := lookAt(link, 10)
	put(t, dir, "page.md")
	files, folders, ok := lookAt(link, 10).since(before, realPath(link))
	if len(files) != 1 || len(folders) != 0 || !ok {
		t.Error(files, folders, ok)
	}
}

// TestSince: new folders are told as one, and so are those in which much has
// changed; far too much is not told at all.
func TestSince(t *testing.T) {
	t.Parallel()
	dir := realPath(t.TempDir())
	put(t, dir, "old/kept", "old/changed", "was/inside")
	before := lookAt(dir, 10_000)
	put(t, dir, "new/deep/a", "new/deep/b", "top")
	if err := os.WriteFile(filepath.Join(dir, "old/changed"), []byte("of another length: times may be the same"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "was"), filepath.Join(dir, "is")); err != nil {
		t.Fatal(err)
	}
	check := func(wantFiles, wantFolders []string, wantOK bool) {
		t.Helper()
		files, folders, ok := lookAt(dir, 10_000).since(before, dir)
		slices.Sort(files)
		slices.Sort(folders)
		for i := range files {
			files[i] = files[i][len(dir)+1:]
		}
		for i := range folders {
			folders[i] = folders[i][len(dir)+1:]
		}
		if ok != wantOK || ok && (!slices.Equal(files, wantFiles) || !slices.Equal(folders, wantFolders)) {
			t.Errorf("files %q, folders %q, %v", files, folders, ok)
		}
	}
	check([]string{"old/changed", "top"}, []string{"is", "new"}, true)
	for i := range maxInFolder {
		put(t, dir, fmt.Sprintf("old/%d", i))
	}
	check([]string{"top"}, []string{"is", "new", "old"}, true)
	for i := range maxInRoot {
		put(t, dir, fmt.Sprintf("%d", i))
	}
	check(nil, nil, false)
}

// TestManyFilesFillNothing: a program that makes very many files makes those
// untrusted, and not every other one.
func TestManyFilesFillNothing(t *testing.T) {
	t.Parallel()
	w := &written{key: []byte("k"), paths: map[pathHash]bool{}}
	before, now := look{}, look{}
	for i := range 70_000 {
		now[fmt.Sprintf("/w/node_modules/%d/index.js", i)] = stamp{}
	}
	files, folders, ok := now.since(before, "/w")
	if !ok || len(files) != 0 || !slices.Equal(folders, []string{"/w/node_modules"}) {
		t.Fatal(len(files), folders, ok)
	}
	w.add(files, folders)
	again, full := w.add([]string{"/w/node_modules/new.js"}, nil)
	if len(again) != 0 || full || w.from([]string{"/home/me/letter.txt"}) || !w.from([]string{"/w/node_modules/7/index.js"}) {
		t.Error(again, full)
	}
}

func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("text"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
