// What comes in another order than usual: an answer of the hall that arrives
// after something newer, and a person who has gone on meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, go, hold, listens, open, said, until } from "./browser.mjs";
import { browser, hall, model } from "./stage.mjs";

async function tell(method, path, body) {
  const reply = await fetch(hall.url + path, { method, headers: { "Content-Type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.ok(reply.ok, `${path}: ${reply.status}`);
  return reply.status === 204 ? undefined : reply.json();
}

async function end(...pages) {
  for (const p of pages) {
    await p.clean();
    await p.context().close();
  }
}

test("approvals: a list that was on its way neither takes away what is asked since nor brings back what is answered", async () => {
  model.say("asks on the way", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo way" } }], after: "So it was." });
  const page = await open(browser, hall.url);
  await ask(page, "says nothing");
  const bar = page.getByText(/call waits for your yes/);
  let list = await hold(page, /\/approvals$/);
  await page.reload();
  await listens(page);
  await list.was;
  await ask(page, "asks on the way", { wait: false });
  await bar.waitFor();
  await list.arrive();
  assert.equal(await bar.count(), 1, "it still waits");
  list = await hold(page, /\/approvals$/);
  await page.reload();
  await listens(page);
  await list.was;
  const [a] = await hall.get("/approvals");
  await tell("POST", `/approvals/${a.id}`, { answer: "deny" });
  const same = page.locator("article.turn").last();
  await ended(same);
  await list.arrive();
  assert.equal(await bar.count(), 0, "it is answered");
  await same.getByText("So it was.").waitFor();
  await end(page);
});

test("conversations: a list that was on its way does not take the place of a newer one", async () => {
  const page = await open(browser, hall.url);
  const list = await hold(page, /\/sessions$/);
  await page.reload();
  await listens(page);
  await list.was;
  await hall.ask("begun since the list was read", { session_id: "since-the-list" });
  const entry = page.getByRole("navigation", { name: "Conversations" }).getByText("begun since the list was read");
  await entry.waitFor();
  await list.arrive();
  assert.equal(await entry.count(), 1);
  await end(page);
});

test("a conversation that was on its way keeps what was asked and answered since, and what was replaced stays so", async () => {
  const session = "asked-since";
  const first = await hall.ask("the first thing", { session_id: session });
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  await ended(page.locator("article.turn"));
  await listens(page);
  const questions = () => page.locator("article.turn .bubble p").allTextContents();
  let load = await hold(page, /\/sessions\/asked-since$/);
  await page.getByRole("button", { name: /^Permissions/ }).click();
  await load.was;
  await hall.ask("the second thing", { session_id: session });
  await ended(page.locator("article.turn").nth(1));
  await load.arrive();
  assert.deepEqual(await questions(), ["the first thing", "the second thing"]);
  await page.keyboard.press("Escape");
  load = await hold(page, /\/sessions\/asked-since$/);
  await page.getByRole("button", { name: /^Permissions/ }).click();
  await load.was;
  await hall.ask("the other thing", { session_id: session, retry: first.query_id });
  await page.locator("article.turn").getByText("the first thing").first().waitFor({ state: "detached" });
  await ended(page.locator("article.turn").nth(1));
  await load.arrive();
  assert.ok(!(await questions()).includes("the first thing"), String(await questions()));
  await end(page);
});

test("tasks: what is ordered and said belongs to its task, whichever is open by then", async () => {
  let free;
  model.agents = new Promise((ok) => (free = ok));
  model.plan = { subtasks: [{ id: "find", agent_type: "researcher", task: "Find out how long it is.", depends_on: [], inputs: [] }, { id: "look", agent_type: "researcher", task: "Find out where it stands.", depends_on: [], inputs: [] }] };
  const one = await tell("POST", "/tasks", { query: "Measure the first bridge, and say where it stands." });
  const two = await tell("POST", "/tasks", { query: "Measure the second bridge, and say where it stands." });
  const page = await open(browser, `${hall.url}/#/tasks/${one.id}`);
  const [first, second] = [one, two].map((t) => page.getByRole("heading", { name: t.goal }));
  await first.waitFor();
  await page.locator(".plan button.running").first().waitFor();
  const box = page.getByLabel("Words to the task");
  await box.fill("Use feet.");
  let order = await hold(page, /\/tasks\/[^/]+$/, { method: "POST" });
  await page.getByRole("button", { name: "Pause" }).click();
  await order.was;
  await go(page, `tasks/${two.id}`);
  await second.waitFor();
  assert.equal(await box.inputValue(), "", "the words were for the other one");
  await order.arrive();
  assert.deepEqual([await first.count(), await second.count()], [0, 1]);
  const load = await hold(page, new RegExp(`/tasks/${one.id}$`), { each: true }); // its own events have it loaded again
  await go(page, `tasks/${one.id}`);
  await load.was;
  assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0, "which one would it stop?");
  await load.arrive();
  await first.waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  order = await hold(page, /\/tasks\/[^/]+$/, { method: "POST" });
  await box.fill("Use metres.");
  await page.getByRole("button", { name: "Say", exact: true }).click();
  await order.was;
  await box.fill("Be brief.");
  await order.arrive();
  await page.getByText("You said: Use metres.").waitFor();
  assert.equal(await box.inputValue(), "Be brief.");
  order = await hold(page, /\/tasks\/[^/]+$/, { method: "POST" });
  await page.getByRole("button", { name: "Say", exact: true }).click();
  await order.was;
  free();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  await order.arrive();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0, "it is over");
  await end(page);
});

test("tasks: one that begins does not call back who has gone elsewhere", async () => {
  model.agents = undefined;
  const page = await open(browser, `${hall.url}/#/tasks`);
  await page.getByLabel("What is to be done").fill("Measure the third bridge, and say where it stands.");
  const begun = await hold(page, /\/tasks$/, { method: "POST" });
  await page.getByRole("button", { name: "Begin" }).click();
  await begun.was;
  await go(page, "chat");
  await page.getByLabel("Your question").fill("half a question");
  await begun.arrive();
  await page.settled();
  assert.match(page.url(), /#\/chat$/);
  await end(page);
});

test("settings: what is saved in one tab does not take back what was saved in another", async () => {
  const now = async () => (await hall.get("/participants/respondent_b")).settings;
  await tell("PUT", "/participants/respondent_b", { think: "off", temperature: 0.5 });
  const pages = await Promise.all([0, 1].map(() => open(browser, `${hall.url}/#/participants/respondent_b`)));
  for (const p of pages) await p.getByLabel("Temperature").waitFor();
  for (const [p, name, value] of [[pages[0], "Think", "low"], [pages[1], "Temperature", "0.7"]]) {
    await p.getByLabel(name).fill(value);
    await p.keyboard.press("Tab");
    await p.getByRole("button", { name: "Save" }).click();
    await said(p, "Settings of respondent_b are in force.");
  }
  assert.deepEqual([(await now()).think, (await now()).temperature], ["low", 0.7]);
  await until(() => pages[1].getByLabel("Think").inputValue(), "low"); // the form shows what is in force
  await end(...pages);
});

test("settings: what is typed stays when the settings come late, and when a save is under way", async () => {
  await tell("PUT", "/participants/respondent_b", { think: "off", temperature: 0.5 });
  const page = await open(browser, `${hall.url}/#/participants/respondent_b`);
  await listens(page);
  const think = page.getByLabel("Think");
  await think.waitFor();
  await page.settled();
  const away = await hold(page, /\/participants$/);
  await go(page, "participants/critic");
  await away.was;
  const back = await hold(page, /\/participants$/);
  await go(page, "participants/respondent_b");
  await back.was;
  await think.fill("high");
  await away.arrive();
  await back.arrive();
  assert.equal(await think.inputValue(), "high");
  const save = await hold(page, /\/participants\/respondent_b$/, { method: "PUT" });
  await page.getByRole("button", { name: "Save" }).click();
  await save.was;
  await page.getByLabel("Temperature").fill("0.9");
  await page.keyboard.press("Tab");
  await save.arrive();
  assert.deepEqual([await think.inputValue(), await page.getByLabel("Temperature").inputValue()], ["high", "0.9"]);
  await end(page);
});

test("settings: what was on its way when they were saved does not bring back what was before", async () => {
  await tell("PUT", "/participants/respondent_b", { think: "off" });
  const page = await open(browser, `${hall.url}/#/participants/respondent_b`);
  await listens(page);
  await page.settled();
  const think = page.getByLabel("Think");
  const old = await hold(page, /\/participants$/, { each: true });
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await old.was;
  await go(page, "participants/critic");
  await page.getByRole("heading", { name: "critic", exact: true }).waitFor(); // it need not be waited for
  assert.equal(await page.getByRole("heading", { name: "respondent_b", exact: true }).count(), 0);
  await go(page, "participants/respondent_b");
  await think.fill("low");
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "Settings of respondent_b are in force.");
  await old.arrive();
  assert.equal(await think.inputValue(), "low");
  await end(page);
});

test("critic: older grades that were asked for stay when a new one comes", async () => {
  const answer = await hall.ask("What is the capital of Norway?", { session_id: "graded" });
  const page = await open(browser, hall.url);
  const all = Array.from({ length: 120 }, (_, i) => ({ query_id: `q-${i}`, session_id: "s", respondent_id: "A", query: `graded question ${i}`, answer: "Yes.", provider: "p", model: "m", time: new Date(Date.parse("2026-01-01") - i * 60_000).toISOString(), took_ns: 1, usage: { output_tokens: 1 }, critique: { respondent_id: "A", outcome: "graded", score: 4 } }));
  await page.route(/\/critic\?/, async (r) => {
    const real = await (await r.fetch()).json();
    const q = new URL(r.request().url()).searchParams;
    const list = all.filter((j) => !q.get("before") || j.time < q.get("before")).slice(0, Number(q.get("limit")));
    await r.fulfill({ json: { ...real, judgements: list, before: list.length === Number(q.get("limit")) ? list.at(-1).time : undefined } });
  });
  await go(page, "critic");
  await listens(page);
  const row = (i) => page.getByRole("button", { name: `graded question ${i}`, exact: true });
  await row(0).waitFor();
  await page.settled();
  await page.getByRole("button", { name: "Older" }).click();
  await row(90).waitFor();
  const again = await hold(page, /\/respondents$/);
  await tell("POST", "/feedback", { query_id: answer.query_id, thumbs: 1 });
  await again.was;
  await page.getByRole("button", { name: "Older" }).click();
  await again.arrive();
  await row(119).waitFor();
  const once = await hold(page, /\/respondents$/);
  await tell("POST", "/feedback", { query_id: answer.query_id, thumbs: -1 });
  await once.was;
  await once.arrive();
  assert.equal(await row(119).count(), 1);
  await end(page);
});

test("memory: older entries are of the kind that was chosen, and do not cost a new one", async () => {
  const lines = Array.from({ length: 250 }, (_, i) => JSON.stringify({ id: `crate-${i}`, text: `Crate ${i} holds the lamp numbered ${i * 7}.`, kind: "document", source: "person", time: new Date(Date.parse("2020-01-01") + i * 86_400_000).toISOString() }));
  assert.ok((await fetch(`${hall.url}/memories/import`, { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: `${lines.join("\n")}\n` })).ok);
  const page = await open(browser, `${hall.url}/#/memory`);
  await listens(page);
  await page.getByRole("link", { name: /Crate 249/ }).waitFor();
  await page.settled();
  const older = page.getByRole("button", { name: "Older entries" });
  const fresh = await hold(page, /\/memories\?limit/);
  await tell("POST", "/memories", { text: "The spare key hangs behind the clock." });
  await fresh.was;
  await older.click();
  await fresh.arrive();
  await page.getByRole("link", { name: /spare key hangs/ }).first().waitFor();
  await page.settled();
  const facts = await hold(page, /\/memories\?.*kind=fact/, { each: true });
  await page.getByLabel("Kind", { exact: true }).selectOption("fact");
  await facts.was;
  await older.click();
  await facts.arrive();
  await page.getByRole("link", { name: /spare key hangs/ }).first().waitFor();
  await page.settled();
  assert.equal(await page.getByRole("link", { name: /Crate/ }).count(), 0, "those are documents");
  await end(page);
});

test("memory: older entries that were asked for come, though something new comes meanwhile", async () => {
  const page = await open(browser, `${hall.url}/#/memory`);
  await listens(page);
  await page.getByText("100 entries shown").waitFor();
  await page.settled();
  const rest = await hold(page, /\/memories\?.*before=/);
  await page.getByRole("button", { name: "Older entries" }).click();
  await rest.was;
  await tell("POST", "/memories", { text: "The cellar key is under the mat." });
  await page.getByRole("link", { name: /cellar key is under/ }).first().waitFor();
  await rest.arrive();
  await page.getByText("200 entries shown").waitFor();
  await end(page);
});

/** The choice of a turn: the name of the label has what is chosen in it. */
const turnList = (page) => page.locator("label", { hasText: /^Turn/ }).locator("select");

test("timeline: what happened between the record being read and events being heard is shown", async () => {
  let [listen, free] = [];
  model.say("ends between", { text: "between the two", hold: new Promise((ok) => (free = ok)) });
  const listening = new Promise((ok) => (listen = ok));
  const other = await open(browser, hall.url);
  const turn = await ask(other, "ends between", { wait: false });
  await turn.getByText("between the two").waitFor();
  const page = await open(browser, hall.url);
  await page.route(/\/events\?mark=1$/, async (r) => {
    await listening;
    await r.continue();
  });
  await go(page, `timeline/${other.url().split("/").at(-1)}`);
  await page.reload();
  await page.locator("button.bar.turn.open").waitFor();
  free();
  await ended(turn);
  listen();
  await listens(page);
  await page.locator("button.bar.turn:not(.open)").waitFor();
  await end(page, other);
});

test("timeline: what respondent B calls stands apart, and is no round of the answer", async () => {
  const session = "two-voices";
  await hall.ask("hello there", { session_id: session });
  const zero = Date.parse("2026-01-01");
  const told = (n, subject, of, payload) => `id: ${n}\nevent: event\ndata: ${JSON.stringify({ id: `voice-${n}`, seq: n, time: new Date(zero + n * 100).toISOString(), subject, session_id: session, query_id: "two-voices-1", respondent_id: of, payload })}\n\n`;
  const body = [
    told(1, "query.received", "A", { query: "what do both of you say" }),
    told(2, "tool.request.calculate", "A", { call: "a" }),
    told(3, "tool.request.web_search", "B", { call: "b" }),
    told(4, "tool.result.calculate", "A", { call: "a", status: "ok" }),
    told(5, "tool.result.web_search", "B", { call: "b", status: "ok" }),
    told(6, "response.generation", "A", { stop_reason: "answer" }),
  ].join("");
  const page = await open(browser, `${hall.url}/#/chat`);
  await page.route(/\/events\?replay/, (r) => r.fulfill({ contentType: "text/event-stream", body: `${body}event: mark\ndata: {}\n\n` }));
  await go(page, `timeline/${session}`);
  await turnList(page).selectOption("two-voices-1");
  await page.getByRole("button", { name: /^B: web_search, / }).waitFor();
  const bars = await page.locator("button.bar").evaluateAll((all) => all.map((b) => b.getAttribute("aria-label").split(",")[0]));
  assert.deepEqual(bars.filter((b) => /^round|calculate|web_search/.test(b)), ["round 1: model", "calculate", "B: web_search", "round 2: model"]);
  await end(page);
});

test("timeline: a turn stays however much happens elsewhere meanwhile", async () => {
  const session = "kept-in-view";
  await hall.ask("hello there", { session_id: session });
  const event = (n, of, payload) => `id: ${n}\nevent: event\ndata: ${JSON.stringify({ id: `made-${n}`, seq: 1e9 + n, time: new Date().toISOString(), subject: "query.received", session_id: of, query_id: `made-${n}`, payload })}\n\n`;
  const mark = "event: mark\ndata: {}\n\n";
  const bodies = [
    event(1, session, { query: "told while the page looks on" }),
    Array.from({ length: 2100 }, (_, i) => event(i + 2, "elsewhere", {})).join(""),
    event(3000, session, { query: "told after all that" }),
  ];
  const page = await open(browser, `${hall.url}/#/chat`);
  await page.route(/\/events\?mark=1/, async (r) => {
    const body = bodies.shift();
    if (body !== undefined) await r.fulfill({ contentType: "text/event-stream", body: body + mark });
    else await new Promise(() => undefined); // nothing more happens
  });
  await go(page, `timeline/${session}`);
  await page.reload();
  const turns = turnList(page).locator("option");
  await turns.filter({ hasText: "told after all that" }).waitFor({ state: "attached" });
  assert.equal(await turns.filter({ hasText: "told while the page looks on" }).count(), 1);
  await end(page);
});

test("what was compacted before events are heard is not said to be nothing", async () => {
  const session = "compacted-between";
  model.say("numbered thing", { text: "A long answer about it, which says the same several times over. ".repeat(12) });
  for (let i = 0; i < 5; i++) await hall.ask(`numbered thing ${i}`, { session_id: session });
  let listen;
  const listening = new Promise((ok) => (listen = ok));
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  await page.getByRole("button", { name: "Context" }).click();
  const side = page.getByLabel("Conversation state");
  await side.getByText("Nothing: the model sees every message.").waitFor();
  await page.route(/\/events\?mark=1$/, async (r) => {
    await listening;
    await r.continue();
  });
  const looked = page.waitForResponse(/replay=1.*compacted/);
  await page.reload();
  await looked;
  await side.getByText("Nothing: the model sees every message.").waitFor();
  await page.settled();
  await tell("POST", `/sessions/${session}/compact`);
  listen();
  await listens(page);
  await side.getByText(/notes stand for the oldest \d+ messages/).waitFor();
  await end(page);
});

test("compacting: a conversation that is opened meanwhile is not spoken of", async () => {
  const session = "compacted-and-left";
  model.say("numbered thing", { text: "A long answer about it, which says the same several times over. ".repeat(12) });
  for (let i = 0; i < 5; i++) await hall.ask(`numbered thing ${i}`, { session_id: session });
  await hall.ask("numbered thing", { session_id: "another-one" });
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  await page.getByRole("button", { name: "Context" }).click();
  const side = page.getByLabel("Conversation state");
  const done = await hold(page, /\/compact$/, { method: "POST" });
  await side.getByRole("button", { name: "Compact now" }).click();
  await done.was;
  await page.route(/\/sessions\/another-one$/, () => undefined); // it takes its time
  await go(page, "chat/another-one");
  await side.getByText("Loading…").waitFor();
  await done.arrive();
  assert.deepEqual(await page.evaluate(() => window.__said), [], "nothing was wrong");
  await go(page, `chat/${session}`);
  await side.getByText(/notes stand for the oldest \d+ messages/).waitFor();
  await end(page);
});

test("a dry run that was on its way is not shown for a call that was changed since", async () => {
  const page = await open(browser, `${hall.url}/#/tools/calculate`);
  await page.getByRole("tab", { name: "Test call" }).click();
  await page.getByLabel(/^Expression/).fill("2 + 2");
  const check = await hold(page, /\/check$/, { method: "POST" });
  await page.getByRole("button", { name: "Dry run" }).click();
  await check.was;
  await page.getByLabel("As an agent of the type").fill("nobody");
  await check.arrive();
  assert.equal(await page.getByText("It would be made.").count(), 0);
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByRole("alert").getByText(/nobody/).waitFor();
  await end(page);
});

test("a call that was allowed runs: it is not said to wait for the person", async () => {
  model.say("takes a while", { calls: [{ name: "run_code", arguments: { language: "shell", code: "sleep 600" } }], after: "Long." });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "takes a while", { wait: false });
  const card = turn.locator("details.tool");
  await card.getByText("waits for you").waitFor();
  await turn.getByRole("button", { name: "Allow once" }).click();
  await card.getByText("running").waitFor();
  await turn.getByRole("button", { name: "Stop" }).click();
  await ended(turn);
  await end(page);
});

test("approvals: what was answered stays listed when an older list arrives", async () => {
  model.say("asks for the list", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo listed-answer" } }], after: "Done." });
  const page = await open(browser, `${hall.url}/#/approvals`);
  await listens(page);
  await page.settled();
  const past = await hold(page, /\/approvals\?all=1$/);
  const turn = hall.ask("asks for the list", { session_id: "answered-list" });
  await past.was;
  await page.getByRole("group", { name: "Approval: run_code" }).getByRole("button", { name: "Deny" }).click();
  const row = page.getByRole("row", { name: /listed-answer.*denied/ });
  await row.waitFor();
  await turn;
  await past.arrive();
  assert.equal(await row.count(), 1);
  await end(page);
});

test("why a call was allowed is told of a turn that ended after another's was", async () => {
  model.say("sum of the first", { calls: [{ name: "calculate", arguments: { expression: "1+1" } }], after: "Two." });
  model.say("sum of the second", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo second" } }], after: "Three." });
  const page = await open(browser, hall.url);
  await ask(page, "sum of the first");
  const begun = await ask(page, "sum of the second", { wait: false });
  await begun.getByRole("group", { name: "Approval: run_code" }).waitFor();
  await page.reload();
  const [first, second] = [0, 1].map((n) => page.locator("article.turn").nth(n));
  await second.getByRole("button", { name: "Allow once" }).waitFor();
  await first.locator("details.tool summary").click();
  await first.locator("details.tool .verdict").waitFor();
  await second.getByRole("button", { name: "Allow once" }).click();
  await ended(second);
  await second.locator("details.tool summary").click();
  await second.locator("details.tool .verdict").waitFor();
  await end(page);
});

test("models: what was fetched is called by its name, and the next one that is typed stays", async () => {
  const page = await open(browser, `${hall.url}/#/models`);
  let free;
  const fetched = new Promise((ok) => (free = ok));
  await page.route(/\/models\/pull$/, async (r) => {
    await fetched;
    await r.fulfill({ contentType: "text/event-stream", body: 'event: progress\ndata: {"step":"success","done":1,"total":1}\n\n' });
  });
  const box = page.getByLabel(/Fetch a model/);
  await box.fill("first:1b");
  await page.getByRole("button", { name: "Fetch" }).click();
  await page.getByRole("status").getByText("asking").waitFor();
  await box.fill("second:2b");
  free();
  await said(page, /^first:1b is here\.$/);
  assert.equal(await box.inputValue(), "second:2b");
  await end(page);
});

test("models: a role that the hall does not bind shows the model that it has", async () => {
  const page = await open(browser, `${hall.url}/#/models`);
  const role = page.getByLabel(/^chat/);
  await role.waitFor();
  const has = await role.inputValue();
  const other = await role.evaluate((s) => [...s.options].find((o) => !o.selected && o.value).value);
  await page.route(/\/models\/chat$/, (r) => r.fulfill({ status: 503, json: { error: { code: "unavailable", message: "not now" } } }));
  await role.selectOption(other);
  await said(page, /^bad: not now/);
  await until(() => role.inputValue(), has);
  await end(page);
});

test("models and settings: who comes back sees what was changed elsewhere", async () => {
  const page = await open(browser, `${hall.url}/#/models`);
  const role = page.getByLabel(/^chat/);
  await role.waitFor();
  const [has, other] = await role.evaluate((s) => [s.value, [...s.options].find((o) => !o.selected && o.value).value]);
  const bind = (to) => tell("PUT", "/models/chat", { provider: to.slice(0, to.indexOf("/")), model: to.slice(to.indexOf("/") + 1) });
  await bind(other);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await until(() => role.inputValue(), other);
  await bind(has);
  await tell("PUT", "/participants/respondent_b", { temperature: 0.5 });
  await go(page, "participants/respondent_b");
  const field = page.getByLabel("Temperature");
  await field.waitFor();
  await until(() => field.inputValue(), "0.5");
  await page.settled();
  await tell("PUT", "/participants/respondent_b", { temperature: 0.25 });
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await until(() => field.inputValue(), "0.25");
  await end(page);
});

test("permissions: of two switches the later one is shown, whichever answer comes last", async () => {
  const session = "switched-twice";
  await hall.ask("hello there", { session_id: session });
  const page = await open(browser, `${hall.url}/#/chat/${session}`);
  await ended(page.locator("article.turn"));
  await page.getByRole("button", { name: "Permissions: none" }).click();
  const box = page.getByRole("dialog");
  const normal = await hold(page, /\/overrides$/, { method: "PUT" });
  await box.getByRole("button", { name: "Use" }).click();
  await normal.was;
  await box.getByRole("button", { name: "Whole conversation" }).last().click();
  await page.getByRole("button", { name: "Permissions: all", includeHidden: true }).waitFor({ state: "attached" });
  await normal.arrive();
  assert.equal((await hall.get(`/sessions/${session}`)).overrides.level, "all");
  assert.equal(await page.getByRole("button", { name: "Permissions: all", includeHidden: true }).count(), 1);
  await end(page);
});
