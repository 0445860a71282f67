// Typecheck reports what would not compile on other systems, tests included,
// without compiling: that takes seconds where a build takes minutes, most of
// them for libraries in which nothing can be wrong.
//
//	typecheck linux/arm64 darwin/arm64
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	bad := 0
	for _, system := range os.Args[1:] {
		found, err := check(system)
		for _, e := range found {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, e)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
		}
		if err != nil || len(found) > 0 {
			bad++
		}
	}
	if bad > 0 || len(os.Args) == 1 {
		os.Exit(1)
	}
}

// pkg is what the go command says of a package.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string // from what is written in a file to what is meant
	DepOnly         bool
	Module          *struct{ GoVersion string }
}

// check looks at all packages of the current module. Of those that they need
// it reads declarations only.
func check(system string) (found []error, err error) {
	goos, arch, ok := strings.Cut(system, "/")
	if !ok {
		return nil, errors.New("a system is named as linux/arm64")
	}
	cmd := exec.Command("go", "list", "-test", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,DepOnly,Module", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	known := checked{"unsafe": types.Unsafe}
	seen := 0
	for d := json.NewDecoder(out); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, errors.Join(err, cmd.Wait())
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // the latter is written by the go command
		}
		found = append(found, known.add(p, arch)...)
		if !p.DepOnly {
			seen++
		}
	}
	if err := cmd.Wait(); err != nil {
		return found, err
	}
	if seen == 0 {
		return found, errors.New("there are no packages here")
	}
	return found, nil
}

// checked are packages by their full name, each after what it needs.
type checked map[string]*types.Package

func (c checked) add(p pkg, arch string) (found []error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		files = append(files, f)
	}
	conf := types.Config{
		Importer: importer{c, p.ImportMap}, Sizes: types.SizesFor("gc", arch), IgnoreFuncBodies: p.DepOnly,
		Error: func(err error) { found = append(found, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ") // the rest says of which test
	c[p.ImportPath], _ = conf.Check(path, fset, files, nil)
	if p.DepOnly {
		return nil // what matters of them shows in ours
	}
	return found
}

// importer finds what a package imports.
type importer struct {
	checked checked
	names   map[string]string
}

// Import implements [types.Importer].
func (i importer) Import(path string) (*types.Package, error) {
	if full, ok := i.names[path]; ok {
		path = full
	}
	if p := i.checked[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s was not listed", path)
}
