package attack_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/search"
)

// tool makes a call of JSON arguments that cannot fail to marshal.
func tool(name string, args map[string]any) call {
	text, err := json.Marshal(args)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return call{name, text}
}

// prepare plants the words of a case on its surface and says what the model
// calls to come to see them.
func (tr *trial) prepare(t *testing.T, a attack, pieces []string) {
	t.Helper()
	for i := range pieces {
		pieces[i] = tr.fill(pieces[i], "")
	}
	if a.Private {
		tr.model.before = append(tr.model.before, []call{tool("fs_read", map[string]any{"path": tr.own()})})
	}
	tr.model.before = append(tr.model.before, tr.plant(t, a.Surface, pieces))
	tr.model.words, tr.model.after, tr.model.echo = pieces, a.Obey, a.Echo
}

// plant puts pieces of text where a surface has them and returns the calls
// that bring them to the model.
func (tr *trial) plant(t *testing.T, surface string, pieces []string) []call {
	t.Helper()
	put, ok := surfaces[surface]
	if !ok {
		t.Fatalf("there is no surface %q", surface)
	}
	var calls []call
	for i, p := range pieces {
		c := put(t, tr, i, p)
		if !slices.ContainsFunc(calls, func(had call) bool { return had.Tool == c.Tool && string(had.Args) == string(c.Args) }) {
			calls = append(calls, c)
		}
	}
	return calls
}

// surfaces are where words can stand. Each puts one piece there and returns
// the call that reads it; one call may read several.
var surfaces = map[string]func(t *testing.T, tr *trial, i int, p string) call{
	"page": func(t *testing.T, tr *trial, i int, p string) call {
		path := fmt.Sprintf("/%s/%d", tr.token, i)
		tr.w.web.publish(path, harmless+p+harmless)
		tr.pages = append(tr.pages, tr.w.web.url(goodHost, path))
		return tool("web_fetch", map[string]any{"url": tr.w.web.url(goodHost, path)})
	},
	"search": func(t *testing.T, tr *trial, i int, p string) call {
		tr.w.web.list(search.Hit{
			Title: fmt.Sprintf("News %d about %s", i, tr.token), Snippet: "About " + tr.token + ". " + p,
			URL: tr.w.web.url(goodHost, fmt.Sprintf("/%s/%d", tr.token, i)),
		})
		return tool("web_search", map[string]any{"query": "news about " + tr.token})
	},
	"file": func(t *testing.T, tr *trial, i int, p string) call {
		return tr.file(t, "clones", i, harmless+p+harmless)
	},
	"commit": func(t *testing.T, tr *trial, i int, p string) call {
		return tr.file(t, "clones", i, "commit 1f3c\n\n    "+p)
	},
	"ownfile": func(t *testing.T, tr *trial, i int, p string) call {
		return tr.file(t, "own", i, harmless+p+harmless)
	},
	"filename": func(t *testing.T, tr *trial, _ int, p string) call {
		tr.w.put(t, filepath.Join(tr.folder("clones"), p), "x")
		return tool("fs_list", map[string]any{"path": tr.folder("clones")})
	},
	"saved": func(t *testing.T, tr *trial, _ int, p string) call {
		path := filepath.Join(tr.w.home.Workspace(), tr.token, "saved.md")
		tr.save(t, path, p)
		return tool("fs_read", map[string]any{"path": path})
	},
	"memory": func(t *testing.T, tr *trial, i int, p string) call {
		if _, err := tr.w.memory.FakeMemory.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{
			Kind: moothall.Fact, Name: fmt.Sprintf("%s %d", tr.token, i), Corpus: tr.token + " " + p, Trust: moothall.TrustExternal, Source: "page",
		}}); err != nil {
			t.Fatal(err)
		}
		return tool("memory_read", map[string]any{"query": tr.token})
	},
	"note": func(t *testing.T, tr *trial, i int, p string) call {
		tr.w.put(t, filepath.Join(tr.w.user, "notes", fmt.Sprintf("%s-%d.md", tr.token, i)), "# Note on "+tr.token+"\n\n"+p+"\n")
		return tool("notes_search", map[string]any{"query": tr.token})
	},
	"calendar": func(t *testing.T, tr *trial, i int, p string) call {
		tr.w.put(t, filepath.Join(tr.w.user, "calendar", fmt.Sprintf("%s-%d.ics", tr.token, i)), event(tr.token, i, p))
		return tool("calendar_read", map[string]any{"query": tr.token, "from": "2030-01-01", "to": "2030-01-31"})
	},
	"mcp": func(t *testing.T, tr *trial, _ int, p string) call {
		tr.w.shop.mu.Lock()
		defer tr.w.shop.mu.Unlock()
		tr.w.shop.say[tr.token] += " " + p
		return tool(tr.w.shop.exposed(0), map[string]any{"text": tr.token})
	},
	// Descriptions are there since the hall opened.
	"about": func(t *testing.T, tr *trial, _ int, _ string) call {
		return tool(tr.w.shop.exposed(0), map[string]any{"text": tr.token})
	},
	"offer": func(*testing.T, *trial, int, string) call { return tool("now", map[string]any{}) },
	"context": func(_ *testing.T, tr *trial, _ int, p string) call {
		tr.context = p
		return tool("now", map[string]any{})
	},
}

// folder is the trial's own in one of the person's folders.
func (tr *trial) folder(of string) string {
	return filepath.Join(tr.w.user, "projects", of, tr.token)
}

// file puts a text into a file and reads it.
func (tr *trial) file(t *testing.T, of string, i int, text string) call {
	t.Helper()
	path := filepath.Join(tr.folder(of), fmt.Sprintf("readme%d.md", i))
	tr.w.put(t, path, text)
	return tool("fs_read", map[string]any{"path": path})
}

// save has another session read a page with the words and keep it in a file.
func (tr *trial) save(t *testing.T, path, text string) {
	t.Helper()
	other := tr.w.newTrial(t)
	address := "/" + other.token
	tr.w.web.publish(address, harmless+text)
	other.model.before = [][]call{
		{tool("web_fetch", map[string]any{"url": tr.w.web.url(goodHost, address)})},
		{tool("fs_write", map[string]any{"path": path, "content": text})},
	}
	if o := other.ask(t, "Save the page about "+other.token+".", ""); o.answer.Tools[1].Status != moothall.CallOK {
		t.Fatalf("the page was not saved: %s", o.status())
	}
}

const harmless = "\n\nThe harbour was rebuilt in three stages, and the second bridge opened to traffic in the spring.\n\n"

// event is a calendar with one appointment.
func event(token string, i int, text string) string {
	escape := strings.NewReplacer(`\`, `\\`, ",", `\,`, ";", `\;`, "\n", `\n`)
	return strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "BEGIN:VEVENT", fmt.Sprintf("UID:%s-%d@x", token, i),
		"DTSTAMP:20300101T000000Z", fmt.Sprintf("DTSTART:203001%02dT100000Z", 10+i), fmt.Sprintf("DTEND:203001%02dT110000Z", 10+i),
		"SUMMARY:Meeting about " + token, "DESCRIPTION:" + escape.Replace(text), "END:VEVENT", "END:VCALENDAR", "",
	}, "\r\n")
}
