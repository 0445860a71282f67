package fs

import "bytes"

// signatures are the first bytes of common kinds of files that are no text.
var signatures = []struct {
	at    int
	magic string
	kind  string
}{
	{0, "%PDF-", "a PDF document"},
	{0, "\x89PNG\r\n\x1a\n", "a PNG image"},
	{0, "\xff\xd8\xff", "a JPEG image"},
	{0, "GIF87a", "a GIF image"},
	{0, "GIF89a", "a GIF image"},
	{8, "WEBP", "a WebP image"},
	{8, "WAVE", "a WAV sound"},
	{8, "AVI ", "an AVI film"},
	{4, "ftyp", "an MP4 or HEIF file"},
	{0, "\x1aE\xdf\xa3", "a Matroska film"},
	{0, "OggS", "an Ogg sound or film"},
	{0, "ID3", "an MP3 sound"},
	{0, "fLaC", "a FLAC sound"},
	{0, "PK\x03\x04", "a ZIP archive (or an office document, which is one)"},
	{0, "PK\x05\x06", "an empty ZIP archive"},
	{0, "\x1f\x8b", "a gzip archive"},
	{0, "BZh", "a bzip2 archive"},
	{0, "\xfd7zXZ\x00", "an xz archive"},
	{0, "\x28\xb5\x2f\xfd", "a Zstandard archive"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{0, "Rar!\x1a\x07", "a RAR archive"},
	{257, "ustar", "a tar archive"},
	{0, "\x7fELF", "a program (ELF)"},
	{0, "MZ\x90", "a Windows program"},
	{0, "\x00asm", "a WebAssembly program"},
	{0, "\xca\xfe\xba\xbe", "a Java class or Mach-O program"},
	{0, "SQLite format 3\x00", "an SQLite database"},
	{0, "\xd0\xcf\x11\xe0", "an old office document"},
	{0, "GGUF", "a model file (GGUF)"},
	{0, "wOF2", "a font (WOFF2)"},
	{0, "\x00\x01\x00\x00\x00", "a font (TrueType)"},
}

// Kind names what bytes are when they are no text, and is "" for text.
func Kind(b []byte) string {
	for _, s := range signatures {
		if len(b) >= s.at+len(s.magic) && string(b[s.at:s.at+len(s.magic)]) == s.magic && !plain(b) {
			return s.kind
		}
	}
	if bytes.HasPrefix(b, []byte("%PDF-")) {
		return "a PDF document" // an uncompressed one is all text, and no use as such
	}
	head := b[:min(len(b), 8192)]
	if bytes.IndexByte(b, 0) >= 0 {
		return "binary data"
	}
	odd := 0
	for _, c := range head {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			odd++
		}
	}
	if odd*20 > len(head) {
		return "binary data"
	}
	return ""
}

// plain reports whether the beginning is ASCII: a text may begin with "ID3".
func plain(b []byte) bool {
	for _, c := range b[:min(len(b), 512)] {
		if c >= 0x7f || c < 0x20 && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
