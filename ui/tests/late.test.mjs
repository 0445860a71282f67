// What was on its way to the page when something changed there, and arrives late.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, drawn, ended, go, hold, listens, open } from "./browser.mjs";
import { browser, hall, model } from "./stage.mjs";

async function end(page) {
  await page.clean();
  await page.context().close();
}

test("a conversation on its way does not take what is asked again for what was answered before", async () => {
  const session = "asked-again";
  model.say("say it otherwise", { text: "In one way." });
  await hall.ask("say it otherwise", { session_id: session });
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  const turn = page.locator("article.turn");
  await ended(turn);
  await listens(page);
  await page.settled();
  const load = await hold(page, /\/sessions\/asked-again$/);
  await page.getByRole("button", { name: /^Permissions/ }).click();
  await load.was;
  await page.keyboard.press("Escape");
  let send;
  const sent = new Promise((ok) => (send = ok));
  await page.route(/\/query$/, async (r) => {
    await sent;
    await r.continue();
  });
  model.say("say it otherwise", { text: "In another way." });
  await page.getByRole("button", { name: "Ask again", exact: true }).click();
  await turn.getByRole("button", { name: "Stop" }).waitFor();
  await load.arrive();
  assert.deepEqual([await turn.count(), await turn.locator("footer").count()], [1, 0], "it has no answer yet");
  send();
  await turn.getByText("In another way.").waitFor();
  await ended(turn);
  assert.equal(await turn.count(), 1);
  await end(page);
});

test("a rating that is taken back stays so when older judgements arrive", async () => {
  const session = "rated-and-not";
  const answer = await hall.ask("hello there", { session_id: session });
  await fetch(`${hall.url}/feedback`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query_id: answer.query_id, stars: 4 }) });
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  const star = page.getByRole("button", { name: "4 of 5 stars" });
  await page.locator('button[aria-label="4 of 5 stars"][aria-pressed="true"]').waitFor();
  await listens(page);
  await page.settled();
  const old = await hold(page, /\/judgements\?/);
  await page.getByRole("button", { name: /^Permissions/ }).click();
  await old.was;
  await page.keyboard.press("Escape");
  let send;
  const sent = new Promise((ok) => (send = ok));
  await page.route(/\/feedback$/, async (r) => {
    await sent;
    await r.continue();
  });
  await star.click();
  await page.locator('button[aria-label="4 of 5 stars"][aria-pressed="false"]').waitFor();
  await old.arrive();
  assert.equal(await star.getAttribute("aria-pressed"), "false");
  send();
  await page.settled();
  assert.equal(await star.getAttribute("aria-pressed"), "false");
  await end(page);
});

test("what was compacted is not undone by a conversation that was on its way", async () => {
  const session = "compacted-since";
  model.say("numbered thing", { text: "A long answer about it, which says the same several times over. ".repeat(12) });
  for (let i = 0; i < 5; i++) await hall.ask(`numbered thing ${i}`, { session_id: session });
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  await page.getByRole("button", { name: "Context" }).click();
  const side = page.getByLabel("Conversation state");
  await listens(page);
  await page.settled();
  await side.getByRole("heading", { name: "10 messages" }).waitFor();
  const old = await hold(page, /\/sessions\/compacted-since$/);
  await page.getByRole("button", { name: /^Permissions/ }).click();
  await old.was;
  await page.keyboard.press("Escape");
  await side.getByRole("button", { name: "Compact now" }).click();
  await side.getByRole("heading", { name: "10 messages" }).waitFor({ state: "detached" });
  await old.arrive();
  assert.equal(await side.getByRole("heading", { name: "10 messages" }).count(), 0);
  await end(page);
});

test("a record that takes its time is waited for", async () => {
  await hall.ask("hello there", { session_id: "slow-record" });
  const page = await open(browser, hall.url);
  await page.clock.install();
  await page.reload();
  await listens(page);
  await page.route(/\/events\?replay/, async (r) => {
    await page.clock.fastForward("00:20");
    await r.continue();
  });
  await go(page, "timeline/slow-record");
  await page.locator("button.bar.turn").waitFor();
  await end(page);
});

test("an answer's own stream that comes after the events adds nothing to it", async () => {
  model.say("think about it", { thinking: "It is easy.", text: "That is it." });
  const page = await open(browser, hall.url);
  await listens(page);
  const own = await hold(page, /\/query$/, { method: "POST" });
  const turn = await ask(page, "think about it"); // the events have it
  await own.arrive();
  assert.deepEqual([await turn.locator("details.thinking").count(), (await turn.locator(".prose").textContent()).trim()], [1, "That is it."]);
  await end(page);
});

test("a question waits for its files, which are read from a slow disk", async () => {
  const page = await open(browser, hall.url);
  await page.evaluate(() => {
    const read = Blob.prototype.text;
    Blob.prototype.text = async function () {
      await new Promise((ok) => (window.__spin = ok));
      return read.call(this);
    };
  });
  await page.locator('input[type="file"]').first().setInputFiles({ name: "slow.txt", mimeType: "text/plain", buffer: Buffer.from("the key hangs behind the clock") });
  await page.getByLabel("Your question").fill("where is the key");
  await page.getByLabel("Your question").press("Enter");
  await page.waitForFunction(() => window.__spin);
  await drawn(page);
  assert.equal(await page.locator("article.turn").count(), 0);
  await page.evaluate(() => window.__spin());
  await ended(page.locator("article.turn"));
  await page.getByText("attached text, 45 characters").waitFor();
  await end(page);
});
