package web

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

// The page is built from ui/ with make ui, and committed.
//
//go:embed page
var pageFiles embed.FS

// contentPolicy lets the page load and reach its own origin and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page serves the embedded page: index.html at /, the rest under /page/. The
// names under assets carry a hash of their content, so that a browser may keep
// them for good.
func page() http.Handler {
	root, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	files := http.StripPrefix("/page", http.FileServerFS(root))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", contentPolicy)
		if r.URL.Path == "/" {
			http.ServeFileFS(w, r, root, "index.html")
			return
		}
		if strings.HasPrefix(r.URL.Path, "/page/assets/") {
			w.Header().Set("Cache-Control", "max-age=31536000, immutable")
		}
		files.ServeHTTP(w, r)
	})
}
