package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// Server is one entry of the person's mcp.json: a program to start or an
// address to call. It prints without Env and Headers, which may hold secrets
// once they are resolved.
type Server struct {
	Name string

	// A program that speaks on its standard input and output.
	Command string
	Args    []string
	Env     map[string]string // values may contain ${secret:NAME}
	Reads   []string          // folders and files that it may read, its own program among them
	Writes  []string          // folders that it may change

	// An address that speaks streamable HTTP.
	URL     string
	Headers map[string]string // values may contain ${secret:NAME}

	// ReadOnly names the tools that the person knows to change nothing. What
	// a server itself says about that is not believed.
	ReadOnly []string
	// Disabled servers are checked and not connected.
	Disabled bool

	Line int // of the configuration file; 0 when there was none
}

// Remote reports whether the server is reached over HTTP.
func (s Server) Remote() bool { return s.URL != "" }

// String names the server and nothing else of it.
func (s Server) String() string { return s.Name }

// GoString hides what %#v would show.
func (s Server) GoString() string { return fmt.Sprintf("mcp.Server{%q}", s.Name) }

// LogValue keeps environment and headers out of logs.
func (s Server) LogValue() slog.Value { return slog.StringValue(s.Name) }

// owner is where the server's tools come from, in pins and specs.
func (s Server) owner() string { return "mcp:" + s.Name }

// identity is the whole entry as the person wrote it, secrets by reference:
// whoever changes what is started or called, what it may reach or which of its
// tools are said to change nothing, has to ask for approval again.
func (s Server) identity() string {
	parts := []any{s.Command, s.Args, s.Env, s.URL, s.Headers}
	if len(s.Reads)+len(s.Writes)+len(s.ReadOnly) > 0 { // an entry without them is what it always was
		parts = append(parts, s.Reads, s.Writes, s.ReadOnly)
	}
	b, _ := json.Marshal(parts) // strings alone: cannot fail
	return string(b)
}

// personal reports whether the server may see anything of the person's. What
// a folder holds cannot be told from its name: of all that it is given, only
// the file of its program is known to be none of theirs.
func (s Server) personal() bool {
	return len(s.Writes) > 0 || slices.ContainsFunc(s.Reads, func(p string) bool {
		return !filepath.IsAbs(p) || filepath.Clean(p) != filepath.Clean(s.Command)
	})
}

// Host is that of the URL, without a port; "" for a program.
func (s Server) Host() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// local reports whether a host name means this machine.
func local(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// maxServerName leaves room for a tool's name within 64 bytes.
const maxServerName = 32

// check reports the first mistake of an entry, and the field that it is in.
func (s Server) check() (field string, err error) {
	switch {
	case !moothall.ValidToken(s.Name) || len(s.Name) > maxServerName:
		return "", fmt.Errorf("%q is not a name for a server: letters, digits, '-' and '_', at most %d", s.Name, maxServerName)
	case s.Command == "" && s.URL == "":
		return "", fmt.Errorf("server %q has neither command nor url", s.Name)
	case s.Command != "" && s.URL != "":
		return "url", fmt.Errorf("server %q has both command and url", s.Name)
	case s.URL == "" && len(s.Headers) > 0:
		return "headers", fmt.Errorf("server %q has headers and no url", s.Name)
	case s.Command == "" && (len(s.Args) > 0 || len(s.Env) > 0):
		return "command", fmt.Errorf("server %q has args or env and no command", s.Name)
	}
	if s.Remote() {
		return s.checkRemote()
	}
	return s.checkProgram()
}

func (s Server) checkProgram() (string, error) {
	for _, text := range append([]string{s.Command}, s.Args...) {
		if strings.Contains(text, "${") {
			return "args", fmt.Errorf("server %q: a reference in command or args would be seen by every process; put it in env", s.Name)
		}
		if strings.ContainsRune(text, 0) {
			return "args", fmt.Errorf("server %q: a zero byte in command or args", s.Name)
		}
	}
	for name, value := range s.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return "env", fmt.Errorf("server %q: %q is not an environment variable", s.Name, name)
		}
		if strings.HasPrefix(name, "LD_") {
			return "env", fmt.Errorf("server %q: %s belongs to the loader of programs and cannot be set in the sandbox", s.Name, name)
		}
		if err := checkReferences(value); err != nil {
			return "env", fmt.Errorf("server %q, variable %s: %w", s.Name, name, err)
		}
	}
	return "", nil
}

func (s Server) checkRemote() (string, error) {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil, u.Hostname() == "", u.Scheme != "http" && u.Scheme != "https":
		return "url", fmt.Errorf("server %q: the url is not an http or https address", s.Name)
	case u.User != nil || strings.Contains(s.URL, "${"):
		return "url", fmt.Errorf("server %q: a credential in the url; put it in headers", s.Name)
	case u.Fragment != "":
		return "url", fmt.Errorf("server %q: the url has a fragment", s.Name)
	case u.Scheme == "http" && !local(s.Host()):
		return "url", fmt.Errorf("server %q: beyond this machine the url must be https", s.Name)
	}
	for name, value := range s.Headers {
		if !validHeader(name) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return "headers", fmt.Errorf("server %q: %q is not a header that can be set", s.Name, name)
		}
		if err := checkReferences(value); err != nil {
			return "headers", fmt.Errorf("server %q, header %s: %w", s.Name, name, err)
		}
	}
	return "", nil
}

// ownHeaders belong to the protocol.
var ownHeaders = []string{"host", "connection", "content-length", "content-type", "transfer-encoding", "accept"}

func validHeader(name string) bool {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
	}) {
		return false
	}
	low := strings.ToLower(name)
	return !strings.HasPrefix(low, "mcp-") && !slices.Contains(ownHeaders, low)
}

// checkNames refuses two servers whose tools could come to the same name:
// that of "a" with a tool "b_c" and that of "a_b" with a tool "c".
func checkNames(servers []Server) error {
	for i, a := range servers {
		for _, b := range servers[i+1:] {
			x, y := strings.ToLower(a.Name)+"_", strings.ToLower(b.Name)+"_"
			if strings.HasPrefix(x, y) || strings.HasPrefix(y, x) {
				return &moothall.Error{
					Code: moothall.CodeConflict, Op: "mcp servers",
					Message: fmt.Sprintf("the tools of %q and %q could have the same names", a.Name, b.Name),
					Remedy:  "rename one of them, with '-' in place of '_'",
				}
			}
		}
	}
	return nil
}

// exposed is the name under which the hall knows a tool. A name that had to
// be changed to fit ends in a part of the hash of the true one.
func exposed(server, tool string) moothall.ToolName {
	fit := strings.Map(func(r rune) rune {
		if r < 0x80 && moothall.ValidToken(string(r)) {
			return r
		}
		return '_'
	}, tool)
	name := "mcp_" + server + "_" + fit
	if fit == tool && len(name) <= 64 {
		return moothall.ToolName(name)
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	return moothall.ToolName(name[:min(len(name), 55)] + "_" + hex.EncodeToString(sum[:4]))
}
