package daemon

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"time"

	"moothall"
	"moothall/internal/schema"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// hallMigrations are the tables of the hall itself.
func hallMigrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "hall", Files: files}
}

// participant is a part of the hall whose settings can be changed while it
// runs.
type participant struct {
	about   string
	schema  json.RawMessage
	get     func() any
	set     func(json.RawMessage) error // whole settings that fit the schema
	figures func(context.Context) (any, error)
}

// adjustable makes a participant of anything with settings of type S.
func adjustable[S any](about string, schema json.RawMessage, get func() S, set func(S) error) participant {
	return participant{
		about: about, schema: schema, get: func() any { return get() },
		set: func(raw json.RawMessage) error {
			var s S
			if err := readSettings(raw, &s); err != nil {
				return err
			}
			return set(s)
		},
	}
}

// readSettings reads what somebody sets. What is not known is refused: it would
// be taken for done.
func readSettings(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return moothall.Fail(moothall.CodeInvalid, "configure", "the settings are not of the expected form: "+moothall.Misread(err))
	}
	return nil
}

// join makes a participant known and gives it what was set when the hall last
// ran, unless the configuration has changed since.
func (h *Hall) join(ctx context.Context, name string, p participant) error {
	base, err := json.Marshal(p.get())
	if err != nil {
		return err
	}
	var was, saved string
	err = h.db.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT base, settings FROM hall_settings WHERE name = ?`, name).Scan(&was, &saved)
	})
	switch {
	case moothall.ErrorCode(err) == moothall.CodeNotFound:
	case err != nil:
		return err
	case was != string(base):
		h.log.Info("the configuration has changed: what was set at run time no longer holds", "participant", name)
	default:
		if err := p.set(json.RawMessage(saved)); err != nil {
			h.log.Warn("what was set at run time no longer fits and is left out", "participant", name, "err", err)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.participants == nil {
		h.participants, h.bases = map[string]participant{}, map[string]string{}
	}
	h.participants[name], h.bases[name] = p, string(base)
	return nil
}

// joined returns a participant by its name.
func (h *Hall) joined(name string) (participant, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p, ok := h.participants[name]
	return p, ok
}

// maxNote is what an entry of the record takes of words.
const maxNote = 200

// adjust changes settings: those that are given, the others stay. It is on
// record before it is in force, and it outlasts a restart.
func (h *Hall) adjust(ctx context.Context, name string, change json.RawMessage) (moothall.Participant, error) {
	p, ok := h.joined(name)
	if !ok {
		return moothall.Participant{}, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "configure", Message: "there are no settings of " + name + " to change",
			Remedy: "moothall participants lists those that have some",
		}
	}
	h.adjusting.Lock()
	defer h.adjusting.Unlock()
	whole, err := merged(p.get(), change)
	if err != nil {
		return moothall.Participant{}, err
	}
	if wrong := schema.Explain(p.schema, whole); wrong != "" {
		return moothall.Participant{}, moothall.Fail(moothall.CodeInvalid, "configure "+name, wrong)
	}
	before, err := json.Marshal(p.get())
	if err != nil {
		return moothall.Participant{}, err
	}
	if err := h.answerable(ctx, before, whole); err != nil {
		return moothall.Participant{}, err
	}
	if err := h.note(ctx, moothall.ActionConfigure, clip("settings of "+name+": "+string(change), maxNote)); err != nil {
		return moothall.Participant{}, err
	}
	if err := p.set(whole); err != nil {
		return moothall.Participant{}, errors.Join(err, h.unchanged(ctx, name))
	}
	if err := h.saveSettings(ctx, name, whole); err != nil {
		if back := p.set(before); back != nil {
			h.log.Error("settings could not be put back", "participant", name, "err", back)
		}
		return moothall.Participant{}, errors.Join(err, h.unchanged(ctx, name))
	}
	return h.show(ctx, name, p)
}

// answerable refuses settings that name another model, when it is not there:
// every answer would fail. A server that is away may have it when it is back.
func (h *Hall) answerable(ctx context.Context, before, whole json.RawMessage) error {
	var was, is struct{ Provider, Model string }
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(whole, &is)); err != nil {
		return err
	}
	if is == was || is.Provider == "" && is.Model == "" {
		return nil
	}
	g, err := h.peer(moothall.Hall).Gateway()
	if err != nil {
		return err
	}
	_, err = g.ShowModel(ctx, moothall.ModelRequest{Provider: is.Provider, Model: is.Model})
	switch moothall.ErrorCode(err) {
	case moothall.CodeNotFound, moothall.CodeNotConfigured:
		return err
	}
	return nil
}

// unchanged corrects the record where a change did not come about.
func (h *Hall) unchanged(ctx context.Context, name string) error {
	return h.note(ctx, moothall.ActionConfigure, clip("settings of "+name+" stay as they were", maxNote))
}

func (h *Hall) saveSettings(ctx context.Context, name string, whole json.RawMessage) error {
	h.mu.Lock()
	base := h.bases[name]
	h.mu.Unlock()
	return h.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO hall_settings (name, base, settings, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET base = excluded.base, settings = excluded.settings, at = excluded.at`,
			name, base, string(whole), time.Now().UnixMilli())
		return err
	})
}

// merged puts a change into settings: objects field by field, the rest whole.
func merged(now any, change json.RawMessage) (json.RawMessage, error) {
	whole, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	var old, with map[string]any
	if err := json.Unmarshal(whole, &old); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(change, &with); err != nil || with == nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "configure", Message: "settings are a JSON object", Err: err}
	}
	return json.Marshal(overlay(old, with))
}

func overlay(old, with map[string]any) map[string]any {
	for key, value := range with {
		inner, isObject := value.(map[string]any)
		if was, ok := old[key].(map[string]any); ok && isObject {
			value = overlay(was, inner)
		}
		old[key] = value
	}
	return old
}

// show is a participant for people.
func (h *Hall) show(ctx context.Context, name string, p participant) (moothall.Participant, error) {
	out := moothall.Participant{Name: name, State: moothall.ServiceOK, About: p.about, Schema: p.schema}
	var err error
	if out.Settings, err = json.Marshal(p.get()); err != nil || p.figures == nil {
		return out, err
	}
	figures, err := p.figures(ctx)
	if err != nil {
		return out, err
	}
	out.Figures, err = json.Marshal(figures)
	return out, err
}

// settled lists the participants that have settings.
func (h *Hall) settled(ctx context.Context) ([]moothall.Participant, error) {
	h.mu.Lock()
	var names []string
	for name := range h.participants {
		names = append(names, name)
	}
	h.mu.Unlock()
	slices.Sort(names)
	var out []moothall.Participant
	for _, name := range names {
		p, _ := h.joined(name)
		one, err := h.show(ctx, name, p)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}
