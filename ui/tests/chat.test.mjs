import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, ended, go, launch, open, reads, said, until } from "./browser.mjs";
import { Hall } from "./hall.mjs";

let browser;
let hall;
before(async () => {
  [browser, hall] = await Promise.all([launch(), new Hall().up()]);
});
after(async () => {
  await browser?.close();
  await hall?.remove();
});

test("first run: what was found, what is missing, three things to try", async () => {
  const page = await open(browser, hall.url);
  await page.getByText("Welcome to your hall").waitFor();
  await page.getByText("What was found").waitFor();
  assert.equal(await page.getByLabel("Things to try").getByRole("button").count(), 3);
  await page.getByText("ollama pull qwen3:4b").first().waitFor();
  await page.getByRole("button", { name: /capital of France/ }).click();
  assert.equal(await page.getByLabel("Your question").inputValue(), "What is the capital of France?");
  await page.clean();
  await page.context().close();
});

test("the types were made from what the hall says of itself", async () => {
  const sorted = (v) => (Array.isArray(v) ? v.map(sorted) : v && typeof v === "object" ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v);
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, "../openapi.json"), "utf8"));
  assert.deepEqual(sorted(await hall.get("/openapi.json")), sorted(kept), "ui/openapi.json is stale: scripts/ui-api.sh, then make ui");
});

test("S1: a simple question, with its thinking and a receipt", async () => {
  const page = await open(browser, hall.url);
  const turn = await ask(page, "What is the capital of France?");
  await turn.getByText("Paris").waitFor();
  await turn.getByText("Thought").click();
  await reads(turn.locator(".thinking .text"), /France/);
  await reads(turn.locator(".receipt summary"), /0 bytes left this machine.*tokens.*builtin\/[\w-]+, very small.*record \d+–\d+/s);
  await page.clean();
  await page.context().close();
});

test("S2: a follow-up in the same conversation", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of France?");
  const turn = await ask(page, "What is its currency?");
  await turn.getByText(/euro/i).first().waitFor();
  assert.equal(await page.locator("article.turn").count(), 2);
  await page.clean();
  await page.context().close();
});

test("S3 and S4: search and read, with cards in order and why they were allowed", async () => {
  const page = await open(browser, hall.url);
  const news = await ask(page, "What is the latest news about the ferry bridge?");
  await news.locator(".prose").getByText("Alderhaven").first().waitFor();
  const card = news.locator('details.tool[data-tool="web_search"]');
  await card.locator("summary").click();
  await card.getByText("Allowed", { exact: true }).waitFor();
  const read = await ask(page, "Search the web for the ferry bridge and read the full page.");
  await read.locator(".prose").getByText("412 metres").first().waitFor();
  const tools = await read.locator("details.tool").evaluateAll((l) => l.map((e) => e.dataset.tool));
  assert.deepEqual(tools, ["web_search", "web_fetch"]);
  await page.clean();
  await page.context().close();
});

test("S5: what was said in one conversation is recalled in another, and can be forgotten", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "I like my coffee black, with one spoon of sugar.");
  await until(async () => (await hall.get("/memories?limit=500")).some((m) => m.turn?.query.includes("coffee black")), true); // it is remembered once it was answered
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByText("What shall the hall look into?").waitFor();
  const turn = await ask(page, "How do I like my coffee?");
  await turn.locator(".prose").getByText(/black/).first().waitFor();
  await go(page, "memory");
  await page.getByRole("link", { name: /coffee black/ }).first().press("Enter"); // rows move down when a memory comes in, and a click would hit a neighbour
  const entry = page.getByLabel("Memory entry");
  await entry.getByText("Used").waitFor();
  const id = await entry.locator("dd.mono").innerText();
  await entry.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("button", { name: "Forget it" }).click();
  await said(page, /forgotten/);
  const left = await hall.get("/memories?limit=500");
  assert.ok(!left.some((m) => m.id === id), "the entry is still there");
  await page.clean();
  await page.context().close();
});

