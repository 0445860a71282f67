import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, ended, go, launch, listens, open, reads, said, until } from "./browser.mjs";
import { Hall, stories } from "./hall.mjs";
import { Ollama, words } from "./ollama.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attacks } from "./attacks.mjs";

let browser;
let model;
let hall;
before(async () => {
  model = await new Ollama().up();
  const web = JSON.parse(readFileSync(join(stories, "web.json"), "utf8"));
  web.push({ url: "https://hostile.example/page", title: "Hostile", date: "2026-11-10T08:00:00Z", language: "en", text: attacks.join("\n") });
  hall = new Hall({ env: { OLLAMA_HOST: model.host }, web });
  [browser] = await Promise.all([launch(), hall.up()]);
});
after(async () => {
  await browser?.close();
  await hall?.remove();
  model?.down();
});

test("Markdown: code with colours and copy, tables, lists and maths", async () => {
  model.say("show everything", {
    text: "# Title\n\nSome **bold** and `code`.\n\n```go\nfunc main() { println(\"hi\") }\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n\nEuler: $e^{i\\pi} + 1 = 0$ costs $5 and $7.\n\n$$\\int_0^1 x^2 dx = \\frac{1}{3}$$\n",
  });
  const page = await open(browser, hall.url);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const turn = await ask(page, "show everything");
  await turn.locator("code .hljs-keyword").first().waitFor();
  assert.equal(await turn.locator("table td").count(), 2);
  await turn.locator("math").nth(1).waitFor({ state: "attached" });
  assert.equal(await turn.locator("math").count(), 2);
  await turn.getByText("costs $5 and $7.").waitFor();
  await turn.getByRole("button", { name: "Copy code" }).click();
  await until(async () => /^func main/.test(await page.evaluate(() => navigator.clipboard.readText())), true);
  await page.clean();
  await page.context().close();
});

test("a link is where its own answer says, and comes to life with its definition", async () => {
  let free;
  const target = (turn) => turn.locator(".prose a", { hasText: "the page" }).getAttribute("href");
  model.say("first source", { pieces: ["See [the page][1] for more.\n\n", new Promise((ok) => (free = ok)), "[1]: https://one.example/\n"] });
  model.say("second source", { text: "See [the page][1] for more.\n\n[1]: https://two.example/\n" });
  model.say("no source", { text: "See [the page][1] for more.\n\n" });
  const page = await open(browser, hall.url);
  const first = await ask(page, "first source", { wait: false });
  await first.getByText("See [the page][1] for more.").waitFor();
  free();
  await ended(first);
  assert.equal(await target(first), "https://one.example/");
  const second = await ask(page, "second source");
  assert.equal(await target(second), "https://two.example/");
  const third = await ask(page, "no source");
  await third.getByText("See [the page][1] for more.").waitFor();
  assert.equal(await third.locator(".prose a").count(), 0);
  await page.clean();
  await page.context().close();
});

test("maths in a line stays in its line, and signs that open a formula and close none are read once", async () => {
  model.say("formulas in a line", { text: "$a_1$ and $$b$$ in a line, \\[c\\] too.\n\nThen $$d$$ and $$e$$\n" });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "formulas in a line");
  await turn.locator("math").nth(3).waitFor({ state: "attached" });
  assert.deepEqual(await turn.locator(".math").evaluateAll((l) => l.map((e) => [e.dataset.tex, e.dataset.block ?? ""])), [["a_1", ""], ["b", ""], ["d", ""], ["e", "1"]]);
  await reads(turn.locator(".prose p").first(), /in a line, \[c\] too\.$/);
  for (const [i, open] of ["$$a\n", "\\[a "].entries()) {
    const id = `open-signs-${i}`;
    model.say(`open signs ${i}`, { text: open.repeat(1 << 15) });
    await hall.ask(`open signs ${i}`, { session_id: id });
    await go(page, `chat/${id}`);
    await page.locator("article.turn", { hasText: `open signs ${i}` }).locator(".prose").waitFor();
  }
  await page.clean();
  await page.context().close();
});

