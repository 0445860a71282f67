package moothall

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Misread says in a person's words why JSON could not be read as what was
// expected: encoding/json speaks of the program's own types.
func Misread(err error) string {
	kind, _ := errors.AsType[*json.UnmarshalTypeError](err)
	syntax, _ := errors.AsType[*json.SyntaxError](err)
	clock, _ := errors.AsType[*time.ParseError](err)
	field, unknown := strings.CutPrefix(err.Error(), "json: unknown field ") // it has no type of its own
	switch {
	case kind != nil:
		text := "must be " + jsonType(kind.Type) + ", is " + strings.Replace(kind.Value, "bool", "boolean", 1)
		if kind.Field == "" {
			return "it " + text
		}
		return kind.Field + " " + text
	case syntax != nil:
		return "it is no JSON at byte " + strconv.FormatInt(syntax.Offset, 10) + ": " + syntax.Error()
	case clock != nil:
		return strconv.Quote(clock.Value) + " is no time such as 2026-01-02T15:04:05Z"
	case unknown:
		return "there is no field " + field
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	}
	return err.Error() // what a field's own parser said, such as a time's
}

// jsonType is what JSON calls values of a type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Pointer:
		return jsonType(t.Elem())
	}
	return "integer" // of the types that data is read into, only numbers are left
}
