package web

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// object is a JSON object under construction.
type object = map[string]any

// document serves what openAPI makes of the routes. It is made once: the
// routes do not change.
func document(table []route) http.HandlerFunc {
	text, err := json.Marshal(openAPI(table))
	if err != nil {
		panic(err) // it is made of maps, lists and strings
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaJSON)
		_, _ = w.Write(text) // the client is gone; there is nobody to tell
	}
}

// openAPI describes the routes as an OpenAPI 3.1 document. Everything in it
// comes from the table of routes and from the types that handlers read and
// write; only the words are from tables of words.
func openAPI(table []route) object {
	types := newSchemas()
	paths := object{}
	for _, r := range table {
		name := pathName(r.path)
		item, ok := paths[name].(object)
		if !ok {
			item = object{}
			paths[name] = item
		}
		item[strings.ToLower(r.method)] = types.operation(r)
	}
	failed := object{"description": "It did not work; the body says why.", "content": content(mediaJSON, types.of(of[Failure]()))}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Moothall", "version": "1",
			"description": "The hall's HTTP face. Times are RFC 3339, durations whole nanoseconds. A request from a page of another site is refused, " +
				"and so is one whose Host header is neither an address, nor localhost, nor a configured name.",
		},
		"servers":  []any{object{"url": "/"}},
		"security": []any{object{}, object{"bearer": []any{}}},
		"paths":    paths,
		"components": object{
			"schemas": types.named, "responses": object{"Failed": failed},
			"securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer", "description": "Needed where the hall listens beyond this machine: the token in the home."}},
		},
	}
}

// wildcards are the variables in a path of the mux.
var wildcards = regexp.MustCompile(`\{([a-z]+)(\.\.\.)?\}`)

// pathName is a path of the mux as the document writes it.
func pathName(path string) string {
	return wildcards.ReplaceAllString(strings.TrimSuffix(path, "{$}"), "{$1}")
}

func (s *schemas) operation(r route) object {
	op := object{"operationId": r.id, "tags": []any{r.group}, "summary": r.about, "responses": s.responses(r)}
	if params := s.params(r); len(params) > 0 {
		op["parameters"] = params
	}
	if r.body != nil {
		body := content(mediaJSON, s.of(r.body))
		if r.lines {
			body = content(mediaLines, object{"type": "string", "contentMediaType": mediaJSON, "contentSchema": s.of(r.body), "description": "One object a line."})
		}
		op["requestBody"] = object{"required": !r.optional, "content": body}
	}
	return op
}

func (s *schemas) params(r route) []any {
	var out []any
	for _, m := range wildcards.FindAllStringSubmatch(r.path, -1) {
		schema := object{"type": "string"}
		if m[1] == "role" {
			schema = s.of(of[modelRole]())
		}
		out = append(out, object{"name": m[1], "in": "path", "required": true, "schema": schema})
	}
	for _, p := range r.query {
		out = append(out, object{"name": p.name, "in": "query", "description": p.about, "schema": p.schema(), "explode": p.kind == "list"})
	}
	return out
}

func (p param) schema() object {
	one := object{"type": "string"}
	if len(p.enum) > 0 {
		one["enum"] = anys(p.enum)
	}
	switch p.kind {
	case "list":
		return object{"type": "array", "items": one}
	case "date-time":
		return object{"type": "string"} // a day will do
	case "boolean":
		return object{"type": "string", "enum": []any{"1"}, "description": "1 for yes; absent for no."}
	case "integer":
		return object{"type": "integer", "minimum": 0}
	}
	return one
}

func (s *schemas) responses(r route) object {
	out := object{"default": object{"$ref": "#/components/responses/Failed"}}
	for _, a := range r.replies {
		key := strconv.Itoa(a.status)
		it, ok := out[key].(object)
		if !ok {
			it = object{"description": http.StatusText(a.status)}
			out[key] = it
		}
		if a.status == http.StatusNoContent {
			continue
		}
		bodies, ok := it["content"].(object)
		if !ok {
			bodies = object{}
			it["content"] = bodies
		}
		if a.media == "" {
			a.media = mediaJSON
		}
		bodies[a.media] = object{"schema": s.replySchema(a)}
	}
	return out
}

func (s *schemas) replySchema(a reply) object {
	switch {
	case a.typ == nil:
		return object{"type": "string"}
	case a.events == nil:
		return s.of(a.typ)
	}
	return object{
		"type": "string", "contentMediaType": mediaJSON, "contentSchema": s.of(a.typ), "x-events": anys(a.events),
		"description": "Server-sent events. This is the data of each; that of an event named error is a Failure, and that of one named mark has only seq.",
	}
}

func content(media string, schema object) object { return object{media: object{"schema": schema}} }

func anys[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}
