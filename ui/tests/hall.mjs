// Starts a real hall for a test: its own home, a free port, a canned web.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const binary = resolve(process.env.MOOTHALL_BIN ?? join(import.meta.dirname, "../../bin/moothall"));
export const stories = resolve(import.meta.dirname, "../../stories");

function environment(extra) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME ?? "/tmp", TMPDIR: tmpdir(), OLLAMA_HOST: "127.0.0.1:1", MOOTHALL_MODELS_BUILTIN: "rules", ...extra };
  return env; // nothing of the caller's own configuration
}

export class Hall {
  /** @param {{ env?: Record<string,string>, web?: object[] }} o */
  constructor(o = {}) {
    this.home = mkdtempSync(join(tmpdir(), "moothall-page-"));
    this.env = environment({ MOOTHALL_SEARCH_CANNED: join(stories, "web.json"), ...o.env });
    if (o.web) {
      const file = join(this.home, "web.json");
      writeFileSync(file, JSON.stringify(o.web));
      this.env.MOOTHALL_SEARCH_CANNED = file;
    }
    this.port = 0;
  }

  /** Starts it and waits until it says that it is up. */
  async up() {
    const child = spawn(binary, ["up", "--home", this.home, "--port", String(this.port)], { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    this.gone = new Promise((done) => child.once("exit", done));
    let said = "";
    child.stderr.on("data", (b) => (said += b));
    this.url = await new Promise((ok, no) => {
      child.stdout.on("data", (b) => {
        said += b;
        const m = /page\s+(http:\/\/\S+)\s/.exec(said); // the whole line: it may come in pieces
        if (m) ok(m[1]);
      });
      child.once("exit", (code) => no(new Error(`the hall ended with ${code}: ${said}`)));
    });
    this.port = Number(new URL(this.url).port);
    return this;
  }

  /** Stops it: gently, or as a power cut would. */
  async down(signal = "SIGTERM") {
    if (!this.child || this.child.exitCode !== null) return;
    this.child.kill(signal);
    await this.gone;
  }

  async remove() {
    await this.down();
    rmSync(this.home, { recursive: true, force: true });
  }

  async ask(query, more = {}) {
    const reply = await fetch(`${this.url}/query`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query, ...more }) });
    if (!reply.ok) throw new Error(`query: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }

  async get(path) {
    return (await fetch(this.url + path)).json();
  }
}
