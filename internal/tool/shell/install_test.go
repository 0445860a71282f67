package shell_test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/shell"
)

func TestInstallNames(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		manager, text string
		ok            bool
	}{
		{"pip", "requests", true}, {"pip", "ruamel.yaml==0.18", true}, {"pip", "x", true},
		{"pip", "--index-url=http://x", false}, {"pip", "-r", false}, {"pip", "./x", false}, {"pip", "/etc/passwd", false},
		{"pip", "git+https://x/y", false}, {"pip", "a b", false}, {"pip", "a;b", false}, {"pip", "a\n-r", false}, {"pip", "name @ file:///x", false}, {"pip", "a[b]", false}, {"pip", "", false},
		{"npm", "left-pad", true}, {"npm", "@scope/name@1.2.3", true}, {"npm", "file:../x", false}, {"npm", "user/repo", false},
		{"npm", "--global", false}, {"npm", "@../x", false}, {"npm", "a@file:x", false}, {"npm", "https://x/y.tgz", false},
		{"go", "example.org/tool/cmd@v1.2.3", true}, {"go", "example.org/tool", true}, {"go", "./cmd", false}, {"go", "-x", false}, {"go", "example.org/../x", false}, {"go", "fmt", false},
		{"apt", "curl", true}, {"apt", "libc++1=1:14.0", true}, {"apt", "curl/stable", false}, {"apt", "-y", false}, {"apt", "./x.deb", false}, {"apt", "Curl", false},
		{"brew", "x", false},
	} {
		if _, _, ok := shell.ParseName(tc.manager, tc.text); ok != tc.ok {
			t.Errorf("%s %q: %v, want %v", tc.manager, tc.text, ok, tc.ok)
		}
	}
}

func FuzzParseName(f *testing.F) {
	for _, s := range []string{"requests==1.0", "@a/b@1", "example.org/x@v1", "a=1", "-r", "../x", "a b", "http://x"} {
		for i := range shell.Managers() {
			f.Add(i, s)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		manager := shell.Managers()[uint(i)%uint(len(shell.Managers()))]
		name, version, ok := shell.ParseName(manager, text)
		if !ok {
			return
		}
		for _, s := range []string{name, version} {
			if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".") ||
				strings.Contains(s, "..") || strings.Contains(s, "//") || strings.ContainsAny(s, " \t\n\x00;|&$`\\'\"<>()[]") {
				t.Errorf("%s %q passed as %q %q", manager, text, name, version)
			}
		}
	})
}

func TestInstallRefusals(t *testing.T) {
	t.Parallel()
	f := &fake{programs: []string{"python3", "npm", "go", "dpkg-deb"}}
	empty := t.TempDir()
	with, without := shell.New(f, shell.Options{Packages: empty}), shell.New(f, shell.Options{})
	for name, tc := range map[string]struct {
		s             *shell.Shell
		manager, pkg  string
		writes, words []string
	}{
		"no such manager":    {with, "brew", "x", []string{empty}, []string{"brew", "pip, npm, go, apt"}},
		"an option":          {with, "pip", "--target=/", []string{empty}, []string{"no package name"}},
		"no folder":          {with, "pip", "requests", nil, []string{"no folder"}},
		"no packages folder": {without, "pip", "requests", []string{empty}, []string{"no network", "packages folder"}},
		"pip missing":        {with, "pip", "requests", []string{empty}, []string{"no network", "pip download", "requests"}},
		"npm missing":        {with, "npm", "@a/b", []string{empty}, []string{"no network", "npm pack @a/b"}},
		"go missing":         {with, "go", "example.org/x", []string{empty}, []string{"no network"}},
		"apt missing":        {with, "apt", "curl", []string{empty}, []string{"no network", "apt-get download curl"}},
	} {
		t.Run(name, func(t *testing.T) {
			res := call(t, tc.s, "package_install", map[string]string{"manager": tc.manager, "package": tc.pkg}, tc.writes...)
			if res.Status != moothall.CallFailed {
				t.Errorf("%+v", res)
			}
			contains(t, res.Text, tc.words...)
		})
	}
	if len(f.jobs) != 0 {
		t.Errorf("%d programs were run", len(f.jobs))
	}
}

// TestInstallFindsModules: the folders of a module proxy are named in small
// letters, and a command may lie below its module.
func TestInstallFindsModules(t *testing.T) {
	t.Parallel()
	packages, work := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(packages, "go/example.org/!one!two/tools/@v"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]moothall.CallStatus{
		"example.org/OneTwo/tools@v1.0.0":          moothall.CallOK,
		"example.org/OneTwo/tools/cmd/Show@latest": moothall.CallOK,
		"example.org/onetwo/tools":                 moothall.CallFailed,
		"example.org/OneTwo":                       moothall.CallFailed,
		"example.org/OneTwo/other":                 moothall.CallFailed,
	} {
		s := shell.New(&fake{programs: []string{"go"}}, shell.Options{Packages: packages})
		if res := call(t, s, "package_install", map[string]string{"manager": "go", "package": name}, work); res.Status != want {
			t.Errorf("%s: %s, %s", name, res.Status, res.Text)
		}
	}
}

