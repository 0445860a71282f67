package conf

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Show writes the configuration as YAML with what each key means as comments
// and, if asked, a remark on each value that says where it comes from. The
// origins may be nil.
//
// What it writes loads again to the same values over the same defaults. To
// keep that so, a value that may not be written, such as an unset pointer or
// a zero outside its bounds, stands as null. Only a configuration so large
// that its text is beyond the limits of a file does not load again.
func Show(w io.Writer, cfg any, origins *Origins, withOrigins bool) error {
	s, v := inspect(cfg)
	p := &printer{origins: origins, remarks: withOrigins}
	p.fields(s, v, "", "", true)
	if p.out.Len() == 0 {
		p.out.WriteString("{}\n")
	}
	if _, err := w.Write(p.out.Bytes()); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	return nil
}

// printer writes YAML. A line is made of the indentation, a dash where a list
// item begins, the key and the value.
type printer struct {
	out     bytes.Buffer
	origins *Origins
	remarks bool
	dash    bool // the next key begins a list item
}

const step = "  "

// fields writes the keys of a struct. Comments are written for the first of
// several alike only.
func (p *printer) fields(s *shape, v reflect.Value, path Path, indent string, docs bool) {
	for i, f := range s.fields {
		if docs {
			if i > 0 && indent == "" {
				p.out.WriteByte('\n')
			}
			p.comment(f, indent)
		}
		p.value(f, part(s, v, f), path.Key(f.name), indent, f.name, docs)
	}
}

// comment writes what a field means. Before the first key of a list item it
// stands in the column of the dash.
func (p *printer) comment(f *shape, indent string) {
	if p.dash {
		indent = strings.TrimSuffix(indent, step)
	}
	const width = 96
	line := ""
	for word := range strings.FieldsSeq(f.describe()) {
		if line != "" && len(indent)+len(line)+len(word) > width {
			p.out.WriteString(indent + "#" + line + "\n")
			line = ""
		}
		line += " " + word
	}
	if line != "" {
		p.out.WriteString(indent + "#" + line + "\n")
	}
}

// describe joins what the tags say about a field into sentences.
func (s *shape) describe() string {
	of, subject := s, "It"
	for of.elem != nil {
		of, subject = of.elem, "Each"
	}
	text := s.doc
	if of.enum != nil {
		text += " " + subject + " is one of: " + strings.Join(of.enum, ", ") + "."
	}
	if limits := of.limits(); limits != "" {
		text += " " + subject + " " + limits + "."
	}
	if s.example != "" {
		text += " Example: " + s.example
	}
	return strings.ToValidUTF8(strings.TrimSpace(text), "?")
}

// value writes a key with its value.
func (p *printer) value(s *shape, v reflect.Value, path Path, indent, key string, docs bool) {
	start := p.start(indent) + writeKey(key) + ":"
	if s.pointer {
		if v.IsNil() {
			p.line(start+" null", path)
			return
		}
		v = v.Elem()
	}
	switch {
	case s.scalar():
		p.line(start+" "+s.write(v), path)
	case s.kind == kindStruct && len(s.fields) == 0, s.kind == kindMap && v.Len() == 0:
		p.out.WriteString(start + " {}\n")
	case s.kind == kindStruct:
		p.out.WriteString(start + "\n")
		p.fields(s, v, path, indent+step, docs)
	case s.kind == kindMap:
		p.out.WriteString(start + "\n")
		for _, k := range mapKeys(v) {
			p.value(s.elem, entry(s, v, k), path.Key(k), indent+step, k, docs)
			docs = false
		}
	case v.Len() == 0:
		p.line(start+" []", path)
	default:
		p.line(start, path)
		p.items(s, v, path, indent+step, docs)
	}
}

func (p *printer) items(s *shape, v reflect.Value, path Path, indent string, docs bool) {
	for i := range v.Len() {
		switch {
		case s.elem.scalar():
			p.out.WriteString(indent + "- " + s.elem.write(v.Index(i)) + "\n")
		case len(s.elem.fields) == 0:
			p.out.WriteString(indent + "- {}\n")
		default:
			p.dash = true
			p.fields(s.elem, v.Index(i), path.Index(i), indent+step, docs && i == 0)
		}
	}
}

// start returns the indentation of a key, with the dash that is due.
func (p *printer) start(indent string) string {
	if !p.dash {
		return indent
	}
	p.dash = false
	return strings.TrimSuffix(indent, step) + "- "
}

// line ends a line with the remark on where the value comes from.
func (p *printer) line(text string, path Path) {
	p.out.WriteString(text)
	if p.remarks {
		p.out.WriteString(" # " + remark(p.origins.Of(path)))
	}
	p.out.WriteByte('\n')
}
