package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"moothall"
)

func TestFeedback(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	a := s.ask("hello")
	s.want(204, "POST", "/feedback", `{"query_id":"`+string(a.Query)+`","thumbs":1}`)
	if got := s.hall.Given(); len(got) != 1 || got[0].Query != a.Query || got[0].Thumbs != 1 {
		t.Errorf("the hall heard %+v", got)
	}
	s.want(404, "POST", "/feedback", `{"query_id":"nope","thumbs":1}`, `"not_found"`)
	for body, why := range map[string]string{
		`{"thumbs":1}`:                           "names no query_id",
		`{"query_id":"q","thumbs":2}`:            "thumbs is 1 or -1",
		`{"query_id":"q","stars":6}`:             "stars are 1 to 5",
		`{"query_id":"q"}`:                       "it says nothing",
		`{"query_id":"q","comment":" \n"}`:       "it says nothing",
		`{"query_id":"q","thumb":1}`:             "not the JSON that is expected",
		`{"query_id":"q","thumbs":1} {}`:         "more follows",
		`{"query_id":"q","thumbs":1}]`:           "more follows",
		`{"query_id":"q","thumbs":1} }`:          "more follows",
		`{"query_id":"q","thumbs":1} x`:          "more follows",
		`{"query_id":"q","stars":1,"said":true}`: "leave it out",
		`x`:                                      "not the JSON",
	} {
		s.want(400, "POST", "/feedback", body, why, `"invalid"`)
	}
}

func TestJudgements(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.want(200, "GET", "/judgements", "", "[]")
	s.want(200, "GET", "/critic", "", `"judgements":[]`)
	a, b := s.ask("one"), s.ask("two")
	var list []moothall.Judgement
	s.want(200, "GET", "/judgements?session_id="+string(a.Session), "").into(t, &list)
	if len(list) != 1 || list[0].Query != a.Query {
		t.Errorf("of one session: %+v", list)
	}
	s.want(200, "GET", "/judgements?query_id="+string(b.Query), "").into(t, &list)
	if len(list) != 1 || list[0].Query != b.Query {
		t.Errorf("of one turn: %+v", list)
	}
	var page CriticPage
	s.want(200, "GET", "/critic?limit=1&session="+string(b.Session), "").into(t, &page)
	if len(page.Judgements) != 1 || page.Judgements[0].Query != b.Query || page.Before.IsZero() {
		t.Errorf("critic: %+v", page)
	}
	s.want(200, "GET", "/critic?limit=5&before="+page.Before.Format(time.RFC3339Nano), "")
	for _, bad := range []string{"limit=0", "limit=1001", "limit=-1", "limit=x", "before=yesterday", "since=1"} {
		s.want(400, "GET", "/judgements?"+bad, "", `"invalid"`)
		s.want(400, "GET", "/critic?"+bad, "", `"invalid"`)
	}
	s.want(200, "GET", "/respondents", "", `"proposals":[]`, `"answers":2`)
	s.want(400, "GET", "/respondents?since=x", "", "since is not a time")
}

func TestReplay(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	a := s.ask("again")
	s.want(200, "POST", "/replay/"+string(a.Query), "", `"same":true`, `"differences":[]`)
	s.want(200, "POST", "/replay/"+string(a.Query), `{"model":"m","prompt":"p","policy":"y"}`, `"same":true`)
	s.want(400, "POST", "/replay/"+string(a.Query), `{"models":"m"}`, "invalid")
	s.want(404, "POST", "/replay/nope", "", "not_found")
}

func TestParticipants(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.want(200, "GET", "/participants", "", `"name":"critic"`)
	s.want(200, "GET", "/participants/critic", "", `"on":true`)
	s.want(404, "GET", "/participants/nobody", "", "nobody")
	s.want(200, "PUT", "/participants/critic", `{"on":false}`, `"on":false`)
	s.want(200, "GET", "/participants/critic", "", `"on":false`)
	s.want(404, "PUT", "/participants/nobody", `{}`)
	for _, bad := range []string{`[]`, `"x"`, `{`, `{} {}`, `null`} {
		s.want(400, "PUT", "/participants/critic", bad, "invalid")
	}
}

