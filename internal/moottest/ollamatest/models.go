package ollamatest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
)

// Model is one model of a server.
type Model struct {
	Name         string
	Family       string
	Parameters   string // "7.6B"
	Size         int64
	Window       int
	Capabilities []string
	Settings     string // the Modelfile's parameters: "num_ctx 8192"
	Template     string // what a legacy server shows instead of capabilities
	RemoteHost   string // of a cloud model
	Loaded       bool
}

// Digest is a model's digest: it depends on its fields.
func (m Model) Digest() string {
	h := fnv.New128a()
	m.Loaded = false
	fmt.Fprintf(h, "%+v", m)
	return fmt.Sprintf("%032x%032x", h.Sum(nil), h.Sum(nil))
}

func (m Model) can(what string) bool { return slices.Contains(m.Capabilities, what) }

func (m Model) entry() map[string]any {
	e := map[string]any{
		"name": m.Name, "model": m.Name, "modified_at": "2026-01-02T03:04:05Z", "size": m.Size, "digest": m.Digest(),
		"details": m.details(),
	}
	if m.RemoteHost != "" {
		e["remote_host"], e["remote_model"] = m.RemoteHost, m.Name
	}
	return e
}

func (m Model) details() map[string]any {
	return map[string]any{"format": "gguf", "family": m.Family, "families": []string{m.Family}, "parameter_size": m.Parameters, "quantization_level": "Q4_K_M"}
}

func (s *Server) list(keep func(Model) bool) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []map[string]any{}
	for _, m := range s.models {
		if keep(m) {
			out = append(out, m.entry())
		}
	}
	return map[string]any{"models": out}
}

func (s *Server) tags(w http.ResponseWriter) { reply(w, s.list(func(Model) bool { return true })) }
func (s *Server) ps(w http.ResponseWriter)   { reply(w, s.list(func(m Model) bool { return m.Loaded })) }

// named reads the name out of a request, in its new and its old field.
func named(body []byte) string {
	var r struct{ Model, Name string }
	json.Unmarshal(body, &r)
	if r.Model == "" {
		return r.Name
	}
	return r.Model
}

func (s *Server) show(w http.ResponseWriter, _ *http.Request, body []byte) {
	m, ok := s.find(named(body))
	if !ok {
		fail(w, http.StatusNotFound, fmt.Sprintf("model '%s' not found", named(body)))
		return
	}
	out := map[string]any{"details": m.details(), "template": m.Template, "parameters": m.Settings, "modelfile": "FROM " + m.Name}
	if m.RemoteHost != "" {
		out["remote_host"], out["remote_model"] = m.RemoteHost, m.Name
	}
	if !s.o.Legacy {
		out["capabilities"] = m.Capabilities
		out["model_info"] = map[string]any{
			"general.architecture": m.Family, m.Family + ".context_length": m.Window,
			m.Family + ".rope.scaling.original_context_length": 1, "tokenizer.ggml.tokens": nil,
		}
	}
	reply(w, out)
}

func (s *Server) pull(w http.ResponseWriter, r *http.Request, body []byte) {
	name := named(body)
	i := slices.IndexFunc(s.o.Pullable, func(m Model) bool { return m.Name == name })
	out := newLines(w)
	out.send(map[string]any{"status": "pulling manifest"})
	if i < 0 {
		out.send(map[string]any{"error": "pull model manifest: file does not exist"})
		return
	}
	for done := int64(0); done <= 4; done += 2 {
		if r.Context().Err() != nil {
			return
		}
		out.send(map[string]any{"status": "pulling 0123456789ab", "digest": "sha256:0123456789ab", "total": 4, "completed": done})
	}
	s.Add(s.o.Pullable[i])
	out.send(map[string]any{"status": "success"})
}

func vector(text string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	sum, v := h.Sum64(), make([]float32, 8)
	for i := range v {
		v[i] = float32(byte(sum>>(8*i))) / 255
	}
	return v
}

// embedder finds a model that makes vectors, or refuses.
func (s *Server) embedder(w http.ResponseWriter, name string, refusal int) (Model, bool) {
	m, ok := s.find(name)
	if !ok {
		fail(w, http.StatusNotFound, fmt.Sprintf("model %q not found, try pulling it first", name))
		return m, false
	}
	if !m.can("embedding") {
		fail(w, refusal, "this model does not support embeddings")
		return m, false
	}
	return m, true
}

func (s *Server) embed(w http.ResponseWriter, _ *http.Request, body []byte) {
	var r struct {
		Model    string
		Input    []string
		Truncate *bool
	}
	if err := json.Unmarshal(body, &r); err != nil {
		fail(w, http.StatusBadRequest, "invalid input type")
		return
	}
	m, ok := s.embedder(w, r.Model, http.StatusNotImplemented)
	if !ok {
		return
	}
	vectors := [][]float32{}
	for _, t := range r.Input {
		if r.Truncate != nil && !*r.Truncate && words(t) > m.Window {
			fail(w, http.StatusBadRequest, "the input length exceeds the context length")
			return
		}
		vectors = append(vectors, vector(t))
	}
	reply(w, map[string]any{"model": r.Model, "embeddings": vectors, "prompt_eval_count": len(r.Input)})
}

func (s *Server) embedOne(w http.ResponseWriter, _ *http.Request, body []byte) {
	var r struct{ Model, Prompt string }
	json.Unmarshal(body, &r)
	if _, ok := s.embedder(w, r.Model, http.StatusInternalServerError); ok {
		reply(w, map[string]any{"embedding": vector(r.Prompt)})
	}
}
