// A tab that stays open for days, and a person who goes elsewhere and comes
// back: what was typed, shown and begun is still there, and still true.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, go, listens, open, reads, said } from "./browser.mjs";
import { browser, hall, model } from "./stage.mjs";

const focus = (page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

async function end(...pages) {
  for (const p of pages) {
    await p.clean();
    await p.context().close();
  }
}

/** Has the next requests fail, as when a hall is gone, until the test ends that. */
async function away(page, pattern) {
  const refuse = (r) => r.abort("connectionrefused");
  await page.route(pattern, refuse);
  return () => page.unroute(pattern, refuse);
}

test("what the model sees is fetched once, not over and over", async () => {
  await hall.ask("a quiet thing", { session_id: "quiet" });
  const page = await open(browser, `${hall.url}/#/chat/quiet`);
  await listens(page);
  await ended(page.locator("article.turn"));
  await page.settled();
  let asked = 0;
  page.on("request", (r) => /\/sessions\/quiet$/.test(r.url()) && asked++);
  await page.getByRole("button", { name: "Context" }).click();
  await page.getByText("Compact now").waitFor();
  await page.settled();
  assert.ok(asked <= 3, `asked ${asked} times`);
  await end(page);
});

test("settings: what is typed outlasts a hall that is away for a moment", async () => {
  const page = await open(browser, `${hall.url}/#/participants/respondent_b`);
  await listens(page);
  await page.getByLabel("Think").fill("high");
  const back = await away(page, /\/participants$/);
  await focus(page);
  await page.getByText("the hall does not answer").first().waitFor();
  await back();
  await focus(page);
  await page.getByText("the hall does not answer").first().waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Think").inputValue(), "high");
  await end(page);
});

test("what a dry run said is there for who tries the call in a terminal and comes back", async () => {
  const page = await open(browser, `${hall.url}/#/tools/calculate`);
  await listens(page);
  await page.getByRole("tab", { name: "Test call" }).click();
  await page.getByLabel(/^Expression/).fill("2 + 2");
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByText("It would be made.").waitFor();
  const listed = page.waitForResponse(/\/participants$/);
  await focus(page);
  await listed;
  await page.settled();
  assert.equal(await page.getByText("It would be made.").count(), 1);
  await end(page);
});

test("approvals: a list that cannot be read takes nothing away that waits", async () => {
  const page = await open(browser, hall.url);
  // A stream that breaks each time that it is in place: the page asks anew what waits.
  await page.route(/\/events\?mark/, (r) => r.fulfill({ contentType: "text/event-stream", body: "event: mark\ndata: {}\n\n" }));
  const one = { id: "a-1", session_id: "s", agent_type: "generator", tool: "run_code", arguments: { code: "echo" }, reason: { verdict: "ask", layer: "rules", reason: "it runs code" }, labels: "", asked: new Date().toISOString(), expires: new Date(Date.now() + 600_000).toISOString() };
  let refuses = false, refused = 0;
  await page.route(/\/approvals$/, (r) => (refuses ? (refused++, r.abort("connectionrefused")) : r.fulfill({ json: [one] })));
  await page.reload();
  await page.getByText(/call waits for your yes/).waitFor();
  refuses = true;
  while (refused < 3) await page.waitForTimeout(100);
  assert.equal(await page.getByText(/call waits for your yes/).count(), 1);
  await end(page);
});

test("how long ago something was goes on, though nothing happens", async () => {
  await hall.ask("a while ago", { session_id: "a-while-ago" });
  const page = await open(browser, hall.url);
  await page.addInitScript(() => {
    const real = window.setInterval;
    window.setInterval = (f, ms, ...more) => real(f, ms >= 10_000 ? 100 : ms, ...more);
  });
  await page.reload();
  await listens(page);
  const entry = page.getByRole("navigation", { name: "Conversations" }).getByRole("button", { name: /^a while ago/ }).first();
  await entry.waitFor();
  await page.settled();
  await page.evaluate(() => {
    const real = Date.now;
    Date.now = () => real() + 3 * 3600_000;
  });
  await entry.getByText("3 h").waitFor();
  await end(page);
});

test("a turn of another day has its date", async () => {
  await hall.ask("an old thing", { session_id: "old-thing" });
  const page = await open(browser, hall.url);
  await page.route(/\/sessions\/old-thing$/, async (r) => {
    const d = await (await r.fetch()).json();
    for (const t of d.asked) t.time = "2021-03-04T12:00:00Z";
    await r.fulfill({ json: d });
  });
  await go(page, "chat/old-thing");
  await ended(page.locator("article.turn"));
  await reads(page.locator("article.turn time"), /2021/);
  await end(page);
});

test("a committee that was begun is there for who comes back", async () => {
  let free;
  model.agents = new Promise((ok) => (free = ok));
  const page = await open(browser, `${hall.url}/#/committee`);
  await page.getByLabel("Question").fill("Should I learn to sail?");
  await page.getByRole("button", { name: "Deliberate" }).click();
  await page.getByRole("heading", { name: "Should I learn to sail?" }).waitFor();
  await go(page, "memory");
  await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
  await go(page, "committee");
  await page.getByRole("heading", { name: "Committee", level: 1 }).waitFor();
  free();
  await page.getByRole("heading", { name: "Should I learn to sail?" }).waitFor();
  await page.getByText("The synthesis").waitFor();
  await end(page);
});

test("a model that is being fetched is still said to be for who comes back", async () => {
  const page = await open(browser, `${hall.url}/#/models`);
  let free;
  const fetched = new Promise((ok) => (free = ok));
  await page.route(/\/models\/pull$/, async (r) => {
    await fetched;
    await r.fulfill({ contentType: "text/event-stream", body: 'event: progress\ndata: {"step":"success","done":1,"total":1}\n\n' });
  });
  await page.getByLabel(/Fetch a model/).fill("large:70b");
  await page.getByRole("button", { name: "Fetch" }).click();
  await page.getByRole("status").getByText("asking").waitFor();
  await go(page, "memory");
  await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
  await go(page, "models");
  await page.getByLabel(/Fetch a model/).waitFor();
  await page.getByRole("status").getByText("asking").waitFor();
  free();
  await said(page, "large:70b is here.");
  await end(page);
});

test("mode and model are those of their conversation", async () => {
  await hall.ask("hello there", { session_id: "plain-talk" });
  const page = await open(browser, hall.url);
  const mode = page.getByLabel("Mode", { exact: true });
  await mode.selectOption("committee");
  await go(page, "chat/plain-talk");
  await ended(page.locator("article.turn"));
  assert.equal(await mode.inputValue(), "chat");
  await go(page, "memory");
  await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
  await go(page, "chat");
  await mode.waitFor();
  assert.equal(await mode.inputValue(), "committee");
  await end(page);
});

test("tasks that cannot be listed are not said to be none", async () => {
  const page = await open(browser, hall.url);
  await page.route(/\/tasks$/, (r) => r.fulfill({ status: 503, json: { error: { code: "unavailable", message: "not now" } } }));
  await go(page, "tasks");
  await page.getByText("not now").waitFor();
  assert.equal(await page.getByText("No tasks yet").count(), 0);
  await end(page);
});

test("another tab shows what was recalled, and after a reload a task is found from its turn", async () => {
  await fetch(`${hall.url}/memories`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: "The sewing box is under the stairs." }) });
  model.say("keep the sewing box", { calls: [{ name: "memory_read", arguments: { query: "sewing box" } }], after: "Under the stairs." });
  const pages = await Promise.all([0, 1].map(() => open(browser, `${hall.url}/#/chat/asks-sewing`)));
  for (const p of pages) await listens(p);
  await ask(pages[0], "Where do I keep the sewing box?");
  const there = pages[1].locator("article.turn");
  await ended(there);
  assert.equal(await there.locator("details.recalls").count(), await pages[0].locator("details.recalls").count());
  assert.equal(await there.locator("details.recalls").count(), 1);
  model.agents = undefined;
  model.plan = { subtasks: [{ id: "find", agent_type: "researcher", task: "Find out how long it is.", depends_on: [], inputs: [] }] };
  const [page] = pages;
  await go(page, "chat");
  await page.getByLabel("Mode", { exact: true }).selectOption("task");
  const turn = await ask(page, "Measure the third bridge, and say where it stands.");
  await turn.getByRole("link", { name: /^Task:/ }).waitFor();
  await page.reload();
  await ended(page.locator("article.turn"));
  assert.equal(await page.locator("article.turn").getByRole("link", { name: /^Task:/ }).count(), 1);
  await end(...pages);
});