// TestInstallTakesTheNewest: of several versions that lie there, by number and
// not by letter.
func TestInstallTakesTheNewest(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		manager, pkg string
		files        []string // in order, the newest last
	}{
		{"npm", "left-pad", []string{"left-pad-1.9.0.tgz", "left-pad-1.10.0-rc.1.tgz", "left-pad-1.10.0-rc.10.tgz", "left-pad-1.10.0.tgz"}},
		{"apt", "curl", []string{"curl_7.9.1_amd64.deb", "curl_7.88~rc1_amd64.deb", "curl_7.88_amd64.deb", "curl_7.88.1-9_amd64.deb", "curl_7.88.1-10_amd64.deb",
			"curl_7.88.1-10+deb12u2_amd64.deb", "curl_1%3a2.0_amd64.deb"}},
	} {
		packages, work := t.TempDir(), t.TempDir()
		for i, file := range tc.files {
			if err := os.WriteFile(filepath.Join(packages, file), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			f := &fake{programs: []string{"npm", "dpkg-deb"}}
			call(t, shell.New(f, shell.Options{Packages: packages}), "package_install", map[string]string{"manager": tc.manager, "package": tc.pkg}, work)
			if len(f.jobs) != 1 || filepath.Base(f.jobs[0].Argv[len(f.jobs[0].Argv)-1]) != file {
				t.Errorf("%s of %q: %+v", tc.manager, tc.files[:i+1], f.jobs)
			}
		}
	}
}

// TestInstall really installs, in each real sandbox, and uses what it got.
func TestInstall(t *testing.T) {
	eachLevel(t, func(t *testing.T, r shell.Runner) {
		packages := t.TempDir()
		wheel(t, filepath.Join(packages, "moot_probe-1.0-py3-none-any.whl"))
		tarball(t, filepath.Join(packages, "moot-probe-1.0.0.tgz"))
		s := shell.New(r, shell.Options{Packages: packages, Wall: time.Minute})
		for _, tc := range []struct{ manager, program, pkg, language, code string }{
			{"pip", "python3", "moot-probe==1.0", "python", "import moot_probe; print(moot_probe.answer())"},
			{"npm", "npm", "moot-probe", "javascript", "console.log(require('moot-probe')())"},
		} {
			t.Run(tc.manager, func(t *testing.T) {
				if _, err := r.Look(tc.program); err != nil {
					moottest.Cannot(t, "the sandbox has no "+tc.program)
				}
				if tc.manager == "pip" && exec.CommandContext(t.Context(), "/usr/bin/python3", "-m", "pip", "--version").Run() != nil {
					moottest.Cannot(t, "the system's Python has no pip")
				}
				work := t.TempDir()
				res := call(t, s, "package_install", map[string]string{"manager": tc.manager, "package": tc.pkg}, work)
				if res.Status != moothall.CallOK {
					t.Fatal(res.Text)
				}
				res = call(t, s, "run_code", map[string]string{"language": tc.language, "code": tc.code}, work)
				contains(t, res.Text, "forty-two")
			})
		}
	})
}

// TestInstallDebian unpacks a Debian package and runs none of its scripts.
func TestInstallDebian(t *testing.T) {
	eachLevel(t, func(t *testing.T, r shell.Runner) {
		if _, err := r.Look("dpkg-deb"); err != nil {
			moottest.Cannot(t, "the sandbox has no dpkg-deb")
		}
		packages, tree, work := t.TempDir(), t.TempDir(), t.TempDir()
		for name, text := range map[string]string{
			"DEBIAN/control": "Package: moot-probe\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: none\n",
			"usr/share/moot": "forty-two\n",
		} {
			p := filepath.Join(tree, name)
			if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.CommandContext(t.Context(), "dpkg-deb", "--root-owner-group", "-b", tree, filepath.Join(packages, "moot-probe_1.0_all.deb")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		s := shell.New(r, shell.Options{Packages: packages})
		res := call(t, s, "package_install", map[string]string{"manager": "apt", "package": "moot-probe"}, work)
		if res.Status != moothall.CallOK {
			t.Fatal(res.Text)
		}
		res = call(t, s, "run_shell", map[string]string{"command": "cat packages/apt/usr/share/moot"}, work)
		contains(t, res.Text, "forty-two")
	})
}

func wheel(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, e := range [][2]string{
		{"moot_probe.py", "def answer():\n    return 'forty-two'\n"},
		{"moot_probe-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: moot-probe\nVersion: 1.0\n"},
		{"moot_probe-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"moot_probe-1.0.dist-info/RECORD", "moot_probe.py,,\nmoot_probe-1.0.dist-info/METADATA,,\nmoot_probe-1.0.dist-info/WHEEL,,\nmoot_probe-1.0.dist-info/RECORD,,\n"},
	} {
		w, err := z.Create(e[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func tarball(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gz := gzip.NewWriter(f)
	tw := tar.NewWriter(gz)
	for _, e := range [][2]string{
		{"package/package.json", `{"name":"moot-probe","version":"1.0.0","main":"i.js","scripts":{"postinstall":"exit 1"}}`},
		{"package/i.js", "module.exports = () => 'forty-two'\n"},
	} {
		if err := tw.WriteHeader(&tar.Header{Name: e[0], Mode: 0o644, Size: int64(len(e[1])), ModTime: time.Unix(1e9, 0)}); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(e[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
}
