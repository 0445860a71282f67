package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"moothall"
	"moothall/internal/atomicfile"
)

// Home says where the hall keeps what. With --home all of it is one folder.
type Home struct {
	Config string // what the person writes: moothall.yaml
	Data   string // what must not be lost: moothall.db, audit/, bus/
	State  string // logs and left-overs of a restore
	Cache  string // what can be made again
	User   string // the person's own home folder; "" when there is none
}

// FindHome returns the folders: dir when given, the XDG ones otherwise. It
// touches nothing.
func FindHome(dir string, env func(string) string) (Home, error) {
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return Home{}, &moothall.Error{Code: moothall.CodeInvalid, Op: "home", Err: err}
		}
		return Home{Config: abs, Data: abs, State: abs, Cache: filepath.Join(abs, "cache"), User: env("HOME")}, nil
	}
	user := env("HOME")
	pick := func(variable string, under ...string) string {
		if v := env(variable); filepath.IsAbs(v) { // XDG: relative paths are to be ignored
			return filepath.Join(v, "moothall")
		}
		return filepath.Join(append([]string{user}, append(under, "moothall")...)...)
	}
	if !filepath.IsAbs(user) {
		return Home{}, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "home", Message: "HOME is not set, so there is no place for the hall's files",
			Remedy: "use --home DIR",
		}
	}
	return Home{
		Config: pick("XDG_CONFIG_HOME", ".config"),
		Data:   pick("XDG_DATA_HOME", ".local", "share"),
		State:  pick("XDG_STATE_HOME", ".local", "state"),
		Cache:  pick("XDG_CACHE_HOME", ".cache"),
		User:   user,
	}, nil
}

// Files and folders of a home.
func (h Home) ConfigFile() string { return filepath.Join(h.Config, "moothall.yaml") }
func (h Home) Database() string   { return filepath.Join(h.Data, "moothall.db") }
func (h Home) Audit() string      { return filepath.Join(h.Data, "audit") }
func (h Home) Bus() string        { return filepath.Join(h.Data, "bus") }
func (h Home) Socket() string     { return filepath.Join(h.Data, "hall.sock") }
func (h Home) Models() string     { return filepath.Join(h.Data, "models.json") }
func (h Home) Pins() string       { return filepath.Join(h.Data, "pins.json") }
func (h Home) Lock() string       { return filepath.Join(h.Data, "lock") }
func (h Home) Token() string      { return filepath.Join(h.Data, "front.token") }
func (h Home) Manifest() string   { return filepath.Join(h.Config, "manifest.yaml") }
func (h Home) Personas() string   { return filepath.Join(h.Config, "personas.yaml") }
func (h Home) MCP() string        { return filepath.Join(h.Config, "mcp.json") }
func (h Home) Workspace() string  { return filepath.Join(h.Data, "workspace") }
func (h Home) PeerKey() string    { return filepath.Join(h.Data, "peer.key") }
func (h Home) guests() string     { return filepath.Join(h.Data, "guests") }

// memoryIndex is where the index of memories lies between two runs.
func (h Home) memoryIndex() string { return filepath.Join(h.Cache, "memory") }

// cards is where what probes found of models lies.
func (h Home) cards() string { return filepath.Join(h.Cache, "cards") }

// make creates the folders, for the person alone.
func (h Home) make() error {
	for _, dir := range []string{h.Config, h.Data, h.State, h.Workspace()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return homeError("make home", dir, err)
		}
	}
	return nil
}

// homeError names the folder and what to do about it.
func homeError(op, path string, err error) error {
	e := &moothall.Error{Code: moothall.CodeInternal, Op: op, Err: err}
	switch to := leadsNowhere(path); {
	case to != "":
		e.Code = moothall.CodeNotFound
		e.Message = fmt.Sprintf("%s is a link to %s, which is not there", path, to)
		e.Remedy = "mount the disk that it leads to, or make the folder there"
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Code = moothall.CodeDenied
		e.Message = fmt.Sprintf("%s cannot be written", path)
		e.Remedy = "make it writable for this user, or choose another place with --home DIR"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Code = moothall.CodeExhausted
		e.Message = fmt.Sprintf("no room is left for %s", path)
		e.Remedy = "free some disk space; nothing that was acknowledged is lost"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, os.ErrExist):
		e.Code = moothall.CodeConflict
		e.Message = fmt.Sprintf("%s is not a folder", path)
		e.Remedy = "move it away, or choose another place with --home DIR"
	}
	return e
}

// leadsNowhere is where a link leads that is broken, as of a disk that is not
// mounted; "" for anything else.
func leadsNowhere(path string) string {
	to, err := os.Readlink(path)
	if _, gone := os.Stat(path); err != nil || !errors.Is(gone, os.ErrNotExist) {
		return ""
	}
	return to
}

// writeFile replaces a small file of the home, for the person alone.
func writeFile(path string, data []byte) error {
	if err := atomicfile.Write(path, data, 0o600); err != nil {
		return homeError("write file", path, err)
	}
	return nil
}
