// Puts something into every room of a hall, so that panels have what to show.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

const binary = resolve(process.env.MOOTHALL_BIN ?? join(import.meta.dirname, "../../bin/moothall"));

export async function fill(hall) {
  await hall.ask("What is the capital of France?", { session_id: "travel" });
  await hall.ask("What is its currency?", { session_id: "travel" });
  await hall.ask("I like my coffee black, with one spoon of sugar.", { session_id: "morning" });
  await hall.ask("How do I like my coffee?", { session_id: "evening" });
  await hall.ask("Search the web for the ferry bridge and read the full page.", { session_id: "bridge" });
  await hall.ask("What is 17% of 2,340?", { session_id: "sums" });
  const facts = ["Ana lives_in Porto", "Ana works_at Harbour-Office", "Ben knows Ana", "Ben lives_in Lisbon", "Porto located_in Portugal", "Lisbon located_in Portugal", "Harbour-Office located_in Alderhaven", "Clara knows Ben", "Ana lives_in Lisbon"];
  for (const f of facts) {
    const done = spawnSync(binary, ["--home", hall.home, "graph", "add", ...f.split(" ")], { env: hall.env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`graph add ${f}: ${done.stderr}`);
  }
}

/** A conversation of so many questions. */
export async function converse(hall, session, questions) {
  for (let i = 0; i < questions; i++) await hall.ask(i % 2 ? "What is its currency?" : "What is the capital of France?", { session_id: session });
}
