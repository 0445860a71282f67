package rpc_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"moothall"
	"moothall/internal/rpc"
)

func backupBytes() []byte { return bytes.Repeat([]byte("0123456789"), 20_000) }

// same compares values as they are, with the secrets in the open.
func same(want, got any) string {
	return cmp.Diff(want, got, cmp.AllowUnexported(moothall.Secret{}))
}

// TestEveryFieldCrosses calls every method of every contract over a wire with
// every field set, and with none. A field that a translation forgets is lost
// here.
func TestEveryFieldCrosses(t *testing.T) {
	t.Parallel()
	for _, empty := range []bool{false, true} {
		e := &echo{empty: empty}
		h := start(t, rpc.Unix, e.offers(), nil)
		broker, hall := h.peer(t, moothall.ToolBroker), h.peer(t, moothall.Hall)
		for iface, service := range map[reflect.Type]any{
			reflect.TypeFor[moothall.Front]():   got[moothall.Front](t)(hall.Front()),
			reflect.TypeFor[moothall.Gateway](): got[moothall.Gateway](t)(hall.Gateway()),
			reflect.TypeFor[moothall.Memory]():  got[moothall.Memory](t)(hall.Memory()),
			reflect.TypeFor[moothall.Broker]():  got[moothall.Broker](t)(hall.Broker()),
			reflect.TypeFor[moothall.Secrets](): got[moothall.Secrets](t)(broker.Secrets()),
			reflect.TypeFor[moothall.Audit]():   got[moothall.Audit](t)(broker.Audit()),
			reflect.TypeFor[moothall.Search]():  got[moothall.Search](t)(broker.Search()),
		} {
			for i := range iface.NumMethod() {
				crosses(t, e, iface.Method(i).Name, reflect.ValueOf(service).MethodByName(iface.Method(i).Name))
			}
		}
	}
}

func crosses(t *testing.T, e *echo, name string, method reflect.Value) {
	t.Helper()
	in := []reflect.Value{reflect.ValueOf(t.Context())}
	var want []any
	var written bytes.Buffer
	for i := 1; i < method.Type().NumIn(); i++ {
		arg := method.Type().In(i)
		if arg == reflect.TypeFor[io.Writer]() {
			in, want = append(in, reflect.ValueOf(&written)), append(want, nil)
			continue
		}
		if method.Type().IsVariadic() && i == method.Type().NumIn()-1 {
			arg = arg.Elem()
		}
		v := value(arg, e.empty)
		in, want = append(in, v), append(want, v.Interface())
	}
	for i, out := range method.Call(in) {
		checkResult(t, e, name, method.Type().Out(i), out)
	}
	if d := same(want, e.noted()); d != "" {
		t.Errorf("%s (empty: %v): arguments changed on the way (-sent +received):\n%s", name, e.empty, d)
	}
	if (name == "Backup" || name == "Export") && !bytes.Equal(written.Bytes(), backupBytes()) {
		t.Errorf("%s wrote %d bytes, want %d", name, written.Len(), len(backupBytes()))
	}
}

func checkResult(t *testing.T, e *echo, name string, typ reflect.Type, out reflect.Value) {
	t.Helper()
	switch {
	case typ == reflect.TypeFor[error]():
		if !out.IsNil() {
			t.Errorf("%s: %v", name, out.Interface())
		}
	case typ.Kind() == reflect.Func:
		n := 0
		for v, err := range out.Seq2() {
			n++
			if !err.IsNil() {
				t.Fatalf("%s: %v", name, err.Interface())
			}
			if d := same(value(v.Type(), e.empty).Interface(), v.Interface()); d != "" {
				t.Errorf("%s (empty: %v): piece changed on the way (-sent +received):\n%s", name, e.empty, d)
			}
		}
		if n != 2 {
			t.Errorf("%s: %d pieces, want 2", name, n)
		}
	default:
		if d := same(value(typ, e.empty).Interface(), out.Interface()); d != "" {
			t.Errorf("%s (empty: %v): result changed on the way (-sent +received):\n%s", name, e.empty, d)
		}
	}
}

// TestRefusedServices calls every method of services that are not there.
func TestRefusedServices(t *testing.T) {
	t.Parallel()
	c := rpc.NewClient(rpc.NewLocal(rpc.Offers{}, moothall.Person))
	for iface, service := range map[reflect.Type]any{
		reflect.TypeFor[moothall.Front](): c, reflect.TypeFor[moothall.Gateway](): c.Gateway(),
		reflect.TypeFor[moothall.Memory](): c.Memory(), reflect.TypeFor[moothall.Broker](): c.Broker(),
	} {
		for i := range iface.NumMethod() {
			name := iface.Method(i).Name
			method := reflect.ValueOf(service).MethodByName(name)
			in := []reflect.Value{reflect.ValueOf(t.Context())}
			for j := 1; j < method.Type().NumIn(); j++ {
				in = append(in, reflect.Zero(method.Type().In(j)))
			}
			out := method.Call(in)
			last := out[len(out)-1]
			if last.Kind() == reflect.Func {
				for _, last = range last.Seq2() {
				}
			}
			if err, _ := last.Interface().(error); moothall.ErrorCode(err) != moothall.CodeNotConfigured {
				t.Errorf("%s: %v, want code not_configured", name, err)
			}
		}
	}
}

