package shell

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"

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

// find looks for the file of a package in the packages folder; the last in
// order of name is taken.
func (s *Shell) find(w wanted) (string, bool) {
	if w.manager == "go" {
		return s.module(w.name)
	}
	list, err := os.ReadDir(s.packages)
	if err != nil {
		return "", false
	}
	for _, d := range slices.Backward(list) {
		if d.Type().IsRegular() && w.is(d.Name()) {
			return filepath.Join(s.packages, d.Name()), true
		}
	}
	return "", false
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

// is reports whether a file of this name holds the package.
func (w wanted) is(file string) bool {
	switch w.manager {
	case "pip":
		name, rest, ok := strings.Cut(strings.TrimSuffix(file, ".whl"), "-")
		version, _, _ := strings.Cut(rest, "-")
		return ok && strings.HasSuffix(file, ".whl") && (w.version == "" || version == w.version) &&
			strings.EqualFold(dashes.ReplaceAllString(name, "-"), dashes.ReplaceAllString(w.name, "-"))
	case "npm":
		stem := strings.ReplaceAll(strings.TrimPrefix(w.name, "@"), "/", "-") + "-"
		version, ok := strings.CutPrefix(strings.TrimSuffix(file, ".tgz"), stem)
		return ok && strings.HasSuffix(file, ".tgz") && version != "" && version[0] >= '0' && version[0] <= '9' && (w.version == "" || version == w.version)
	case "apt":
		version, ok := strings.CutPrefix(file, w.name+"_")
		version, _, _ = strings.Cut(version, "_")
		return ok && strings.HasSuffix(file, ".deb") && (w.version == "" || strings.ReplaceAll(w.version, ":", "%3a") == version)
	}
	return false
}
