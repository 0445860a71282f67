package fetch

import (
	"net/netip"

	"moothall"
)

// special is a block of addresses that are not for pages of the public web.
type special struct {
	prefix netip.Prefix
	what   string
}

// specials are the IANA registries of special-purpose addresses, IPv4 and
// IPv6, with multicast, and what clouds have put on public addresses. The
// predicates of net/netip know about half of them.
func specials() []special {
	return []special{
		block("0.0.0.0/8", "this network"),
		block("10.0.0.0/8", "a private network"),
		block("100.64.0.0/10", "a provider's shared network"),
		block("127.0.0.0/8", "this machine"),
		block("168.63.129.16/32", "a cloud's host service"),
		block("169.254.0.0/16", "link-local, where clouds keep credentials"),
		block("172.16.0.0/12", "a private network"),
		block("192.0.0.0/24", "protocol assignments"),
		block("192.0.2.0/24", "documentation"),
		block("192.31.196.0/24", "a reverse-lookup sink"),
		block("192.52.193.0/24", "multicast tunnels"),
		block("192.88.99.0/24", "6to4 relays"),
		block("192.168.0.0/16", "a private network"),
		block("192.175.48.0/24", "a reverse-lookup sink"),
		block("198.18.0.0/15", "benchmarks"),
		block("198.51.100.0/24", "documentation"),
		block("203.0.113.0/24", "documentation"),
		block("224.0.0.0/4", "multicast"),
		block("240.0.0.0/4", "reserved, or broadcast"),
		block("::/96", "this machine, or IPv4 in an old form"),
		block("::ffff:0:0:0/96", "translated IPv4"),
		block("64:ff9b::/96", "translated IPv4"),
		block("64:ff9b:1::/48", "translated IPv4"),
		block("100::/64", "discarded"),
		block("100:0:0:1::/64", "a dummy prefix"),
		block("2001::/23", "protocol assignments and tunnels"),
		block("2001:db8::/32", "documentation"),
		block("2002::/16", "6to4 tunnels"),
		block("2620:4f:8000::/48", "a reverse-lookup sink"),
		block("3fff::/20", "documentation"),
		block("5f00::/16", "segment routing"),
		block("fc00::/7", "a private network"),
		block("fe80::/10", "link-local"),
		block("fec0::/10", "a private network"),
		block("ff00::/8", "multicast"),
	}
}

func block(prefix, what string) special { return special{netip.MustParsePrefix(prefix), what} }

// globalIPv6 is all that has ever been given out for the public internet.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// Public returns an error with CodeDenied unless the address belongs to the
// public internet.
func Public(addr netip.Addr) error {
	if addr.Zone() != "" {
		return notPublic(addr, "it belongs to one network card")
	}
	addr = addr.Unmap()
	for _, s := range table {
		if s.prefix.Contains(addr) {
			return notPublic(addr, "it is set aside for "+s.what)
		}
	}
	if !addr.IsValid() || addr.Is6() && !globalIPv6.Contains(addr) {
		return notPublic(addr, "it is not given out to anybody")
	}
	return nil
}

// table is [specials], parsed once.
var table = specials()

func notPublic(addr netip.Addr, why string) error {
	return &moothall.Error{
		Code: moothall.CodeDenied, Op: "fetch", Message: addr.String() + " is not a public address: " + why,
		Remedy: "only pages of the public web can be fetched",
	}
}