// TestFillLeavesNothing guards the guard: a field that fill leaves zero would
// be checked by nobody.
func TestFillLeavesNothing(t *testing.T) {
	t.Parallel()
	v := value(reflect.TypeFor[moothall.Step](), false)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is zero", v.Type().Field(i).Name)
		}
	}
}

// TestPresence checks that what is there but zero does not vanish.
func TestPresence(t *testing.T) {
	t.Parallel()
	e := &echo{}
	h := start(t, rpc.Unix, e.offers(), nil)
	hall := h.peer(t, moothall.Hall)
	audit := got[moothall.Audit](t)(hall.Audit())
	for _, params := range [][]byte{nil, {}, {0}} {
		a := entry()
		a.Params = params
		if _, err := audit.Append(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if d := same([]any{a}, e.noted()); d != "" {
			t.Errorf("params %v: %s", params, d)
		}
	}
	zero, none := 0.0, int64(0)
	g := moothall.GenerateRequest{Temperature: &zero, Seed: &none}
	for _, err := range got[moothall.Gateway](t)(hall.Gateway()).Generate(t.Context(), g) {
		wantCode(t, err, "")
	}
	if d := same([]any{g}, e.noted()); d != "" {
		t.Error(d)
	}
	w := moothall.WriteRequest{Entry: moothall.MemoryEntry{Turn: &moothall.TurnNotes{Score: &zero}}}
	if _, err := got[moothall.Memory](t)(hall.Memory()).Write(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if d := same([]any{w}, e.noted()); d != "" {
		t.Error(d)
	}
	q := moothall.QueryRequest{Override: &moothall.Overrides{}}
	for _, err := range got[moothall.Front](t)(hall.Front()).Query(t.Context(), q) {
		wantCode(t, err, "")
	}
	if d := same([]any{q}, e.noted()); d != "" {
		t.Error(d)
	}
}

// TestBrokenText: content that is not UTF-8 still arrives; a name that is not
// is refused rather than changed.
func TestBrokenText(t *testing.T) {
	t.Parallel()
	e := &echo{}
	h := start(t, rpc.Unix, e.offers(), nil)
	memory := got[moothall.Memory](t)(h.peer(t, moothall.Hall).Memory())
	if _, err := memory.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Corpus: "a\xffb"}}); err != nil {
		t.Fatal(err)
	}
	if got := e.noted()[0].(moothall.WriteRequest).Entry.Corpus; got != "a\uFFFDb" {
		t.Errorf("arrived as %q", got)
	}
	_, err := memory.Forget(t.Context(), moothall.Scope{}, "a\xffb")
	wantCode(t, err, moothall.CodeInvalid)
}

// TestContractsOnTheWire checks what the contracts must and must not have.
func TestContractsOnTheWire(t *testing.T) {
	t.Parallel()
	methods := map[string][]string{}
	protoregistry.GlobalFiles.RangeFilesByPackage("moothall.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			s := f.Services().Get(i)
			for j := range s.Methods().Len() {
				m := s.Methods().Get(j)
				methods[string(s.Name())] = append(methods[string(s.Name())], string(m.Name()))
				checkScope(t, m)
			}
		}
		return true
	})
	if len(methods) != len(rpc.Services()) {
		t.Errorf("%d services on the wire, %d in the list", len(methods), len(rpc.Services()))
	}
	for service, want := range map[string][]string{"AuditService": {"Append"}, "SecretsService": {"GetSecret"}} {
		if d := cmp.Diff(want, methods[service]); d != "" {
			t.Errorf("%s has other methods (-want +got):\n%s", service, d)
		}
	}
}

func checkScope(t *testing.T, m protoreflect.MethodDescriptor) {
	t.Helper()
	fields := m.Input().Fields()
	session, lineage := fields.ByName("session_id"), fields.ByName("agent_lineage")
	if session == nil || session.Kind() != protoreflect.StringKind || session.IsList() {
		t.Errorf("%s has no session_id", m.Input().Name())
	}
	if lineage == nil || lineage.Kind() != protoreflect.StringKind || !lineage.IsList() {
		t.Errorf("%s has no agent_lineage", m.Input().Name())
	}
	if m.IsStreamingClient() {
		t.Errorf("%s takes a stream", m.FullName())
	}
}
