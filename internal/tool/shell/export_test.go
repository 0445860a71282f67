package shell

// ParseName is parseName, for its fuzz test.
func ParseName(manager, text string) (name, version string, ok bool) {
	w, ok := parseName(manager, text)
	return w.name, w.version, ok
}

// Managers are those of package_install.
func Managers() []string { return managers }