test("sessions: search, rename, export, delete", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of Portugal?");
  const list = page.getByRole("navigation", { name: "Conversations" });
  await list.getByText("capital of Portugal").waitFor();
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("portugal");
  await until(() => list.getByRole("listitem").count(), 1);
  await list.getByRole("button", { name: /More about/ }).click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Portugal, renamed");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await list.getByText("Portugal, renamed").waitFor();
  await list.getByRole("button", { name: /More about/ }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  assert.match(file.suggestedFilename(), /\.json$/);
  await list.getByRole("button", { name: /More about/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await list.getByText("Nothing matches").waitFor();
  await page.clean();
  await page.context().close();
});

test("rating: thumbs and stars reach the hall, and can be taken back", async () => {
  const page = await open(browser, hall.url);
  const turn = await ask(page, "What is the capital of Spain?");
  await turn.getByRole("button", { name: "4 of 5 stars" }).click();
  await turn.locator('button[aria-label="4 of 5 stars"][aria-pressed="true"]').waitFor();
  const id = page.url().split("/").at(-1);
  await page.waitForFunction(async (s) => (await (await fetch(`/judgements?session_id=${s}`)).json()).some((j) => j.reward?.feedback.stars === 4), id);
  await page.reload();
  await page.locator('button[aria-label="4 of 5 stars"][aria-pressed="true"]').click();
  await page.locator('button[aria-label="4 of 5 stars"][aria-pressed="false"]').waitFor();
  await page.waitForFunction(async (s) => (await (await fetch(`/judgements?session_id=${s}`)).json()).every((j) => j.reward?.feedback.stars !== 4), id);
  await page.clean();
  await page.context().close();
});

test("retry and edit replace the turn", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of Italy?");
  await page.getByRole("button", { name: "Ask again", exact: true }).click();
  await ended(page.locator("article.turn").last());
  await page.waitForFunction(() => document.querySelectorAll("article.turn").length === 1);
  await page.getByRole("button", { name: "Edit and ask again" }).click();
  await page.getByText("Editing: sending replaces").waitFor();
  await page.getByLabel("Your question").fill("What is the capital of Greece?");
  await page.keyboard.press("Enter");
  await page.getByText("Athens").first().waitFor();
  assert.equal(await page.locator("article.turn").count(), 1);
  await page.clean();
  await page.context().close();
});

test("what was written is not lost: neither to an example, nor to a question that is edited", async () => {
  const page = await open(browser, hall.url);
  const box = page.getByLabel("Your question");
  const tries = page.getByLabel("Things to try");
  await box.fill("My own words.");
  await tries.getByRole("button", { name: /capital of France/ }).click();
  assert.equal(await box.inputValue(), "My own words.\n\nWhat is the capital of France?");
  await box.fill("");
  await tries.getByRole("button", { name: /capital of France/ }).click();
  await tries.getByRole("button", { name: /17% of 340/ }).click(); // one example in place of another
  assert.equal(await box.inputValue(), "What is 17% of 340?");
  await ask(page, "What is the capital of Italy?");
  await box.fill("The next thing.");
  const edit = page.getByRole("button", { name: "Edit and ask again" });
  await edit.click();
  assert.equal(await box.inputValue(), "What is the capital of Italy?");
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await box.inputValue(), "The next thing.");
  await edit.click();
  await box.fill("What is the capital of Greece?");
  await page.keyboard.press("Enter");
  await page.getByText("Athens").first().waitFor();
  assert.equal(await box.inputValue(), "The next thing.");
  await page.clean();
  await page.context().close();
});

test("a question asked elsewhere appears by itself", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of Poland?");
  const id = page.url().split("/").at(-1);
  await hall.ask("What is its currency?", { session_id: id });
  await page.locator("article.turn").nth(1).locator("footer").waitFor();
  assert.equal(await page.locator("article.turn").count(), 2);
  await page.clean();
  await page.context().close();
});

test("the context gauge and the messages as the model sees them", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of France?");
  await page.getByRole("button", { name: "Context" }).click();
  const side = page.getByLabel("Conversation state");
  await side.getByText("2 messages").waitFor();
  await side.getByText(/of 32,768 tokens/).waitFor();
  await page.clean();
  await page.context().close();
});

test("committee: voices in rounds, then the synthesis; the conversation has it too", async () => {
  const page = await open(browser, hall.url);
  await go(page, "committee");
  await page.getByLabel("Question").fill("What is the capital of France?");
  await page.getByRole("button", { name: "Deliberate" }).click();
  await page.getByText("The synthesis").waitFor();
  await page.getByText("Guardian").first().waitFor();
  await page.getByRole("link", { name: "Go on in the conversation" }).click();
  const turn = page.locator("article.turn");
  await ended(turn);
  await turn.getByText("Round 1").waitFor();
  await page.clean();
  await page.context().close();
});

test("reconnect: a hall that was killed and is back, nothing lost, nothing doubled", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "What is the capital of Norway?");
  const id = page.url().split("/").at(-1);
  await hall.down("SIGKILL");
  await page.getByText("The hall does not answer").waitFor();
  await hall.up();
  await hall.ask("What is the capital of Sweden?", { session_id: id }); // while the page may not be back yet
  await page.getByText("Stockholm").first().waitFor();
  await page.getByText("The hall does not answer").waitFor({ state: "detached" });
  const turn = await ask(page, "What is the capital of Denmark?");
  await turn.getByText("Copenhagen").first().waitFor();
  assert.deepEqual(await page.locator("article.turn .bubble p").allTextContents(), ["What is the capital of Norway?", "What is the capital of Sweden?", "What is the capital of Denmark?"]);
  assert.deepEqual(page.seen.foreign, []);
  await page.context().close();
});

test("tools and models that a hall has after a restart are listed without a reload", async () => {
  const page = await open(browser, hall.url);
  await page.getByLabel("Model", { exact: true }).waitFor();
  const other = await open(browser, `${hall.url}/#/tools`);
  await other.locator("main .left li").first().waitFor();
  const [first] = await hall.get("/tools");
  await hall.down();
  for (const p of [page, other]) await p.locator("main > .lost").waitFor();
  await page.route("**/models", (r) => r.fulfill({ json: { models: [{ provider: "far", model: "new" }], roles: [] } }));
  await other.route(/\/tools$/, (r) => r.fulfill({ json: [{ ...first, name: "unheard_of" }] }));
  await hall.up();
  await page.locator("option", { hasText: "far/new" }).waitFor({ state: "attached" });
  await other.locator("main .left li", { hasText: "unheard_of" }).waitFor();
  await page.context().close();
  await other.context().close();
});
