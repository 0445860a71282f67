// A model server that says what a test wants: as much of Ollama's interface as
// the hall uses. A reply is chosen by words in the last question.
import { createServer } from "node:http";

const model = { name: "scripted:1b", model: "scripted:1b", modified_at: "2026-01-02T03:04:05Z", size: 1 << 30, digest: "0".repeat(64), details: { format: "gguf", family: "qwen3", families: ["qwen3"], parameter_size: "1B", quantization_level: "Q4_K_M" } };
const shown = { details: model.details, template: "", parameters: "", modelfile: "FROM scripted", capabilities: ["completion", "tools", "thinking"], model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40960 } };
const voices = {
  Guardian: "I would wait. The contract is not signed, and the deposit on the flat is lost if the start moves.\n\nPosition: against\nCaution: nothing is signed",
  Pioneer: "I would go now. A new place teaches more in a year than this one in five.\n\nPosition: for\nCaution: none",
  Friend: "I would ask who you will miss, and tell them first.\n\nPosition: mixed\nCaution: leaving without a word",
  Sceptic: "I do not know what the rent in Porto is, and nobody here has looked.\n\nPosition: mixed\nCaution: the sums are not done",
  Maker: "I would write down what must be true for this to work, and check three of those things this week.\n\nPosition: for\nCaution: none",
};
/** So many words, each with its number. */
export const words = (word, from, to) => Array.from({ length: to - from }, (_, i) => `${word}${from + i} `);
const wait = (ms) => new Promise((ok) => setTimeout(ok, ms));

export class Ollama {
  /**
   * A promise among the pieces holds back those after it; hold, the end.
   * @type {{ when: string, thinking?: string, text?: string, pieces?: (string | Promise<void>)[], calls?: object[], every?: number, hold?: Promise<void> }[]}
   */
  replies = [];

  async up() {
    this.server = createServer((req, res) => void this.#serve(req, res).catch(() => res.destroy()));
    await new Promise((ok) => this.server.listen(0, "127.0.0.1", ok));
    this.host = `127.0.0.1:${this.server.address().port}`;
    return this;
  }

  down() {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Answers questions that have these words. The last rule that fits counts. */
  say(when, reply) {
    this.replies.push({ when, ...reply });
  }

  async #serve(req, res) {
    let body = "";
    for await (const chunk of req) body += chunk;
    const json = (v) => res.setHeader("Content-Type", "application/json").end(JSON.stringify(v));
    if (req.url === "/api/version") return json({ version: "0.17.4" });
    if (req.url === "/api/tags") return json({ models: [model] });
    if (req.url === "/api/ps") return json({ models: [model] });
    if (req.url === "/api/show" && JSON.parse(body).model === model.name) return json(shown);
    if (req.url === "/api/chat") return this.#chat(JSON.parse(body), req, res);
    res.statusCode = 404;
    json({ error: "not here" });
  }

  /** The parts of a task: planner, agents, writer; a committee's voices. */
  worker(system, messages) {
    if (/You are the planner/.test(system)) return { text: JSON.stringify(this.plan ?? { subtasks: [], direct: "Nothing to do." }) };
    if (/You keep the record of a conversation/.test(system)) return { text: JSON.stringify({ decisions: ["The person asked about numbered things."], artifacts: [], questions: [] }) };
    if (/You write the final answer/.test(system)) return { text: "The bridge is **412 metres** long, and the note about it is written." };
    if (messages.some((m) => /new_memory_candidates/.test(m.content))) {
      const report = { status: "success", summary: "The ferry bridge at Alderhaven is 412 metres long.", artifacts: [], result_quality: "inferred", source: "model_knowledge", new_memory_candidates: [], failure_reason: null };
      return { text: JSON.stringify(report), hold: this.agents };
    }
    const voice = /Your name is (\w+)/.exec(system)?.[1];
    if (voice) return { text: voices[voice] ?? voices.Maker };
    if (/after your inner voices have spoken/.test(system)) return { text: "I would **take it for a year**, and keep the flat here. Guardian is against going at all while the contract is unsigned; Pioneer would go tomorrow." };
    return undefined;
  }

  async #chat(c, req, res) {
    const last = c.messages.at(-1) ?? { role: "user", content: "" };
    const asked = c.messages.findLast((m) => m.role === "user")?.content ?? "";
    const read = Math.ceil(JSON.stringify([c.messages, c.tools ?? []]).length / 3); // the hall checks that nothing was cut
    const rubric = /\[RESULT\]|rubric/i.test(c.messages.map((m) => m.content).join("\n"));
    const first = c.messages[0]?.content ?? "";
    const chat = /assistant of Moothall/.test(c.messages[0]?.content ?? ""); // not the critic, not memory
    let reply = rubric ? { text: "Feedback: It answers what was asked, clearly. [RESULT] 4" } : ((chat && this.replies.findLast((r) => asked.includes(r.when))) || { text: "All right." });
    const worker = this.worker(first, c.messages);
    if (worker) reply = worker;
    if (last.role === "tool") reply = { text: reply.after ?? `The tool said: ${last.content}` };
    if (c.stream === false) {
      const whole = { role: "assistant", content: reply.text ?? "", ...(reply.calls ? { tool_calls: reply.calls.map((f) => ({ function: f })) } : {}) };
      res.setHeader("Content-Type", "application/json");
      res.end(JSON.stringify({ model: model.name, created_at: new Date().toISOString(), message: whole, done: true, done_reason: "stop", prompt_eval_count: read, eval_count: 20 }));
      return;
    }
    res.setHeader("Content-Type", "application/x-ndjson");
    const line = (message, more = {}) => res.write(`${JSON.stringify({ model: model.name, created_at: new Date().toISOString(), message: { role: "assistant", content: "", ...message }, done: false, ...more })}\n`);
    if (reply.thinking) line({ thinking: reply.thinking });
    const pieces = reply.pieces ?? (reply.text ?? "").match(/[\s\S]{1,12}/g) ?? [];
    let open = true;
    res.on("close", () => (open = false));
    let start = Date.now();
    for (const [i, p] of pieces.entries()) {
      if (!open) return;
      if (typeof p !== "string") {
        const before = Date.now();
        await p;
        start += Date.now() - before;
        continue;
      }
      line({ content: p });
      if (reply.every) await wait(Math.max(0, start + (i + 1) * reply.every - Date.now()));
    }
    if (reply.hold) await reply.hold;
    if (reply.calls) line({ tool_calls: reply.calls.map((f, index) => ({ function: { index, ...f } })) });
    line({}, { done: true, done_reason: "stop", prompt_eval_count: read, eval_count: pieces.length || 1, total_duration: 1e6 });
    res.end();
  }
}
