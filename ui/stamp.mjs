import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

// What the build depends on. scripts/ui-check.sh hashes the same files in the
// same order with sha256sum, so that a stale build is found without Node.
const roots = ["src", "public"];
const single = ["index.html", "openapi.json", "package.json", "package-lock.json", "stamp.mjs", "svelte.config.js", "tsconfig.json", "vite.config.js"];

function under(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? under(join(dir, e.name)) : [join(dir, e.name)]));
}

/** The hash of all sources: one line "hash  path" a file, sorted by path, hashed again. */
export function sources(base) {
  const files = [...single.map((f) => join(base, f)), ...roots.flatMap((r) => under(join(base, r)))];
  const lines = files
    .map((f) => relative(base, f))
    .filter((f) => f !== join("src", "api", "schema.d.ts")) // made from openapi.json
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((f) => `${createHash("sha256").update(readFileSync(join(base, f))).digest("hex")}  ${f}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

// Whose code is in the build; their licences want to go with it.
const bundled = ["svelte", "clsx", "esm-env", "marked", "dompurify", "temml", "highlight.js"];

function licences(base) {
  return bundled
    .map((name) => {
      const dir = join(base, "node_modules", name);
      const file = readdirSync(dir).sort().find((f) => /^licen[cs]e/i.test(f));
      if (!file) throw new Error(`${name} comes without a licence`);
      return `${name}\n\n${readFileSync(join(dir, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(78)}\n\n`);
}

/** Writes build.json beside the build: what it was made from. */
export function stamp() {
  let out = "";
  return {
    name: "stamp",
    apply: "build",
    configResolved(c) {
      out = c.build.outDir;
    },
    closeBundle() {
      const base = import.meta.dirname;
      writeFileSync(join(base, out, "licences.txt"), licences(base));
      writeFileSync(join(base, out, "build.json"), `${JSON.stringify({ sources: sources(base) })}\n`);
    },
  };
}
