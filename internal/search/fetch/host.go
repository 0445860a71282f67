package fetch

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"moothall"
)

const maxURL = 8 << 10

// rules are what an address must keep to, besides those for all.
type rules struct {
	ports []uint16
	test  []netip.AddrPort
}

// Check reads an address and refuses those that [Client.Get] would refuse
// without asking anybody: CodeInvalid for what is no address of a page,
// CodeDenied for what is not public.
func Check(raw string) (*url.URL, error) { return rules{}.check(raw) }

func (r rules) check(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, moothall.Fail(moothall.CodeTooLarge, "fetch", "the address is longer than "+strconv.Itoa(maxURL)+" bytes")
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || !utf8.ValidString(raw) {
		// url.Error repeats the address, which may hold anything: not shown.
		return nil, moothall.Fail(moothall.CodeInvalid, "fetch", "this is not an address of a page")
	}
	return u, r.checkURL(u)
}

// checkURL makes the host of u canonical.
func (r rules) checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return moothall.Fail(moothall.CodeInvalid, "fetch", "only http and https addresses can be fetched")
	case u.Opaque != "" || u.Host == "":
		return moothall.Fail(moothall.CodeInvalid, "fetch", "the address names no host")
	case u.User != nil:
		return moothall.Fail(moothall.CodeInvalid, "fetch", "the address holds a user name or password, which are never sent")
	}
	port, err := portOf(u)
	if err != nil {
		return err
	}
	host, err := canonical(u.Hostname())
	if err != nil {
		return err
	}
	if err := r.checkTarget(host, port); err != nil {
		return err
	}
	u.Host = join(host, u.Port())
	u.Fragment, u.RawFragment = "", ""
	return nil
}

// checkTarget refuses what can be known before a name is looked up.
func (r rules) checkTarget(host string, port uint16) error {
	addr, err := netip.ParseAddr(host)
	if err == nil && slices.Contains(r.test, netip.AddrPortFrom(addr, port)) {
		return nil
	}
	if err == nil {
		if err := Public(addr); err != nil {
			return err
		}
	} else if err := publicName(host); err != nil {
		return err
	}
	testPort := slices.ContainsFunc(r.test, func(a netip.AddrPort) bool { return a.Port() == port })
	if port != 80 && port != 443 && !slices.Contains(r.ports, port) && !testPort {
		return &moothall.Error{
			Code: moothall.CodeDenied, Op: "fetch", Message: "port " + strconv.Itoa(int(port)) + " is not one that pages are fetched from",
			Remedy: "only ports 80 and 443 are used",
		}
	}
	return nil
}

func portOf(u *url.URL) (uint16, error) {
	switch {
	case u.Port() == "" && u.Scheme == "https":
		return 443, nil
	case u.Port() == "":
		return 80, nil
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || n == 0 {
		return 0, moothall.Fail(moothall.CodeInvalid, "fetch", "the address has no valid port")
	}
	return uint16(n), nil
}

func join(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" {
		return host
	}
	return host + ":" + port
}

// canonical returns the one spelling of a host under which it is looked up.
func canonical(host string) (string, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), nil
	}
	ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(host, "."))
	if err != nil {
		return "", moothall.Fail(moothall.CodeInvalid, "fetch", "the host name is not a valid one")
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if again, err := idna.Lookup.ToASCII(ascii); err != nil || again != ascii { // two readers could see two hosts
		return "", moothall.Fail(moothall.CodeInvalid, "fetch", "the host name is not a valid one")
	}
	if addr, err := netip.ParseAddr(ascii); err == nil { // digits of another script
		return addr.String(), nil
	}
	if !validName(ascii) {
		return "", moothall.Fail(moothall.CodeInvalid, "fetch", "the host name is not a valid one")
	}
	return ascii, nil
}

// validName is the rule of host names: labels of letters, digits and inner
// hyphens. It leaves no room for NUL, %, spaces and what parsers disagree on.
func validName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(label, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' }) {
			return false
		}
	}
	return true
}

// localNames end the names of things at home and in companies. They are not
// looked up, so that not even the question leaves the machine.
var localNames = []string{"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "home.arpa", "corp", "private", "onion"}

func publicName(host string) error {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch {
	case isNumber(last):
		return moothall.Fail(moothall.CodeDenied, "fetch", "the host is a number that is not a plain IP address")
	case len(labels) == 1 || slices.Contains(localNames, last) || strings.HasSuffix(host, ".home.arpa"):
		return &moothall.Error{
			Code: moothall.CodeDenied, Op: "fetch", Message: host + " is a name of this machine or its network",
			Remedy: "only pages of the public web can be fetched",
		}
	}
	return nil
}

// isNumber says whether some resolver would read a name that ends in this
// label as an IPv4 address: 2130706433, 0177.0.0.1, 0x7f.1.
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return !strings.ContainsFunc(hex, func(c rune) bool { return (c < '0' || c > '9') && (c < 'a' || c > 'f') })
	}
	return !strings.ContainsFunc(label, func(c rune) bool { return c < '0' || c > '9' })
}
