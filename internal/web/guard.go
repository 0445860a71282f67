package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"moothall"
)

// guard stands before every path. The order matters: who is addressed, who
// asks from where, with which key; then how much.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.stats.requests.Add(1)
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.hostAllowed(r.Host):
			s.stats.refused.Add(1)
			refuse(w, http.StatusMisdirectedRequest, moothall.CodeDenied,
				"this hall does not answer to the name in the Host header",
				"open it by address or as localhost, or add the name to front.hosts")
		case !sameSite(r):
			s.stats.refused.Add(1)
			refuse(w, http.StatusForbidden, moothall.CodeDenied, "requests from other sites are refused", "")
		case !s.open(r) && !s.tokenFits(r):
			s.stats.refused.Add(1)
			h.Set("WWW-Authenticate", `Bearer realm="moothall"`)
			refuse(w, http.StatusUnauthorized, moothall.CodeDenied, "a bearer token is required",
				"send Authorization: Bearer with the token in the home's front.token file")
		default:
			r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
			next.ServeHTTP(w, r)
		}
	})
}

// hostAllowed accepts what a rebinding attack cannot have in its Host header:
// addresses, localhost, and the names that the person configured.
func (s *Server) hostAllowed(host string) bool {
	name := hostname(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return name == "localhost" || strings.HasSuffix(name, ".localhost") ||
		slices.ContainsFunc(s.opt.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// hostname cuts port and brackets off a Host header.
func hostname(host string) string {
	u := url.URL{Host: host}
	return u.Hostname()
}

// sameSite refuses what a page of another origin makes a browser send. A
// person following a link to the page itself is let in.
func sameSite(r *http.Request) bool {
	if o := r.Header.Get("Origin"); o != "" {
		u, err := url.Parse(o)
		return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Method == http.MethodGet && r.URL.Path == "/" &&
			r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	}
	return true
}

// open reports whether a request needs no token: the files of the page are the
// same in every hall, and without them nobody could type a token in.
func (s *Server) open(r *http.Request) bool {
	return !s.opt.Headless && (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		(r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, "/page/"))
}

// tokenFits compares hashes, so that neither content nor length leaks by time.
func (s *Server) tokenFits(r *http.Request) bool {
	if s.opt.Token == "" {
		return true
	}
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	want, have := sha256.Sum256([]byte(s.opt.Token)), sha256.Sum256([]byte(got))
	return ok && subtle.ConstantTimeCompare(want[:], have[:]) == 1
}
