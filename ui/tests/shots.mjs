// Makes docs/screenshots: every panel, light and dark, wide and phone.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, go, launch, open, phone } from "./browser.mjs";
import { fill } from "./fill.mjs";
import { Hall, stories } from "./hall.mjs";
import { Ollama } from "./ollama.mjs";

const out = join(import.meta.dirname, "../../docs/screenshots");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const wide = { width: 1280, height: 800 };
const text = [
  "The bridge opened to walkers **two months early**. In short:",
  "",
  "| what | figure |",
  "|---|---|",
  "| length | 412 metres |",
  "| people a day in summer | 4,000 |",
  "",
  "```go",
  "// Crossing returns how long a walk takes.",
  "func Crossing(metres, speed float64) time.Duration {",
  "\treturn time.Duration(metres / speed * float64(time.Second))",
  "}",
  "```",
  "",
  "At $v = 1.4$ metres a second the walk takes $$t = \\frac{412}{1.4} \\approx 294\\ \\text{s}$$",
].join("\n");

const model = await new Ollama().up();
const builtin = new Hall({ env: { MOOTHALL_MODELS_BUILTIN: "network" } });
const hall = new Hall({ env: { OLLAMA_HOST: model.host, MOOTHALL_SEARCH_BRAVE_KEY: "brave", MOOTHALL_SEARCH_SEARXNG_URL: "http://127.0.0.1:8888" }, web: JSON.parse(readFileSync(join(stories, "web.json"), "utf8")) });
const locked = new Hall({ env: { MOOTHALL_FRONT_LISTEN: "0.0.0.0" } });
const [browser] = await Promise.all([launch(), hall.up(), builtin.up(), locked.up()]);

