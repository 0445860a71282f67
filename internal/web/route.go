package web

import (
	"net/http"
	"reflect"
)

// route is one operation: what the mux serves, and what the document says of
// it. There is no other way onto the mux, so that neither can be without the
// other.
type route struct {
	method, path string
	handle       http.HandlerFunc
	id           string // the operation's name in the document
	group        string
	about        string // one sentence
	query        []param
	body         reflect.Type // of the request, nil for none
	optional     bool         // the body may be left out
	lines        bool         // the body is JSON lines, each of that type
	replies      []reply      // when it goes well
}

// param is a parameter in the query.
type param struct {
	name, about string
	kind        string   // string, integer, boolean, date-time, list
	enum        []string // the values, where they are few
}

// reply is one way in which an operation ends well.
type reply struct {
	status int
	media  string       // application/json when empty
	typ    reflect.Type // of the body; nil for none
	events []string     // of a stream: the names of its events, whose data is of typ
}

// mux serves the routes, and says where to look for what is not there.
func (s *Server) mux(table []route) http.Handler {
	mux := http.NewServeMux()
	for _, r := range table {
		mux.HandleFunc(r.method+" "+r.path, r.handle)
	}
	mux.HandleFunc("/", notFound)
	return mux
}

const (
	mediaJSON   = "application/json"
	mediaEvents = "text/event-stream"
	mediaLines  = "application/x-ndjson"
)

// of is short for the type of a body.
func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

// gives is an answer of status 200 with a body.
func gives[T any]() []reply { return []reply{{status: http.StatusOK, typ: of[T]()}} }

// nothing is an answer without a body.
func nothing() []reply { return []reply{{status: http.StatusNoContent}} }

// streams is an answer of events.
func streams[T any](events ...string) reply {
	return reply{status: http.StatusOK, media: mediaEvents, typ: of[T](), events: events}
}
