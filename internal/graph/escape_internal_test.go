package graph

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
)

// checkEscaped writes a node and an edge with a hostile text everywhere and
// reads them back.
func checkEscaped(t *testing.T, s string) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(graphmlHead)
	e := Entity{ID: EntityID(s), Name: s, Kind: Kind(s), Names: []string{s + "x"}}
	if err := writeNode(&b, e); err != nil {
		t.Fatal(err)
	}
	if err := writeEdge(&b, Fact{ID: s, Subject: e.ID, Object: e.ID, Relation: s}); err != nil {
		t.Fatal(err)
	}
	b.WriteString("</graph></graphml>")
	var doc struct {
		Nodes []struct {
			ID   string `xml:"id,attr"`
			Data []struct {
				Key   string `xml:"key,attr"`
				Value string `xml:",chardata"`
			} `xml:"data"`
		} `xml:"graph>node"`
		Edges []struct {
			Source string `xml:"source,attr"`
		} `xml:"graph>edge"`
	}
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatalf("%q: %v\n%s", s, err, b.String())
	}
	if len(doc.Nodes) != 1 || len(doc.Edges) != 1 {
		t.Fatalf("%q makes %d nodes and %d edges", s, len(doc.Nodes), len(doc.Edges))
	}
	want := readable(s)
	if doc.Nodes[0].ID != want || doc.Edges[0].Source != want {
		t.Errorf("%q came back as %q and %q", s, doc.Nodes[0].ID, doc.Edges[0].Source)
	}
	for _, d := range doc.Nodes[0].Data {
		if d.Key == "name" && d.Value != want {
			t.Errorf("%q came back as %q", s, d.Value)
		}
	}
}

// readable is a text as XML can hold it.
func readable(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			b.WriteRune(r)
		default:
			b.WriteRune('\uFFFD')
		}
	}
	return b.String()
}
