package rpc_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/rpc"
)

func TestMayCall(t *testing.T) {
	t.Parallel()
	want := map[rpc.Service]string{
		rpc.Secrets: "broker",
		rpc.Search:  "broker",
		rpc.Audit:   "hall front chat committee orchestrator gateway broker memory secrets audit search critic reward",
		rpc.Gateway: "person hall front chat committee orchestrator broker memory search critic",
		rpc.Memory:  "person hall front chat committee orchestrator broker critic reward",
		rpc.Broker:  "person hall front chat committee orchestrator gateway search critic",
		rpc.Front:   "person hall front",
	}
	if len(want) != len(rpc.Services()) {
		t.Fatalf("%d services in the table, %d in the list", len(want), len(rpc.Services()))
	}
	for s, names := range want {
		for _, id := range append(moothall.Identities(), "", "nobody", "broker ") {
			allowed := slices.Contains(strings.Fields(names), string(id))
			err := rpc.MayCall(id, s)
			if allowed != (err == nil) {
				t.Errorf("%q to %s: %v, want allowed %v", id, s, err, allowed)
			}
			if err != nil && (moothall.ErrorCode(err) != moothall.CodeDenied || !strings.Contains(err.Error(), string(s))) {
				t.Errorf("%q to %s: %v does not say so", id, s, err)
			}
		}
	}
	wantCode(t, rpc.MayCall(moothall.Hall, "no such service"), moothall.CodeDenied)
}

func TestPeersRefuseAlike(t *testing.T) {
	t.Parallel()
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		h := start(t, over, rpc.Offers{Secrets: moottest.NewSecrets().For, Audit: moottest.NewAudit().For}, nil)
		_, err := h.peer(t, moothall.MemoryKeeper).Secrets()
		wantCode(t, err, moothall.CodeDenied)
		_, err = h.peer(t, moothall.Person).Audit()
		wantCode(t, err, moothall.CodeDenied)
	})
}

// TestHereIsDirect: in process nothing stands between caller and service.
func TestHereIsDirect(t *testing.T) {
	t.Parallel()
	fake := moottest.NewAudit()
	a, err := rpc.NewLocal(rpc.Offers{Audit: fake.For}, moothall.Hall).Audit()
	if err != nil || a != fake.For(moothall.Hall) {
		t.Errorf("handed out %T, %v, want the offer's own value", a, err)
	}
}

// refusals collects what a host reports.
type refusals struct {
	mu   sync.Mutex
	list []string
	news chan struct{} // gets a value with each; nil where nobody waits
}

func (r *refusals) note(_ context.Context, caller moothall.Identity, s rpc.Service, method, reason string) {
	r.mu.Lock()
	r.list = append(r.list, fmt.Sprintf("%s %s %s: %s", caller, s, method, reason))
	r.mu.Unlock()
	if r.news != nil {
		r.news <- struct{}{}
	}
}

func (r *refusals) want(t *testing.T, prefix string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == 0 || !strings.HasPrefix(r.list[len(r.list)-1], prefix) {
		t.Errorf("the refusals reported are %q, want the last to start with %q", r.list, prefix)
	}
}

// TestHostRefuses has a client that asks for what it may not have.
func TestHostRefuses(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		var r refusals
		audit := moottest.NewAudit()
		h := start(t, over, rpc.Offers{Secrets: moottest.NewSecrets().For, Audit: audit.For}, &rpc.HostOptions{Denied: r.note})
		_, err := rpc.UncheckedSecrets(h.peer(t, moothall.MemoryKeeper).(*rpc.Conn)).GetSecret(t.Context(), moothall.SecretRequest{Ref: "x"})
		wantCode(t, err, moothall.CodeDenied)
		r.want(t, "memory secrets GetSecret: ")
		_, err = rpc.UncheckedAudit(h.peer(t, moothall.Person).(*rpc.Conn)).Append(t.Context(), entry())
		wantCode(t, err, moothall.CodeDenied)
		r.want(t, "person audit Append: ")
		if n := len(audit.Records()); n != 0 {
			t.Errorf("%d entries were written", n)
		}
	})
}

