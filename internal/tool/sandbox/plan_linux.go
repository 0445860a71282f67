//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"moothall"
)

// plan is a command made ready for a level: what is started, and what it is
// told over descriptors, never over its arguments.
type plan struct {
	level    Level
	argv     []string // the program on the hall's side
	args     []string // bubblewrap's options
	filtered bool
	order    order
	env      []string // of bubblewrap or the helper; never reaches the command
	limits   []limit
	scratch  string // removed afterwards
	tasks    int
}

// system is what every command may read: enough to run programs.
var system = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// settings are the few files of /etc that programs need to start.
var settings = []string{
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/mime.types",
	"/etc/os-release", "/etc/lsb-release", "/etc/debian_version",
	"/etc/ssl/openssl.cnf", // node does not start when it is there and cannot be read
}

// devices can be used at the Landlock level; bubblewrap makes its own.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

const stubUsers = "nobody:x:65534:65534:nobody:/tmp:/bin/sh\n"

// bwrapPlaces are where a system keeps bubblewrap. PATH is not asked: whoever
// sets it would choose the cage.
var bwrapPlaces = []string{"/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"}

func (s *Sandbox) plan(l Level, c Command) (*plan, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	path, err := LookPath(c.Argv[0])
	if err != nil {
		return nil, err
	}
	if err := s.opts.hiding().refuse(c); err != nil {
		return nil, err
	}
	c.Limits = c.Limits.withDefaults()
	p := &plan{level: l, filtered: true, tasks: c.Limits.Processes}
	switch l {
	case Bubblewrap:
		err = s.planBubblewrap(p, c, path)
	case Landlock:
		err = s.planLandlock(p, c, path)
	default:
		err = moothall.Fail(moothall.CodeUnsupported, "sandbox", "there is no level "+string(l))
	}
	if err == nil && s.leak != nil {
		s.leak(p)
	}
	return p, err
}

func (s *Sandbox) planBubblewrap(p *plan, c Command, path string) error {
	bwrap := s.opts.Bubblewrap
	if bwrap == "" {
		i := slices.IndexFunc(bwrapPlaces, func(p string) bool { _, err := os.Stat(p); return err == nil })
		if i < 0 {
			return moothall.Fail(moothall.CodeUnsupported, "sandbox", "bubblewrap is not installed")
		}
		bwrap = bwrapPlaces[i]
	}
	p.argv = append([]string{bwrap, "--args", "3", "--", path}, c.Argv[1:]...)
	size := strconv.FormatInt(c.Limits.FileSize, 10)
	p.args = []string{
		"--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
		"--uid", "65534", "--gid", "65534", "--hostname", "cage",
		"--json-status-fd", "5", "--block-fd", "6",
		"--dir", "/etc", "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
		"--perms", "0700", "--size", size, "--tmpfs", "/tmp", "--ro-bind-data", "7", "/etc/passwd",
	}
	p.mounts(c, s.opts.hiding())
	p.args = append(p.args, "--remount-ro", "/", "--chdir", c.folder("/tmp"))
	for _, kv := range c.environment("/tmp") {
		k, v, _ := strings.Cut(kv, "=")
		p.args = append(p.args, "--setenv", k, v)
	}
	base := 0
	if !kernelAtLeast(5, 14) {
		base = tasksOfUser() // older kernels count the user's processes outside too
	}
	p.limits = limits(c.Limits, base)
	return nil
}

// mounts is what the command sees: a system to run programs with, its folders,
// and nothing where hidden places are.
func (p *plan) mounts(c Command, h hiding) {
	var bound []mount
	for _, dir := range system {
		if to, err := os.Readlink(dir); err == nil { // /bin to usr/bin stays a link
			p.args = append(p.args, "--symlink", to, dir)
		} else if _, err := os.Stat(dir); err == nil {
			bound = append(bound, mount{"--ro-bind", dir, dir, rankAsked})
		}
	}
	for _, f := range settings {
		p.args = append(p.args, "--ro-bind-try", f, f)
	}
	mounts := h.hide(append(bound, folders(c)...))
	for _, m := range mounts {
		p.args = append(p.args, m.arguments()...)
	}
	for _, m := range mounts {
		if m.flag == "--tmpfs" { // now that what is shown in it has its place
			p.args = append(p.args, "--remount-ro", m.to)
		}
	}
}

