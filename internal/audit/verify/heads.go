package verify

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"moothall"
)

// signed is a head whose signature was checked.
type signed struct {
	size uint64
	root digest
	text string // the whole note
}

const dashes = "---"

// openHead checks one signed note. Only the canonical spelling passes: the
// decoders below are lenient, so everything is spelled again.
func openHead(text string, v note.Verifier) (signed, error) {
	lines, ok := headLines(text)
	if !ok {
		return signed{}, errors.New("is not a signed head")
	}
	size, ok := decimal([]byte(lines[1]))
	root, ok2 := parseDigest(lines[2])
	if lines[0] != v.Name() {
		return signed{}, fmt.Errorf("is a head of another log: %q", lines[0])
	}
	signature, ok3 := strings.CutPrefix(lines[4], signs+v.Name()+" ")
	raw, err := base64.StdEncoding.DecodeString(signature)
	if !ok || !ok2 || !ok3 || err != nil || base64.StdEncoding.EncodeToString(raw) != signature {
		return signed{}, errors.New("is not in canonical form")
	}
	if _, err := note.Open([]byte(text), note.VerifierList(v)); err != nil {
		return signed{}, errors.New("has no valid signature of this log's key")
	}
	return signed{size: size, root: root, text: text}, nil
}

// signs is how the last line of a head begins, before the log's name.
const signs = "— "

// headLines splits what has the form of a head, whatever it says.
func headLines(text string) ([]string, bool) {
	lines := strings.Split(text, "\n")
	return lines, len(lines) == 6 && lines[3] == "" && strings.HasPrefix(lines[4], signs) && lines[5] == ""
}

// noHead is the error for words that somebody gave as a head.
func noHead(op string) error {
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: op, Message: "what was given as an anchor is no signed head",
		Remedy: "give one as it was kept from: moothall audit verify --json | jq -r .last_head; it has five lines, the last of which begins with " + signs,
	}
}

// readHeads reads the file of heads and returns the valid ones.
func (c *checker) readHeads(v note.Verifier) []signed {
	b, err := os.ReadFile(filepath.Join(c.dir, "heads"))
	if errors.Is(err, fs.ErrNotExist) {
		c.report.tampered("heads", "is missing: every log has a head from its beginning")
		return nil
	}
	if err != nil {
		c.report.add(Damaged, "Check the file's permissions.", "heads", "cannot be read")
		return nil
	}
	var heads []signed
	rest, at := string(b), 0
	for n := 0; rest != ""; n++ {
		text, more, whole := cutHead(rest)
		where := fmt.Sprintf("head %d (byte %d of heads)", n, at)
		if !whole {
			c.unfinishedHead(where, rest, v.Name())
			break
		}
		h, err := openHead(text, v)
		switch {
		case err != nil:
			c.report.tampered(where, "%v", err)
		case len(heads) == 0 && n == 0 && h.size != 1:
			c.report.tampered(where, "covers %d entries; the first head covers one", h.size)
		case len(heads) > 0 && h.size <= heads[len(heads)-1].size:
			c.report.tampered(where, "covers %d entries, the one before it %d", h.size, heads[len(heads)-1].size)
		default:
			heads = append(heads, h)
		}
		at += len(rest) - len(more)
		rest = more
	}
	if len(heads) == 0 {
		c.report.tampered("heads", "holds no valid head: every log has one from its beginning")
	}
	return heads
}

// cutHead splits off the first head, up to its line of dashes.
func cutHead(s string) (text, rest string, whole bool) {
	text, rest, whole = strings.Cut(s, "\n"+dashes+"\n")
	return text + "\n", rest, whole
}

// unfinishedHead judges bytes at the end that are no whole head: a writer at
// work or killed leaves the beginning of one.
func (c *checker) unfinishedHead(where, text, name string) {
	lines := strings.Split(text, "\n")
	last := len(lines) - 1
	const b64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	prefix := signs + name + " "
	plausible := len(lines) <= 6
	for i, l := range lines[:min(len(lines), 6)] {
		done := i < last
		switch i {
		case 0:
			plausible = plausible && strings.HasPrefix(name, l) && (!done || l == name)
		case 1:
			plausible = plausible && len(l) <= 19 && strings.Trim(l, "0123456789") == "" && (!done || l != "")
		case 2:
			plausible = plausible && len(l) <= 44 && strings.Trim(l, b64) == "" && (!done || len(l) == 44)
		case 3:
			plausible = plausible && l == ""
		case 4:
			s, begun := strings.CutPrefix(l, prefix)
			ok := begun && len(s) <= 92 && strings.Trim(s, b64) == "" && (!done || len(s) == 92)
			plausible = plausible && (ok || !done && strings.HasPrefix(prefix, l))
		case 5:
			plausible = plausible && strings.HasPrefix(dashes, l)
		}
	}
	if plausible {
		c.report.add(Info, "", where, "is unfinished: it is being written, or its writer was killed")
		return
	}
	c.report.add(Damaged, remedyTorn, where, "is no head")
}
