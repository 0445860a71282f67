package daemon

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"

	"moothall"
	"moothall/internal/rpc"
)

// peer returns the services under one identity: those that run here by a
// direct call, the others over their transport.
func (h *Hall) peer(as moothall.Identity) rpc.Peer {
	return &mixed{Peer: rpc.NewLocal(h.here, as), as: as, far: h.far}
}

// mixed is a peer whose services are partly here and partly elsewhere.
type mixed struct {
	rpc.Peer // those here
	as       moothall.Identity
	far      *far
}

var _ rpc.Peer = (*mixed)(nil)

func (m *mixed) Audit() (moothall.Audit, error) {
	return reach(m, rpc.Audit, rpc.Peer.Audit)
}

func (m *mixed) Gateway() (moothall.Gateway, error) {
	return reach(m, rpc.Gateway, rpc.Peer.Gateway)
}

func (m *mixed) Memory() (moothall.Memory, error) {
	return reach(m, rpc.Memory, rpc.Peer.Memory)
}

func (m *mixed) Broker() (moothall.Broker, error) {
	return reach(m, rpc.Broker, rpc.Peer.Broker)
}

func (m *mixed) Secrets() (moothall.Secrets, error) {
	return reach(m, rpc.Secrets, rpc.Peer.Secrets)
}

func (m *mixed) Search() (moothall.Search, error) {
	return reach(m, rpc.Search, rpc.Peer.Search)
}

// reach asks the peer that has the service.
func reach[T any](m *mixed, s rpc.Service, get func(rpc.Peer) (T, error)) (T, error) {
	p, err := m.far.peer(s, m.as)
	if err != nil {
		var none T
		return none, err
	}
	if p == nil {
		p = m.Peer
	}
	return get(p)
}

// far holds the connections to services in other processes, one for each
// service and identity, dialled when first asked for.
type far struct {
	services ServicesConfig
	proofs   proofs

	mu    sync.Mutex
	conns map[farKey]*rpc.Conn
}

type farKey struct {
	service rpc.Service
	as      moothall.Identity
}

func newFar(s ServicesConfig, p proofs) *far {
	return &far{services: s, proofs: p, conns: map[farKey]*rpc.Conn{}}
}

// peer returns the connection to a service under an identity; nil without an
// error when the service is here.
func (f *far) peer(s rpc.Service, as moothall.Identity) (rpc.Peer, error) {
	at := f.services.address(s)
	if at.Transport == rpc.Here {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := farKey{s, as}
	if c := f.conns[key]; c != nil {
		return c, nil
	}
	o := rpc.DialOptions{TLS: f.proofs.tls, ServerName: moothall.Identity(s)}
	if f.proofs.key != nil {
		o.Token = rpc.Token(f.proofs.key, as)
	}
	c, err := rpc.Dial(at, as, &o)
	if err != nil {
		return nil, err
	}
	f.conns[key] = c
	return c, nil
}

// ping asks a service elsewhere whether it is well.
func (f *far) ping(ctx context.Context, s rpc.Service) error {
	p, err := f.peer(s, moothall.Hall)
	if err != nil || p == nil {
		return err
	}
	return p.(*rpc.Conn).Ping(ctx, s)
}

// Close gives all connections back.
func (f *far) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all error
	for k, c := range f.conns {
		all = errors.Join(all, c.Close())
		delete(f.conns, k)
	}
	return all
}

// proofs is what this process can show of who it is, and check of others.
type proofs struct {
	key []byte        // shared by h2c peers; nil when there are none
	tls *rpc.Material // nil when mtls is not configured
}

func loadProofs(h Home, c Config) (p proofs, err error) {
	if p.key, err = peerKey(h, c); err != nil {
		return p, err
	}
	p.tls, err = material(c.Peers.TLS)
	return p, err
}

// hostOptions is how callers from outside are checked.
func (h *Hall) hostOptions() *rpc.HostOptions {
	uids := map[moothall.Identity][]int{}
	for name, list := range h.conf.Peers.UIDs {
		uids[moothall.Identity(name)] = list
	}
	return &rpc.HostOptions{
		Key: h.far.proofs.key, TLS: h.far.proofs.tls, UIDs: uids, Logger: h.log, Denied: h.denied,
	}
}

// usesH2C reports whether any configured address needs the shared key.
func usesH2C(c ServicesConfig) bool {
	for _, s := range rpc.Services() {
		for _, a := range append([]string{c.of(s).At}, c.of(s).Listen...) {
			if strings.HasPrefix(a, "h2c:") {
				return true
			}
		}
	}
	return false
}

// peerKey reads the key that h2c peers share. The home's own is made at first
// need; one that the configuration names must be there.
func peerKey(h Home, c Config) ([]byte, error) {
	if !usesH2C(c.Services) {
		return nil, nil
	}
	path := c.Peers.Key
	if path == "" {
		path = h.PeerKey()
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			if err := h.make(); err != nil {
				return nil, err
			}
			if err := writeFile(path, []byte(hex.EncodeToString(randomBytes())+"\n")); err != nil {
				return nil, err
			}
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "peer key", Message: "the key that h2c peers share cannot be read", Err: err,
			Remedy: "set peers.key to a file that all of them have",
		}
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) < 16 {
		return nil, moothall.Fail(moothall.CodeInvalid, "peer key", path+" does not hold at least 32 hexadecimal digits")
	}
	return key, nil
}

// material reads the certificate files; nil when none are configured.
func material(c TLSConfig) (*rpc.Material, error) {
	if c.CA == "" {
		return nil, nil
	}
	var m rpc.Material
	for _, f := range []struct {
		path string
		to   *[]byte
	}{{c.CA, &m.Authority}, {c.Cert, &m.Certificate}, {c.Key, &m.Key}} {
		b, err := os.ReadFile(f.path)
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeNotFound, Op: "read certificate", Message: "a file of peers.tls cannot be read", Err: err}
		}
		*f.to = b
	}
	return &m, nil
}

func randomBytes() []byte {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	return b
}

// frontToken returns the token that every request must carry when the front
// can be reached from other machines. It is made once and kept in the home.
func frontToken(h Home, c FrontConfig) (string, error) {
	if c.Loopback() {
		return "", nil
	}
	text, err := os.ReadFile(h.Token())
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(base64.RawURLEncoding.EncodeToString(randomBytes()) + "\n")
		err = writeFile(h.Token(), text)
	}
	token := strings.TrimSpace(string(text))
	if err == nil && len(token) < 16 {
		return "", moothall.Fail(moothall.CodeInvalid, "front token", h.Token()+" holds no token of at least 16 characters")
	}
	return token, err
}
