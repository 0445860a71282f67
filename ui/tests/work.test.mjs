// How much the page does, in counts: the same on a fast machine and on a slow
// one. How fast it does it is in figures.mjs.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ask, drawn, ended, go, open } from "./browser.mjs";
import { converse } from "./fill.mjs";
import { Hall } from "./hall.mjs";
import { browser, hall, model } from "./stage.mjs";

test("JavaScript without graph, highlighter and maths: 200 KB or less compressed", () => {
  const dir = join(import.meta.dirname, "../../internal/web/page/assets");
  const later = /^(highlight|mathml|Graph)-/;
  const size = readdirSync(dir).filter((f) => f.endsWith(".js") && !later.test(f)).reduce((n, f) => n + gzipSync(readFileSync(join(dir, f)), { level: 9 }).length, 0);
  console.log(`JavaScript, compressed: ${Math.round(size / 1024)} KB`);
  assert.ok(size <= 200 * 1024, `${size} bytes`);
});

test("words that come change the last part of an answer, and nothing before it", async (t) => {
  const pieces = Array.from({ length: 400 }, (_, i) => (i % 40 === 39 ? "word.\n\n" : i % 7 === 0 ? "**bold** " : "token "));
  // A paragraph comes when the one before it is drawn: a page that has no time for a while still draws them one by one.
  const next = [];
  t.after(() => next.forEach((ok) => ok())); // the model is needed by others
  model.say("fast stream", { pieces: pieces.flatMap((p, i) => (i % 40 === 39 ? [p, new Promise((ok) => next.push(ok))] : [p])), every: 10 });
  const come = (n) => page.waitForFunction((n) => [...document.querySelectorAll("article.turn .prose")].at(-1)?.textContent.split("word.").length > n, n);
  const page = await open(browser, hall.url);
  await ask(page, "warm up");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const layouts = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "LayoutCount").value;
  const turn = await ask(page, "fast stream", { wait: false });
  await come(1);
  await drawn(page);
  const before = await layouts();
  await page.evaluate(() => {
    const prose = [...document.querySelectorAll("article.turn .prose")].at(-1);
    const work = (window.__work = { draws: 0, frames: 0, again: [] });
    let done = prose.children.length - 1; // these have their last word
    work.watch = new MutationObserver((list) => {
      work.draws++;
      for (const m of list) {
        const at = [...prose.children].findIndex((part) => part.contains(m.target));
        if (at >= 0 && at < done) work.again.push(`part ${at} of ${prose.children.length}: ${m.target.textContent.slice(0, 40)}`);
        for (const gone of m.removedNodes) if (m.target === prose) work.again.push(`removed: ${gone.textContent.slice(0, 40)}`);
      }
      done = prose.children.length - 1;
    });
    work.watch.observe(prose, { subtree: true, childList: true, characterData: true });
    const tick = () => (work.frames++, requestAnimationFrame(tick));
    requestAnimationFrame(tick);
  });
  for (let n = 1; n < 10; n++) {
    next.shift()();
    await come(n + 1);
  }
  const work = await page.evaluate(() => (window.__work.watch.disconnect(), window.__work));
  const laid = (await layouts()) - before;
  next.shift()();
  await ended(turn);
  console.log(`${work.draws} draws and ${laid} layouts in ${work.frames} frames`);
  assert.deepEqual(work.again, []);
  assert.ok(work.draws >= 9 && work.draws <= 400, `${work.draws} draws`);
  // A layout for each draw, one more to follow the end, and those of frames without a draw.
  assert.ok(laid <= 2 * work.draws + work.frames, `${laid} layouts for ${work.draws} draws in ${work.frames} frames`);
  await page.context().close();
});

test("of 1,000 messages only the last are drawn, and the others on the way up", async () => {
  const big = await new Hall().up();
  try {
    await converse(big, "long", 500);
    const page = await open(browser, `${big.url}/#/chat/long`);
    const turns = page.locator("article.turn");
    await turns.nth(20).waitFor();
    const first = await turns.count();
    assert.ok(first <= 40, `${first} turns were drawn at once`);
    const drawn = await page.evaluate(() => new Promise((ok) => {
      const box = document.querySelector('[role="log"]');
      let n = 0;
      const tick = () => {
        box.scrollTop -= 120;
        if (++n < 600 && box.scrollTop > 0) requestAnimationFrame(tick);
        else ok(document.querySelectorAll("article.turn").length);
      };
      requestAnimationFrame(tick);
    }));
    assert.ok(drawn > 40, `only ${drawn} turns were drawn on the way up`);
    await page.clean();
    await page.context().close();
  } finally {
    await big.remove();
  }
});

test("memory stays steady over 10,000 events", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "warm up");
  const cdp = await page.context().newCDPSession(page);
  const heap = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    return (await cdp.send("Runtime.getHeapUsage")).usedSize / 1024 / 1024;
  };
  const seen = async () => {
    await go(page, "hall");
    return Number((await page.locator("dt", { hasText: "Events seen" }).locator("+ dd").innerText()).replaceAll(",", ""));
  };
  model.say("many events", { pieces: Array.from({ length: 250 }, () => "event ") });
  let asked = 0; // over many sessions, so that none becomes long
  const burst = async (n) => {
    for (let i = 0; i < n; i++) await hall.ask("many events", { session_id: `burst-${asked++ % 40}` });
  };
  await burst(40);
  const before = await heap();
  const first = await seen();
  let n = 0;
  // Pieces that come faster than the bus takes them are told as one, so that a turn is a dozen events.
  for (let i = 0; i < 60 && n < 10_000; i++) {
    await burst(40);
    n = (await seen()) - first;
  }
  const after = await heap();
  console.log(`heap growth over ${n} events: ${(after - before).toFixed(1)} MB`);
  assert.ok(n >= 10_000, `only ${n} events came`);
  assert.ok(after - before < 5, `${before} to ${after} MB`);
  await page.context().close();
});