test("a task that is not there: the page says so", async () => {
  const page = await open(browser, `${hall.url}/#/tasks/no-such-task`);
  await page.getByRole("alert").getByText(/no-such-task/).waitFor();
  await end(page);
});

test("what stands in the box outlasts a reload, each in its conversation, and no more once it is sent", async () => {
  await hall.ask("a kept thing", { session_id: "kept" });
  const page = await open(browser, hall.url);
  await listens(page);
  const box = page.getByLabel("Your question");
  await box.fill("not asked yet");
  await go(page, "chat/kept");
  await page.getByText("a kept thing").first().waitFor();
  assert.equal(await box.inputValue(), "", "the words of another conversation");
  await box.fill("nor this");
  await page.reload();
  await page.getByText("a kept thing").first().waitFor();
  assert.equal(await box.inputValue(), "nor this");
  await go(page, "chat");
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "not asked yet");
  await ask(page, "a thing that is asked");
  await ended(page.locator("article.turn"));
  await page.reload();
  await ended(page.locator("article.turn"));
  assert.equal(await box.inputValue(), "");
  await go(page, "chat");
  await page.locator("article.turn").waitFor({ state: "detached" });
  assert.equal(await box.inputValue(), "");
  await end(page);
});

test("an answer whose own stream hangs is taken from the events", async () => {
  const page = await open(browser, hall.url);
  await listens(page);
  const asked = [];
  await page.route(/\/query$/, (r) => void asked.push(r.fetch().catch(() => undefined))); // and nothing comes of it
  const turn = await ask(page, "a question on a dead line");
  await reads(turn, /a question on a dead line/);
  assert.equal(await turn.locator("footer").count(), 1);
  await Promise.all(asked);
  await end(page);
});
