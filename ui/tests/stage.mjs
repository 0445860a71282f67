// What most files of tests need: a browser, and a hall before a model server
// that says what a test wants. They are there while the file's tests run.
import { after, before } from "node:test";
import { launch } from "./browser.mjs";
import { Hall } from "./hall.mjs";
import { Ollama } from "./ollama.mjs";

export let browser;
export let model;
export let hall;

before(async () => {
  model = await new Ollama().up();
  hall = new Hall({ env: { OLLAMA_HOST: model.host } });
  [browser] = await Promise.all([launch(), hall.up()]);
});
after(async () => {
  await browser?.close();
  await hall?.remove();
  model?.down();
});
