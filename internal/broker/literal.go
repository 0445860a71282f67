package broker

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"moothall"
	"moothall/internal/store"
)

// How much a session remembers of what may be sent out again. What comes
// after is not free to send: it is asked about.
const (
	maxAddresses = 4096
	maxTexts     = 512
	maxWords     = 4096 // of one text
)

type addressHash [16]byte

// word is a word as written and without the punctuation around it.
type word [2]uint64

// literals are what the person typed and what searches found, as keyed
// hashes: enough to recognise a text, not to read one.
type literals struct {
	key []byte

	mu        sync.Mutex
	addresses map[addressHash]bool
	texts     []said
	words     map[uint64]bool // of the texts; true: the person typed it
}

// said is a text that somebody wrote.
type said struct {
	words []word
	typed bool // by the person
}

func newLiterals(key []byte) literals {
	return literals{key: key, addresses: map[addressHash]bool{}, words: map[uint64]bool{}}
}

func (l *literals) sum(s string) []byte {
	m := hmac.New(sha256.New, l.key)
	m.Write([]byte(s))
	return m.Sum(nil)
}

func (l *literals) address(s string) addressHash { return addressHash(l.sum(s)[:16]) }

// around is the punctuation that sentences put around words.
const around = `.,;:!?"'()[]{}<>«»“”‘’„…*_` + "`"

// split hashes a text's words.
func (l *literals) split(text string) []word {
	var out []word
	for f := range strings.FieldsSeq(text) {
		if len(out) == maxWords {
			break
		}
		w := word{binary.BigEndian.Uint64(l.sum(f))}
		w[1] = w[0]
		if bare := strings.Trim(f, around); bare != f && bare != "" {
			w[1] = binary.BigEndian.Uint64(l.sum(bare))
		}
		out = append(out, w)
	}
	return out
}

// link finds what looks like an address in a text.
var link = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"'\x60]+`)

// bare finds what people write for an address: a host's name, with or
// without a path.
var bare = regexp.MustCompile(`(?i)\b(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?::[0-9]{1,5})?(?:/[^\s<>"'\x60]*)?`)

// addresses returns the addresses in a text in their normal form. Typed says
// that a person wrote it, who may leave the scheme out.
func addresses(text string, typed bool) []string {
	var out []string
	add := func(s string) {
		for _, form := range []string{s, strings.TrimRight(s, around)} {
			if u, ok := normal(form); ok {
				out = append(out, u)
			}
		}
	}
	for _, s := range link.FindAllString(text, maxAddresses) {
		add(s)
	}
	if typed {
		for _, s := range bare.FindAllString(link.ReplaceAllString(text, " "), maxAddresses) {
			add("https://" + s)
			add("http://" + s)
		}
	}
	return out
}

// normal gives an address one form, changing nothing that reaches a server's
// program: scheme and host in small letters, no default port, no fragment.
func normal(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || u.User != nil {
		return "", false
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		u.Host = strings.TrimSuffix(u.Host, ":80")
	case "https":
		u.Host = strings.TrimSuffix(u.Host, ":443")
	default:
		return "", false
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String(), true
}

// knows reports whether a text that is to be sent stands literally in what
// the person typed or a search found.
func (l *literals) knows(text string) bool {
	if strings.Contains(text, "://") {
		u, ok := normal(text)
		h := l.address(u)
		l.mu.Lock()
		defer l.mu.Unlock()
		return ok && l.addresses[h]
	}
	asked := l.split(text)
	if len(asked) == 0 || len(asked) == maxWords {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.texts {
		if contains(t.words, asked) {
			return true
		}
	}
	return false
}

// contains reports whether the words stand in the text side by side.
func contains(text, words []word) bool {
	for i := 0; i+len(words) <= len(text); i++ {
		same := true
		for j, w := range words {
			if have := text[i+j]; have[0] != w[0] && have[1] != w[0] {
				same = false
				break
			}
		}
		if same {
			return true
		}
	}
	return false
}

// learned is what a text adds.
type learned struct {
	addresses []addressHash
	place     int
	words     []word
	typed     bool
}

// learnTyped takes in what a person typed.
func (l *literals) learnTyped(text string) *learned {
	return l.learn(text, addresses(text, true), true)
}

// learnFound takes in what a search returned. Only the addresses of its
// findings count, not those that stand in their texts: whoever writes a text
// could list many, and read something out of which of them is fetched.
func (l *literals) learnFound(res moothall.ToolResult) *learned {
	var urls []string
	var v any
	if json.Unmarshal(res.Data, &v) == nil {
		urls = sources(urls, v)
	}
	return l.learn(found(res), urls, false)
}

// sources gathers the addresses of findings.
func sources(out []string, v any) []string {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = sources(out, e)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if s, ok := v[k].(string); ok && (k == "source_url" || k == "url") {
				if u, ok := normal(s); ok {
					out = append(out, u)
				}
				continue
			}
			out = sources(out, v[k])
		}
	}
	return out
}

