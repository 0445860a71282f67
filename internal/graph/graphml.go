package graph

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

const graphmlHead = xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<key id="name" for="node" attr.name="name" attr.type="string"/>
<key id="kind" for="node" attr.name="kind" attr.type="string"/>
<key id="aliases" for="node" attr.name="aliases" attr.type="string"/>
<key id="relation" for="edge" attr.name="relation" attr.type="string"/>
<key id="from" for="edge" attr.name="from" attr.type="string"/>
<key id="to" for="edge" attr.name="to" attr.type="string"/>
<key id="observed" for="edge" attr.name="observed" attr.type="string"/>
<key id="source" for="edge" attr.name="source" attr.type="string"/>
<key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>
<key id="trust" for="edge" attr.name="trust" attr.type="string"/>
<graph id="moothall" edgedefault="directed">
`

// exportGraphML writes entities as nodes and facts as edges. A time without
// value is left out: no "to" means IS.
func exportGraphML(ctx context.Context, v View, w io.Writer) error {
	if _, err := io.WriteString(w, graphmlHead); err != nil {
		return err
	}
	if err := eachEntity(ctx, v, func(e Entity) error { return writeNode(w, e) }); err != nil {
		return err
	}
	for after := ""; ; {
		rows, err := v.PageFacts(ctx, after, page)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		for _, f := range rows {
			if err := writeEdge(w, f); err != nil {
				return err
			}
			after = f.ID
		}
	}
	_, err := io.WriteString(w, "</graph>\n</graphml>\n")
	return err
}

func writeNode(w io.Writer, e Entity) error {
	var others []string
	for _, n := range e.Names {
		if n != e.Name {
			others = append(others, n)
		}
	}
	_, err := fmt.Fprintf(w, "<node id=\"%s\">%s</node>\n", escape(string(e.ID)), data(
		"name", e.Name, "kind", string(e.Kind), "aliases", strings.Join(others, " | ")))
	return err
}

func writeEdge(w io.Writer, f Fact) error {
	_, err := fmt.Fprintf(w, "<edge id=\"%s\" source=\"%s\" target=\"%s\">%s</edge>\n",
		escape(f.ID), escape(string(f.Subject)), escape(string(f.Object)), data(
			"relation", f.Relation, "from", stamp(f.From), "to", stamp(f.End), "observed", stamp(f.Observed),
			"source", string(f.Source), "confidence", strconv.FormatFloat(f.Confidence, 'g', -1, 64), "trust", string(f.Trust)))
	return err
}

// data writes pairs of key and value; empty values are left out.
func data(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(&b, "<data key=\"%s\">%s</data>", pairs[i], escape(pairs[i+1]))
		}
	}
	return b.String()
}

// escape makes any text safe between tags and in attributes; characters that
// XML cannot hold become U+FFFD.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

func stamp(i Instant) string {
	t := i.Time()
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
