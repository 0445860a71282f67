package web

import (
	"context"
	"net/http"
	"slices"

	"moothall"
)

// routes is the whole map of the origin.
func (s *Server) routes(hubLife context.Context) []route {
	table := slices.Concat(s.talkRoutes(), s.judgeRoutes(), s.memoryRoutes(), s.brokerRoutes(), s.taskRoutes(), s.modelRoutes(), s.hallRoutes(hubLife))
	return append(table, route{
		method: "GET", path: "/openapi.json", handle: document(append(table, route{
			method: "GET", path: "/openapi.json", id: "getOpenAPI", group: "hall", about: "This document.", replies: gives[any](),
		})),
		id: "getOpenAPI", group: "hall", about: "This document.", replies: gives[any](),
	})
}

// Parameters that several operations have.
var (
	limitParam   = param{name: "limit", kind: "integer", about: "How many at most, 1 to 1000."}
	beforeParam  = param{name: "before", kind: "date-time", about: "Only what is older than this: the way to the next page."}
	sinceParam   = param{name: "since", kind: "date-time", about: "Only what is newer than this, a time or a day."}
	sessionIDArg = param{name: "session_id", kind: "string", about: "Only of this conversation."}
)

func (s *Server) talkRoutes() []route {
	return []route{
		{
			method: "POST", path: "/query", handle: s.query, id: "ask", group: "talk", body: of[moothall.QueryRequest](),
			about:   "Ask; one object comes at the end, or every step as an event when text/event-stream is accepted.",
			replies: []reply{{status: http.StatusOK, typ: of[moothall.Answer]()}, streams[moothall.Step](append(stepKinds(), "error")...)},
		},
		{method: "DELETE", path: "/query/{id}", handle: s.stopQuery, id: "stopQuery", group: "talk", about: "Stop a query that runs or waits.", replies: nothing()},
		{method: "GET", path: "/sessions", handle: s.sessions, id: "listSessions", group: "talk", about: "List conversations, newest first.", replies: gives[[]moothall.Session]()},
		{
			method: "GET", path: "/sessions/{id}", handle: s.session, id: "getSession", group: "talk", about: "One conversation as the model sees it.",
			query:   []param{{name: "download", kind: "boolean", about: "As a file to keep."}},
			replies: gives[SessionDetail](),
		},
		{method: "PATCH", path: "/sessions/{id}", handle: s.changeSession, id: "renameSession", group: "talk", about: "Give a conversation a name.", body: of[SessionTitle](), replies: nothing()},
		{method: "DELETE", path: "/sessions/{id}", handle: s.changeSession, id: "deleteSession", group: "talk", about: "Delete a conversation and everything in it.", replies: nothing()},
		{method: "POST", path: "/sessions/{id}/compact", handle: s.compact, id: "compactSession", group: "talk", about: "Replace the older part of a conversation by notes on it.", replies: gives[SessionDetail]()},
		{method: "PUT", path: "/sessions/{id}/overrides", handle: s.override, id: "overrideSession", group: "talk", about: "Switch what a conversation may do.", body: of[moothall.Overrides](), replies: gives[moothall.Overrides]()},
	}
}

func (s *Server) judgeRoutes() []route {
	page := []param{limitParam, beforeParam, sinceParam, sessionIDArg, {name: "session", kind: "string", about: "The same as session_id."}, {name: "query_id", kind: "string", about: "Only of this turn."}}
	return []route{
		{method: "POST", path: "/feedback", handle: s.feedback, id: "giveFeedback", group: "judgement", about: "Say what you think of an answer, or take it back.", body: of[moothall.Feedback](), replies: nothing()},
		{method: "GET", path: "/judgements", handle: s.judgements, id: "listJudgements", group: "judgement", about: "What is known of how good answers were, newest first.", query: page, replies: gives[[]moothall.Judgement]()},
		{method: "GET", path: "/critic", handle: s.critic, id: "getCritic", group: "judgement", about: "How far critic and person agree, and the latest judgements.", query: page, replies: gives[CriticPage]()},
		{method: "GET", path: "/respondents", handle: s.respondents, id: "getRespondents", group: "judgement", about: "How models did, by role, and which would do better.", query: []param{sinceParam}, replies: gives[moothall.Report]()},
		{method: "POST", path: "/replay/{query}", handle: s.replay, id: "replay", group: "judgement", about: "Run a recorded turn again, as it was or with something changed.", body: of[ReplayChange](), optional: true, replies: gives[moothall.Replayed]()},
	}
}