// folders are bound under the names by which they were given as well as their
// real ones. [hiding.hide] puts parents before children, so that neither hides
// the other.
func folders(c Command) []mount {
	var all []mount
	add := func(flag string, paths []string) {
		for _, p := range paths {
			real, err := filepath.EvalSymlinks(p)
			if err != nil {
				continue
			}
			all = append(all, mount{flag, real, real, rankAsked})
			if p = filepath.Clean(p); p != real && !slices.ContainsFunc(system, func(d string) bool { return strings.HasPrefix(p, d+"/") }) {
				all = append(all, mount{flag, real, p, rankAsked})
			}
		}
	}
	add("--ro-bind", c.Reads)
	add("--bind", c.Writes)
	return all
}

// folder is where the command starts.
func (c Command) folder(private string) string {
	if c.Dir != "" {
		return c.Dir
	}
	for _, w := range existing(c.Writes) {
		if st, err := os.Stat(w); err == nil && st.IsDir() {
			return w
		}
	}
	return private
}

func (s *Sandbox) planLandlock(p *plan, c Command, path string) error {
	if v := landlockVersion(); v < landlockABI {
		return moothall.Fail(moothall.CodeUnsupported, "sandbox",
			fmt.Sprintf("this kernel has Landlock ABI %d, and %d is needed", v, landlockABI))
	}
	if err := s.opts.hiding().narrow(existing(slices.Concat(system, settings, c.Reads, c.Writes))); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", Scratch())
	if err != nil {
		return fmt.Errorf("private folder: %w", err)
	}
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return fmt.Errorf("private folder: %w", err)
	}
	p.scratch = scratch
	p.argv = append(slices.Clone(s.opts.Helper), "exec")
	p.tasks++ // the watcher counts with the command, here and for the user
	p.order = order{
		Path: path, Argv: append([]string{path}, c.Argv[1:]...), Env: c.environment(scratch), Dir: c.folder(scratch),
		Reads:  slices.Concat(system, settings, existing(c.Reads)),
		Writes: slices.Concat(devices, []string{scratch}, existing(c.Writes)),
		Limits: limits(c.Limits, tasksOfUser()+1),
	}
	return nil
}

// limits as the kernel counts them. RLIMIT_AS is left alone: language runtimes
// reserve far more address space than they ever use.
func limits(l Limits, baseTasks int) []limit {
	out := []limit{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_DATA, uint64(l.Memory)},
		{unix.RLIMIT_NPROC, uint64(l.Processes + baseTasks)},
		{unix.RLIMIT_FSIZE, uint64(l.FileSize)},
		{unix.RLIMIT_NOFILE, 1024},
		{unix.RLIMIT_MEMLOCK, 0},
		{unix.RLIMIT_MSGQUEUE, 0},
	}
	if l.CPU > 0 {
		out = append(out, limit{unix.RLIMIT_CPU, uint64((l.CPU + time.Second - 1) / time.Second)})
	}
	return slices.DeleteFunc(out, func(l limit) bool { return above(l) })
}

// above reports a limit that the hall itself is not allowed to have: the lower
// one is inherited then.
func above(l limit) bool {
	var now unix.Rlimit
	return unix.Getrlimit(l.Resource, &now) == nil && now.Max < l.rlimit().Max
}

// told returns a descriptor with text in it, in memory only.
func told(name string, text []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if _, err := f.Write(text); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("memory file: %w", err)
	}
	_, err = f.Seek(0, 0)
	return f, err
}

// message is what the first descriptor after the standard ones says.
func (p *plan) message() ([]byte, error) {
	if p.level == Landlock {
		return json.Marshal(p.order)
	}
	args := p.args
	if p.filtered {
		args = append([]string{"--seccomp", "4"}, args...)
	}
	var b bytes.Buffer
	for _, a := range args {
		b.WriteString(a)
		b.WriteByte(0)
	}
	return b.Bytes(), nil
}
