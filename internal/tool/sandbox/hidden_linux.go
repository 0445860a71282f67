//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// hiding are the places that no command sees. What lies deeper wins, and what
// is both is hidden.
type hiding struct {
	hidden, shown []string
	links         []string // symbolic links on the way to hidden places
}

// hiding looks where the places are now.
func (o Options) hiding() hiding {
	var h hiding
	for _, p := range o.Hidden {
		real, links := trail(p)
		h.hidden = append(h.hidden, real)
		h.links = append(h.links, links...)
	}
	for _, p := range o.Shown {
		real, _ := trail(p)
		h.shown = append(h.shown, real)
	}
	return h
}

// trail follows a path as far as it exists, and returns where it leads and
// the links that it came by.
func trail(p string) (real string, links []string) {
	rest := strings.Split(filepath.Clean(p), "/")[1:]
	real = "/"
	for len(rest) > 0 {
		next := filepath.Join(real, rest[0])
		rest = rest[1:]
		to, err := os.Readlink(next)
		if err != nil || len(links) == 40 { // no link, not there, or a circle
			real = next
			continue
		}
		links = append(links, next)
		if filepath.IsAbs(to) {
			real = "/"
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	return real, links
}

// within reports whether a path is a place or lies in it.
func within(place, path string) bool {
	return path == place || place == "/" || strings.HasPrefix(path, place+"/")
}

// covers reports whether a path, links followed, lies in a hidden place.
func (h hiding) covers(path string) bool {
	deepest := func(places []string) int {
		n := -1
		for _, p := range places {
			if within(p, path) {
				n = max(n, len(p))
			}
		}
		return n
	}
	hidden := deepest(h.hidden)
	return hidden >= 0 && deepest(h.shown) <= hidden
}

// in returns the places of a list that lie in a folder.
func in(folder string, places []string) []string {
	var out []string
	for _, p := range places {
		if within(folder, p) && p != folder {
			out = append(out, p)
		}
	}
	return out
}

// refuse says no to folders that are hidden themselves, and to those in which
// a command could turn a link to a hidden place elsewhere, so that the place
// would be hidden no longer.
func (h hiding) refuse(c Command) error {
	for _, p := range existing(slices.Concat(c.Reads, c.Writes)) {
		if h.covers(p) {
			return &moothall.Error{
				Code: moothall.CodeDenied, Op: "sandbox path", Message: p + " lies in a place that is kept from agents",
				Remedy: "name another folder in the manifest",
			}
		}
	}
	for _, w := range existing(c.Writes) {
		for _, l := range in(w, h.links) {
			if h.covers(l) {
				continue // what cannot be seen cannot be changed
			}
			return &moothall.Error{
				Code: moothall.CodeDenied, Op: "sandbox path",
				Message: w + " holds " + l + ", a link to a place that is kept from agents, which a command could change",
				Remedy:  "name a narrower folder in the manifest, or put the real place where the link is",
			}
		}
	}
	return nil
}

// narrow is refuse for a level that cannot take a part of a folder away.
func (h hiding) narrow(folders []string) error {
	for _, f := range folders {
		for _, p := range in(f, h.hidden) {
			return &moothall.Error{
				Code: moothall.CodeDenied, Op: "sandbox path",
				Message: f + " holds " + p + ", which is kept from agents, and Landlock cannot open the one without the other",
				Remedy:  "name a narrower folder in the manifest, or install bubblewrap and start the hall again",
			}
		}
	}
	return nil
}

// mount is one step of building what a command sees.
type mount struct {
	flag, from, to string
	rank           int // among steps of the same place
}

// Ranks. What a folder around it says comes first, a cover last.
const (
	rankAround = iota
	rankAsked
	rankCover
)

// hide adds to the folders of a command what covers hidden places in them, and
// puts parents before children, so that neither hides the other.
func (h hiding) hide(asked []mount) []mount {
	inOrder(asked)
	all := slices.Clone(asked)
	for _, m := range asked {
		all = append(all, h.over(m, func(to string) bool { return innermost(asked, to) == m })...)
	}
	inOrder(all)
	return slices.Compact(all)
}

// over is what has to be mounted over one folder. mine says of a place inside
// the cage that no other folder decides about it.
func (h hiding) over(m mount, mine func(to string) bool) []mount {
	var out []mount
	again := func(p string) {
		if to := m.inside(p); mine(to) {
			out = append(out, mount{m.flag, p, to, rankAround})
		}
	}
	for _, p := range in(m.from, h.hidden) {
		c, there := cover(p, m.inside(p))
		if !there || h.covers(filepath.Dir(p)) {
			continue
		}
		out = append(out, c)
		// A folder that something is mounted on cannot be renamed: without
		// this, renaming the one around a hidden place would uncover it.
		for dir := filepath.Dir(p); m.flag == "--bind" && dir != m.from; dir = filepath.Dir(dir) {
			if !h.covers(dir) {
				again(dir)
			}
		}
	}
	for _, p := range in(m.from, h.shown) {
		if _, err := os.Stat(p); err == nil && !h.covers(p) && h.covers(filepath.Dir(p)) {
			again(p)
		}
	}
	return out
}

// inside is where a place of the folder lies in the cage.
func (m mount) inside(p string) string {
	return filepath.Join(m.to, strings.TrimPrefix(p, m.from))
}

// innermost is the folder that decides about a place in the cage.
func innermost(asked []mount, to string) mount {
	var last mount
	for _, m := range asked {
		if within(m.to, to) {
			last = m
		}
	}
	return last
}

func inOrder(list []mount) {
	slices.SortStableFunc(list, func(a, b mount) int {
		return cmp.Or(strings.Count(a.to, "/")-strings.Count(b.to, "/"), cmp.Compare(a.to, b.to), a.rank-b.rank)
	})
}

// cover is what lies over a hidden place: an empty folder, or a device that
// cannot be opened. Nothing is made where nothing is.
func cover(place, to string) (mount, bool) {
	info, err := os.Lstat(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return mount{}, false
	case err == nil && info.IsDir():
		return mount{"--tmpfs", "", to, rankCover}, true
	}
	return mount{"--ro-bind", os.DevNull, to, rankCover}, true
}

// arguments are a step's words for bubblewrap.
func (m mount) arguments() []string {
	if m.flag == "--tmpfs" {
		return []string{"--perms", "0555", "--tmpfs", m.to}
	}
	return []string{m.flag, m.from, m.to}
}