func (s *Server) memoryRoutes() []route {
	search := []param{
		limitParam, {name: "q", kind: "string", about: "Search for this; without it entries are listed."},
		{name: "kind", kind: "list", about: "Only of these kinds.", enum: []string{"engram", "fact", "document"}},
		{name: "tag", kind: "list", about: "Only with all of these tags."}, sessionIDArg,
		{name: "proposed", kind: "boolean", about: "List what waits for review instead."},
		{name: "before", kind: "string", about: "List what is older than the entry of this id."},
		{name: "mode", kind: "string", about: "How to search."}, {name: "thread", kind: "string", about: "Only of this dialogue."},
		{name: "source", kind: "string", about: "Only from a source that has this in its name."},
		{name: "trust", kind: "string", about: "Only what is trusted at least so far.", enum: []string{"external", "model", "person"}},
		sinceParam, {name: "until", kind: "date-time", about: "Only what is older than this."},
		{name: "stages", kind: "boolean", about: "Also the candidates of each stage of a search."},
		{name: "whole", kind: "boolean", about: "Whole texts instead of the part that answers."},
	}
	return []route{
		{
			method: "GET", path: "/memories", handle: s.memories, id: "listMemories", group: "memory", query: search,
			about:   "List memories, newest first; with q, search them.",
			replies: []reply{{status: http.StatusOK, typ: of[memories]()}},
		},
		{method: "POST", path: "/memories", handle: s.remember, id: "remember", group: "memory", about: "Remember something.", body: of[NewMemory](), replies: []reply{{status: http.StatusCreated, typ: of[moothall.MemoryEntry]()}}},
		{method: "POST", path: "/memories/import", handle: s.importLines, id: "importMemories", group: "memory", about: "Remember what JSON lines say, as the command of that name does. A large file comes in pieces of whole lines.", body: of[MemoryLine](), lines: true, replies: gives[MemoryImported]()},
		{method: "GET", path: "/export/{what}", handle: s.export, id: "export", group: "memory", about: "Everything remembered as a file: memories, graph or graphml.", replies: []reply{{status: http.StatusOK, media: mediaLines}, {status: http.StatusOK, typ: of[any]()}, {status: http.StatusOK, media: "application/xml"}}},
		{method: "GET", path: "/memories/{id}", handle: s.memory, id: "getMemory", group: "memory", about: "One entry, and what it is linked to without the texts.", replies: gives[moothall.MemoryDetail]()},
		{method: "DELETE", path: "/memories/{id}", handle: s.forget, id: "forget", group: "memory", about: "Forget an entry and everything made from it; the answer lists what is gone.", replies: gives[[]moothall.MemoryID]()},
		{method: "POST", path: "/memories/{id}/review", handle: s.review, id: "reviewMemory", group: "memory", about: "Accept or reject what was proposed.", body: of[MemoryReview](), replies: nothing()},
		{
			method: "GET", path: "/graph", handle: s.graph, id: "getGraph", group: "memory", about: "Facts of the knowledge graph.",
			query: []param{
				{name: "name", kind: "list", about: "About these."}, {name: "location", kind: "list", about: "At these places."}, {name: "q", kind: "string", about: "About what this text names."},
				{name: "depth", kind: "integer", about: "How many steps away; 1 when absent."}, {name: "history", kind: "boolean", about: "Also what was and is no more."},
			},
			replies: gives[[]moothall.GraphFact](),
		},
	}
}

func (s *Server) brokerRoutes() []route {
	return []route{
		{method: "GET", path: "/tools", handle: s.tools, id: "listTools", group: "tools", about: "Every tool that there is.", replies: gives[[]moothall.ToolSpec]()},
		{method: "POST", path: "/tools/{name}/check", handle: s.checkTool, id: "checkTool", group: "tools", about: "Say what the broker would decide about a call; nothing is executed.", body: of[ToolCheck](), replies: gives[moothall.Decision]()},
		{method: "GET", path: "/approvals/{id}/preview", handle: s.preview, id: "previewApproval", group: "tools", about: "What the call of an open question would do to a file.", replies: gives[moothall.Preview]()},
		{
			method: "GET", path: "/approvals", handle: s.approvals, id: "listApprovals", group: "tools", about: "The open questions to the person.",
			query: []param{{name: "all", kind: "boolean", about: "Also the answered ones."}, sessionIDArg}, replies: gives[[]moothall.Approval](),
		},
		{method: "POST", path: "/approvals/{id}", handle: s.decide, id: "decideApproval", group: "tools", about: "Answer a question.", body: of[ApprovalReply](), replies: gives[moothall.Approval]()},
	}
}

