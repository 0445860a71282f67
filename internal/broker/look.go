package broker

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// maxLooked bounds the files of a folder that are looked at before and after a
// program runs. Where there are more, it may have changed all of them.
const maxLooked = 100_000

// look is what lay in a folder at one moment; nil: it cannot be told.
type look map[string]stamp

var errUnseen = errors.New("it cannot be told what lies there")

// lookAt looks at all that lies in a folder, by real paths. It gives up when
// there is too much, or something cannot be looked at. Links in it are not
// followed: what they lead to has a path of its own.
func lookAt(folder string, most int) look {
	out := look{}
	folder, err := filepath.EvalSymlinks(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return out
	}
	if err != nil {
		return nil
	}
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return nil
		}
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it has just gone
		}
		if err != nil || len(out) == most || path == folder {
			return errUnseen
		}
		s, ok := stampOf(info)
		if !ok {
			return errUnseen
		}
		out[path] = s
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}

// Bounds of what is told file by file.
const (
	maxInFolder = 16  // changed files of one folder
	maxInRoot   = 512 // of all
)

// since returns the files that are there now and were not, or were others, and
// folders all of which counts as changed: those that had nothing in them, under
// another name perhaps, and those with many such files. ok is false where there
// are too many in all.
func (l look) since(before look, root string) (files, folders []string, ok bool) {
	known := map[string]bool{}
	for path := range before {
		for at := range upwards(filepath.Dir(path)) {
			if known[at] {
				break
			}
			known[at] = true
		}
	}
	byFolder := map[string][]string{} // files that are told one by one
	whole := map[string]bool{}
	for path, s := range l {
		if was, ok := before[path]; ok && was == s {
			continue
		}
		if top := newest(path, root, known); top != "" {
			whole[top] = true
			continue
		}
		dir := filepath.Dir(path)
		byFolder[dir] = append(byFolder[dir], path)
	}
	for dir, list := range byFolder {
		if len(list) > maxInFolder && dir != root {
			whole[dir] = true
			continue
		}
		files = append(files, list...)
	}
	folders = slices.Collect(maps.Keys(whole))
	return files, folders, len(files)+len(folders) <= maxInRoot
}

// newest is the topmost folder of a path in which nothing was known; "" when
// something was in all of them.
func newest(path, root string, known map[string]bool) string {
	top := ""
	for at := filepath.Dir(path); at != root && !known[at] && at != filepath.Dir(at); at = filepath.Dir(at) {
		top = at
	}
	return top
}
