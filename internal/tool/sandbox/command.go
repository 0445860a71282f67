package sandbox

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moothall"
)

// Command is one program to run. Arguments are visible to other users of the
// machine, so code belongs on Stdin or in a file, never in Argv.
type Command struct {
	Argv  []string
	Dir   string            // working folder; "" is the first of Writes, else a private one
	Stdin io.Reader         // nil is empty; ignored by Start
	Env   map[string]string // added to a clean, minimal environment

	// Reads and Writes are folders or files, absolute, that exist in the cage
	// under their own names. Those that are missing are passed over.
	Reads  []string
	Writes []string

	Limits Limits
}

// Limits of one command. Zero is the default of each.
type Limits struct {
	Wall      time.Duration // 30 s; for Start no limit
	CPU       time.Duration // 30 s per process, which SIGXCPU ends; for Start no limit
	Memory    int64         // 1 GiB of private memory per process
	Processes int           // 128 processes and threads
	FileSize  int64         // 256 MiB
	Output    int           // 256 KiB of each of stdout and stderr
}

// Result of a command that ran. A program that fails is a result, no error.
type Result struct {
	Exit     int // exit status; 128 + signal when a signal ended it
	Stdout   []byte
	Stderr   []byte
	Cut      bool // output beyond the limit was left out
	TimedOut bool // ended by Limits.Wall
	Signal   string
	Took     time.Duration
}

// cagePath is where programs are looked for, inside.
var cagePath = []string{"/usr/local/bin", "/usr/bin", "/bin", "/usr/local/go/bin", "/usr/lib/go/bin"}

// forbidden are places that no command may be given, whatever a manifest says:
// each of them opens the machine.
var forbidden = []string{"/", "/proc", "/sys", "/dev", "/run", "/var/run", "/boot"}

func (l Limits) withDefaults() Limits {
	l.Memory = or(l.Memory, 1<<30)
	l.Processes = or(l.Processes, 128)
	l.FileSize = or(l.FileSize, 256<<20)
	l.Output = or(l.Output, 256<<10)
	return l
}

func or[T int | int64 | time.Duration](v, standard T) T {
	if v <= 0 {
		return standard
	}
	return v
}

// check refuses what makes no sense or opens the cage.
func (c Command) check() error {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return moothall.Fail(moothall.CodeInvalid, "sandbox command", "there is no program to run")
	}
	for _, s := range c.Argv {
		if strings.ContainsRune(s, 0) {
			return moothall.Fail(moothall.CodeInvalid, "sandbox command", "an argument contains a zero byte")
		}
	}
	for k, v := range c.Env {
		if k == "" || strings.ContainsAny(k, "=\x00") || strings.ContainsRune(v, 0) || strings.HasPrefix(k, "LD_") {
			return moothall.Fail(moothall.CodeInvalid, "sandbox command", "an environment variable has an impossible name or value")
		}
	}
	for _, p := range slices.Concat(c.Reads, c.Writes) {
		if err := checkPath(p); err != nil {
			return err
		}
	}
	return nil
}

func checkPath(p string) error {
	if !filepath.IsAbs(p) || strings.ContainsRune(p, 0) {
		return moothall.Fail(moothall.CodeInvalid, "sandbox path", "a path for the sandbox must be absolute")
	}
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		real = filepath.Clean(p)
	}
	for _, f := range forbidden {
		if real == f || (f != "/" && strings.HasPrefix(real, f+"/")) {
			return &moothall.Error{
				Code: moothall.CodeDenied, Op: "sandbox path", Message: p + " may not be opened to the sandbox",
				Remedy: "name a folder of your own in the manifest",
			}
		}
	}
	return nil
}

// checkHidden refuses names that would hide nothing.
func checkHidden(paths []string) error {
	for _, p := range paths {
		if !filepath.IsAbs(p) || strings.ContainsRune(p, 0) {
			return moothall.Fail(moothall.CodeInvalid, "open sandbox", "a hidden place must be an absolute path")
		}
	}
	return nil
}

// existing returns the paths that are there, links resolved, without doubles.
func existing(paths []string) []string {
	var out []string
	for _, p := range paths {
		if real, err := filepath.EvalSymlinks(p); err == nil && !slices.Contains(out, real) {
			out = append(out, real)
		}
	}
	return out
}

// LookPath finds a program where the cage would: never in the hall's own PATH.
func LookPath(name string) (string, error) {
	candidates := []string{name}
	if !strings.Contains(name, "/") {
		candidates = nil
		for _, dir := range cagePath {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	}
	for _, p := range candidates {
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return p, nil
		}
	}
	return "", moothall.Fail(moothall.CodeNotFound, "sandbox command", "there is no program "+name+" in the sandbox")
}

// environment is what the command sees: nothing of the hall's.
func (c Command) environment(home string) []string {
	env := map[string]string{
		"PATH": strings.Join(cagePath, ":"), "HOME": home, "TMPDIR": home,
		"LANG": "C.UTF-8", "USER": "nobody", "LOGNAME": "nobody",
	}
	for k, v := range c.Env {
		env[k] = v
	}
	var out []string
	for k, v := range env {
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return out
}