func (s *Server) taskRoutes() []route {
	return []route{
		{method: "GET", path: "/tasks", handle: s.tasks, id: "listTasks", group: "tasks", about: "List tasks, newest first.", replies: gives[[]moothall.Task]()},
		{method: "POST", path: "/tasks", handle: s.newTask, id: "beginTask", group: "tasks", about: "Begin a task; it goes on when the request is over.", body: of[moothall.QueryRequest](), replies: []reply{{status: http.StatusAccepted, typ: of[moothall.Task]()}}},
		{method: "GET", path: "/tasks/{id}", handle: s.task, id: "getTask", group: "tasks", about: "One task.", replies: gives[moothall.Task]()},
		{method: "POST", path: "/tasks/{id}", handle: s.controlTask, id: "controlTask", group: "tasks", about: "Pause, resume, stop or approve a task, or say something to it.", body: of[TaskOrder](), replies: gives[moothall.Task]()},
	}
}

func (s *Server) modelRoutes() []route {
	return []route{
		{method: "GET", path: "/models", handle: s.models, id: "listModels", group: "models", about: "The models that there are, and which does what.", replies: gives[ModelList]()},
		{method: "PUT", path: "/models/{role}", handle: s.bindModel, id: "bindModel", group: "models", about: "Choose the model of a role, from now on.", body: of[ModelChoice](), replies: gives[moothall.ModelBinding]()},
		{method: "POST", path: "/models/pull", handle: s.pullModel, id: "pullModel", group: "models", about: "Fetch a model.", body: of[ModelName](), replies: []reply{streams[moothall.Progress]("progress", "done", "error")}},
		{method: "POST", path: "/models/probe", handle: s.probeModel, id: "probeModel", group: "models", about: "Try out what a model can do.", body: of[ModelName](), replies: gives[moothall.ModelCard]()},
	}
}

func (s *Server) hallRoutes(hubLife context.Context) []route {
	health := []reply{{status: http.StatusOK, typ: of[Health]()}, {status: http.StatusServiceUnavailable, typ: of[Health]()}}
	table := []route{
		{method: "GET", path: "/health", handle: s.health, id: "getHealth", group: "hall", about: "How the hall is; 503 when something is wrong.", replies: health},
		{method: "GET", path: "/doctor", handle: s.doctor, id: "getFindings", group: "hall", about: "What the doctor finds, with what to do about it.", replies: gives[[]moothall.Finding]()},
		{method: "GET", path: "/keyring", handle: s.keyring, id: "getKeyring", group: "hall", about: "The names that the configuration uses of the keyring, and whether they are there; never a value.", replies: gives[moothall.Keyring]()},
		{method: "GET", path: "/search/engines", handle: s.engines, id: "listSearchEngines", group: "hall", about: "The ways to search the web, and what is missing for each.", replies: gives[[]moothall.SearchEngine]()},
		{method: "GET", path: "/participants", handle: s.participants, id: "listParticipants", group: "hall", about: "The parts of the hall with their settings.", replies: gives[[]moothall.Participant]()},
		{method: "GET", path: "/participants/{name}", handle: s.participant, id: "getParticipant", group: "hall", about: "One part of the hall.", replies: gives[moothall.Participant]()},
		{method: "PUT", path: "/participants/{name}", handle: s.configure, id: "configureParticipant", group: "hall", about: "Change settings of a part; its schema says what they are, and what is left out stays.", body: of[settings](), replies: gives[moothall.Participant]()},
		{
			method: "GET", path: "/events", id: "watchEvents", group: "hall", about: "What happens, as it happens. A Last-Event-ID header resumes after that event.",
			handle: func(w http.ResponseWriter, r *http.Request) {
				s.start.Do(func() { s.work.Go(func() { s.hub.run(hubLife, s.opt.Client) }) })
				s.events(w, r)
			},
			query: []param{
				{name: "subjects", kind: "list", about: "Only these subjects or families."}, {name: "session", kind: "string", about: "Only of this conversation."},
				{name: "after", kind: "string", about: "Begin after the event with this id."}, {name: "replay", kind: "boolean", about: "Begin with the oldest event that is kept."},
				{name: "mark", kind: "boolean", about: "Send an event named mark once everything older has been sent."},
			},
			replies: []reply{streams[moothall.Event]("message", "mark")},
		},
	}
	if s.opt.Metrics != nil {
		table = append(table, route{method: "GET", path: "/metrics", handle: s.opt.Metrics.ServeHTTP, id: "getMetrics", group: "hall", about: "Counters for Prometheus.", replies: []reply{{status: http.StatusOK, media: "text/plain"}}})
	}
	if !s.opt.Headless {
		show := page().ServeHTTP
		table = append(table,
			route{method: "GET", path: "/{$}", handle: show, id: "getPage", group: "page", about: "The page.", replies: []reply{{status: http.StatusOK, media: "text/html"}}},
			route{method: "GET", path: "/page/{file...}", handle: show, id: "getPageFile", group: "page", about: "A part of the page.", replies: []reply{{status: http.StatusOK, media: "*/*"}}})
	}
	return table
}
