package web

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/moottest"
)

// metrics stands for the daemon's.
func metrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write([]byte("moothall_up 1\n"))
	})
}

func documented(t *testing.T, s *served) map[string]any {
	t.Helper()
	var doc map[string]any
	s.want(200, "GET", "/openapi.json", "").into(t, &doc)
	return doc
}

func at(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// TestDocumentAndMux walks the routes and the document, each against the
// other, and asks the mux itself who would answer.
func TestDocumentAndMux(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{Metrics: metrics()}, {Headless: true}} {
		s := serve(t, o)
		doc := documented(t, s)
		table := s.server.routes(t.Context())
		mux := s.server.mux(table).(*http.ServeMux)
		ids := map[string]bool{}
		var routes, written []string
		for _, r := range table {
			routes = append(routes, r.method+" "+pathName(r.path))
			path := wildcards.ReplaceAllString(strings.TrimSuffix(r.path, "{$}"), "x")
			if _, pattern := mux.Handler(httptest.NewRequest(r.method, path, nil)); pattern != r.method+" "+r.path {
				t.Errorf("%s %s is answered by %q", r.method, path, pattern)
			}
			if r.id == "" || r.about == "" || r.group == "" || len(r.replies) == 0 || ids[r.id] {
				t.Errorf("%s %s is not described, or under a name that is taken", r.method, r.path)
			}
			ids[r.id] = true
		}
		for path, item := range at(doc, "paths").(map[string]any) {
			for method := range item.(map[string]any) {
				written = append(written, strings.ToUpper(method)+" "+path)
			}
		}
		slices.Sort(routes)
		slices.Sort(written)
		if d := cmp.Diff(routes, written); d != "" {
			t.Errorf("(-routes +document):\n%s", d)
		}
	}
}

// TestDocumentHolds checks the document's own order: references lead
// somewhere, every component is used and has words, no word is stale.
func TestDocumentHolds(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Metrics: metrics()})
	doc := documented(t, s)
	if doc["openapi"] != "3.1.0" {
		t.Errorf("openapi: %v", doc["openapi"])
	}
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				used[ref] = true
				if (strict{doc}).resolve(ref) == nil {
					t.Errorf("nothing at %s", ref)
				}
			}
			for _, sub := range v {
				walk(sub)
			}
		case []any:
			for _, sub := range v {
				walk(sub)
			}
		}
	}
	walk(doc)
	known := map[string]bool{}
	for name, c := range at(doc, "components", "schemas").(map[string]any) {
		known[name] = true
		if !used["#/components/schemas/"+name] {
			t.Errorf("nothing refers to %s", name)
		}
		if at(c, "description") == nil {
			t.Errorf("%s has no words", name)
		}
		for field := range asMap(at(c, "properties")) {
			known[name+"."+field] = true
		}
	}
	for key := range words() {
		if !known[key] {
			t.Errorf("words about %s, which is not in the document", key)
		}
	}
	for key := range closedFields() {
		if !known[key] {
			t.Errorf("values of %s, which is not in the document", key)
		}
	}
}

func asMap(v any) map[string]any { m, _ := v.(map[string]any); return m }

// TestDocumentTypes pins what generated types depend on.
func TestDocumentTypes(t *testing.T) {
	t.Parallel()
	doc := documented(t, serve(t, Options{}))
	c := at(doc, "components", "schemas")
	for want, got := range map[string]any{
		`["integer","null"]`:                at(c, "Critique", "properties", "score", "type"),
		`"#/components/schemas/StopReason"`: at(c, "Answer", "properties", "stop_reason", "$ref"),
		`"#/components/schemas/CalledTool"`: at(c, "Answer", "properties", "tool_calls", "items", "$ref"),
		`{"description":"Where content comes from, rising in trust.","enum":["external","model","person"],"type":"string"}`: at(c, "Trust"),
		`"date-time"`: at(c, "Session", "properties", "created", "format"),
		`5`:           at(c, "ModelScore", "properties", "grades", "minItems"),
		`["id","title","created","updated","turns","state","labels","messages","window","tokens","asked","queue"]`: at(c, "SessionDetail", "required"),
		`["query_id"]`: at(c, "Feedback", "required"),
		`null`:         at(c, "QueryRequest", "required"),
	} {
		if b, _ := json.Marshal(got); string(b) != want {
			t.Errorf("got %s, want %s", b, want)
		}
	}
}

