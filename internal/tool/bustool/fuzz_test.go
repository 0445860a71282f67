package bustool

import (
	"encoding/json"
	"testing"

	"moothall"
	"moothall/internal/tool/pin"
)

func FuzzAnnouncement(f *testing.F) {
	f.Add([]byte(`{"name":"word_count","description":"Counts.","parameters":{"type":"object"}}`))
	f.Add([]byte(`{"name":"a","parameters":null}`))
	f.Add([]byte(`{"name":"a","parameters":{"x":1e999},"parameters":{}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		a, err := parseAnnouncement(payload)
		if err != nil {
			if moothall.ErrorCode(err) == moothall.CodeInternal {
				t.Fatalf("%v has no code", err)
			}
			return
		}
		if !moothall.ValidToken(string(a.Name)) || len(a.Description) > 3*pin.MaxDescription || len(a.Parameters) > pin.MaxSchema || !json.Valid(a.Parameters) {
			t.Fatalf("%+v came through", a)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"status":"ok","text":"x","data":{"a":1}}`))
	f.Add([]byte(`{"status":"denied"}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		a := parseAnswer(payload)
		if a.Status != moothall.CallOK && a.Status != moothall.CallFailed || len(a.Data) > 0 && !json.Valid(a.Data) {
			t.Fatalf("%+v came through", a)
		}
	})
}
