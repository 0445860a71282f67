package web

import (
	"bytes"
	"encoding/json"
	"net/http"

	"moothall"
)

// participants answers GET /participants.
func (s *Server) participants(w http.ResponseWriter, r *http.Request) {
	list, err := s.opt.Client.Participants(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, list)
}

// participant answers GET /participants/{name}.
func (s *Server) participant(w http.ResponseWriter, r *http.Request) {
	list, err := s.opt.Client.Participants(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var found *moothall.Participant
	for _, p := range list {
		// A service and its settings may be listed under one name.
		if p.Name == r.PathValue("name") && (found == nil || len(p.Settings) > 0) {
			found = &p
		}
	}
	if found == nil {
		s.fail(w, r, moothall.Fail(moothall.CodeNotFound, "participant", "there is no participant "+r.PathValue("name")))
		return
	}
	writeJSON(w, http.StatusOK, found)
}

// configure answers PUT /participants/{name}. The hall holds the settings
// against the participant's schema; what is left out stays as it is.
func (s *Server) configure(w http.ResponseWriter, r *http.Request) {
	var settings json.RawMessage
	err := readJSON(r, &settings)
	if err == nil && !bytes.HasPrefix(bytes.TrimSpace(settings), []byte("{")) {
		err = moothall.Fail(moothall.CodeInvalid, "settings", "settings are a JSON object")
	}
	if err == nil {
		_, err = patient(w) // memory may be told to read everything anew
	}
	var p moothall.Participant
	if err == nil {
		p, err = s.opt.Client.Configure(r.Context(), r.PathValue("name"), settings)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, p)
}
