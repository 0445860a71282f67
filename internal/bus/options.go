package bus

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"moothall"
)

// Admin is the user that administers the stream. It is no participant.
const Admin moothall.Identity = "bus"

// Options say where the bus lives. Exactly one of Dir and URL is given.
type Options struct {
	// Dir holds the files of a server in this process.
	Dir string
	// URL is that of a server elsewhere; several are separated by commas.
	URL string

	// Credentials names a file per identity, [Admin] included. It holds a
	// password, an nkey seed, or the JWT and seed of a .creds file. For a
	// server in this process only a password makes sense: it lets that
	// identity in through Listen. An identity without one uses
	// DefaultCredentials, or in process a password of this start alone.
	Credentials map[moothall.Identity]string
	// DefaultCredentials is the file for identities without one of their
	// own, at a remote server. Sharing it gives up the server's checks.
	DefaultCredentials string
	// TLS secures Listen, or the connections to URL.
	TLS *tls.Config

	// Listen is an address for guests and for participants in other
	// processes, "127.0.0.1:4222". Empty: no port at all.
	Listen string

	// MaxAge and MaxBytes bound the record: 14 days and 1 GiB when 0.
	MaxAge   time.Duration
	MaxBytes int64
	// MaxPayload bounds an event's payload: 1 MiB when 0, at most 7 MiB.
	MaxPayload int

	// Guests are the tools that live on the bus.
	Guests []Guest
	// Observers are the durable consumers that Observe may run.
	Observers []Durable

	// Logger hears of lost connections and refused events; nil discards.
	Logger *slog.Logger
}

// Guest is a tool that lives on the bus. It may publish tool.schema and the
// results of its tools under its own name, and hear the requests for them.
type Guest struct {
	Name     string
	Password string
	Tools    []moothall.ToolName
}

// Durable declares an observer. Its place in the record outlives restarts;
// one that is no longer declared keeps its place for when it is again.
type Durable struct {
	Identity moothall.Identity
	Name     string
	// Subjects it observes; only such that must be delivered.
	Subjects []moothall.Subject
	// History also delivers what was stored before it was first declared.
	History bool
	// Concurrency is how many events are handled at once: 1 when 0.
	Concurrency int
	// AckWait is after what silence of its process an event is given out
	// again: 30 s when 0. A running handler is not silent. An event that was
	// on its way to an observer that just ended comes that much later, too,
	// unless a server without a port ended with it: the next one gives it out
	// at once.
	AckWait time.Duration
}

// consumer is the name that the server knows the observer by.
func (d Durable) consumer() string { return string(d.Identity) + "-" + d.Name }

// deliver is the subject on which the server hands events to the observer.
func (d Durable) deliver() string { return deliverPrefix + string(d.Identity) + "." + d.Name }

// envelopeSlack is what an envelope adds to its payload at most.
const envelopeSlack = 64 << 10

func (o Options) withDefaults() Options {
	o.MaxAge = orDefault(o.MaxAge, 14*24*time.Hour)
	o.MaxBytes = orDefault(o.MaxBytes, 1<<30)
	o.MaxPayload = orDefault(o.MaxPayload, 1<<20)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Observers = slices.Clone(o.Observers)
	for i := range o.Observers {
		d := &o.Observers[i]
		d.Concurrency = orDefault(d.Concurrency, 1)
		d.AckWait = orDefault(d.AckWait, 30*time.Second)
	}
	return o
}

// Where is the address of a server, or of several, for people: without the name
// and the password that NATS takes there too.
func Where(url string) string {
	servers := strings.Split(url, ",")
	for i, s := range servers {
		_, rest, ok := strings.Cut(s, "://")
		if !ok {
			rest = s
		}
		servers[i] = s[:len(s)-len(rest)] + rest[strings.LastIndex(rest, "@")+1:]
	}
	return strings.Join(servers, ",")
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

func (o Options) validate() error {
	switch {
	case (o.Dir == "") == (o.URL == ""):
		return invalid("give either a folder or the address of a server")
	case o.URL != "" && o.Listen != "":
		return invalid("a remote server's port is its own to open")
	case o.MaxAge < 0 || o.MaxBytes < 0 || o.MaxPayload < 0:
		return invalid("a limit is negative")
	case o.MaxPayload > 7<<20:
		return invalid("the payload limit is above 7 MiB")
	case o.MaxBytes < int64(o.MaxPayload)+envelopeSlack:
		return invalid("the record could not hold one event of the largest size")
	}
	for id := range o.Credentials {
		if id != Admin && !id.Known() {
			return invalid("credentials for the unknown identity %s", id)
		}
	}
	if err := checkListen(o); err != nil {
		return err
	}
	if err := checkGuests(o.Guests); err != nil {
		return err
	}
	return checkDurables(o.Observers)
}

func invalid(format string, args ...any) error {
	return moothall.Fail(moothall.CodeInvalid, "bus options", fmt.Sprintf(format, args...))
}

// checkListen keeps passwords off the network unless TLS hides them.
func checkListen(o Options) error {
	if o.Listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return invalid("listen address %q is not host:port", o.Listen)
	}
	addr, err := netip.ParseAddr(host)
	if local := host == "localhost" || err == nil && addr.IsLoopback(); !local && o.TLS == nil {
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: "bus options",
			Message: fmt.Sprintf("%s can be reached from other machines, and passwords would cross the network in the clear", o.Listen),
			Remedy:  "listen on 127.0.0.1, or configure TLS",
		}
	}
	return nil
}

func checkGuests(guests []Guest) error {
	seen := map[string]bool{}
	for _, g := range guests {
		id := moothall.Identity(g.Name)
		switch {
		case !moothall.ValidToken(g.Name):
			return invalid("%q is not a name for a guest", g.Name)
		case id.Known() || id == Admin:
			return invalid("guest %q has the name of a participant", g.Name)
		case seen[g.Name]:
			return invalid("guest %q is there twice", g.Name)
		case g.Password == "":
			return invalid("guest %q has no password", g.Name)
		}
		seen[g.Name] = true
		for _, t := range g.Tools {
			if !moothall.ValidToken(string(t)) {
				return invalid("guest %q: %q is not a name for a tool", g.Name, t)
			}
		}
	}
	return nil
}

func checkDurables(durables []Durable) error {
	seen := map[string]bool{}
	for _, d := range durables {
		switch {
		case !moothall.ValidToken(d.Name):
			return invalid("%q is not a name for an observer", d.Name)
		case !d.Identity.MayPublish(moothall.SubjectDeadLetter):
			return invalid("observer %s: %s may not publish dead letters", d.Name, d.Identity)
		case seen[d.consumer()]:
			return invalid("observer %s is there twice", d.consumer())
		case len(d.Subjects) == 0:
			return invalid("observer %s has no subjects", d.consumer())
		case d.Concurrency < 0 || d.AckWait < 0:
			return invalid("observer %s: a limit is negative", d.consumer())
		}
		seen[d.consumer()] = true
		for _, s := range d.Subjects {
			rule, _, err := lookup(s)
			if err != nil {
				return err
			}
			if rule.Delivery == moothall.MayDrop {
				return invalid("observer %s: %s may be dropped and is never stored", d.consumer(), s)
			}
		}
	}
	return nil
}