// TestEveryOperation drives each operation over a connection, in ways that go
// well and in ways that do not, and holds what comes back against the
// document: status, content type, body.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Metrics: metrics()})
	doc := documented(t, s)
	a := s.ask("hello")
	b := s.ask("to delete")
	s.do("POST", "/feedback", `{"query_id":"`+string(a.Query)+`","stars":4,"comment":"good"}`)
	var kept moothall.MemoryEntry
	s.do("POST", "/memories", `{"text":"the sky is blue","name":"sky","tags":["x"]}`).into(t, &kept)
	proposed, err := s.hall.memory.Write(t.Context(), moothall.WriteRequest{Propose: true, Entry: moothall.MemoryEntry{Kind: moothall.Fact, Corpus: "maybe", Name: "maybe", Trust: moothall.TrustModel, Source: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.hall.memory.Assert(t.Context(), moothall.Scope{}, moothall.GraphFact{Subject: "Ada", Relation: "likes", Object: "tea", Trust: moothall.TrustPerson}); err != nil {
		t.Fatal(err)
	}
	calls := everyCall(a, b, kept.ID, proposed.ID)
	for _, r := range s.server.routes(t.Context()) {
		driven, ok := calls[r.id]
		if !ok {
			t.Errorf("%s is not driven", r.id)
		}
		delete(calls, r.id)
		for _, c := range driven {
			got := s.do(r.method, c[0], c[1])
			if strconv.Itoa(got.status) != c[2] {
				t.Errorf("%s %s: status %d, want %s: %s", r.method, c[0], got.status, c[2], got.body)
			}
			holds(t, doc, r, got)
			if c[1] != "" && got.status < 300 {
				fitsBody(t, doc, r, c[1])
			}
		}
	}
	for id := range maps.Keys(calls) {
		t.Errorf("%s is driven and is no operation", id)
	}
}

// everyCall lists by operation the path, the body and the status of calls.
func everyCall(a, b moothall.Answer, kept, proposed moothall.MemoryID) map[string][][3]string {
	query, session := string(a.Query), string(a.Session)
	return map[string][][3]string{
		"ask":                  {{"/query", `{"query":"x"}`, "200"}, {"SSE /query", `{"query":"x"}`, "200"}, {"/query", `{}`, "400"}},
		"stopQuery":            {{"/query/nope", "", "404"}},
		"listSessions":         {{"/sessions", "", "200"}},
		"getSession":           {{"/sessions/" + session, "", "200"}, {"/sessions/" + session + "?download=1", "", "200"}, {"/sessions/nope", "", "404"}},
		"renameSession":        {{"/sessions/" + session, `{"title":"New"}`, "204"}, {"/sessions/nope", `{"title":"x"}`, "404"}},
		"deleteSession":        {{"/sessions/" + string(b.Session), "", "204"}, {"/sessions/nope", "", "404"}},
		"compactSession":       {{"/sessions/" + session + "/compact", "", "200"}},
		"overrideSession":      {{"/sessions/" + session + "/overrides", `{"level":"relax"}`, "200"}, {"/sessions/x/overrides", `{`, "400"}},
		"giveFeedback":         {{"/feedback", `{"query_id":"` + query + `","thumbs":-1}`, "204"}, {"/feedback", `{}`, "400"}},
		"listJudgements":       {{"/judgements?limit=5", "", "200"}, {"/judgements?limit=0", "", "400"}},
		"getCritic":            {{"/critic?limit=1", "", "200"}},
		"getRespondents":       {{"/respondents", "", "200"}},
		"replay":               {{"/replay/" + query, "", "200"}, {"/replay/nope", `{}`, "404"}},
		"listMemories":         {{"/memories", "", "200"}, {"/memories?q=sky&stages=1", "", "200"}, {"/memories?limit=x", "", "400"}},
		"remember":             {{"/memories", `{"text":"y"}`, "201"}, {"/memories", `{"texts":1}`, "400"}},
		"importMemories":       {{"/memories/import", `{"text":"the boat is called Heron","kind":"fact","trust":"external"}`, "200"}, {"/memories/import", "no JSON", "400"}, {"/memories/import", "", "400"}},
		"export":               {{"/export/memories", "", "200"}, {"/export/graph", "", "200"}, {"/export/graphml", "", "200"}, {"/export/nope", "", "404"}},
		"reviewMemory":         {{"/memories/" + string(proposed) + "/review", `{"accept":true}`, "204"}, {"/memories/nope/review", `{"accept":true}`, "404"}},
		"getMemory":            {{"/memories/" + string(kept), "", "200"}, {"/memories/nope", "", "404"}},
		"forget":               {{"/memories/" + string(kept), "", "200"}, {"/memories/nope", "", "404"}},
		"getGraph":             {{"/graph?name=Ada", "", "200"}, {"/graph?depth=x", "", "400"}},
		"listTools":            {{"/tools", "", "200"}},
		"checkTool":            {{"/tools/calc/check", `{"arguments":{"text":"x"}}`, "200"}, {"/tools/nope/check", `{}`, "200"}, {"/tools/calc/check", `7`, "400"}},
		"previewApproval":      {{"/approvals/nope/preview", "", "404"}},
		"listApprovals":        {{"/approvals?all=1", "", "200"}},
		"decideApproval":       {{"/approvals/nope", `{"answer":"once"}`, "404"}},
		"listTasks":            {{"/tasks", "", "200"}},
		"beginTask":            {{"/tasks", `{"query":"do it"}`, "202"}, {"/tasks", `{}`, "400"}},
		"getTask":              {{"/tasks/task-1", "", "200"}, {"/tasks/nope", "", "404"}},
		"controlTask":          {{"/tasks/task-1", `{"action":"pause"}`, "200"}},
		"listModels":           {{"/models", "", "200"}},
		"bindModel":            {{"/models/chat", `{"model":"` + moottest.FakeModel + `"}`, "200"}, {"/models/poet", `{"model":"x"}`, "404"}},
		"pullModel":            {{"/models/pull", `{"model":"new"}`, "200"}},
		"probeModel":           {{"/models/probe", `{}`, "200"}},
		"getHealth":            {{"/health", "", "200"}},
		"getFindings":          {{"/doctor", "", "200"}},
		"getKeyring":           {{"/keyring", "", "200"}},
		"listSearchEngines":    {{"/search/engines", "", "200"}},
		"listParticipants":     {{"/participants", "", "200"}},
		"getParticipant":       {{"/participants/critic", "", "200"}},
		"configureParticipant": {{"/participants/critic", `{"on":false}`, "200"}, {"/participants/critic", `7`, "400"}},
		"watchEvents":          nil, // it has no end; TestEventsAreDocumented drives it
		"getMetrics":           {{"/metrics", "", "200"}},
		"getPage":              {{"/", "", "200"}},
		"getPageFile":          {{"/page/icon.svg", "", "200"}},
		"getOpenAPI":           {{"/openapi.json", "", "200"}},
	}
}

// holds checks an answer against the document.
func holds(t *testing.T, doc map[string]any, r route, got answered) {
	t.Helper()
	responses := at(doc, "paths", pathName(r.path), strings.ToLower(r.method), "responses")
	response := at(responses, strconv.Itoa(got.status))
	if response == nil {
		if got.status < 400 {
			t.Errorf("%s %s: the document does not know status %d", r.method, r.path, got.status)
		}
		response = (strict{doc}).resolve(at(responses, "default", "$ref").(string))
	}
	bodies := asMap(at(response, "content"))
	if len(bodies) == 0 {
		if len(got.body) > 0 {
			t.Errorf("%s %s: a body that the document does not know: %s", r.method, r.path, got.body)
		}
		return
	}
	media, _, err := mime.ParseMediaType(got.header.Get("Content-Type"))
	body, ok := bodies[media]
	if !ok {
		body, ok = bodies["*/*"]
	}
	if err != nil || !ok {
		t.Errorf("%s %s: content type %q is not one of %v", r.method, r.path, got.header.Get("Content-Type"), slices.Sorted(maps.Keys(bodies)))
		return
	}
	switch media {
	case mediaJSON:
		fits(t, doc, at(body, "schema"), got.body, r.id)
	case mediaEvents:
		names, list := data(got.body)
		if len(list) == 0 {
			t.Errorf("%s: no events in %s", r.id, got.body)
		}
		known := at(body, "schema", "x-events").([]any)
		for i, d := range list {
			if !slices.Contains(known, any(names[i])) {
				t.Errorf("%s: the document does not know an event %s", r.id, names[i])
			}
			if names[i] != "error" && names[i] != "mark" {
				fits(t, doc, at(body, "schema", "contentSchema"), d, r.id+" "+names[i])
			}
		}
	}
}

func fits(t *testing.T, doc map[string]any, schema any, body []byte, what string) {
	t.Helper()
	v, err := decoded(body)
	if err != nil {
		t.Errorf("%s: %v in %s", what, err, body)
		return
	}
	for _, problem := range (strict{doc}).check(schema, v, what) {
		t.Error(problem)
	}
}

// fitsBody checks that what a handler took is what the document asks for.
func fitsBody(t *testing.T, doc map[string]any, r route, body string) {
	t.Helper()
	schema := at(doc, "paths", pathName(r.path), strings.ToLower(r.method), "requestBody", "content", mediaJSON, "schema")
	if r.lines {
		schema = at(doc, "paths", pathName(r.path), strings.ToLower(r.method), "requestBody", "content", mediaLines, "schema", "contentSchema")
	}
	fits(t, doc, schema, []byte(body), r.id+" request")
}

// TestFullValuesAreDocumented holds values with every field set against the
// document: the fakes leave most of them empty.
func TestFullValuesAreDocumented(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	doc := documented(t, s)
	enums := closedTypes()
	for _, r := range s.server.routes(t.Context()) {
		for _, a := range r.replies {
			if a.typ == nil || a.typ.Kind() == reflect.Interface || a.typ == of[memories]() {
				continue
			}
			for _, empty := range []bool{true, false} {
				v := reflect.New(a.typ).Elem()
				filler{enums, empty}.fill(v, "", 0)
				b, err := json.Marshal(whole(v.Interface()))
				if err != nil {
					t.Fatal(err)
				}
				schema, _ := json.Marshal(newSchemas().of(a.typ))
				want, _ := decoded(schema)
				fits(t, doc, want, b, r.id)
			}
		}
	}
}

// filler sets everything in a value, or only what has no empty form.
type filler struct {
	enums map[reflect.Type][]string
	empty bool
}

func (f filler) fill(v reflect.Value, set string, depth int) {
	switch {
	case v.Type() == of[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
	case v.Type() == of[json.RawMessage]():
		v.SetBytes([]byte(`{"a":[1]}`))
	case v.Kind() == reflect.String:
		v.SetString("text")
		if list := f.enums[v.Type()]; list != nil {
			v.SetString(list[0])
		} else if list := closedFields()[set]; list != nil {
			v.SetString(list[0])
		}
	case f.empty && v.Kind() != reflect.Struct, depth > 12:
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(3)
	case v.CanUint():
		v.SetUint(3)
	case v.CanFloat():
		v.SetFloat(0.5)
	default:
		f.fillParts(v, depth)
	}
}

func (f filler) fillParts(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), "", depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), "", depth+1)
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), "", depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, "", depth+1)
		f.fill(e, "", depth+1)
		v.SetMapIndex(key, e)
	case reflect.Struct:
		for field := range fieldsOf(v.Type()) {
			f.fill(v.FieldByIndex(field.Index), v.Type().Name()+"."+field.name, depth+1)
		}
	}
}

