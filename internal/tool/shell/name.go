package shell

import (
	"regexp"
	"strings"
)

// names are what package names may look like, per manager; the second group is
// a version. None can be an option, a URL or a path.
var names = map[string]*regexp.Regexp{
	"pip": regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)(?:==([A-Za-z0-9][A-Za-z0-9.+!_]{0,40}))?$`),
	"npm": regexp.MustCompile(`^((?:@[a-z0-9][a-z0-9._-]{0,60}/)?[a-z0-9][a-z0-9._-]{0,100})(?:@([0-9][A-Za-z0-9.+-]{0,40}))?$`),
	"go":  regexp.MustCompile(`^([a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:/[A-Za-z0-9][A-Za-z0-9._~-]*)+)(?:@(v[0-9][A-Za-z0-9.+-]{0,60}|latest))?$`),
	"apt": regexp.MustCompile(`^([a-z0-9][a-z0-9+.-]{1,100})(?:=([0-9][A-Za-z0-9.+:~-]{0,60}))?$`),
}

// managers in the order in which they are described.
var managers = []string{"pip", "npm", "go", "apt"}

// wanted is a package that an agent asked for.
type wanted struct{ manager, name, version string }

// parseName reads a package's name and version. It refuses whatever a manager
// could take for something else.
func parseName(manager, text string) (wanted, bool) {
	re, ok := names[manager]
	if !ok || strings.Contains(text, "..") {
		return wanted{}, false
	}
	m := re.FindStringSubmatch(text)
	if m == nil {
		return wanted{}, false
	}
	return wanted{manager, m[1], m[2]}, true
}
