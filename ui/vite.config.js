import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { stamp } from "./stamp.mjs";

// The build is committed and embedded: names carry a hash of the content, and
// never begin with an underscore, which go:embed would leave out.
export default defineConfig({
  base: "/page/",
  plugins: [svelte(), stamp()],
  build: {
    outDir: "../internal/web/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        entryFileNames: "assets/page-[hash].js",
        chunkFileNames: (c) => `assets/${c.name.replace(/^[_.]+/, "")}-[hash].js`,
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  server: { proxy: { "^/(?!page/|@|src/|node_modules/).+": "http://127.0.0.1:8765" } },
});
