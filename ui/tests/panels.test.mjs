import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ask, go, hold, launch, listens, open, said, until } from "./browser.mjs";
import { fill } from "./fill.mjs";
import { Hall } from "./hall.mjs";

let browser;
let hall;
before(async () => {
  [browser, hall] = await Promise.all([launch(), new Hall().up()]);
  await fill(hall);
});
after(async () => {
  await browser?.close();
  await hall?.remove();
});

test("S6: the critic's badge comes by itself, with its words", async () => {
  const page = await open(browser, hall.url);
  const turn = await ask(page, "What is the capital of France?");
  const badge = turn.getByRole("button", { name: /Critic's grade/ });
  await badge.click();
  await turn.getByRole("note").getByText(/\w+/).first().waitFor();
  await go(page, "critic");
  await page.getByText("Grades over time").waitFor();
  await page.getByRole("tab", { name: "Agreement" }).click();
  await page.getByText("Judged by both").waitFor();
  await page.clean();
  await page.context().close();
});

test("S7: respondent B is switched on in the settings, and the two answers stand side by side", async () => {
  const page = await open(browser, `${hall.url}/#/participants/respondent_b`);
  const box = page.getByLabel("Enabled");
  await box.check();
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "Settings of respondent_b are in force.");
  await go(page, "chat");
  const turn = await ask(page, "What is the capital of Austria?");
  await turn.getByText("B answered too").waitFor();
  await go(page, "critic");
  await page.getByRole("button", { name: "What is the capital of Austria?", exact: true }).press("Enter"); // rows move, as in S8
  await page.locator(".sides article").nth(1).waitFor();
  assert.equal(await page.locator(".sides article").count(), 2);
  await go(page, "participants/respondent_b");
  await page.getByLabel("Enabled").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "Settings of respondent_b are in force.");
  assert.ok(!(await hall.get("/participants/respondent_b")).settings.enabled);
  await page.clean();
  await page.context().close();
});

test("a setting that is cleared is cleared in the hall", async () => {
  const page = await open(browser, `${hall.url}/#/participants/respondent_b`);
  const now = async () => (await hall.get("/participants/respondent_b")).settings;
  const save = async () => {
    const [done] = await Promise.all([page.waitForResponse((r) => r.request().method() === "PUT"), page.getByRole("button", { name: "Save" }).click()]);
    assert.ok(done.ok(), await done.text());
    await page.locator("button:disabled", { hasText: "Save" }).waitFor();
  };
  await page.getByLabel("Think").fill("off");
  await page.getByLabel("Temperature").fill("0.5");
  await save();
  assert.deepEqual([(await now()).think, (await now()).temperature], ["off", 0.5]);
  await page.getByLabel("Think").fill("");
  await page.getByLabel("Temperature").fill("");
  await save();
  assert.deepEqual([(await now()).think ?? "", (await now()).temperature ?? null], ["", null]);
  await go(page, "participants/critic");
  await page.getByRole("heading", { name: "critic" }).waitFor();
  await page.getByLabel("Max tokens").fill("");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, /^bad: .*max_tokens/); // there is no critic without one
  await page.clean();
  await page.context().close();
});

test("in the timeline the detail of a bar goes with its turn", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of Spain?");
  await ask(page, "What is 17% of 340?");
  await go(page, `timeline/${page.url().split("/").at(-1)}`);
  await page.locator("button.bar.turn").click();
  await page.getByRole("button", { name: "Close the detail" }).waitFor();
  await page.locator("label", { hasText: /^Turn/ }).locator("select").selectOption({ index: 0 });
  await page.getByRole("heading", { name: "What is the capital of Spain?" }).waitFor();
  await page.getByRole("button", { name: "Close the detail" }).waitFor({ state: "detached" });
  assert.equal(await page.locator('.bar[aria-pressed="true"]').count(), 0);
  await page.clean();
  await page.context().close();
});

test("S8: a thumb becomes a reward in memory", async () => {
  const page = await open(browser, hall.url);
  const turn = await ask(page, "What is the capital of Hungary?");
  await turn.getByRole("button", { name: "Good answer" }).click();
  await page.waitForFunction(async () => (await (await fetch("/memories?limit=200")).json()).some((m) => m.turn?.query.includes("Hungary") && m.turn.reward > 0));
  await go(page, "memory");
  await page.getByRole("row", { name: /Hungary.* A / }).getByRole("link").press("Enter"); // rows move down when a memory comes in, and a click would hit a neighbour
  await page.getByLabel("Memory entry").getByText("Reward").waitFor();
  await page.clean();
  await page.context().close();
});