func TestTasks(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.want(200, "GET", "/tasks", "", `"id":"task-1"`)
	s.want(200, "GET", "/tasks/task-1", "", `"id":"task-1"`)
	s.want(404, "GET", "/tasks/nope", "")
	got := s.want(202, "POST", "/tasks", `{"query":"build it","session_id":""}`, `"id":"task-1"`)
	if at := got.header.Get("Location"); at != "/tasks/task-1" {
		t.Errorf("Location: %q", at)
	}
	if q := s.hall.lastAsked(); q.Mode != moothall.ModeTask || !q.Detach {
		t.Errorf("asked as %+v", q)
	}
	s.want(400, "POST", "/tasks", `{"query":" "}`, "empty")
	s.want(400, "POST", "/tasks", `{"query":"x","mode":"chat"}`, "mode task")
	s.want(501, "POST", "/tasks", `{"query":"refuse"}`, "no orchestrator")
	s.want(200, "POST", "/tasks/task-1", `{"action":"pause"}`, `"state":"paused"`)
	s.want(400, "POST", "/tasks/task-1", `{"action":"fly"}`, "fly")
	s.want(404, "POST", "/tasks/nope", `{"action":"pause"}`)
}

// unhurried is a recorder that lets an answer take its time.
type unhurried struct{ *httptest.ResponseRecorder }

func (unhurried) SetWriteDeadline(time.Time) error { return nil }

// TestQueryIsTaken: who asks for steps hears that the hall has the question
// before the first of them, which may have to wait for others.
func TestQueryIsTaken(t *testing.T) {
	t.Parallel()
	h, w := newHall(), unhurried{httptest.NewRecorder()}
	before := false
	h.waits = func() { before = w.Flushed }
	r := httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost/query", strings.NewReader(`{"query":"x"}`))
	r.Header.Set("Accept", "text/event-stream")
	New(Options{Client: h}).Handler().ServeHTTP(w, r)
	if !before || w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" || !strings.Contains(w.Body.String(), "event: final\n") {
		t.Errorf("told before: %t; %d %v\n%s", before, w.Code, w.Header(), w.Body)
	}
}