// TestBadClaims sends claims that no honest client makes.
func TestBadClaims(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		for name, md := range map[string]map[string]string{
			"none":    {},
			"unknown": {"moothall-identity": "nobody"},
			"empty":   {"moothall-identity": ""},
			"list":    {"moothall-identity": "hall,broker"},
		} {
			t.Run(name, func(t *testing.T) {
				var r refusals
				h := start(t, over, rpc.Offers{Audit: moottest.NewAudit().For}, &rpc.HostOptions{Denied: r.note})
				o := options(t, moothall.Hall)
				if over == rpc.H2C {
					md["authorization"] = "Bearer " + o.Token
				}
				c, err := rpc.Reclaim(h.dial(t, moothall.Hall, o), o, md)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_, err = rpc.UncheckedAudit(c).Append(t.Context(), entry())
				wantCode(t, err, moothall.CodeDenied)
				r.want(t, " audit Append: ")
			})
		}
	})
}

// append1 dials as id with the given options and appends one entry.
func (h *hall) append1(t *testing.T, id moothall.Identity, o rpc.DialOptions) error {
	t.Helper()
	_, err := got[moothall.Audit](t)(h.dial(t, id, o).Audit()).Append(t.Context(), entry())
	return err
}

func TestTokenProof(t *testing.T) {
	t.Parallel()
	var r refusals
	h := start(t, rpc.H2C, rpc.Offers{Audit: moottest.NewAudit().For}, &rpc.HostOptions{Denied: r.note})
	wantCode(t, h.append1(t, moothall.Critic, rpc.DialOptions{Token: rpc.Token(testKey, moothall.Critic)}), "")
	for name, token := range map[string]string{
		"none":            "",
		"of another":      rpc.Token(testKey, moothall.Hall),
		"of another key":  rpc.Token([]byte("a different key of enough length"), moothall.Critic),
		"longer":          rpc.Token(testKey, moothall.Critic) + "A",
		"the key itself":  string(testKey),
		"shorter by half": rpc.Token(testKey, moothall.Critic)[:20],
	} {
		if err := h.append1(t, moothall.Critic, rpc.DialOptions{Token: token}); moothall.ErrorCode(err) != moothall.CodeDenied {
			t.Errorf("token %s: got %v, want code denied", name, err)
		}
		r.want(t, "critic audit Append: ")
	}
}

func TestNoKeyMeansNobody(t *testing.T) {
	t.Parallel()
	host := rpc.NewHost(rpc.Offers{Audit: moottest.NewAudit().For}, nil)
	h := &hall{over: rpc.H2C, host: host}
	if err := host.Listen(h.where(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.stop(t) })
	h.address = host.Addrs()[0]
	for _, token := range []string{"", rpc.Token(nil, moothall.Critic), rpc.Token(testKey, moothall.Critic)} {
		wantCode(t, h.append1(t, moothall.Critic, rpc.DialOptions{Token: token}), moothall.CodeDenied)
	}
	weak := rpc.NewHost(rpc.Offers{}, &rpc.HostOptions{Key: []byte("short")})
	wantCode(t, weak.Listen(h.where(t)), moothall.CodeInvalid)
}

func TestCertificateProof(t *testing.T) {
	t.Parallel()
	stranger, err := rpc.NewAuthority("stranger", nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := stranger.Issue(nil, moothall.Critic)
	if err != nil {
		t.Fatal(err)
	}
	intruder := *foreign // knows the hall's authority, has no certificate of it
	intruder.Authority = issue(t, nil, moothall.Critic).Authority

	for _, c := range []struct {
		name string
		o    rpc.DialOptions
		code moothall.Code
		want string // reported; empty where the host has nothing to refuse
	}{
		{"good", rpc.DialOptions{TLS: issue(t, nil, moothall.Critic)}, "", ""},
		{"one of several", rpc.DialOptions{TLS: issue(t, nil, moothall.Reward, moothall.Critic)}, "", ""},
		{"names another", rpc.DialOptions{TLS: issue(t, nil, moothall.Reward)}, moothall.CodeDenied, "critic audit Append: "},
		{"expired", rpc.DialOptions{TLS: issue(t, &rpc.Lifetime{From: time.Now().Add(-2 * time.Hour), Life: time.Hour}, moothall.Critic)}, moothall.CodeDenied, "  : "},
		{"not yet good", rpc.DialOptions{TLS: issue(t, &rpc.Lifetime{From: time.Now().Add(time.Hour)}, moothall.Critic)}, moothall.CodeDenied, "  : "},
		{"foreign authority", rpc.DialOptions{TLS: &intruder}, moothall.CodeDenied, "  : "},
		{"distrusts the host", rpc.DialOptions{TLS: foreign}, moothall.CodeDenied, ""},
		{"expects another host", rpc.DialOptions{TLS: issue(t, nil, moothall.Critic), ServerName: moothall.AuditKeeper}, moothall.CodeDenied, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := refusals{news: make(chan struct{}, 100)}
			h := start(t, rpc.MTLS, rpc.Offers{Audit: moottest.NewAudit().For}, &rpc.HostOptions{Denied: r.note})
			wantCode(t, h.append1(t, moothall.Critic, c.o), c.code)
			if c.want != "" {
				<-r.news // a client knows of a refused handshake before the host has noted it
				r.want(t, c.want)
			}
		})
	}
}