test("an answer that is nested deeper than can be read is shown as it was written, and keeps no other from being shown", async () => {
  const numbers = Array.from({ length: 3000 }, (_, i) => `${i + 1}.`).join(" "); // a list in a list in a list
  model.say("count in a line", { text: `Here they are.\n\n${numbers}` });
  model.say("and after that", { text: "That was all." });
  const page = await open(browser, hall.url);
  await ask(page, "count in a line");
  await ask(page, "and after that");
  await page.reload();
  await page.getByText("That was all.").waitFor();
  await reads(page.locator("article.turn").first(), /1\. 2\. 3\. .* 2999\. 3000\./s);
  await page.clean();
  await page.context().close();
});

test("streaming shows words as they come; stop keeps what was said", async () => {
  model.say("count slowly", { thinking: "Counting.", pieces: [...words("word", 0, 5), new Promise(() => {}), "word399 "] });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "count slowly", { wait: false });
  await turn.getByText("word3 ").first().waitFor();
  assert.equal(await turn.locator("footer").count(), 0, "it streams before it ends");
  await turn.getByRole("button", { name: "Stop" }).click();
  await ended(turn);
  await turn.getByText(/Stopped by you|interrupted/).first().waitFor();
  await reads(turn, /word3/);
  assert.equal(await page.getByText("word399").count(), 0);
  await page.clean();
  await page.context().close();
});

test("a page opened in the middle of a turn shows it", async () => {
  let [more, end] = [];
  model.say("long tale", { pieces: [...words("part", 0, 10), new Promise((ok) => (more = ok)), ...words("part", 10, 20)], hold: new Promise((ok) => (end = ok)) });
  const first = await open(browser, hall.url);
  const turn = await ask(first, "long tale", { wait: false });
  await turn.getByText("part2 ").first().waitFor();
  const second = await open(browser, first.url());
  const same = second.locator("article.turn");
  await listens(second);
  more();
  await same.getByText(/part19/).first().waitFor();
  assert.equal(await same.locator("footer").count(), 0, "the second page joined while it ran");
  end();
  await ended(same);
  await reads(same.locator(".prose"), /^part0 part1 .*part19/s);
  assert.equal(await second.locator("article.turn").count(), 1);
  await first.clean();
  await second.clean();
  await first.context().close();
  await second.context().close();
});

test("queries wait their turn, and a waiting one can be stopped", async () => {
  let free;
  model.say("hold on", { text: "first answer", hold: new Promise((ok) => (free = ok)) });
  const page = await open(browser, hall.url);
  const one = await ask(page, "hold on", { wait: false });
  await one.getByText("first answer").waitFor();
  const two = await ask(page, "second question", { wait: false });
  await two.getByText("Waiting for its turn").waitFor();
  await page.getByText("1 question waits").waitFor();
  await two.getByRole("button", { name: "Stop" }).click();
  await ended(two);
  free();
  await ended(one);
  await one.getByText("first answer").waitFor();
  await page.clean();
  await page.context().close();
});

test("approvals: deny, allow once, edit; the bar cannot be missed", async () => {
  model.say("run it", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo asked-for" } }] });
  const page = await open(browser, hall.url);
  for (const how of ["deny", "once", "edit"]) {
    const turn = await ask(page, `run it (${how})`, { wait: false });
    const question = turn.getByRole("group", { name: "Approval: run_code" });
    await question.getByText("echo asked-for").waitFor();
    await page.getByRole("alert").getByText("waits for your yes").waitFor();
    if (how === "deny") await question.getByRole("button", { name: "Deny" }).click();
    if (how === "once") await question.getByRole("button", { name: "Allow once" }).click();
    if (how === "edit") {
      await question.getByRole("button", { name: "Edit" }).click();
      await question.getByLabel("Arguments to use instead").fill(JSON.stringify({ language: "shell", code: "echo mine-instead" }));
      await question.getByRole("button", { name: /Allow once/ }).click();
    }
    await ended(turn);
    const card = turn.locator('details.tool[data-tool="run_code"]');
    if (how === "deny") await card.getByText("refused", { exact: true }).waitFor();
    else {
      await card.locator("summary").click();
      await card.getByText(how === "edit" ? "mine-instead" : "asked-for").first().waitFor();
    }
  }
  await go(page, "approvals");
  await page.getByText("Nothing waits for you").waitFor();
  await page.getByText("denied").first().waitFor();
  await page.clean();
  await page.context().close();
});

test("an approval is answered from its own panel with the keyboard alone", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "run it", { wait: false });
  await page.getByRole("link", { name: "Look" }).press("Enter");
  const question = page.getByRole("group", { name: "Approval: run_code" });
  await question.getByRole("button", { name: "Deny" }).press("Enter");
  await page.getByText("Nothing waits for you").waitFor();
  await page.clean();
  await page.context().close();
});

