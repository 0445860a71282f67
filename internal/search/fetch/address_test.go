package fetch_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/search/fetch"
)

// classes has one address, or two at the edges, of every class that is not
// for pages.
var classes = map[string][]string{
	"this network":    {"0.0.0.0", "0.255.255.255"},
	"private 10":      {"10.0.0.0", "10.255.255.255"},
	"shared":          {"100.64.0.0", "100.100.100.200", "100.127.255.255"},
	"loopback":        {"127.0.0.1", "127.255.255.254"},
	"link-local":      {"169.254.169.254", "169.254.0.0"},
	"private 172":     {"172.16.0.0", "172.31.255.255"},
	"assignments":     {"192.0.0.0", "192.0.0.192", "192.0.0.255"},
	"documentation 1": {"192.0.2.1"},
	"sink 1":          {"192.31.196.1"},
	"tunnels":         {"192.52.193.1"},
	"6to4 relay":      {"192.88.99.1"},
	"private 192":     {"192.168.0.0", "192.168.255.255"},
	"sink 2":          {"192.175.48.1"},
	"benchmarks":      {"198.18.0.0", "198.19.255.255"},
	"documentation 2": {"198.51.100.1"},
	"documentation 3": {"203.0.113.1"},
	"multicast":       {"224.0.0.1", "239.255.255.255"},
	"reserved":        {"240.0.0.1"},
	"broadcast":       {"255.255.255.255"},
	"cloud host":      {"168.63.129.16"},
	"unspecified 6":   {"::"},
	"loopback 6":      {"::1"},
	"compatible":      {"::7f00:1", "::808:808"},
	"mapped":          {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"},
	"translated":      {"::ffff:0:7f00:1"},
	"NAT64":           {"64:ff9b::7f00:1", "64:ff9b::808:808"},
	"local NAT64":     {"64:ff9b:1::1"},
	"discard":         {"100::1", "100:0:0:1::1"},
	"Teredo":          {"2001::1", "2001:0:4136:e378::1"},
	"benchmark 6":     {"2001:2::1"},
	"ORCHID":          {"2001:10::1", "2001:20::1"},
	"documentation 6": {"2001:db8::1", "3fff::1"},
	"6to4":            {"2002:7f00:1::1"},
	"sink 6":          {"2620:4f:8000::1"},
	"segment routing": {"5f00::1"},
	"private 6":       {"fc00::1", "fd00:ec2::254"},
	"link-local 6":    {"fe80::1"},
	"site-local":      {"fec0::1"},
	"multicast 6":     {"ff02::1"},
	"never given out": {"4000::1", "8000::1", "1::1"},
}

func each(t *testing.T, test func(t *testing.T, addr netip.Addr)) {
	if len(classes) < 27 {
		t.Fatalf("%d classes, want 27 or more", len(classes))
	}
	for name, list := range classes {
		for _, a := range list {
			t.Run(name+" "+a, func(t *testing.T) { test(t, netip.MustParseAddr(a)) })
		}
	}
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for _, a := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
		"198.17.255.255", "198.20.0.0", "223.255.255.255", "168.63.129.15", "2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888",
		"::ffff:8.8.8.8",
	} {
		if err := fetch.Public(netip.MustParseAddr(a)); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	wantCode(t, fetch.Public(netip.MustParseAddr("fe80::1%eth0")), moothall.CodeDenied)
	wantCode(t, fetch.Public(netip.MustParseAddr("2606:4700::1%eth0")), moothall.CodeDenied)
	wantCode(t, fetch.Public(netip.Addr{}), moothall.CodeDenied)
}

func TestSpecialAtTheSocket(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a netip.Addr) {
		wantCode(t, fetch.Control(netip.AddrPortFrom(a, 80).String()), moothall.CodeDenied)
	})
	wantCode(t, fetch.Control("1.1.1.1:443"), "")
	wantCode(t, fetch.Control("garbage"), moothall.CodeDenied)
	wantCode(t, fetch.Control("127.0.0.1:81", netip.MustParseAddrPort("127.0.0.1:80")), moothall.CodeDenied)
	wantCode(t, fetch.Control("127.0.0.1:80", netip.MustParseAddrPort("127.0.0.1:80")), "")
}

func TestSpecialByLiteral(t *testing.T) {
	t.Parallel()
	c := fetch.New(fetch.Options{Resolver: &names{}})
	each(t, func(t *testing.T, a netip.Addr) {
		_, err := c.Get(t.Context(), "http://"+host(a)+"/")
		wantCode(t, err, moothall.CodeDenied)
	})
}

func TestSpecialByDNS(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a netip.Addr) {
		n := &names{answers: map[string][]string{"pages.example.com": {a.String()}}}
		_, err := fetch.New(fetch.Options{Resolver: n}).Get(t.Context(), "http://pages.example.com/")
		wantCode(t, err, moothall.CodeDenied)
		if n.asked != 1 {
			t.Errorf("looked up %d times", n.asked)
		}
	})
}

func TestSpecialByRedirect(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a netip.Addr) {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+host(a)+"/", http.StatusFound)
		})
		_, err := s.client(fetch.Options{}).Get(t.Context(), s.URL)
		wantCode(t, err, moothall.CodeDenied)
	})
}

// The name is the site's at first, and something else when the site sends
// the client back to it.
func TestSpecialByRebinding(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a netip.Addr) {
		var visits int
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			visits++
			http.Redirect(w, r, "/again", http.StatusFound)
		})
		s.names.answers["pages.example.com"] = []string{s.at.Addr().String(), a.String()}
		_, err := s.client(fetch.Options{}).Get(t.Context(), "http://pages.example.com:"+strconv.Itoa(int(s.at.Port()))+"/")
		// The test's own address at the test's own port is the one exception.
		if a.Unmap() == s.at.Addr() {
			wantCode(t, err, moothall.CodeUnavailable)
			return
		}
		wantCode(t, err, moothall.CodeDenied)
		if visits != 1 {
			t.Errorf("the site was visited %d times", visits)
		}
	})
}

func host(a netip.Addr) string {
	if strings.Contains(a.String(), ":") {
		return "[" + a.String() + "]"
	}
	return a.String()
}
