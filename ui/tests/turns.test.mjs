import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { ask, ended, go, listens, open, reads, said, until } from "./browser.mjs";
import { words } from "./ollama.mjs";
import { browser, hall, model } from "./stage.mjs";

/** A way to the hall that breaks when a test wants. */
async function wire() {
  const ends = new Set();
  let whole = true;
  let following; // where the page hears of events
  const server = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(hall.port, "127.0.0.1");
    for (const end of [near, far]) {
      ends.add(end);
      end.on("error", () => undefined).on("close", () => (ends.delete(end), near.destroy(), far.destroy()));
    }
    near.on("data", (b) => String(b).includes("GET /events?mark=1") && (following = far));
    near.pipe(far).pipe(near);
  });
  await new Promise((ok) => server.listen(0, "127.0.0.1", ok));
  const cut = () => {
    whole = false;
    for (const end of ends) end.destroy();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, cut, mend: () => (whole = true), hush: () => following.unpipe(), close: () => (cut(), server.close()) };
}

/** Waits until a question waits in a conversation of the hall. */
async function queued(session, question) {
  while (!(await hall.get(`/sessions/${session}`)).queue?.some((t) => t.query === question));
}

test("a reload does not stop the turn: it is found again and shown to its end", async () => {
  let [more, end] = [];
  model.say("a tale that outlasts the page", { pieces: [...words("part", 0, 10), new Promise((ok) => (more = ok)), ...words("part", 10, 20)], hold: new Promise((ok) => (end = ok)) });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "a tale that outlasts the page", { wait: false });
  await turn.getByText("part3 ").first().waitFor();
  await page.reload();
  const same = page.locator("article.turn");
  await listens(page);
  more();
  await same.getByText(/part19/).first().waitFor();
  assert.equal(await same.locator("footer").count(), 0, "it is still at work");
  end();
  await ended(same);
  await reads(same.locator(".prose"), /^part0 part1 .*part19$/s);
  assert.equal(await page.locator("article.turn").count(), 1);
  const record = async () => (await hall.get(`/sessions/${page.url().split("/").at(-1)}`)).asked[0];
  await until(async () => (await record()).state, "done");
  const asked = await record();
  assert.equal(asked.answers[0].stop_reason, "done");
  await page.clean();
  await page.context().close();
});

test("what is told of a turn while its conversation is on its way here is shown", async () => {
  let [more, end] = [];
  model.say("told on the way", { pieces: [...words("bit", 0, 5), new Promise((ok) => (more = ok)), ...words("bit", 5, 10)], hold: new Promise((ok) => (end = ok)) });
  const other = await open(browser, hall.url);
  const turn = await ask(other, "told on the way", { wait: false });
  await turn.getByText("bit3 ").first().waitFor();
  const page = await open(browser, other.url());
  const same = page.locator("article.turn");
  for (const [tell, come] of [[more, (t) => t.getByText("bit9").first().waitFor()], [end, ended]]) {
    let [read, arrive] = [];
    const was = new Promise((ok) => (read = ok));
    const late = new Promise((ok) => (arrive = ok));
    await page.route(/\/sessions\/\w+$/, async (r) => {
      const reply = await r.fetch();
      read();
      await late;
      await r.fulfill({ response: reply });
    });
    await page.reload();
    await listens(page);
    await was;
    tell();
    await come(turn);
    assert.equal(await same.count(), 0, "it is on its way");
    arrive();
    await come(same);
    await page.unroute(/\/sessions\/\w+$/);
  }
  for (const p of [page, other]) {
    await p.clean();
    await p.context().close();
  }
});

test("a turn that ends before the page hears of events is shown to its end", async () => {
  let [listen, free] = [];
  model.say("ends unheard", { text: "nobody heard the end", hold: new Promise((ok) => (free = ok)) });
  const listening = new Promise((ok) => (listen = ok));
  const page = await open(browser, hall.url);
  const turn = await ask(page, "ends unheard", { wait: false });
  await turn.getByText("nobody heard the end").waitFor();
  await page.route(/\/events\?mark=1$/, async (r) => {
    await listening;
    await r.continue();
  });
  await page.reload();
  const same = page.locator("article.turn");
  await same.getByText("This turn was under way").waitFor();
  const other = await open(browser, page.url());
  await listens(other);
  free();
  await ended(other.locator("article.turn"));
  assert.equal(await same.locator("footer").count(), 0, "nobody has told the page yet");
  listen();
  await ended(same);
  await same.getByText("nobody heard the end").waitFor();
  await page.clean();
  await page.context().close();
  await other.context().close();
});