// TestMemoryFilters: a parameter that narrows a search only, or a list only, is
// refused where it would be passed over: everything would look like what was
// asked for.
func TestMemoryFilters(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	for _, p := range []string{"thread=t", "source=shop", "trust=person", "since=2026-01-01", "until=2026-01-01"} {
		name, _, _ := strings.Cut(p, "=")
		s.want(400, "GET", "/memories?"+p, "", `"invalid"`, name+" narrows a search")
		s.want(200, "GET", "/memories?q=sky&"+p, "")
	}
	for _, p := range []string{"session_id=s", "proposed=1", "before=x"} {
		name, _, _ := strings.Cut(p, "=")
		s.want(400, "GET", "/memories?q=sky&"+p, "", `"invalid"`, name+" narrows a list")
		s.want(200, "GET", "/memories?"+p, "")
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	var list ModelList
	s.want(200, "GET", "/models", "").into(t, &list)
	if len(list.Models) == 0 || list.Roles == nil {
		t.Fatalf("models: %+v", list)
	}
	name := list.Models[0].Model
	s.want(200, "PUT", "/models/critic", `{"model":`+quoted(name)+`}`, `"role":"critic"`, `"provider"`)
	s.want(200, "GET", "/models", "", `"role":"critic"`)
	s.want(404, "PUT", "/models/poet", `{"model":`+quoted(name)+`}`, "no role poet")
	s.want(404, "PUT", "/models/critic", `{"model":"nope"}`)
	s.want(400, "PUT", "/models/critic", `{}`)
	s.want(200, "POST", "/models/probe", `{}`, `"model":`+quoted(name))
	s.want(404, "POST", "/models/probe", `{"model":"nope"}`)
	got := s.want(200, "POST", "/models/pull", `{"model":"new"}`, "event: progress\n", "event: done\n")
	if ct := got.header.Get("Content-Type"); ct != "text/event-stream" {
		t.Errorf("pull gives %s", ct)
	}
	s.want(400, "POST", "/models/pull", `{}`, "empty")
}

func TestSessionsAreCompacted(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	a := s.ask("x")
	s.want(200, "POST", "/sessions/"+string(a.Session)+"/compact", "", `"id":"`+string(a.Session)+`"`, `"asked":[]`)
	s.want(404, "POST", "/sessions/nope/compact", "")
}

// TestOverridesAreTold: what was switched stands with the conversation until
// it is switched back, and a broker that is away does not hide the rest.
func TestOverridesAreTold(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	path := "/sessions/" + string(s.ask("x").Session)
	s.want(200, "GET", path, "", `"overrides":{"level":"none"}`)
	s.want(200, "PUT", path+"/overrides", `{"level":"all"}`)
	s.want(200, "GET", path, "", `"overrides":{"level":"all"}`)
	s.want(200, "POST", path+"/compact", "", `"overrides":{"level":"all"}`)
	s.want(200, "PUT", path+"/overrides", `{"level":"none"}`)
	s.want(200, "GET", path, "", `"overrides":{"level":"none"}`)
	s.hall.broker = awayBroker{}
	if got := s.want(200, "GET", path, "", `"messages"`); strings.Contains(string(got.body), "overrides") {
		t.Errorf("without a broker: %s", got.body)
	}
}

// awayBroker cannot be reached.
type awayBroker struct{ moothall.Broker }

func (awayBroker) Override(context.Context, moothall.Scope, moothall.Overrides) (moothall.Overrides, error) {
	return moothall.Overrides{}, moothall.Fail(moothall.CodeUnavailable, "override", "the broker does not answer")
}

// TestAnswerIsWhole checks the payload of POST /query, and that the hall's
// own value is not changed for it.
func TestAnswerIsWhole(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	s.want(200, "POST", "/query", `{"query":"x","replace":true,"rounds":2,"detach":false}`,
		`"events":[]`, `"event_log":[]`, `"tool_calls":[]`, `"recalls":[]`, `"sent":[]`, `"receipt"`)
	s.want(400, "POST", "/query", `{"query":" "}`, "empty")
	if s.want(400, "POST", "/query", `{"retry":"q"}`); s.hall.lastAsked().Retry != "q" {
		t.Error("a retry without a question does not reach the hall")
	}
	a := &moothall.Answer{Recalls: []moothall.Recall{{Entry: &moothall.MemoryEntry{}}}}
	if got := whole(a).(*moothall.Answer); got.Tools == nil || a.Tools != nil || got.Recalls[0].Entry.Tags != nil {
		t.Errorf("whole: %+v of %+v", got, a)
	}
}

func TestGuardStandsBeforeEverything(t *testing.T) {
	t.Parallel()
	for _, headless := range []bool{true, false} {
		s := serve(t, Options{Token: "secret", Metrics: http.NotFoundHandler(), Headless: headless})
		for _, r := range s.server.routes(t.Context()) {
			path := wildcards.ReplaceAllString(strings.TrimSuffix(r.path, "{$}"), "x")
			if r.group == "page" {
				continue
			}
			if got := s.do(r.method, path, ""); got.status != 401 {
				t.Errorf("%s %s without the token: %d", r.method, path, got.status)
			}
		}
		for path, want := range map[string]int{"/": 200, "/page/icon.svg": 200, "/page/../sessions": 401, "/pages": 401, "//": 401} {
			if headless {
				want = 401
			}
			if got := s.do("GET", path, ""); got.status != want {
				t.Errorf("GET %s without the token, headless %v: %d, want %d", path, headless, got.status, want)
			}
		}
		if got := s.do("POST", "/", ""); got.status != 401 {
			t.Errorf("POST / without the token: %d", got.status)
		}
	}
}

// TestLongWorkIsWaitedFor: what a model reads, or what grows with the home, may
// take longer than other answers.
func TestLongWorkIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	a := s.ask("hello")
	for path, body := range map[string]string{
		"POST /query":                     `{"query":"x"}`,
		"POST /tasks":                     `{"query":"x"}`,
		"POST /replay/" + string(a.Query): "",
		"POST /sessions/" + string(a.Session) + "/compact": "",
		"POST /models/probe":       `{}`,
		"POST /models/pull":        `{"model":"new"}`,
		"POST /memories":           `{"text":"the sky is blue","name":"sky"}`,
		"POST /memories/import":    `{"text":"the sea is wide"}`,
		"GET /memories?q=sky":      "",
		"GET /export/memories":     "",
		"GET /doctor":              "",
		"PUT /participants/memory": `{"import":"{}"}`,
	} {
		method, path, _ := strings.Cut(path, " ")
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		s.server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body)))
		if w.Code >= 300 || len(w.set) == 0 || !w.set[0].IsZero() {
			t.Errorf("%s %s: status %d, deadlines %v: %s", method, path, w.Code, w.set, w.Body)
		}
	}
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	s.server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost/sessions", nil))
	if w.Code != 200 || len(w.set) > 0 {
		t.Errorf("a short answer: status %d, deadlines %v", w.Code, w.set)
	}
}

// deadlines notes which deadlines an answer was given.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{MaxBody: 100})
	for _, path := range []string{"/query", "/feedback", "/tasks", "/replay/x", "/models/pull"} {
		s.want(413, "POST", path, `{"query":"`+strings.Repeat("x", 200)+`"}`, "too_large", "the limit of 100 bytes", "front.max_body")
	}
	s.want(200, "GET", "/health", "", `"max_body":100`)
	s.want(413, "POST", "/query", `{"query":"x"}`+strings.Repeat(" ", 200), "too_large")
}
