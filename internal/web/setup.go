package web

import (
	"encoding/json"
	"io"
	"net/http"

	"moothall"
)

// doctor answers GET /doctor.
func (s *Server) doctor(w http.ResponseWriter, r *http.Request) {
	_, err := patient(w) // the whole record is verified
	var x moothall.Examined
	if err == nil {
		x, err = s.opt.Client.Examine(r.Context(), moothall.PartAll)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, x.Findings)
}

// keyring answers GET /keyring: names, and whether they are there.
func (s *Server) keyring(w http.ResponseWriter, r *http.Request) {
	x, err := s.opt.Client.Examine(r.Context(), moothall.PartKeyring)
	if err == nil && x.Keyring == nil {
		err = moothall.Fail(moothall.CodeInternal, "keyring", "the hall said nothing")
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, x.Keyring)
}

// engines answers GET /search/engines.
func (s *Server) engines(w http.ResponseWriter, r *http.Request) {
	x, err := s.opt.Client.Examine(r.Context(), moothall.PartSearch)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, x.Engines)
}

// importLines answers POST /memories/import: JSON lines, as the command of
// that name takes them. A large file comes in pieces, each of whole lines.
func (s *Server) importLines(w http.ResponseWriter, r *http.Request) {
	lines, err := io.ReadAll(r.Body)
	if err == nil && len(lines) == 0 {
		err = moothall.Fail(moothall.CodeInvalid, "import", "the file is empty")
	}
	if err == nil {
		_, err = patient(w) // a model reads every line
	}
	var ask []byte
	if err == nil {
		ask, err = json.Marshal(map[string]string{"import": string(lines)})
	}
	var p moothall.Participant
	if err == nil {
		p, err = s.opt.Client.Configure(r.Context(), "memory", ask)
	}
	var out MemoryImported
	if err == nil {
		err = json.Unmarshal(p.Settings, &out)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, out)
}

// exportKinds are the files of GET /export/{what}.
var exportKinds = map[string]struct{ file, media string }{
	moothall.ExportMemories: {"memories.jsonl", mediaLines},
	moothall.ExportGraph:    {"graph.json", mediaJSON},
	moothall.ExportGraphML:  {"graph.graphml", "application/xml"},
}

// export answers GET /export/{what}. Until the first byte is written a
// failure is an answer of its own; after that the connection breaks, so that
// nobody takes a part for the whole.
func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	what := r.PathValue("what")
	kind, ok := exportKinds[what]
	if !ok {
		s.fail(w, r, moothall.Fail(moothall.CodeNotFound, "export", "there is no export "+what+"; memories, graph and graphml are those there are"))
		return
	}
	rc, err := patient(w)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := &begun{w: w, begin: func() {
		w.Header().Set("Content-Type", kind.media)
		w.Header().Set("Content-Disposition", `attachment; filename="`+kind.file+`"`)
	}}
	if err := s.opt.Client.Export(r.Context(), what, out); err != nil {
		if out.written {
			s.opt.Logger.Warn("an export was cut off", "what", what, "err", err)
			panic(http.ErrAbortHandler)
		}
		s.fail(w, r, err)
		return
	}
	out.start() // nothing is remembered: an empty file
	_ = rc.Flush()
}

// begun writes headers with the first byte.
type begun struct {
	w       io.Writer
	begin   func()
	written bool
}

func (b *begun) start() {
	if !b.written {
		b.written = true
		b.begin()
	}
}

func (b *begun) Write(p []byte) (int, error) {
	b.start()
	return b.w.Write(p)
}