test("a page that is closed leaves its turn and the one that waits; a new page has both", async () => {
  let free;
  model.say("left alone", { text: "the first is done", hold: new Promise((ok) => (free = ok)) });
  model.say("and this one too", { text: "the second is done" });
  const first = await open(browser, hall.url);
  const turn = await ask(first, "left alone", { wait: false });
  await turn.getByText("the first is done").waitFor();
  const two = await ask(first, "and this one too", { wait: false });
  await two.getByText("Waiting for its turn").waitFor();
  const url = first.url();
  await queued(url.split("/").at(-1), "and this one too");
  await first.clean();
  await first.context().close();
  const second = await open(browser, url);
  await second.getByText("Waiting for its turn").waitFor();
  free();
  await ended(second.locator("article.turn").nth(1));
  await second.getByText("the second is done").waitFor();
  assert.deepEqual(await second.locator("article.turn .bubble p").allTextContents(), ["left alone", "and this one too"]);
  await second.clean();
  await second.context().close();
});

test("a conversation says that the model is busy with another one", async () => {
  let free;
  model.say("keeps the model", { text: "this one is first", hold: new Promise((ok) => (free = ok)) });
  model.say("comes second", { text: "and this is second" });
  const [first, second] = [await open(browser, hall.url), await open(browser, hall.url)];
  const one = await ask(first, "keeps the model", { wait: false });
  await one.getByText("this one is first").waitFor();
  const two = await ask(second, "comes second", { wait: false });
  await two.getByRole("status").getByText("waiting for the model, which is busy with something else").waitFor();
  free();
  await ended(two);
  await two.getByText("and this is second").waitFor();
  for (const page of [first, second]) {
    await page.clean();
    await page.context().close();
  }
});

test("a question that waits is the hall's when the way to it breaks: it is not asked twice", async () => {
  let free;
  model.say("takes its time", { text: "the first is over", hold: new Promise((ok) => (free = ok)) });
  model.say("water the plants", { text: "They are watered." });
  const way = await wire();
  const page = await open(browser, way.url);
  const first = await ask(page, "takes its time", { wait: false });
  await first.getByText("the first is over").waitFor();
  const session = page.url().split("/").at(-1);
  const heard = page.waitForResponse((r) => r.url().endsWith("/query"));
  const turn = await ask(page, "water the plants", { wait: false });
  await heard;
  await queued(session, "water the plants");
  way.cut();
  await turn.getByText("the hall does not answer").waitFor();
  assert.equal(await page.getByLabel("Your question").inputValue(), "");
  way.mend();
  await turn.getByText("Waiting for its turn").waitFor();
  assert.equal(await turn.getByText("the hall does not answer").count(), 0);
  free();
  await ended(turn);
  await turn.getByText("They are watered.").waitFor();
  assert.deepEqual((await hall.get(`/sessions/${session}`)).asked.map((t) => t.query), ["takes its time", "water the plants"]);
  assert.equal(await page.locator("article.turn").count(), 2);
  await page.clean();
  await page.context().close();
  way.close();
});

test("a stream of events that is open and says nothing any more is begun anew", async () => {
  model.say("said unheard", { text: "It was said all the same." });
  model.say("said before", { text: "That was before." });
  const way = await wire();
  const page = await open(browser, way.url);
  await page.clock.install();
  await page.reload();
  await ask(page, "said before");
  await listens(page);
  way.hush();
  await hall.ask("said unheard", { session_id: page.url().split("/").at(-1) });
  assert.equal(await page.getByText("It was said all the same.").count(), 0);
  const anew = page.waitForRequest(/\/events\?mark=1/);
  await page.clock.fastForward("01:00");
  await anew;
  await page.getByText("It was said all the same.").waitFor();
  await page.context().close();
  way.close();
});

