// A browser that notices everything the page must not do.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].filter(Boolean);
const executablePath = places.find((p) => existsSync(p));
if (!executablePath) throw new Error("no Chromium: install Debian's package chromium, or name one in CHROMIUM");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const launch = (args = []) => chromium.launch({ executablePath, timeout: patience, args: ["--no-sandbox", ...args] });
/** How long a test waits for what must come. No figure: see figures.mjs for those. */
export const patience = 90_000;
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
    window.__said = [];
    new MutationObserver((list) => {
      for (const { target, addedNodes } of list) {
        for (const e of addedNodes) if (e instanceof Element && e.matches(".toast")) window.__said.push((e.matches(".bad") ? "bad: " : "") + e.textContent.trim());
        if (target.nodeType === Node.TEXT_NODE && target.data && target.parentElement?.matches('.hide[role="status"]')) window.__said.push(target.data);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
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
  let begun = 0;
  page.on("request", (r) => {
    if (r.isNavigationRequest()) busy.clear(); // what the page before asked for
    if (new URL(r.url()).pathname === "/events") return; // it has no end
    busy.add(r);
    begun++;
  });
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (r) => busy.delete(r));
  await page.goto(url);
  return Object.assign(page, {
    seen,
    /** Waits until nothing has been fetched for a moment, and the page has drawn what came. */
    async settled() {
      const until = Date.now() + patience;
      for (let before = -1; busy.size > 0 || before !== begun; ) {
        assert.ok(Date.now() < until, `still fetched: ${[...busy].map((r) => r.url())}`);
        before = begun;
        await page.waitForTimeout(150);
        await drawn(page);
      }
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
  const box = page.getByLabel("Your question");
  await box.fill(text);
  await box.press("Enter");
  await page.waitForFunction((b) => ([...document.querySelectorAll("article.turn")].at(-1)?.dataset.key ?? b) !== b, before);
  const turn = page.locator(`article.turn[data-key="${await page.evaluate(last)}"]`);
  if (wait) await ended(turn);
  return turn;
}

export async function ended(turn) {
  await turn.locator("footer").waitFor({ timeout: 2 * patience });
}

/**
 * Waits until what is seen of an element is a text or matches a pattern. A turn
 * has nothing to be seen until the browser has drawn it, and that may be later
 * than it is in the document.
 */
export async function reads(element, want) {
  const fits = (text) => (want instanceof RegExp ? want.test(text) : text === want);
  const text = await patiently(() => element.innerText(), fits);
  assert.ok(fits(text), `${JSON.stringify(text)} is not ${want}`);
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

/** Goes elsewhere in the page, and waits until it has heard of that. */
export async function go(page, hash) {
  await page.evaluate((h) => new Promise((ok) => {
    if (location.hash === h) return ok();
    window.addEventListener("hashchange", () => ok(), { once: true });
    location.hash = h;
  }), `#/${hash}`);
}

/** Waits until the page has drawn what it knows. */
export const drawn = (page) => page.evaluate(() => new Promise((ok) => requestAnimationFrame(() => requestAnimationFrame(ok))));

/** Waits until the page has said this, once more than it was waited for: what it says goes by itself, and may be gone by now. */
export async function said(page, words) {
  const look = words instanceof RegExp ? words : new RegExp(words.replace(/[^\w\s]/g, "\\$&"));
  await page.waitForFunction((look) => {
    const at = window.__said.findIndex((text) => look.test(text));
    return at >= 0 && window.__said.splice(at, 1).length;
  }, look);
}

/** Waits until something is as it must be. */
export async function until(look, want) {
  assert.deepEqual(await patiently(look, (got) => isDeepStrictEqual(got, want)), want);
}

/** Looks again and again until what it sees is good, or patience is over; gives what it saw last. */
async function patiently(look, good) {
  const late = Date.now() + patience;
  let got = await look();
  for (; !good(got) && Date.now() < late; got = await look()) await new Promise((ok) => setTimeout(ok, 50));
  return got;
}

/** Holds the next answer to a request, or each from now on, as it was read, until the test lets it arrive. */
export async function hold(page, pattern, { method = "GET", each = false } = {}) {
  let [read, free, arrived] = [];
  const was = new Promise((ok) => (read = ok));
  const late = new Promise((ok) => (free = ok));
  const there = new Promise((ok) => (arrived = ok));
  let held = 0;
  let over = false;
  await page.route(pattern, async (r) => {
    if (over || (held > 0 && !each) || r.request().method() !== method) return r.fallback();
    held++;
    const reply = await r.fetch();
    read();
    await late;
    await r.fulfill({ response: reply });
    // A page that has all it wants lets go of an answer, and the browser may not say then that it came to its end.
    const ended = async () => (await r.request().response())?.finished();
    await Promise.race([ended(), new Promise((ok) => setTimeout(ok, 3000))]);
    if (--held === 0) arrived();
  });
  const arrive = async () => {
    over = true;
    free();
    await there;
    await page.evaluate(() => fetch("/health").then((r) => r.text())); // asked after it: the page has it by then
    await drawn(page);
  };
  return { was, arrive };
}
