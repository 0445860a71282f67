package broker

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// maxLooked bounds the files of a folder that are looked at before and after a
// program runs. Where there are more, it may have changed all of them.
const maxLooked = 100_000

// look is what lay in a folder at one moment; nil: it cannot be told.
type look map[string]stamp

var errUnseen = errors.New("it cannot be told what lies there")

// lookAt looks at all that lies in a folder. It gives up when there is too much,
// or something cannot be looked at. Links are not followed: what they lead to has
// a path of its own.
func lookAt(folder string, most int) look {
	out := look{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return nil
		}
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was never there, or has just gone
		}
		if err != nil || len(out) == most {
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

// since returns the files that are there now and were not, or were others. A
// folder that was given another name has new files: they have other paths.
func (l look) since(before look) []string {
	var out []string
	for path, s := range l {
		if was, ok := before[path]; !ok || was != s {
			out = append(out, path)
		}
	}
	return out
}
