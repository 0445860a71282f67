package audit

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	headEnd = "---\n" // stands after every head
	maxHead = 1 << 10 // a head has about 300 bytes
	opOpen  = "open audit log"
)

// readHeads reads the file of heads. bytes is where the intact heads end;
// what follows is a torn write. A damaged head is tampering.
func readHeads(r io.Reader, k *keys) (heads []head, bytes int64, err error) {
	in := bufio.NewReaderSize(r, maxHead)
	for {
		frame, err := nextFrame(in)
		if errors.Is(err, io.EOF) {
			return heads, bytes, checkTornHead(frame, k, bytes, len(heads))
		}
		if err != nil {
			return nil, 0, err
		}
		h, ok := k.openHead(frame)
		if !ok {
			if isTornHead(frame, k.verifier.Name()) && restIsEmpty(in) {
				return heads, bytes, nil
			}
			return nil, 0, tampered(opOpen, "head %d at byte %d of heads is damaged", len(heads), bytes)
		}
		if len(heads) == 0 && h.size != 1 || len(heads) > 0 && h.size <= heads[len(heads)-1].size {
			return nil, 0, tampered(opOpen, "head %d at byte %d of heads is out of order", len(heads), bytes)
		}
		heads = append(heads, h)
		bytes += int64(len(frame))
	}
}

// checkTornHead judges the last bytes of the file, which end no head.
func checkTornHead(frame []byte, k *keys, at int64, n int) error {
	if len(frame) == 0 || isTornHead(frame, k.verifier.Name()) {
		return nil
	}
	return tampered(opOpen, "head %d at byte %d of heads is damaged", n, at)
}

func restIsEmpty(in *bufio.Reader) bool {
	_, err := in.ReadByte()
	return errors.Is(err, io.EOF)
}

// nextFrame reads up to the end of a head. With io.EOF it returns what is
// left over.
func nextFrame(in *bufio.Reader) ([]byte, error) {
	var frame []byte
	for {
		b, err := in.ReadSlice('\n')
		frame = append(frame, b...)
		switch {
		case errors.Is(err, io.EOF):
			return frame, io.EOF
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, ioFailure(opOpen, err)
		case string(b) == headEnd || len(frame) > maxHead:
			return frame, nil
		}
	}
}

// openHead checks a head with its end line. Decoders are lenient about spare
// bits and letter case, so the head is spelled again and compared.
func (k *keys) openHead(frame []byte) (head, bool) {
	msg, ok := bytes.CutSuffix(frame, []byte(headEnd))
	if !ok {
		return head{}, false
	}
	n, err := note.Open(msg, note.VerifierList(k.verifier))
	if err != nil || len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 0 {
		return head{}, false
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) != 4 {
		return head{}, false
	}
	size, err := strconv.ParseUint(lines[1], 10, 62)
	root, err2 := tlog.ParseHash(lines[2])
	sig, err3 := base64.StdEncoding.DecodeString(n.Sigs[0].Base64)
	if err != nil || err2 != nil || err3 != nil {
		return head{}, false
	}
	h := head{size: size, root: root}
	name := k.verifier.Name()
	spelled := h.text(name) + "\n— " + name + " " + base64.StdEncoding.EncodeToString(sig) + "\n"
	return h, spelled == string(msg)
}

// isTornHead reports whether bytes after the last head look like a write cut
// off by a crash: the beginning of a head, or one of which a page is missing
// and reads as zeros. A whole head with a wrong byte does not.
func isTornHead(b []byte, name string) bool {
	if b[0] == 0 {
		return true
	}
	written := bytes.TrimRight(b, "\x00")
	return len(written) < len(b) && isHeadPrefix(written, name) || isHeadPrefix(b, name)
}

// isHeadPrefix reports whether b is a true beginning of some head.
func isHeadPrefix(b []byte, name string) bool {
	rest := string(b)
	digits := func(c byte) bool { return '0' <= c && c <= '9' }
	base := func(c byte) bool {
		return digits(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '+' || c == '/' || c == '='
	}
	for _, part := range []struct {
		text  string          // these very bytes, or
		class func(byte) bool // up to n bytes of this class
		n     int
	}{
		{text: name + "\n"}, {class: digits, n: 19}, {text: "\n"}, {class: base, n: 44},
		{text: "\n\n— " + name + " "}, {class: base, n: 92}, {text: "\n" + headEnd},
	} {
		if part.class != nil {
			i := 0
			for i < len(rest) && i < part.n && part.class(rest[i]) {
				i++
			}
			rest = rest[i:]
			continue
		}
		if len(rest) < len(part.text) {
			return strings.HasPrefix(part.text, rest)
		}
		if !strings.HasPrefix(rest, part.text) {
			return false
		}
		rest = rest[len(part.text):]
	}
	return false
}