test("a list that comes late does not take the place of a newer one", async () => {
  const page = await open(browser, `${hall.url}/#/memory`);
  const late = await hold(page, /memories\?.*kind=engram/, { each: true });
  const kind = page.getByLabel("Kind", { exact: true });
  await kind.selectOption("engram");
  await late.was;
  await kind.selectOption("document");
  const engram = page.locator("table.list tbody").getByText("engram").first();
  await engram.waitFor({ state: "detached" });
  await late.arrive();
  await page.settled();
  assert.equal(await engram.count(), 0);
  await page.clean();
  await page.context().close();
});

test("S9: a task in three steps, started in the chat, seen as a plan", async () => {
  const page = await open(browser, hall.url);
  await page.getByLabel("Mode", { exact: true }).selectOption("task");
  const turn = await ask(page, "Search the web for the ferry bridge; look up the weather in Alderhaven; then tell me what both say about a walk.");
  await turn.locator(".prose").getByText(/fog in the morning/).first().waitFor();
  await turn.getByRole("link", { name: /^Task:/ }).click();
  await page.locator(".plan button.done").nth(2).waitFor();
  assert.equal(await page.locator(".plan button").count(), 3);
  await page.clean();
  await page.context().close();
});

test("S10: voices deliberate, and one of them searches memory", async () => {
  await hall.ask("I drink my tea with honey, and never with lemon.", { session_id: "kitchen" });
  const page = await open(browser, `${hall.url}/#/committee`);
  await page.getByLabel("Question").fill("Should I put lemon or honey on the list for my tea?");
  await page.getByLabel("Rounds").selectOption("2");
  await page.getByRole("button", { name: "Deliberate" }).click();
  await page.getByText("The synthesis").waitFor();
  await page.getByText("Round 2").waitFor();
  await page.locator("li .badge", { hasText: "memory_read" }).first().waitFor();
  await page.clean();
  await page.context().close();
});

test("timeline: the waterfall of a turn, a bar opens its events, the log is filtered", async () => {
  const page = await open(browser, `${hall.url}/#/timeline/bridge`);
  await page.getByRole("button", { name: /^web_search, / }).click();
  await page.locator(".detail").getByText("tool.request.web_search").first().waitFor();
  await page.getByRole("button", { name: /^round 1: model/ }).waitFor();
  await page.getByLabel("Subject").selectOption("tool.result.web_fetch");
  assert.equal(await page.getByRole("list", { name: "Events, newest first" }).getByRole("listitem").count(), 1);
  await page.clean();
  await page.context().close();
});

test("memory: search shows its stages; export and import with progress; filters", async () => {
  const page = await open(browser, `${hall.url}/#/memory`);
  await until(async () => (await hall.get("/memories?limit=200")).some((m) => m.turn?.query.includes("coffee black")), true);
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Search memory").fill("how do I like my coffee");
  await page.keyboard.press("Enter");
  await page.getByText(/^1\. /).waitFor();
  await page.getByText("Found", { exact: true }).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  const lines = readFileSync(await file.path(), "utf8").trim().split("\n").map((l) => JSON.parse(l));
  assert.ok(lines.length >= 5 && lines.every((l) => l.id && l.text && l.kind && l.trust), "each line is an entry that an import takes");
  await page.locator('input[type="file"]').setInputFiles({ name: "more.txt", mimeType: "text/plain", buffer: Buffer.from("The boat is called Heron.\nThe dog is called Pip.\n") });
  await said(page, "2 entries imported.");
  await page.getByRole("tab", { name: "All" }).click();
  await page.getByLabel("Kind").selectOption("fact");
  await page.getByRole("link", { name: /Heron/ }).waitFor();
  await page.getByLabel("Trust").selectOption("external");
  await page.getByRole("link", { name: /Heron/ }).waitFor({ state: "detached" });
  await page.clean();
  await page.context().close();
});

test("memory: what was said says what has changed since", async () => {
  await hall.ask("I live in Leeds.", { session_id: "was" });
  await hall.ask("I moved from Leeds to York last week.", { session_id: "is" });
  await until(async () => (await (await fetch(`${hall.url}/memories?q=where+do+I+live`)).json()).results.some((r) => r.since), true);
  const page = await open(browser, `${hall.url}/#/memory`);
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Search memory").fill("where do I live");
  await page.getByLabel("Search memory").press("Enter");
  await page.locator(".stages .card").filter({ hasText: "Asked: I live in Leeds." }).getByText("Changed since then: speaker lives in York").waitFor();
  await page.clean();
  await page.context().close();
});

