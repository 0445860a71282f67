import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, drawn, ended, findings, go, launch, open, phone, until, wide } from "./browser.mjs";
import { fill } from "./fill.mjs";
import { Hall } from "./hall.mjs";

export const panels = ["chat", "approvals", "timeline", "tools", "tools/web_fetch", "memory", "graph", "critic", "committee", "tasks", "participants", "participants/@doctor", "participants/@keyring", "participants/@search", "models", "hall"];

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

for (const [name, viewport] of [["wide", wide], ["phone", phone]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds nothing serious: ${name}, ${colorScheme}`, async () => {
      const page = await open(browser, hall.url, { viewport, colorScheme, reducedMotion: "reduce" });
      await ask(page, "What is the capital of France?");
      const chat = new URL(page.url()).hash.slice(2);
      const list = [chat, ...panels];
      const bad = [];
      for (const panel of list) {
        await go(page, panel);
        await page.locator("h1").first().waitFor();
        await page.settled();
        for (const f of await findings(page)) bad.push(`${panel}: ${f}`);
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) bad.push(`${panel} is wider than the screen`);
      }
      assert.deepEqual(bad, []);
      await page.clean();
      await page.context().close();
    });
  }
}

test("keyboard only: ask, palette, tabs, dialogs; the focus is always visible", async () => {
  const page = await open(browser, hall.url);
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Your question");
  await page.keyboard.type("What is the capital of France?");
  await page.keyboard.press("Enter");
  await page.locator("article.turn footer").waitFor();
  await page.keyboard.press("Control+k");
  await page.waitForFunction(() => document.activeElement?.role === "combobox");
  await page.keyboard.type("memory");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
  await page.getByRole("tab", { name: "All" }).press("ArrowRight");
  await page.locator('[role="tab"][aria-selected="true"]', { hasText: "Search" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Go to anything" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Go to anything" }).waitFor({ state: "hidden" });
  const unseen = [];
  for (let i = 0; i < 45; i++) {
    await page.keyboard.press("Tab");
    const bad = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return "";
      const s = getComputedStyle(e);
      const shown = (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none" || e.matches("textarea, [role=combobox]");
      return shown ? "" : e.outerHTML.slice(0, 120);
    });
    if (bad) unseen.push(bad);
  }
  assert.deepEqual(unseen, []);
  await page.clean();
  await page.context().close();
});

test("the palette finds a conversation whose name is that of a command", async () => {
  await hall.ask("What is a dark theme good for?", { session_id: "dark" });
  const page = await open(browser, hall.url);
  await page.getByRole("button", { name: /dark theme good for/ }).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("dark theme");
  await page.getByRole("option", { name: /^Dark theme/ }).waitFor();
  await page.getByRole("option", { name: /good for/ }).click();
  await page.waitForURL(/#\/chat\/dark$/);
  await page.clean();
  await page.context().close();
});

test("the end of an answer is said once, and its words are not read out as they come", async () => {
  const page = await open(browser, hall.url);
  const heard = () => page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => {
      const text = document.querySelector('section[aria-label="Conversation"] > [role="status"]')?.textContent;
      if (text && window.heard.at(-1) !== text) window.heard.push(text);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  for (let i = 0; i < 2; i++) {
    await heard();
    await ask(page, "What is the capital of France?");
    await page.getByText("The answer is complete.").waitFor({ state: "attached" });
    assert.deepEqual(await page.evaluate(() => window.heard), ["The answer is complete."]);
  }
  await page.clean();
  await page.context().close();
});

test("Escape closes the menu of a conversation and the critic's note, and the focus is where it was", async () => {
  const page = await open(browser, hall.url);
  const turn = await ask(page, "What is the capital of France?");
  const [dots, badge] = [page.locator("li.on").getByRole("button", { name: /^More about/ }), turn.getByRole("button", { name: /Critic's grade/ })];
  for (const [button, shown] of [[dots, page.getByRole("group", { name: "Actions" })], [badge, turn.getByRole("note")]]) {
    await button.click();
    await shown.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "detached" });
    await until(() => button.evaluate((e) => e === document.activeElement), true);
  }
  await page.clean();
  await page.context().close();
});

test("the theme follows the system, can be switched, and is kept", async () => {
  const page = await open(browser, hall.url, { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).waitFor();
  assert.notEqual(await ground(), dark);
  await page.reload();
  await page.getByRole("button", { name: "Theme: light" }).waitFor();
  assert.notEqual(await ground(), dark);
  await page.clean();
  await page.context().close();
});

test("a phone: the menu opens, a conversation is chosen, the menu goes", async () => {
  const page = await open(browser, hall.url, { viewport: phone, hasTouch: true, isMobile: true });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("button").first().click();
  await page.locator("article.turn").first().waitFor();
  await page.locator('nav[aria-label="Conversations"]').waitFor({ state: "hidden" });
  await page.clean();
  await page.context().close();
});

test("a phone: Enter begins a line, the button sends", async () => {
  const page = await open(browser, hall.url, { viewport: phone, hasTouch: true, isMobile: true });
  const box = page.getByLabel("Your question");
  await box.fill("one line");
  await box.press("Enter");
  await page.keyboard.type("and another");
  assert.equal(await box.inputValue(), "one line\nand another");
  await page.getByRole("button", { name: "Send" }).click();
  await ended(page.locator("article.turn"));
  assert.equal(await box.inputValue(), "");
  await page.clean();
  await page.context().close();
});

test("with the keyboard alone the menu of a small screen is gone into, and left again", async () => {
  const page = await open(browser, hall.url, { viewport: phone });
  const burger = page.getByRole("button", { name: "Menu" });
  await burger.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest(".left"));
  await page.keyboard.press("Escape");
  await page.locator('nav[aria-label="Rooms"]').waitFor({ state: "hidden" });
  await until(() => burger.evaluate((e) => e === document.activeElement), true);
  await burger.press("Enter");
  await page.getByRole("link", { name: "Memory" }).press("Enter");
  await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "content");
  await page.clean();
  await page.context().close();
});

test("Enter that ends a word of another script chooses nothing in the palette", async () => {
  const page = await open(browser, hall.url);
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /^Search rooms/ });
  await box.fill("memory");
  await box.evaluate((e) => e.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true })));
  await drawn(page);
  assert.equal(await box.count(), 1);
  assert.doesNotMatch(page.url(), /memory/);
  await page.clean();
  await page.context().close();
});
