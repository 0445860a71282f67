package daemon

import (
	"runtime"
	"runtime/debug"
)

// release is the version of this source tree; a build from a tagged module
// knows better.
const release = "0.1.0-dev"

// Build says how the program was made.
type Build struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"`
}

// ReadBuild returns how this program was made.
func ReadBuild() Build {
	b := Build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}

// Version is the program's own.
func Version() string { return ReadBuild().Version }
