package memory

import "context"

// FlushTouches writes counts of access at once.
func (s *Service) FlushTouches(ctx context.Context) error { return s.flushTouches(ctx) }

// ParseLine reads a line of an import.
func ParseLine(b []byte) (Line, error) { return parseLine(b) }

// Asked and Indexed are the words of a query and of a text.
func Asked(s string) []string { return asked(s) }
func Indexed(s string) string { return indexed(s) }
