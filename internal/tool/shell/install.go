package shell

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"moothall"
)

// packageTool is package_install.
type packageTool struct{ s *Shell }

var _ moothall.Tool = (*packageTool)(nil)

// Spec of package_install.
func (t *packageTool) Spec() moothall.ToolSpec {
	return t.s.spec("package_install",
		"Installs a package into the agent's own folder, for run_code and run_shell. There is no network: "+
			"only packages that the person has put into the hall's packages folder can be installed, and no install scripts run.",
		`{"type":"object","properties":{"manager":{"type":"string","enum":["pip","npm","go","apt"]},`+
			`"package":{"type":"string","minLength":1,"maxLength":200,"description":`+
			quoted("a name, with a version if needed: name==1.0 (pip), name@1.0 (npm), module@v1.0.0 (go), name=1.0 (apt)")+`}},`+
			`"required":["manager","package"],"additionalProperties":false}`)
}

// Run installs one package. What is not there is a failed result that says
// what the person can do.
func (t *packageTool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	a, err := arguments[struct{ Manager, Package string }](r)
	if err != nil {
		return moothall.ToolResult{}, err
	}
	if !slices.Contains(managers, a.Manager) {
		return failed(r, fmt.Sprintf("There is no manager %q. There is: %s.", a.Manager, strings.Join(managers, ", "))), nil
	}
	w, ok := parseName(a.Manager, a.Package)
	if !ok {
		return failed(r, fmt.Sprintf("%q is no package name for %s. Options, URLs and paths are refused.", a.Package, a.Manager)), nil
	}
	if workFolder(r) == "" {
		return failed(r, "This agent has no folder of its own to install into."), nil
	}
	if t.s.packages == "" {
		return failed(r, "The sandbox has no network and this hall has no packages folder, so nothing can be installed. The person can set one in the configuration and fill it."), nil
	}
	j, problem := t.s.install(w, folder(workFolder(r), folderName(w.manager)))
	if problem != "" {
		return failed(r, problem), nil
	}
	return t.s.run(ctx, r, j)
}

// folderName is where a manager's packages go: pip's are named by language,
// since code looks for them.
func folderName(manager string) string {
	if manager == "pip" {
		return "python"
	}
	return manager
}

// install makes the job, or says in words why there is none.
func (s *Shell) install(w wanted, target string) (Job, string) {
	program := map[string]string{"pip": "python3", "npm": "npm", "go": "go", "apt": "dpkg-deb"}[w.manager]
	path, err := s.runner.Look(program)
	if err != nil {
		return Job{}, fmt.Sprintf("%s is not in the sandbox, so %s packages cannot be installed.", program, w.manager)
	}
	file, ok := s.find(w)
	if !ok {
		return Job{}, s.missing(w)
	}
	j := Job{Reads: []string{s.packages}}
	switch w.manager {
	case "pip":
		j.Argv = []string{path, "-m", "pip", "install", "--no-index", "--find-links", s.packages, "--only-binary", ":all:",
			"--no-cache-dir", "--no-compile", "--disable-pip-version-check", "--no-input", "--upgrade", "--target", target, pipName(w)}
		j.Env = map[string]string{"PIP_CONFIG_FILE": os.DevNull}
	case "npm":
		j.Argv = []string{path, "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefix", target, file}
	case "go":
		version := w.version
		if version == "" {
			version = "latest"
		}
		j.Argv = []string{path, "install", w.name + "@" + version}
		j.Env = map[string]string{
			"GOPROXY": "file://" + filepath.Join(s.packages, "go"), "GOSUMDB": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-modcacherw",
			"GOBIN": filepath.Join(target, "bin"), "GOMODCACHE": filepath.Join(target, "mod"), "CGO_ENABLED": "0", "GOTELEMETRY": "off",
		}
	case "apt":
		// Unpacked only: maintainer scripts want a whole system, and root. The
		// folder is made inside, where a link cannot lead out.
		j.Argv = []string{"sh", "-s", "--", target, path, file}
		j.Stdin = strings.NewReader(`mkdir -p -- "$1" && exec "$2" -x "$3" "$1" </dev/null` + "\n")
	}
	return j, ""
}

func pipName(w wanted) string {
	if w.version == "" {
		return w.name
	}
	return w.name + "==" + w.version
}