test("memory: a link leads to an old entry, filters say what they looked at, and a new entry closes nothing", async () => {
  const lines = Array.from({ length: 250 }, (_, i) => JSON.stringify({ id: `shelf-${i}`, text: `Shelf ${i} holds the book numbered ${i * 7}.`, kind: "document", source: i ? "agent:keeper" : "person", trust: i ? "model" : "person", time: new Date(Date.parse("2020-01-01") + i * 86_400_000).toISOString() }));
  await fetch(`${hall.url}/memories/import`, { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: `${lines.join("\n")}\n` });
  const page = await open(browser, `${hall.url}/#/memory/shelf-3`);
  const entry = page.getByLabel("Memory entry");
  await entry.getByText("Shelf 3 holds the book numbered 21.").first().waitFor();
  await listens(page);
  await hall.ask("What is the capital of Portugal?", { session_id: "ladder" });
  await page.getByRole("link", { name: /Portugal/ }).first().waitFor(); // it is told by itself
  await entry.getByText("Shelf 3 holds the book numbered 21.").first().waitFor();
  assert.equal(await page.getByRole("link", { name: /Shelf 100 / }).count(), 0, "the way to an old entry is not through all that are newer");
  await go(page, "memory/no-such-shelf");
  await page.getByText("there is no memory no-such-shelf").waitFor();
  await go(page, "memory");
  await page.reload();
  await page.getByLabel("Kind").selectOption("document");
  await page.getByRole("link", { name: /Shelf 249/ }).waitFor();
  await page.getByLabel("Source").fill("person");
  await page.getByText("None of the 100 entries loaded fits.").waitFor();
  await page.getByRole("button", { name: "Older entries" }).click();
  await page.getByText("None of the 200 entries loaded fits.").waitFor();
  await page.getByRole("button", { name: "Older entries" }).click();
  await page.getByRole("link", { name: /Shelf 0 / }).waitFor();
  await page.clean();
  await page.context().close();
});

test("what another program changes is shown: a memory, the name of a conversation, and that it is gone", async () => {
  const tell = async (method, path, body) => assert.ok((await fetch(hall.url + path, { method, headers: { "Content-Type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) })).ok, path);
  await hall.ask("What is the capital of Spain?", { session_id: "elsewhere" });
  const page = await open(browser, `${hall.url}/#/memory`);
  await listens(page);
  await tell("POST", "/memories", { text: "The ladder stands behind the shed." });
  await page.getByRole("link", { name: /ladder stands behind/ }).first().waitFor();
  await go(page, "chat/elsewhere");
  await page.locator("article.turn").waitFor();
  await tell("PATCH", "/sessions/elsewhere", { title: "Capitals of Iberia" });
  await page.getByRole("heading", { name: "Capitals of Iberia" }).waitFor();
  await page.getByRole("navigation").getByText("Capitals of Iberia").waitFor();
  await tell("DELETE", "/sessions/elsewhere");
  await page.getByText("there is no session elsewhere").waitFor();
  await page.getByRole("navigation").getByText("Capitals of Iberia").waitFor({ state: "detached" });
  await page.clean();
  await page.context().close();
});

test("graph: names are drawn, IS and WAS told apart, a name opens its facts", async () => {
  const page = await open(browser, `${hall.url}/#/graph`);
  await page.getByRole("button", { name: "Ana", exact: true }).press("Enter");
  await page.getByText("WAS", { exact: true }).first().waitFor();
  await page.locator("line.was").first().waitFor({ state: "attached" });
  await page.getByLabel("with what was").uncheck();
  await page.locator("line.was").first().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Only around it" }).click();
  await page.getByRole("button", { name: /Around Ana/ }).waitFor();
  await page.clean();
  await page.context().close();
});

test("models: cards, roles, a probe, and a pull that fails says why", async () => {
  const page = await open(browser, `${hall.url}/#/models`);
  await page.getByRole("heading", { name: "moothall-small" }).waitFor();
  const card = page.getByRole("article").filter({ hasText: "moothall-small" });
  await card.getByText("never").waitFor();
  await card.getByRole("button", { name: "Probe" }).click();
  await card.getByText("never").waitFor({ state: "detached" });
  await page.getByLabel(/^critic/).selectOption({ label: "builtin/moothall-small" });
  await said(page, "is the model for critic now");
  await page.getByLabel("Fetch a model for the Ollama server").fill("nothing:1b");
  await page.getByRole("button", { name: "Fetch" }).click();
  await said(page, /^bad: /);
  await page.clean();
  await page.context().close();
});

test("tools: find one, its schema, a test call as a command", async () => {
  const page = await open(browser, `${hall.url}/#/tools`);
  await page.getByLabel("Find a tool").fill("calc");
  await page.getByRole("link", { name: /calculate/ }).click();
  await page.getByRole("tab", { name: "Test call" }).click();
  await page.getByLabel(/^Expression/).fill("2 + 2");
  await page.getByText("The call itself, in a terminal").click();
  await page.getByText(`moothall tools call calculate '{"expression":"2 + 2"}'`).waitFor();
  await page.clean();
  await page.context().close();
});
