package policy

import (
	"slices"

	"moothall"
)

// The agent types of the default manifest.
const (
	Orchestrator moothall.AgentType = "orchestrator"
	Assistant    moothall.AgentType = "assistant"
	Researcher   moothall.AgentType = "researcher"
	Coder        moothall.AgentType = "coder"
	Sysadmin     moothall.AgentType = "sysadmin"
	Generator    moothall.AgentType = "generator"    // answers in the chat
	RespondentB  moothall.AgentType = "respondent_b" // answers in the shadow: reads, changes and sends nothing
	Persona      moothall.AgentType = "persona"      // a voice of the committee
	Critic       moothall.AgentType = "critic"
)

// DefaultManifest is what a hall begins with. Its paths have to be expanded.
//
// The orchestrator hands tasks out and calls nothing but memory itself; it
// delegates exactly what the types it can spawn may use. Nobody else
// delegates, so that what they spawn has what they have, or less.
func DefaultManifest() Manifest {
	types := taskTypes()
	chief := types[Orchestrator]
	chief.Delegates = union(types, chief.Spawns, chief.Allowed)
	types[Orchestrator] = chief
	for name, t := range frontTypes() {
		types[name] = t
	}
	return Manifest{Types: types, Limits: defaultLimits()}
}

type tools = []moothall.ToolName

// taskTypes are the types that work on tasks.
func taskTypes() map[moothall.AgentType]Type {
	const projects, sandbox, workspace = "~/projects/", "/tmp/agent-sandbox/", "{workspace}/"
	return map[moothall.AgentType]Type{
		Orchestrator: {
			Allowed: tools{"memory_read", "memory_write"},
			Spawns:  []moothall.AgentType{Assistant, Researcher, Coder, Sysadmin},
		},
		Assistant: {
			Allowed: helped("web_search", "memory_read", "memory_write"),
			Spawns:  []moothall.AgentType{Researcher},
		},
		Researcher: {
			Allowed: helped("web_search", "memory_read", "memory_write", "fs_read"),
			Paths:   map[moothall.ToolName][]string{ReadPaths: {projects, sandbox, workspace}},
		},
		Coder: {
			Allowed: helped("fs_read", "fs_write", "run_code", "memory_read", "memory_write", "web_search"),
			Spawns:  []moothall.AgentType{Researcher},
			Paths: map[moothall.ToolName][]string{
				WritePaths: {projects, sandbox, workspace},
				ReadPaths:  {projects, sandbox, workspace},
			},
		},
		Sysadmin: {
			Allowed: helped("fs_read", "fs_write", "run_shell", "package_install", "memory_read"),
			Spawns:  []moothall.AgentType{Coder},
			Paths: map[moothall.ToolName][]string{
				WritePaths: {projects, sandbox, "/etc/managed/"},
				ReadPaths:  {"~/", "/etc/", "/var/log/"},
			},
		},
	}
}

// frontTypes are the types that meet a person's questions.
func frontTypes() map[moothall.AgentType]Type {
	reading := map[moothall.ToolName][]string{ReadPaths: {"~/projects/", "{workspace}/"}}
	return map[moothall.AgentType]Type{
		Generator: {
			Allowed: helped("web_search", "web_fetch", "memory_read", "memory_write", "graph_search", "fs_read", "fs_write",
				"run_code", "calendar_read", "notes_search", "compare_answers"),
			Paths: map[moothall.ToolName][]string{ReadPaths: reading[ReadPaths], WritePaths: {"{workspace}/"}},
		},
		RespondentB: {
			Allowed: helped("memory_read", "graph_search", "fs_read", "calendar_read", "notes_search"),
			Paths:   reading,
		},
		Persona: {Allowed: helped("memory_read", "graph_search")},
		Critic:  {Allowed: helped()},
	}
}

// helped adds what goes without saying: computing harms nobody, and listing
// and searching folders show nothing that reading their files does not.
func helped(names ...moothall.ToolName) tools {
	if slices.Contains(names, "fs_read") {
		names = append(names, "fs_list", "fs_search")
	}
	return append(names, "calculate", "now")
}

// union is what the types of the list may use, without what is had already.
func union(types map[moothall.AgentType]Type, of []moothall.AgentType, had tools) tools {
	var all tools
	for _, name := range of {
		all = append(append(all, types[name].Allowed...), types[name].Delegates...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(n moothall.ToolName) bool { return slices.Contains(had, n) })
}