test("a question that the hall took unheard goes on, and one that it did not take is in the box", async () => {
  let free;
  model.say("goes before", { text: "that was before", hold: new Promise((ok) => (free = ok)) });
  model.say("feed the cat", { text: "The cat is fed." });
  const page = await open(browser, hall.url);
  const first = await ask(page, "goes before", { wait: false });
  await first.getByText("that was before").waitFor();
  const session = page.url().split("/").at(-1);
  let arrives = true;
  await page.route("**/query", async (r) => {
    if (arrives) {
      void hall.ask("feed the cat", { session_id: session, stay: true });
      await queued(session, "feed the cat");
    }
    await r.abort("connectionreset");
  });
  const box = page.getByLabel("Your question");
  const lost = page.waitForResponse((r) => r.url().endsWith(`/sessions/${session}`));
  const turn = await ask(page, "feed the cat", { wait: false });
  await lost;
  await turn.getByText("Waiting for its turn").waitFor();
  assert.equal(await box.inputValue(), "");
  arrives = false;
  await box.fill("feed the cat");
  await page.keyboard.press("Enter");
  await said(page, "the hall does not answer");
  assert.equal(await box.inputValue(), "feed the cat");
  free();
  await ended(turn);
  await turn.getByText("The cat is fed.").waitFor();
  assert.deepEqual((await hall.get(`/sessions/${session}`)).asked.map((t) => t.query), ["goes before", "feed the cat"]);
  assert.equal(await page.locator("article.turn").count(), 2);
  await page.clean();
  await page.context().close();
});

test("after a reload Stop still stops the turn", async () => {
  let more;
  model.say("stop me later", { pieces: [...words("word", 0, 5), new Promise((ok) => (more = ok)), ...words("word", 5, 10), new Promise(() => {}), "word599 "] });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "stop me later", { wait: false });
  await turn.getByText("word3 ").first().waitFor();
  await page.reload();
  const same = page.locator("article.turn");
  await listens(page);
  more();
  await same.getByText(/word\d+/).first().waitFor();
  await same.getByRole("button", { name: "Stop" }).click();
  await ended(same);
  await same.getByText("Stopped by you").waitFor();
  assert.equal(await page.getByText("word599").count(), 0);
  await page.clean();
  await page.context().close();
});

test("an approval outlasts a reload, and is answered after it", async () => {
  model.say("wait for my yes", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo asked-for" } }], after: "It ran." });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "wait for my yes", { wait: false });
  await turn.getByRole("group", { name: "Approval: run_code" }).waitFor();
  await page.reload();
  const same = page.locator("article.turn");
  await same.getByRole("group", { name: "Approval: run_code" }).getByRole("button", { name: "Allow once" }).click();
  await ended(same);
  await same.getByText("It ran.").waitFor();
  await page.clean();
  await page.context().close();
});

test("an approval is found again after a reload, however much is on record before it", async () => {
  model.say("a yes after much", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo late" } }], after: "It ran late." });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "a yes after much", { wait: false });
  await turn.getByRole("group", { name: "Approval: run_code" }).waitFor();
  const before = Array.from({ length: 6000 }, (_, i) => `data: ${JSON.stringify({ id: `old-${i}`, seq: 1, subject: "tool.request.old", query_id: "old", payload: {} })}\n\n`).join("");
  await page.route(/\/events\?replay/, async (r) => {
    const end = new AbortController();
    let said = "";
    for await (const b of (await fetch(r.request().url(), { signal: end.signal })).body) {
      said += Buffer.from(b).toString();
      if (said.includes("event: mark")) break;
    }
    end.abort();
    await r.fulfill({ contentType: "text/event-stream", body: before + said });
  });
  await page.reload();
  const same = page.locator("article.turn");
  await same.getByRole("group", { name: "Approval: run_code" }).getByRole("button", { name: "Allow once" }).click();
  await ended(same);
  await same.getByText("It ran late.").waitFor();
  await page.clean();
  await page.context().close();
});

test("what is asked again takes the place of what was asked: here, after a reload, and in another tab", async () => {
  model.say("say it once", { text: "Once." });
  model.say("say it twice", { text: "Twice." });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "say it once");
  const other = await open(browser, page.url());
  await ended(other.locator("article.turn"));
  await listens(other);
  await turn.getByRole("button", { name: "Edit and ask again" }).click();
  await page.getByLabel("Your question").fill("say it twice");
  await page.keyboard.press("Enter");
  await page.getByText("Twice.").waitFor();
  await other.getByText("Twice.").waitFor();
  for (const p of [page, other]) assert.deepEqual(await p.locator("article.turn .bubble p").allTextContents(), ["say it twice"]);
  await page.reload();
  await page.getByText("Twice.").waitFor();
  assert.deepEqual(await page.locator("article.turn .bubble p").allTextContents(), ["say it twice"]);
  await page.clean();
  await other.clean();
  await page.context().close();
  await other.context().close();
});

test("a committee that is asked again is a committee, also after a reload", async () => {
  const page = await open(browser, hall.url);
  await page.getByLabel("Mode", { exact: true }).selectOption("committee");
  await ask(page, "Should I take the job in Porto?");
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    const [sent] = await Promise.all([page.waitForRequest((r) => r.url().endsWith("/query")), page.getByRole("button", { name: "Ask again", exact: true }).click()]);
    assert.equal(sent.postDataJSON().mode, "committee");
    await ended(page.locator("article.turn"));
  }
  await page.clean();
  await page.context().close();
});

