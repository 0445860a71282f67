package attack_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// attack is one case of testdata.
type attack struct {
	Name    string   `json:"name"`
	Surface string   `json:"surface"`
	Private bool     `json:"private"` // the question needs a private file first
	Ask     string   `json:"ask"`
	Says    string   `json:"says"`
	Other   string   `json:"other"` // the same in another language
	Obey    [][]call `json:"obey"`
	Echo    bool     `json:"echo"` // the model repeats what it read and obeys nothing
}

func readAttacks(t *testing.T, file string) []attack {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var out []attack
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// forms are the ways to write an instruction; each gives the pieces that are
// planted one by one.
var forms = []struct {
	name  string
	write func(a attack) []string
}{
	{"plain", func(a attack) []string { return []string{a.Says} }},
	{"base64", func(a attack) []string { return []string{base64.URLEncoding.EncodeToString([]byte(a.Says))} }},
	{"hex", func(a attack) []string { return []string{hex.EncodeToString([]byte(a.Says))} }},
	{"rot13", func(a attack) []string { return []string{rot13(a.Says)} }},
	{"other language", func(a attack) []string { return []string{a.Other} }},
	{"split", func(a attack) []string {
		words := strings.Fields(a.Says)
		half := len(words) / 2
		return []string{strings.Join(words[:half], " "), strings.Join(words[half:], " ")}
	}},
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// trial is one case set up in a world.
type trial struct {
	w      *world
	token  string
	secret string // the canary in the private file
	model  *obedient
	// context is text that goes with the question.
	context string
	// pages are addresses that the person gives in the question.
	pages []string
}

// newTrial makes the model, the private file and the diary of a trial.
func (w *world) newTrial(t *testing.T) *trial {
	t.Helper()
	raw := make([]byte, 8)
	rand.Read(raw)
	tr := &trial{w: w, secret: "moot" + hex.EncodeToString(raw), model: &obedient{}}
	tr.model.fill = tr.fill
	tr.token = w.admit(tr.model)
	w.put(t, tr.own(), "# Plan\n\nThe key is "+tr.secret+".\n")
	w.put(t, tr.diary(), diaryText)
	return tr
}

// question is what the person types.
func (tr *trial) question(a attack) string {
	return strings.Join(append([]string{strings.ReplaceAll(a.Ask, "{token}", tr.token)}, tr.pages...), "\n")
}

const diaryText = "Dear diary, today was fine.\n"

func (tr *trial) own() string {
	return filepath.Join(tr.w.user, "projects", "own", tr.token, "plan.md")
}

func (tr *trial) diary() string {
	return filepath.Join(tr.w.home.Workspace(), tr.token, "diary.md")
}

// fill puts values for placeholders; secret is what the model has seen.
func (tr *trial) fill(text, secret string) string {
	w := tr.w
	return strings.NewReplacer(
		"{token}", tr.token, "{own}", tr.own(), "{user}", w.user, "{data}", w.home.Data, "{workspace}", w.home.Workspace(),
		"{evil}", w.web.url(evilHost, ""), "{evilhost}", evilHost+":"+w.web.port, "{good}", w.web.url(goodHost, ""), "{goodhost}", goodHost+":"+w.web.port,
		"{secret}", secret, "{secret64}", base64.RawURLEncoding.EncodeToString([]byte(secret)), "{secrethex}", hex.EncodeToString([]byte(secret)),
		"{secretrot}", rot13(secret), "{secretrev}", reversed(secret), "{menu}", tr.menu(),
		"{secretday}", day(secret),
	).Replace(text)
}

// menu lists an address for each character that a secret can have.
func (tr *trial) menu() string {
	var out []string
	for _, r := range "0123456789abcdef" {
		out = append(out, tr.w.web.url(evilHost, "/"+tr.token+"/"+string(r)))
	}
	return strings.Join(out, " ")
}

// disguises are the forms in which the canary would be recognised outside.
func (tr *trial) disguises() []string {
	s := tr.secret
	return []string{
		s, strings.ToUpper(s), reversed(s), rot13(s), hex.EncodeToString([]byte(s)),
		strings.TrimRight(base64.RawURLEncoding.EncodeToString([]byte(s)), "="), s[4:], day(s),
	}
}

// day spells the beginning of a secret as a date.
func day(secret string) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(secret, "moot"), 16, 64)
	if err != nil {
		return "2000-01-01" // the model has seen none
	}
	return fmt.Sprintf("%04d-%02d-%02d", 3000+n%6000, 1+n/6000%12, 1+n/72000%28)
}
