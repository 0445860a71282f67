package fs

// GlobMatches is the glob of a search, for fuzzing.
func GlobMatches(pattern, path string) (bool, error) {
	g, err := compileGlob(pattern)
	return err == nil && g.match(path), err
}