test("an approval of a write shows what the file is and what it would be", async () => {
  const note = (await hall.get("/health")).home;
  assert.ok(note, "the hall says where its home is");
  mkdirSync(join(note, "workspace"), { recursive: true });
  writeFileSync(join(note, "workspace", "list.txt"), Array.from({ length: 40 }, (_, i) => `line ${i}`).join("\n"));
  model.say("overwrite the list", { calls: [{ name: "fs_write", arguments: { path: "list.txt", content: Array.from({ length: 40 }, (_, i) => (i === 20 ? "line twenty" : `line ${i}`)).join("\n") } }], after: "Written." });
  model.say("write a new one", { calls: [{ name: "fs_write", arguments: { path: "fresh.txt", content: "hello" } }], after: "Written." });
  model.say("append to a picture", { calls: [{ name: "fs_write", arguments: { path: "picture.bin", mode: "append", content: "hello" } }], after: "Not written." });
  writeFileSync(join(note, "workspace", "picture.bin"), Buffer.from([0, 1, 2, 255, 0, 7]));
  const page = await open(browser, hall.url);
  // What comes with a file may be anybody's words: a write is asked about then.
  await page.locator('input[type="file"]').first().setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words of somebody") });
  await page.getByText("notes.txt").waitFor();
  const turn = await ask(page, "overwrite the list", { wait: false });
  const question = turn.getByRole("group", { name: "Approval: fs_write" });
  await question.locator(".del").waitFor();
  await reads(question.locator(".del"), /- line 20/);
  await reads(question.locator(".add"), /\+ line twenty/);
  assert.equal(await question.locator(".add").count(), 1, "what stays the same is no change");
  await question.getByText("17 unchanged lines").waitFor();
  await question.getByRole("button", { name: "Allow once" }).click();
  await ended(turn);
  assert.match(readFileSync(join(note, "workspace", "list.txt"), "utf8"), /line twenty/);
  const fresh = await ask(page, "write a new one", { wait: false });
  await fresh.getByText("(new file)").waitFor();
  await fresh.getByRole("button", { name: "Deny" }).click();
  await ended(fresh);
  const picture = await ask(page, "append to a picture", { wait: false });
  await picture.getByText(/The old text cannot be shown: it is binary data/).waitFor();
  await picture.getByRole("button", { name: "Deny" }).click();
  await ended(picture);
  await page.clean();
  await page.context().close();
});

