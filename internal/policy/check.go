package policy

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// Problem is something in a manifest that a person should look at.
type Problem struct {
	Where   string // like "agent_types.coder.allowed_tools[3]"
	Message string
	Remedy  string
	Warning bool // the hall can start with it
}

// Check finds what is wrong with a manifest whose paths are expanded, in a
// stable order. Tools is what is registered; exists, which may be nil, says
// whether a path is there.
//
// Errors are unknown tools, unknown types, types that can come to spawn
// themselves, and paths that are not absolute. Warnings are paths that do not
// exist, tools for files without a list of folders, and unknown tools named
// mcp_ or bus_: those come with a server that may not be there yet.
func (m Manifest) Check(tools []moothall.ToolSpec, exists func(path string) bool) []Problem {
	c := checker{m: m, tools: map[moothall.ToolName]*moothall.ToolSpec{}, exists: exists}
	for i := range tools {
		for _, n := range append([]moothall.ToolName{tools[i].Name}, tools[i].Aliases...) {
			c.tools[n] = &tools[i]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Types)) {
		c.row(name, m.Types[name])
	}
	return c.found
}

type checker struct {
	m      Manifest
	tools  map[moothall.ToolName]*moothall.ToolSpec
	exists func(string) bool
	found  []Problem
}

func (c *checker) row(name moothall.AgentType, t Type) {
	where := "agent_types." + string(name)
	if name == "" {
		c.found = append(c.found, Problem{Where: "agent_types", Message: "an agent type has no name", Remedy: "give it one"})
	}
	for i, n := range t.Allowed {
		c.tool(fmt.Sprintf("%s.allowed_tools[%d]", where, i), n)
	}
	for i, n := range t.Delegates {
		c.tool(fmt.Sprintf("%s.delegates[%d]", where, i), n)
	}
	for i, s := range t.Spawns {
		c.spawn(fmt.Sprintf("%s.can_spawn[%d]", where, i), name, s)
	}
	for _, key := range slices.Sorted(maps.Keys(t.Paths)) {
		at := where + ".allowed_paths." + string(key)
		if key != ReadPaths && key != WritePaths {
			c.tool(at, key)
		}
		for i, p := range t.Paths[key] {
			c.path(fmt.Sprintf("%s[%d]", at, i), p)
		}
	}
	c.lists(where, t)
}

func (c *checker) tool(where string, n moothall.ToolName) {
	if _, ok := c.tools[n]; ok {
		return
	}
	p := Problem{Where: where, Message: fmt.Sprintf("there is no tool %q", n)}
	if strings.HasPrefix(string(n), "mcp_") || strings.HasPrefix(string(n), "bus_") {
		p.Warning = true
		p.Message += " at the moment"
		p.Remedy = "start what brings it, or take the name out"
	} else {
		p.Remedy = didYouMean(n, maps.Keys(c.tools))
	}
	c.found = append(c.found, p)
}

func (c *checker) spawn(where string, parent, child moothall.AgentType) {
	if _, ok := c.m.Types[child]; !ok {
		c.found = append(c.found, Problem{
			Where: where, Message: fmt.Sprintf("there is no agent type %q", child), Remedy: didYouMean(child, maps.Keys(c.m.Types)),
		})
		return
	}
	if way := c.way(child, parent); way != nil {
		c.found = append(c.found, Problem{
			Where: where, Message: fmt.Sprintf("%s can come to spawn itself: %s", parent, arrows(parent, way)),
			Remedy: "take one of them out of the other's can_spawn",
		})
	}
}

// way returns a chain of spawns from one type to another, both included, or
// nil.
func (c *checker) way(from, to moothall.AgentType) []moothall.AgentType {
	before := map[moothall.AgentType]moothall.AgentType{from: ""}
	for queue := []moothall.AgentType{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			var out []moothall.AgentType
			for at := to; at != from; at = before[at] {
				out = append(out, at)
			}
			slices.Reverse(out)
			return append([]moothall.AgentType{from}, out...)
		}
		for _, next := range c.m.Types[queue[0]].Spawns {
			if _, seen := before[next]; !seen {
				before[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func arrows(first moothall.AgentType, rest []moothall.AgentType) string {
	parts := []string{string(first)}
	for _, t := range rest {
		parts = append(parts, string(t))
	}
	return strings.Join(parts, " > ")
}

func (c *checker) path(where, p string) {
	switch {
	case !filepath.IsAbs(p):
		c.found = append(c.found, Problem{
			Where: where, Message: fmt.Sprintf("%q is not an absolute path", p), Remedy: `begin it with /, "~/" or "{workspace}/"`,
		})
	case c.exists != nil && !c.exists(p):
		c.found = append(c.found, Problem{
			Where: where, Message: fmt.Sprintf("%q does not exist", p), Remedy: "make the folder, or take it out", Warning: true,
		})
	}
}

// lists warns of a tool for files that could touch none.
func (c *checker) lists(where string, t Type) {
	for i, n := range t.Allowed {
		spec := c.tools[n]
		if spec == nil || t.Paths[n] != nil || t.Paths[spec.Name] != nil {
			continue
		}
		for _, p := range spec.Paths {
			if key := moothall.ToolName(accessKey(p.Access)); t.Paths[key] == nil {
				c.found = append(c.found, Problem{
					Where:   fmt.Sprintf("%s.allowed_tools[%d]", where, i),
					Message: fmt.Sprintf("%s can touch nothing: there is no list of folders to %s", n, verb(p.Access)),
					Remedy:  "add " + where + ".allowed_paths." + string(key), Warning: true,
				})
				break
			}
		}
	}
}
