// Texts of every kind: from right to left, wide, long, in several lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, go, open, phone, reads, said } from "./browser.mjs";
import { browser, hall, model } from "./stage.mjs";

async function end(page) {
  await page.clean();
  await page.context().close();
}

const directions = (where) => where.evaluateAll((list) => list.map((e) => getComputedStyle(e).direction));

test("what is written from right to left is read so: a question, an answer, its lists", async () => {
  model.say("בירת צרפת", { text: "פריז היא בירת צרפת (Paris).\n\n- אחת\n- שתיים\n\nIn English it is Paris." });
  const page = await open(browser, hall.url);
  const box = page.getByLabel("Your question");
  await box.fill("מהי בירת צרפת?");
  assert.deepEqual(await directions(box), ["rtl"]);
  const turn = await ask(page, "מהי בירת צרפת?");
  assert.deepEqual(await directions(turn.locator(".bubble p")), ["rtl"]);
  assert.deepEqual(await directions(turn.locator(".prose p, .prose ul")), ["rtl", "rtl", "ltr"]);
  const list = await turn.locator(".prose ul").evaluate((e) => [getComputedStyle(e).paddingRight, getComputedStyle(e).paddingLeft]);
  assert.equal(list[1], "0px");
  await end(page);
});

test("a line that ends in an answer ends on the page", async () => {
  model.say("an address", { text: "Ana Sousa\nRua das Flores 12\n4050 Porto" });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "an address");
  await reads(turn.locator(".prose p"), "Ana Sousa\nRua das Flores 12\n4050 Porto");
  await end(page);
});

test("a wide table is moved sideways: its words are not broken into letters", async () => {
  const names = ["Municipality", "Inhabitants", "Temperature", "Precipitation", "Unemployment", "Universities", "Restaurants", "Hospitals", "Connections", "Observations"];
  const row = (list) => `| ${list.join(" | ")} |`;
  model.say("a wide table", { text: [row(names), row(names.map(() => "---")), row(names.map((n) => n.toLowerCase()))].join("\n") });
  const page = await open(browser, hall.url, { viewport: phone });
  const turn = await ask(page, "a wide table");
  const lines = await turn.locator("th").evaluateAll((list) => list.map((e) => {
    const r = document.createRange();
    r.selectNodeContents(e);
    return r.getClientRects().length;
  }));
  assert.deepEqual(lines, names.map(() => 1));
  await end(page);
});

test("a dry run is about all lines of what a call would run", async () => {
  const page = await open(browser, `${hall.url}/#/tools/run_code`);
  await page.getByRole("tab", { name: "Test call" }).click();
  await page.getByLabel(/^Language/).fill("shell");
  await page.getByLabel(/^Code/).fill("echo one\necho two");
  const asked = page.waitForRequest(/\/check$/);
  await page.getByRole("button", { name: "Dry run" }).click();
  assert.equal((await asked).postDataJSON().arguments.code, "echo one\necho two");
  await end(page);
});

test("the code of another answer does not stay where one was", async () => {
  const j = (id, query, answer) => ({ query_id: id, session_id: "s", respondent_id: "A", query, answer, provider: "p", model: "m", time: "2026-01-01T00:00:00Z", took_ns: 1, usage: { output_tokens: 1 }, critique: { respondent_id: "A", outcome: "graded", score: 4 } });
  const page = await open(browser, hall.url);
  await page.route(/\/critic\?/, async (r) => {
    const real = await (await r.fetch()).json();
    await r.fulfill({ json: { ...real, judgements: [j("1", "in Python", "```python\nprint(1)\n```"), j("2", "in words", "```\nplain words\n```")] } });
  });
  await go(page, "critic");
  await page.getByRole("button", { name: "in Python" }).click();
  await page.locator("article .hljs-built_in").waitFor();
  await page.getByRole("button", { name: "in words" }).click();
  await page.getByRole("heading", { name: "in words" }).waitFor();
  await page.settled();
  await reads(page.locator("article pre"), "plain words");
  await end(page);
});

test("the critic's words are seen whole, also on a phone", async () => {
  const answer = await hall.ask("graded at length", { session_id: "graded-at-length" });
  const page = await open(browser, hall.url, { viewport: phone });
  await page.route(/\/judgements/, (r) => r.fulfill({ json: [{ query_id: answer.query_id, respondent_id: "A", critique: { query_id: answer.query_id, respondent_id: "A", outcome: "graded", score: 4, feedback: "It says what was asked, and why. ".repeat(20) } }] }));
  await go(page, "chat/graded-at-length");
  const turn = page.locator("article.turn");
  await ended(turn);
  await turn.getByRole("button", { name: /Critic's grade/ }).click();
  const inside = await turn.getByRole("note").evaluate((e) => {
    const [n, t] = [e, e.closest("article")].map((x) => x.getBoundingClientRect());
    return n.top >= t.top && n.left >= t.left && n.right <= t.right && n.bottom <= t.bottom;
  });
  assert.ok(inside, "what is outside of its turn is cut off");
  await end(page);
});

test("a folder that is dropped is said to be none, and files beside it are taken; dropped words are the box's own", async () => {
  const page = await open(browser, hall.url);
  const drop = (what) => page.getByLabel("Your question").evaluate((e, what) => {
    const data = new DataTransfer();
    if (what === "files") {
      const folder = new File([], "photos");
      folder.text = () => Promise.reject(new DOMException("A requested file or directory could not be found", "NotFoundError"));
      // What a browser hands over is a list; this is one.
      Object.defineProperty(data, "files", { value: [folder, new File(["words"], "notes.txt")] });
    } else data.setData("text/plain", "dragged words");
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: data });
    return !e.dispatchEvent(event);
  }, what);
  assert.equal(await drop("files"), true);
  await said(page, /^bad: photos/);
  await page.getByText("notes.txt").waitFor();
  assert.equal(await drop("words"), false, "the browser puts them into the box");
  await end(page);
});

test("an import names the line of the file that is wrong, past its empty ones", async () => {
  const page = await open(browser, `${hall.url}/#/memory`);
  const text = `${JSON.stringify({ text: "The first line." })}\n\n\n{"text": 7}\n`;
  await page.locator('input[type="file"]').setInputFiles({ name: "m.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
  await said(page, /^bad: .*line 4/);
  await end(page);
});