// learn takes a text and addresses in and returns the rows that keep them, or
// nil.
func (l *literals) learn(text string, found []string, typed bool) *learned {
	words := l.split(text)
	out := &learned{place: -1, typed: typed}
	hashes := make([]addressHash, len(found))
	for i, u := range found {
		hashes[i] = l.address(u)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range hashes {
		if !l.addresses[h] && len(l.addresses) < maxAddresses {
			l.addresses[h] = true
			out.addresses = append(out.addresses, h)
		}
	}
	had := slices.ContainsFunc(l.texts, func(t said) bool { return (t.typed || !typed) && slices.Equal(t.words, words) })
	if len(words) > 0 && len(l.texts) < maxTexts && !had {
		out.place, out.words = len(l.texts), words
		l.add(said{words, typed})
	}
	if out.place < 0 && len(out.addresses) == 0 {
		return nil
	}
	return out
}

// add enters a text; the lock is held.
func (l *literals) add(t said) {
	l.texts = append(l.texts, t)
	for _, w := range t.words {
		for _, h := range w {
			l.words[h] = l.words[h] || t.typed
		}
	}
}

// hasWord reports whether a word stands in what was typed or found.
func (l *literals) hasWord(s string) bool {
	has, _ := l.word(s)
	return has
}

// typedWord reports whether a word stands in what the person typed.
func (l *literals) typedWord(s string) bool {
	_, typed := l.word(s)
	return typed
}

// word looks for a word as written and without the punctuation around it.
func (l *literals) word(s string) (has, typed bool) {
	list := l.split(s)
	if len(list) != 1 {
		return false, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range list[0] {
		t, ok := l.words[h]
		has, typed = has || ok, typed || t
	}
	return has, typed
}

func (n *learned) save(tx *store.Tx, session string) error {
	ctx := context.Background()
	for _, h := range n.addresses {
		if _, err := tx.Exec(ctx, `INSERT INTO broker_addresses (session, hash) VALUES (?, ?) ON CONFLICT DO NOTHING`, session, h[:]); err != nil {
			return err
		}
	}
	if n.place < 0 {
		return nil
	}
	raw := make([]byte, 0, 16*len(n.words))
	for _, w := range n.words {
		raw = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(raw, w[0]), w[1])
	}
	_, err := tx.Exec(ctx, `INSERT INTO broker_texts (session, n, words, typed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		session, n.place, raw, n.typed)
	return err
}

func (l *literals) load(ctx context.Context, tx *store.Tx, session string) error {
	var raw []byte
	rows, err := tx.Query(ctx, `SELECT hash FROM broker_addresses WHERE session = ?`, session)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(&raw); err != nil {
			return err
		}
		if len(raw) == len(addressHash{}) {
			l.addresses[addressHash(raw)] = true
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if rows, err = tx.Query(ctx, `SELECT words, typed FROM broker_texts WHERE session = ? ORDER BY n`, session); err != nil {
		return err
	}
	for rows.Next() {
		var typed bool
		if err := rows.Scan(&raw, &typed); err != nil {
			return err
		}
		text := make([]word, 0, len(raw)/16)
		for r := raw; len(r) >= 16; r = r[16:] {
			text = append(text, word{binary.BigEndian.Uint64(r), binary.BigEndian.Uint64(r[8:])})
		}
		l.add(said{text, typed})
	}
	return rows.Err()
}

// found is the text of a search's result: what the model reads and the
// strings that programs read.
func found(res moothall.ToolResult) string {
	var b strings.Builder
	b.WriteString(res.Text)
	var v any
	if json.Unmarshal(res.Data, &v) == nil {
		gather(&b, v)
	}
	return b.String()
}

func gather(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteByte('\n')
		b.WriteString(v)
	case []any:
		for _, e := range v {
			gather(b, e)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			gather(b, v[k])
		}
	}
}