// TestEventsOfSeveralSubjects: a list in the query is one value a time, as the
// document says, or has commas.
func TestEventsOfSeveralSubjects(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.ask("hello")
	for query, want := range map[string][]string{
		"subjects=query.received&subjects=answer": {"message", "message", "mark"},
		"subjects=query.received,%20answer":       {"message", "message", "mark"},
		"subjects=query.received":                 {"message", "mark"},
	} {
		names, _ := data(told(t, s, "/events?replay=1&mark=1&"+query).body)
		if d := cmp.Diff(want, names); d != "" {
			t.Errorf("%s (-want +got):\n%s", query, d)
		}
	}
}

// told reads a stream of events up to its mark.
func told(t *testing.T, s *served, path string) answered {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got := answered{status: resp.StatusCode, header: resp.Header}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		got.body = append(append(got.body, lines.Bytes()...), '\n')
		if strings.HasPrefix(lines.Text(), `data: {"seq":`) {
			break
		}
	}
	return got
}

// TestEventsAreDocumented reads the stream of events up to its mark.
func TestEventsAreDocumented(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	doc := documented(t, s)
	a := s.ask("hello")
	got := told(t, s, "/events?replay=1&mark=1&session="+string(a.Session))
	names, _ := data(got.body)
	if d := cmp.Diff([]string{"message", "message", "mark"}, names); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	for _, r := range s.server.routes(t.Context()) {
		if r.id == "watchEvents" {
			holds(t, doc, r, got)
		}
	}
}

// TestStepsAreDocumented: a turn may come with every kind of step that there
// is, and the stream is said to have them all.
func TestStepsAreDocumented(t *testing.T) {
	t.Parallel()
	doc := documented(t, serve(t, Options{}))
	events := at(doc, "paths", "/query", "post", "responses", "200", "content", mediaEvents, "schema", "x-events").([]any)
	for _, kind := range at(doc, "components", "schemas", "Step", "properties", "kind", "enum").([]any) {
		if !slices.Contains(events, kind) {
			t.Errorf("the document has a step %s, and no event of that name", kind)
		}
	}
}