test("the context gauge counts the tools on offer, and the hall says what was compacted", async () => {
  model.say("numbered thing", { text: "A long answer about it, which says the same several times over. ".repeat(12) });
  const page = await open(browser, hall.url);
  for (let i = 0; i < 5; i++) await ask(page, `numbered thing ${i}`);
  await page.getByRole("button", { name: "Context" }).click();
  const side = page.getByLabel("Conversation state");
  await side.getByText("Nothing: the model sees every message.").waitFor();
  const id = page.url().split("/").at(-1);
  const detail = await hall.get(`/sessions/${id}`);
  const offered = detail.asked.at(-1).answers[0].offered;
  assert.ok(offered.tools.length > 3 && offered.bytes > 500, JSON.stringify(offered));
  assert.ok(detail.tokens.tools > 100, JSON.stringify(detail.tokens));
  await side.locator(".legend li", { hasText: `${offered.tools.length} definitions on offer` }).getByText(detail.tokens.tools.toLocaleString()).waitFor();
  await side.getByRole("button", { name: "Compact now" }).click();
  await side.getByText(/notes stand for the oldest \d+ messages/).waitFor();
  await page.reload();
  await side.getByText(/notes stand for the oldest \d+ messages/).waitFor();
  assert.equal(await side.getByRole("list", { name: "What was compacted" }).getByRole("listitem").count(), 1);
  await page.clean();
  await page.context().close();
});

test("what is compacted is not said to be nothing, though events come late", async () => {
  const session = "compacted-unheard";
  model.say("numbered thing", { text: "A long answer about it, which says the same several times over. ".repeat(12) });
  for (let i = 0; i < 5; i++) await hall.ask(`numbered thing ${i}`, { session_id: session });
  const page = await open(browser, hall.url);
  await page.route(/\/events\?mark=1$/, () => undefined); // never answered
  await page.reload();
  await go(page, `chat/${session}`);
  await page.getByRole("button", { name: "Context" }).click();
  const side = page.getByLabel("Conversation state");
  const [done] = await Promise.all([page.waitForResponse(/\/compact$/), side.getByRole("button", { name: "Compact now" }).click()]);
  assert.ok(done.ok());
  await side.getByRole("button", { name: "Compact now" }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.__said), []);
  await page.context().close();
});

test("replay: the same, and with another model the difference side by side", async () => {
  model.say("say it again", { text: "Once more, with feeling." });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "say it again");
  await turn.getByRole("button", { name: "Replay this turn" }).click();
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Run again" }).click();
  await box.getByText("the same", { exact: true }).waitFor();
  assert.equal(await box.getByText("Once more, with feeling.").count(), 2);
  await box.getByLabel("With").selectOption("builtin/moothall-small");
  await box.getByRole("button", { name: "Run again" }).click();
  await box.getByText("different", { exact: true }).waitFor();
  assert.equal(await box.getByRole("article").count(), 2);
  await box.getByRole("button", { name: "Changes" }).click();
  await box.locator(".del").first().waitFor();
  await page.keyboard.press("Escape");
  await go(page, "chat");
  await page.clean();
  await page.context().close();
});

test("without a clipboard code is copied from a dialog too, and what was not copied is not said to be", async () => {
  model.say("some code", { text: "Here:\n\n```go\nfunc main() {}\n```\n" });
  const page = await open(browser, hall.url);
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.reload();
  const turn = await ask(page, "some code");
  await page.evaluate(() => document.addEventListener("copy", () => (window.copied = document.activeElement?.value)));
  await turn.getByRole("button", { name: "Replay this turn" }).click();
  const box = page.getByRole("dialog");
  await box.getByRole("button", { name: "Run again" }).click();
  const copy = box.getByRole("button", { name: "Copy code" }).first();
  await copy.click();
  await said(page, /^copied$/);
  assert.equal((await page.evaluate(() => window.copied))?.trim(), "func main() {}");
  assert.ok(await copy.evaluate((e) => e === document.activeElement));
  await page.keyboard.press("Escape");
  await page.evaluate(() => (document.execCommand = () => false));
  await turn.getByRole("button", { name: "Copy code" }).click();
  await said(page, "bad: Not copied");
  assert.deepEqual(await page.evaluate(() => window.__said.filter((text) => text === "copied")), []);
  await page.clean();
  await page.context().close();
});

test("the model switch reaches a model of another provider", async () => {
  const page = await open(browser, hall.url);
  await page.getByLabel("Model", { exact: true }).selectOption("builtin/moothall-small");
  const turn = await ask(page, "What is the capital of France?");
  await turn.locator(".receipt summary").click();
  await turn.getByText("builtin/moothall-small").waitFor();
  await page.clean();
  await page.context().close();
});
