package google_test

import (
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/gateway/google"
	"moothall/internal/gateway/providertest/hosted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var suite = hosted.Suite{
	Dialect: dialect{}, Model: chatModel, Embedder: embedModel, Seeds: seeds,
	New: func(o hosted.Options) (hosted.Provider, error) {
		return google.New(google.Options{BaseURL: o.BaseURL, Key: o.Key, HTTP: o.HTTP, PlainHTTP: o.PlainHTTP})
	},
}

func TestProvider(t *testing.T)      { suite.TestProvider(t) }
func TestExchanges(t *testing.T)     { suite.TestExchanges(t) }
func TestKeyNeverShows(t *testing.T) { suite.TestKeyNeverShows(t) }
func TestKeyIsKeptHome(t *testing.T) { suite.TestKeyIsKeptHome(t) }
func FuzzReply(f *testing.F)         { suite.FuzzReply(f) }