func TestOldTLS(t *testing.T) {
	t.Parallel()
	h := start(t, rpc.MTLS, rpc.Offers{}, nil)
	m := issue(t, nil, moothall.Hall)
	pair, err := tls.X509KeyPair(m.Certificate, m.Key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(m.Authority)
	cfg := &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool, ServerName: "hall", MaxVersion: tls.VersionTLS12}
	d := tls.Dialer{Config: cfg}
	if c, err := d.DialContext(t.Context(), "tcp", h.address.Where); err == nil {
		c.Close()
		t.Error("TLS 1.2 was accepted")
	}
	cfg.MaxVersion = tls.VersionTLS13
	c, err := d.DialContext(t.Context(), "tcp", h.address.Where)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestUserMap(t *testing.T) {
	t.Parallel()
	own, other := os.Geteuid(), os.Geteuid()+1
	for name, c := range map[string]struct {
		uids map[moothall.Identity][]int
		want moothall.Code
	}{
		"not in the map":      {map[moothall.Identity][]int{moothall.Reward: {other}}, ""},
		"own user listed":     {map[moothall.Identity][]int{moothall.Critic: {other, own}}, ""},
		"own user not listed": {map[moothall.Identity][]int{moothall.Critic: {other}}, moothall.CodeDenied},
		"listed for nobody":   {map[moothall.Identity][]int{moothall.Critic: {}}, moothall.CodeDenied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := start(t, rpc.Unix, rpc.Offers{Audit: moottest.NewAudit().For}, &rpc.HostOptions{UIDs: c.uids})
			wantCode(t, h.append1(t, moothall.Critic, rpc.DialOptions{}), c.want)
		})
	}
}

func TestServerUser(t *testing.T) {
	t.Parallel()
	h := start(t, rpc.Unix, rpc.Offers{Audit: moottest.NewAudit().For}, nil)
	wantCode(t, h.append1(t, moothall.Critic, rpc.DialOptions{ServerUIDs: []int{os.Geteuid()}}), "")
	wantCode(t, h.append1(t, moothall.Critic, rpc.DialOptions{ServerUIDs: []int{os.Geteuid() + 1}}), moothall.CodeDenied)
}

// The environment of a child process of TestOtherUser.
const (
	childAddress  = "MOOTHALL_RPC_TEST_ADDRESS"
	childIdentity = "MOOTHALL_RPC_TEST_IDENTITY"
)

// child appends one entry and prints the code of what came of it.
func child(where string, as moothall.Identity) int {
	a, err := rpc.ParseAddress(where)
	if err != nil {
		return 2
	}
	c, err := rpc.Dial(a, as, nil)
	if err != nil {
		return 2
	}
	defer c.Close()
	audit, err := c.Audit()
	if err != nil {
		return 2
	}
	_, err = audit.Append(context.Background(), entry())
	fmt.Printf("code %q\n", moothall.ErrorCode(err))
	return 0
}

func FuzzClaim(f *testing.F) {
	f.Add("hall", "Bearer "+rpc.Token(testKey, moothall.Hall), 1)
	f.Add("", "", 0)
	f.Add("nobody", "Bearer", 2)
	f.Fuzz(func(t *testing.T, name, token string, n int) {
		n = min(max(n, 0), 3)
		id, err := rpc.ReadClaim(slices.Repeat([]string{name}, n))
		if err == nil && (!id.Known() || n != 1) {
			t.Errorf("claim %q, %d times, was taken", name, n)
		}
		err = rpc.CheckToken(testKey, moothall.Identity(name), slices.Repeat([]string{token}, n))
		if err == nil && (n != 1 || token != "Bearer "+rpc.Token(testKey, moothall.Identity(name))) {
			t.Errorf("token %q was taken for %q", token, name)
		}
		if rpc.CheckToken(nil, moothall.Identity(name), []string{token}) == nil {
			t.Errorf("token %q was taken without a key", token)
		}
	})
}