// missing says what the person can do, in the words of the manager.
func (s *Shell) missing(w wanted) string {
	how := map[string]string{
		"pip": "pip download --dest FOLDER " + pipName(w),
		"npm": "npm pack " + w.name + " (in that folder)",
		"go":  "copying the module's proxy files into FOLDER/go",
		"apt": "apt-get download " + w.name + " (in that folder)",
	}[w.manager]
	return fmt.Sprintf("There is no %s package %s in the hall's packages folder, and the sandbox has no network by design. "+
		"The person can fetch it on their own machine, with %s, and then this call can be repeated.", w.manager, w.name, how)
}

var dashes = regexp.MustCompile(`[-_.]+`)

// find looks for the file of a package in the packages folder, that of the
// newest version if there are several.
func (s *Shell) find(w wanted) (string, bool) {
	if w.manager == "go" {
		return s.module(w.name)
	}
	list, err := os.ReadDir(s.packages)
	if err != nil {
		return "", false
	}
	newest, latest := "", ""
	for _, d := range list {
		if version, ok := w.holds(d.Name()); ok && d.Type().IsRegular() && (newest == "" || w.later(version, latest)) {
			newest, latest = d.Name(), version
		}
	}
	return filepath.Join(s.packages, newest), newest != ""
}

// later reports whether version a comes after b: by the rules of npm, or by
// Debian's, which serve pip's as well.
func (w wanted) later(a, b string) bool {
	if w.manager == "npm" {
		return semver.Compare("v"+a, "v"+b) > 0
	}
	return compareDebian(a, b) > 0
}

var versionPart = regexp.MustCompile(`[0-9]+|[^0-9]`)

func compareDebian(a, b string) int {
	x, y := debianParts(a), debianParts(b)
	for i := range max(len(x), len(y)) {
		var p, q string // past the end: empty
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		p, q = strings.TrimLeft(p, "0"), strings.TrimLeft(q, "0")
		if c := cmp.Or(cmp.Compare(rank(p), rank(q)), cmp.Compare(len(p), len(q)), strings.Compare(p, q)); c != 0 {
			return c
		}
	}
	return 0
}

// debianParts divides a version into its numbers and the letters between them.
// The number before a colon, which a file's name has as %3a, counts first.
func debianParts(version string) []string {
	epoch, rest, ok := strings.Cut(version, "%3a")
	if !ok {
		epoch, rest = "0", version
	}
	return append([]string{epoch}, versionPart.FindAllString(rest, -1)...)
}

// rank puts "~" before the end of a version, and that and numbers before
// letters, and those before all other signs.
func rank(part string) int {
	switch {
	case part == "~":
		return 0
	case part == "" || part[0] >= '0' && part[0] <= '9':
		return 1
	case part[0] >= 'A' && part[0] <= 'Z' || part[0] >= 'a' && part[0] <= 'z':
		return 2
	}
	return 3
}

// module looks for the module of a Go package, which may lie below it. In a
// proxy's folders capital letters are written as "!" and the small one.
func (s *Shell) module(name string) (string, bool) {
	for ; name != "."; name = path.Dir(name) {
		escaped, err := module.EscapePath(name)
		if err != nil {
			continue
		}
		dir := filepath.Join(s.packages, "go", filepath.FromSlash(escaped))
		if _, err := os.Stat(filepath.Join(dir, "@v")); err == nil {
			return dir, true
		}
	}
	return "", false
}

// holds gives the version of the package that a file of this name holds, if
// it holds it and the version is wanted.
func (w wanted) holds(file string) (version string, ok bool) {
	switch w.manager {
	case "pip":
		name, rest, cut := strings.Cut(strings.TrimSuffix(file, ".whl"), "-")
		version, _, _ = strings.Cut(rest, "-")
		ok = cut && strings.HasSuffix(file, ".whl") && strings.EqualFold(dashes.ReplaceAllString(name, "-"), dashes.ReplaceAllString(w.name, "-"))
	case "npm":
		stem := strings.ReplaceAll(strings.TrimPrefix(w.name, "@"), "/", "-") + "-"
		version, ok = strings.CutPrefix(strings.TrimSuffix(file, ".tgz"), stem)
		ok = ok && strings.HasSuffix(file, ".tgz") && version != "" && version[0] >= '0' && version[0] <= '9'
	case "apt":
		version, ok = strings.CutPrefix(file, w.name+"_")
		version, _, _ = strings.Cut(version, "_")
		ok = ok && strings.HasSuffix(file, ".deb")
	}
	return version, ok && (w.version == "" || version == strings.ReplaceAll(w.version, ":", "%3a"))
}
