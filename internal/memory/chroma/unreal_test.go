//go:build !integration

package chroma_test

import "testing"

// real is about servers, and here there are none.
func real(*testing.T, func(*testing.T, string)) {}
