// A browser that notices everything the page must not do.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].filter(Boolean);
const executablePath = places.find((p) => existsSync(p));
if (!executablePath) throw new Error("no Chromium: install Debian's package chromium, or name one in CHROMIUM");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const launch = (args = []) => chromium.launch({ executablePath, args: ["--no-sandbox", ...args] });
/** How long a test waits for what must come. No figure: see figures.mjs for those. */
export const patience = 30_000;
export const wide = { width: 1280, height: 820 };
export const phone = { width: 390, height: 844 };

/** A page with a watch on policy, errors, dialogs and other origins. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: wide, ...options });
  await context.addInitScript(() => {
    window.__violations = [];
    document.addEventListener("securitypolicyviolation", (e) => window.__violations.push(`${e.violatedDirective}: ${e.blockedURI}`));
    window.__hit = 0;
    window.pwned = () => window.__hit++;
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const seen = { errors: [], foreign: [], dialogs: [] };
  page.on("pageerror", (e) => seen.errors.push(e.message));
  page.on("console", (m) => m.type() === "error" && !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(m.text()) && seen.errors.push(m.text()));
  page.on("dialog", (d) => (seen.dialogs.push(d.message()), void d.dismiss()));
  page.on("request", (r) => {
    const u = new URL(r.url());
    if (u.origin !== new URL(url).origin && !["data:", "blob:"].includes(u.protocol)) seen.foreign.push(r.url());
  });
  const busy = new Set();
  let last = Date.now();
  const kept = (r) => new URL(r.url()).pathname === "/events"; // it has no end
  page.on("request", (r) => !kept(r) && busy.add(r));
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (r) => busy.delete(r) && (last = Date.now()));
  await page.goto(url);
  return Object.assign(page, {
    seen,
    /** Waits until nothing has been fetched for a moment, but no longer than a while. */
    async settled(most = 3000) {
      const until = Date.now() + most;
      await page.waitForTimeout(100);
      while (Date.now() < until && (busy.size > 0 || Date.now() - last < 150)) await page.waitForTimeout(50);
    },
    async clean() {
      const inside = await page.evaluate(() => ({ violations: window.__violations, hit: window.__hit }));
      assert.deepEqual({ ...seen, ...inside }, { errors: [], foreign: [], dialogs: [], violations: [], hit: 0 });
    },
  });
}

/** Types a question, sends it and waits for the end of its turn. */
export async function ask(page, text, { wait = true } = {}) {
  const last = () => [...document.querySelectorAll("article.turn")].at(-1)?.dataset.key ?? "";
  const before = await page.evaluate(last);
  await page.getByLabel("Your question").fill(text);
  await page.keyboard.press("Enter");
  await page.waitForFunction((b) => ([...document.querySelectorAll("article.turn")].at(-1)?.dataset.key ?? b) !== b, before);
  const turn = page.locator(`article.turn[data-key="${await page.evaluate(last)}"]`);
  if (wait) await ended(turn);
  return turn;
}

export async function ended(turn) {
  await turn.locator("footer").waitFor({ timeout: 2 * patience });
}

/** Waits until the page hears of everything that happens. */
export async function listens(page) {
  await page.locator("nav .state.live").waitFor({ state: "attached" });
}

/** Serious findings of axe-core on what is shown now. */
export async function findings(page) {
  await page.evaluate(axeSource);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(" | ")}`);
}

export async function go(page, hash) {
  await page.evaluate((h) => (location.hash = `#/${h}`), hash);
}