test("several calls of one tool that wait for a yes: each has its own question", async () => {
  model.say("what is there", { calls: [{ name: "fs_list", arguments: { path: "." } }] });
  model.say("read the two pages", { calls: ["one", "two"].map((n) => ({ name: "web_fetch", arguments: { url: `https://${n}.example/unheard` } })), after: "Read." });
  const page = await open(browser, hall.url);
  await ask(page, "what is there"); // your own data is in the conversation now
  const turn = await ask(page, "read the two pages", { wait: false });
  const questions = turn.getByRole("group", { name: "Approval: web_fetch" });
  await questions.nth(1).waitFor();
  for (const n of ["one", "two"]) await questions.filter({ hasText: `https://${n}.example/unheard` }).getByRole("button", { name: "Deny" }).click();
  await ended(turn);
  await page.clean();
  await page.context().close();
});

test("an approval shows the whole call: no argument is left out, and nothing turns its words around", async () => {
  model.say("turn it around", { calls: [{ name: "run_code", arguments: { language: "shell", code: "echo \u202eton od\u202c # harmless" } }] });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "turn it around", { wait: false });
  const question = turn.getByRole("group", { name: "Approval: run_code" });
  await question.getByText("echo \\u202eton od\\u202c # harmless").waitFor();
  await question.getByRole("button", { name: "Edit" }).click();
  assert.equal(await question.getByLabel("Arguments to use instead").inputValue(), JSON.stringify({ code: "echo \u202eton od\u202c # harmless", language: "shell" }, null, 2).replaceAll(/[\u202c\u202e]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`));
  await question.getByRole("button", { name: "Deny" }).click();
  await ended(turn);
  await page.clean();
  const now = Date.parse("2026-11-10T08:00:00Z");
  const waits = (id, tool, args) => ({ id, session_id: "s", agent: "a", agent_type: "generator", tool, arguments: args, reason: { verdict: "ask" }, labels: "", asked: new Date(now).toISOString(), expires: new Date(now + 119_700).toISOString() });
  await page.clock.setFixedTime(now);
  await page.route(/\/approvals(\?all=1)?$/, (r) => r.fulfill({ json: [waits("1", "far_run", { code: "ls", command: "curl evil.example" }), waits("2", "far_write", { path: "note.txt", file_path: "/home/ana/.profile", content: "hello" })] }));
  await go(page, "approvals");
  await page.reload();
  await page.getByRole("group", { name: "Approval: far_run" }).getByText("curl evil.example").waitFor();
  await page.getByRole("group", { name: "Approval: far_write" }).getByText("/home/ana/.profile").waitFor();
  await page.getByText("2 min 0 s left").first().waitFor();
  await page.context().close();
});

test("hostile answers never run", async () => {
  const page = await open(browser, hall.url);
  for (const [i, attack] of attacks.entries()) {
    model.say(`attack number ${i}.`, { text: `Before.\n\n${attack}\n\nAfter.`, thinking: attack });
    const turn = await ask(page, `attack number ${i}.`);
    await turn.getByText("After.").first().waitFor();
    for (const link of await turn.locator(".prose a").all()) {
      assert.match((await link.getAttribute("href")) ?? "", /^(https?:|mailto:)/, attack);
    }
    const own = turn.locator(".prose .part");
    assert.equal(await own.locator("script, iframe, object, embed, form, style, link, svg, base, meta, input, button, video, template").count(), 0, attack);
    const attributes = await own.locator("*").evaluateAll((l) => [...new Set(l.flatMap((e) => e.getAttributeNames()))].filter((n) => /^on|^(id|name|srcdoc|action)$/.test(n)));
    assert.deepEqual(attributes, [], attack);
  }
  await page.clean();
  await page.context().close();
});

test("hostile pages, questions and titles never run", async () => {
  model.say("read the hostile page", { calls: [{ name: "web_fetch", arguments: { url: "https://hostile.example/page" } }], after: attacks.slice(0, 12).join("\n\n") });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "read the hostile page");
  const card = turn.locator('details.tool[data-tool="web_fetch"]');
  await card.locator("summary").click();
  await card.getByText("Result").first().waitFor();
  await ask(page, attacks[0]);
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByText("What shall the hall look into?").waitFor();
  await ask(page, `<img src=x onerror=pwned()> as a title`);
  for (const panel of ["memory", "timeline", "critic", "tools"]) {
    await go(page, panel);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.settled();
  }
  await page.clean();
  await page.context().close();
});

test("a write to a file is shown as a comparison", async () => {
  model.say("change the note", { calls: [{ name: "fs_write", arguments: { path: "note.txt", mode: "replace-text", old_text: "one\ntwo", new_text: "one\nthree" } }] });
  const page = await open(browser, hall.url);
  const turn = await ask(page, "change the note");
  const card = turn.locator('details.tool[data-tool="fs_write"]');
  await card.locator("summary").click();
  await reads(card.locator(".del"), /- two/);
  await reads(card.locator(".add"), /\+ three/);
  await page.clean();
  await page.context().close();
});

test("a model server that dies in mid-answer: what came is kept and marked", async () => {
  const dying = await new Ollama().up();
  const other = new Hall({ env: { OLLAMA_HOST: dying.host } });
  await other.up();
  try {
    dying.say("tell me", { pieces: [...words("bit", 0, 5), new Promise(() => {})] });
    const page = await open(browser, other.url);
    const turn = await ask(page, "tell me", { wait: false });
    await turn.getByText("bit4 ").first().waitFor();
    dying.down();
    await ended(turn);
    await turn.getByText(/interrupted/i).first().waitFor();
    await reads(turn, /bit4/);
    await page.context().close();
  } finally {
    await other.remove();
  }
});

test("a task: its plan as a live graph, agents with lineage and tools, pause and resume, the result", async () => {
  let free;
  model.agents = new Promise((ok) => (free = ok));
  model.plan = {
    subtasks: [
      { id: "find", agent_type: "researcher", task: "Find out how long the ferry bridge is.", depends_on: [], inputs: [] },
      { id: "look", agent_type: "researcher", task: "Find out where it stands.", depends_on: [], inputs: [] },
      { id: "write", agent_type: "assistant", task: "Write one sentence about it.", depends_on: ["find", "look"], inputs: [] },
    ],
  };
  const page = await open(browser, hall.url);
  await go(page, "tasks");
  await page.getByLabel("What is to be done").fill("Find out how long the ferry bridge is and where it stands, then write a note about it.");
  await page.getByRole("button", { name: "Begin" }).click();
  const node = page.locator(".plan button").filter({ hasText: "how long the ferry bridge" });
  await node.waitFor();
  assert.equal(await page.locator(".plan button").count(), 3);
  await page.locator(".plan button.running").first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  let answered;
  const slow = new Promise((ok) => (answered = ok));
  await page.route("**/tasks/*", async (r) => {
    if (r.request().method() === "POST") await slow;
    await r.continue();
  });
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByLabel("Words to the task").fill("Keep it short."); // while the order is on its way
  answered();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.getByRole("button", { name: "Say" }).click();
  await page.getByText("You said: Keep it short.").waitFor();
  free();
  await page.getByRole("heading", { name: "Result" }).waitFor();
  await page.getByText("412 metres").first().waitFor();
  await node.click();
  const detail = page.getByRole("region", { name: "Subtask find" });
  await detail.getByText("Lineage").waitFor();
  await detail.getByText("Effective tools").waitFor();
  await page.clean();
  await page.context().close();
});

test("attached text files go with the question", async () => {
  const page = await open(browser, hall.url);
  await page.locator('input[type="file"]').first().setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("the harbour opens at nine") });
  await page.getByText("notes.txt").waitFor();
  await ask(page, "summarise the file");
  const id = page.url().split("/").at(-1);
  const session = await hall.get(`/sessions/${id}`);
  assert.ok(session.messages.some((m) => m.content.includes("the harbour opens at nine")));
  await page.clean();
  await page.context().close();
});

test("files beyond what the hall takes at once are left out, with the figure", async () => {
  const page = await open(browser, hall.url);
  await page.locator("option", { hasText: /^scripted:1b$/ }).waitFor({ state: "attached" }); // the page knows how the hall is
  const file = (name) => ({ name, mimeType: "text/plain", buffer: Buffer.alloc(480 * 1024, "a") });
  await page.locator('input[type="file"]').first().setInputFiles([file("one.txt"), file("two.txt"), file("three.txt")]);
  await said(page, /three\.txt is left out: the question with its files would be 1\.4 MB, and the hall takes 1\.0 MB at once/);
  assert.equal(await page.getByRole("list", { name: "Attached files" }).getByRole("listitem").count(), 2);
  await page.getByLabel("Your question").fill("b".repeat(100 * 1024));
  await page.keyboard.press("Enter");
  await said(page, /Not sent: .* 1\.0 MB at once/);
  assert.equal(await page.getByRole("list", { name: "Attached files" }).getByRole("listitem").count(), 2);
  assert.equal(await page.locator("article.turn").count(), 0);
  await ask(page, "what do the two say"); // they go with it
  await page.clean();
  await page.context().close();
});

test("a question that the hall does not take stays in the box, with its files and permissions", async () => {
  const page = await open(browser, hall.url);
  const box = page.getByLabel("Your question");
  const refuse = (most) => page.route("**/query", (r) => r.fulfill({ status: 413, json: { error: { code: "too_large", message: `the body is larger than the limit of ${most} bytes`, remedy: "send less at once" } } }));
  await refuse(100);
  await page.locator('input[type="file"]').first().setInputFiles({ name: "kept.txt", mimeType: "text/plain", buffer: Buffer.from("the ferry leaves at ten") });
  await page.getByText("kept.txt").waitFor();
  await page.getByRole("button", { name: "Permissions: none" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Next question" }).first().click();
  await box.fill("when does it leave");
  await page.keyboard.press("Enter");
  await said(page, "the body is larger than the limit of 100 bytes — send less at once");
  await page.getByText("kept.txt").waitFor();
  assert.equal(await box.inputValue(), "when does it leave");
  assert.equal(await page.locator("article.turn").count(), 0);
  await page.getByRole("button", { name: "Permissions: relax" }).waitFor();
  await page.unroute("**/query");
  await ask(page, "when does it leave");
  const session = await hall.get(`/sessions/${page.url().split("/").at(-1)}`);
  assert.ok(session.messages.some((m) => m.content.includes("the ferry leaves at ten")));
  await page.getByRole("button", { name: "Permissions: none" }).waitFor();
  await refuse(70);
  const asked = page.locator("article.turn .bubble p");
  await page.getByRole("button", { name: "Edit and ask again" }).click();
  await box.press("Enter");
  await said(page, "larger than the limit of 70 bytes");
  await page.getByText("Editing: sending replaces").waitFor();
  assert.deepEqual(await asked.allTextContents(), ["when does it leave"]);
  assert.equal(await box.inputValue(), "when does it leave");
  await page.clean();
  await page.context().close();
});

test("a question that the hall does not take waits in its own conversation, whichever is open by then", async () => {
  model.say("the first thing", { text: "It is done." });
  model.say("another talk", { text: "Another one." });
  await hall.ask("another talk", { session_id: "another" });
  const page = await open(browser, hall.url);
  const box = page.getByLabel("Your question");
  const turn = await ask(page, "the first thing");
  const own = page.url().split("#/")[1];
  let lose;
  const sent = new Promise((ok) => void page.route("**/query", (r) => ok((lose = () => r.abort("connectionreset")))));
  await page.locator('input[type="file"]').first().setInputFiles({ name: "mine.txt", mimeType: "text/plain", buffer: Buffer.from("of the first conversation") });
  await page.getByText("mine.txt").waitFor();
  await turn.getByRole("button", { name: "Edit and ask again" }).click();
  await box.fill("the first thing, better");
  await page.keyboard.press("Enter");
  await sent;
  await go(page, "chat/another");
  await page.getByText("Another one.").waitFor();
  await box.fill("of this one");
  await lose();
  await said(page, "the hall does not answer");
  assert.equal(await box.inputValue(), "of this one");
  assert.equal(await page.getByText("mine.txt").count(), 0);
  assert.equal(await page.getByText("Editing: sending replaces").count(), 0);
  await go(page, own);
  await page.getByText("Editing: sending replaces").waitFor();
  await page.getByText("mine.txt").waitFor();
  assert.equal(await box.inputValue(), "the first thing, better");
  assert.deepEqual(await page.locator("article.turn .bubble p").allTextContents(), ["the first thing"]);
  await page.unroute("**/query");
  await box.press("Enter");
  await page.locator("article.turn", { hasText: "the first thing, better" }).locator("footer").waitFor();
  assert.deepEqual((await hall.get("/sessions/another")).asked.map((t) => t.query), ["another talk"]);
  await go(page, "chat/another");
  assert.equal(await box.inputValue(), "of this one");
  await page.clean();
  await page.context().close();
});

test("the override warns, and is sent with the question", async () => {
  const page = await open(browser, hall.url);
  await page.getByRole("button", { name: "Permissions: none" }).click();
  const box = page.getByRole("dialog");
  await box.getByText("Careful.").waitFor();
  await box.getByRole("button", { name: "Next question" }).first().click();
  await page.getByRole("button", { name: "Permissions: relax" }).waitFor();
  const turn = await ask(page, "run it"); // no question is asked this time
  await turn.locator('details.tool[data-tool="run_code"]').locator("summary").click();
  await turn.getByText(/lets high-risk tools run/).waitFor();
  await page.getByRole("button", { name: "Permissions: none" }).waitFor();
  await page.clean();
  await page.context().close();
});

test("what is switched for a conversation is shown until it is switched back", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "a conversation to switch");
  const button = (p, level) => p.getByRole("button", { name: `Permissions: ${level}` });
  const choose = async (p, level, name, way) => {
    await button(p, level).click();
    await p.getByRole("dialog").locator(".level", { has: p.getByRole("heading", { name }) }).getByRole("button", { name: way }).click();
  };
  await choose(page, "none", "No questions", "Whole conversation");
  await button(page, "all").waitFor();
  await page.reload();
  await page.locator("article.turn").waitFor();
  await button(page, "all").waitFor();
  await choose(page, "all", "Relaxed", "Next question");
  await button(page, "relax").waitFor();
  await ask(page, "and one that is relaxed");
  await button(page, "all").waitFor();
  const other = await open(browser, page.url());
  await button(other, "all").waitFor();
  await choose(other, "all", "Normal", "Use");
  await button(other, "none").waitFor();
  assert.equal((await hall.get(`/sessions/${page.url().split("/").at(-1)}`)).overrides.level, "none");
  await button(page, "all").click(); // this page hears of it now
  await page.locator(".level.on", { hasText: "Normal" }).waitFor();
  await page.keyboard.press("Escape");
  await button(page, "none").waitFor();
  await page.clean();
  await other.clean();
  await page.context().close();
  await other.context().close();
});

test("what waits in the hall for the next question is shown, and can be taken back", async () => {
  const page = await open(browser, hall.url);
  await ask(page, "a conversation with something that waits");
  const session = `/sessions/${page.url().split("/").at(-1)}`;
  await fetch(`${hall.url}${session}/overrides`, { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ level: "all", once: true }) });
  await page.reload();
  await page.getByRole("button", { name: "Permissions: all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Use" }).click();
  await page.getByRole("button", { name: "Permissions: none" }).waitFor();
  assert.equal((await hall.get(session)).overrides.level, "none");
  await page.clean();
  await page.context().close();
});