try {
  model.say("How long is the ferry bridge", { thinking: "The person asks about the ferry bridge. I should search for it, and then give the length, a table and how long a walk takes.", calls: [{ name: "web_search", arguments: { query: "ferry bridge Alderhaven length" } }], after: text });
  model.say("Run the tests", { calls: [{ name: "run_code", arguments: { language: "shell", code: "cd ~/projects/bridge\ngo test ./..." } }] });
  model.plan = {
    subtasks: [
      { id: "length", agent_type: "researcher", task: "Find out how long the ferry bridge is.", depends_on: [], inputs: [] },
      { id: "place", agent_type: "researcher", task: "Find out where it stands and who runs it.", depends_on: [], inputs: [] },
      { id: "cost", agent_type: "researcher", task: "Find out what it cost.", depends_on: ["place"], inputs: [] },
      { id: "note", agent_type: "assistant", task: "Write a note of three sentences about it.", depends_on: ["length", "cost"], inputs: [] },
    ],
  };
  await fill(hall);
  const begun = await (await fetch(`${hall.url}/tasks`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query: "Find out how long the ferry bridge is and what it cost, then write a note about it." }) })).json();
  const talk = await hall.ask("How long is the ferry bridge, and how long is the walk?");
  await hall.ask("Should I take the job in Porto?", { mode: "committee", session_id: "table" });
  mkdirSync(join(hall.home, "workspace"), { recursive: true });
  writeFileSync(join(hall.home, "workspace", "packing.md"), ["# Packing", "", "- two shirts", "- a coat", "- the blue notebook", "- a map of Alderhaven", "", "Ferry at nine."].join("\n"));
  model.say("Update the packing list", { calls: [{ name: "fs_write", arguments: { path: "packing.md", content: ["# Packing", "", "- two shirts", "- a raincoat", "- the blue notebook", "- a map of Alderhaven", "", "Ferry at half past eight."].join("\n") } }] });
  void hall.ask("Update the packing list from this note.", { session_id: "packing", context: "The ferry leaves at half past eight now, and rain is coming." }).catch(() => undefined); // waits too
  void hall.ask("Run the tests, please.", { session_id: "tests" }).catch(() => undefined); // waits for a yes
  await new Promise((ok) => setTimeout(ok, 2500)); // the critic and memory work in the background

  for (const [size, viewport] of [["wide", wide], ["phone", phone]]) {
    for (const colorScheme of ["light", "dark"]) {
      const shot = (page, name) => page.screenshot({ path: join(out, `${name}-${size}-${colorScheme}.png`) });
      const first = await open(browser, builtin.url, { viewport, colorScheme });
      await first.getByText(/no Ollama answers/).waitFor();
      await shot(first, "first-run");
      await first.context().close();

      const door = await open(browser, `http://127.0.0.1:${locked.port}`, { viewport, colorScheme });
      await door.getByRole("heading", { name: "This hall wants its token" }).waitFor();
      await shot(door, "login");
      await door.context().close();

      const page = await open(browser, hall.url, { viewport, colorScheme });
      const show = async (name, hash, ready) => {
        await go(page, hash);
        await ready?.();
        await page.waitForTimeout(700);
        await shot(page, name);
      };
      await show("chat", `chat/${talk.session_id}`, () => page.locator("math").first().waitFor({ state: "attached" }));
      await page.getByTitle("What the model sees (Ctrl-.)").click();
      await page.getByText("What the model sees").waitFor();
      await page.waitForTimeout(400);
      await shot(page, "context");
      await page.getByLabel("Conversation state").getByRole("button", { name: "Close" }).click();
      await show("committee-turn", "chat/table", () => page.locator("article.turn").first().waitFor());
      await go(page, `chat/${talk.session_id}`);
      await page.getByRole("button", { name: "Replay this turn" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Run again" }).click();
      await page.getByRole("dialog").getByRole("article").first().waitFor();
      await page.waitForTimeout(400);
      await shot(page, "replay");
      await page.keyboard.press("Escape");
      await show("approvals", "approvals", () => page.locator(".del").first().waitFor());
      await show("timeline", `timeline/${talk.session_id}`);
      await show("tools", "tools/web_search");
      await show("tools-dry-run", "tools/run_code", async () => {
        await page.getByRole("tab", { name: "Test call" }).click();
        await page.getByLabel(/^Language/).fill("shell");
        await page.getByLabel(/^Code/).fill("echo hello");
        await page.getByRole("button", { name: "Dry run" }).click();
        await page.getByText("Nothing was executed.").waitFor();
        await page.getByText("Nothing was executed.").scrollIntoViewIfNeeded();
      });
      await show("memory", "memory", async () => {
        const link = page.locator("td.what a").first();
        await link.waitFor();
        if (size === "wide") await link.click();
      });
      await page.getByRole("tab", { name: "Search" }).click();
      await page.getByLabel("Search memory").fill("how do I like my coffee");
      await page.keyboard.press("Enter");
      await page.getByText("Found", { exact: true }).waitFor();
      await page.evaluate(() => (location.hash = "#/memory"));
      await page.waitForTimeout(400);
      await shot(page, "memory-search");
      await show("graph", "graph", () => page.getByRole("button", { name: "Ana", exact: true }).click());
      await show("critic", "critic");
      await show("tasks", `tasks/${begun.id}`, () => page.locator(".plan button").first().click());
      await show("settings", "participants/critic");
      await show("settings-doctor", "participants/@doctor", () => page.getByText(/entries verify/).waitFor());
      await show("settings-keyring", "participants/@keyring", () => page.getByRole("table").waitFor());
      await show("settings-search", "participants/@search", () => page.getByText("searxng").first().waitFor());
      await show("models", "models");
      await show("hall", "hall");
      await go(page, "committee");
      await page.getByLabel("Question").fill("Should I take the job in Porto?");
      await page.getByRole("button", { name: "Deliberate" }).click();
      await page.getByText("The synthesis").waitFor();
      await page.waitForTimeout(400);
      await shot(page, "committee");
      await go(page, "chat");
      await page.keyboard.press("Control+k");
      await page.waitForTimeout(300);
      await shot(page, "palette");
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await Promise.all([hall.remove(), builtin.remove(), locked.remove()]);
  model.down();
}

// Smaller by two thirds where pngquant is installed; the pictures are the same.
const quant = spawnSync("pngquant", ["--force", "--ext", ".png", "--skip-if-larger", "--quality", "70-98", "--", ...readdirSync(out).map((f) => join(out, f))]);
if (quant.error) console.log("pngquant is not installed: the pictures are larger than they need be");
