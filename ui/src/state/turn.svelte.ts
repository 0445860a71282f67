import { shown, type Answer, type Approval, type Critique, type Decision, type Deliberation, type Feedback, type HallEvent, type Pairing, type Problem, type Recall, type Step, type Task, type ToolRequested, type ToolReturned, type Turn } from "../api/types";

/** One thing shown in a turn, in the order in which it happened. */
export type Block = Thought | Words | ToolUse | Recalled | Note;

export class Thought {
  readonly kind = "thinking";
  text = $state("");
  live = $state(true);
  constructor(text = "", live = true) {
    this.text = text;
    this.live = live;
  }
}

export class Words {
  readonly kind = "words";
  text = $state("");
  interim = $state(false); // said before tool calls; no answer
  constructor(text = "") {
    this.text = text;
  }
}

export class ToolUse {
  readonly kind = "tool";
  readonly id: string;
  name = $state("");
  args = $state.raw<unknown>(undefined);
  from = $state("");
  status = $state<string>("running");
  text = $state("");
  ms = $state<number | undefined>(undefined);
  labels = $state("");
  score = $state(0);
  cut = $state("");
  decision = $state.raw<Decision | undefined>(undefined);
  sent = $state.raw<{ host: string; bytes: number }[]>([]);
  asked = $state.raw<Approval | undefined>(undefined);
  readonly began = performance.now();

  constructor(id: string, name: string, args: unknown) {
    this.id = id;
    this.name = name;
    this.args = args;
  }
}

export class Recalled {
  readonly kind = "recall";
  list = $state.raw<Recall[]>([]);
}

export class Note {
  readonly kind = "note";
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** How far a turn is: as the hall says, and sending and failed for ours. */
export type TurnState = "sending" | "waiting" | "running" | "done" | "interrupted" | "failed";

const voids: Record<string, string> = {
  empty: "The model said nothing and was asked again.",
  cut: "The reply hit its limit and was asked for again.",
  nudge: "The model announced work without doing it, and was told so.",
  broken: "A tool call could not be read and was asked for again.",
  hedge: "The answer hedged; a search follows.",
  schema: "The answer did not fit its schema.",
  check: "The check of the answer failed; the model tries again.",
  refuse: "The model refused the form of the request; it is asked in another.",
};

/** A turn as it is shown. Steps of a stream, events and the record all end here. */
export class TurnView {
  readonly key: string;
  query = $state(""); // its id, once known
  question = $state("");
  attached = $state("");
  mode = $state<"chat" | "committee" | "task">("chat");
  state = $state<TurnState>("sending");
  time = $state("");
  status = $state("");
  blocks = $state.raw<Block[]>([]);
  personas = $state.raw<Deliberation[]>([]);
  task = $state.raw<Task | undefined>(undefined);
  answer = $state.raw<Answer | undefined>(undefined);
  other = $state.raw<Answer | undefined>(undefined); // respondent B's
  problem = $state.raw<Problem | undefined>(undefined);
  critique = $state.raw<Critique | undefined>(undefined);
  pairing = $state.raw<Pairing | undefined>(undefined);
  feedback = $state.raw<Feedback | undefined>(undefined);
  late = $state(false); // joined in the middle: the first words are missing
  rated = false; // while the page has it: what is on record may be older
  taken = false; // the hall answered our request
  streamed = false; // its steps come from our own request
  firstWords = 0; // when the first piece of the answer came, for the figures

  constructor(key: string, question: string, time: string) {
    this.key = key;
    this.question = question;
    this.time = time;
  }

  get busy(): boolean {
    return this.state === "sending" || this.state === "waiting" || this.state === "running";
  }

  /** The blocks that make up the answer's text. */
  get text(): string {
    if (this.answer) return this.answer.answer;
    return this.blocks.filter((b): b is Words => b.kind === "words" && !b.interim).map((b) => b.text).join("\n\n");
  }

  #push<B extends Block>(b: B): B {
    this.#settleThought();
    this.blocks = [...this.blocks, b];
    return b;
  }

  #settleThought(): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "thinking") last.live = false;
  }

  #think(text: string): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "thinking") last.text += text;
    else this.#push(new Thought(text));
  }

  #speak(text: string): void {
    if (!this.firstWords) this.firstWords = performance.now();
    const last = this.blocks.at(-1);
    if (last?.kind === "words" && !last.interim) last.text += text;
    else this.#push(new Words(text));
  }

  #lastWords(): Words | undefined {
    const last = this.blocks.at(-1);
    return last?.kind === "words" ? last : undefined;
  }

  #tool(id: string, name: string, args: unknown): ToolUse {
    const known = this.blocks.find((b): b is ToolUse => b.kind === "tool" && b.id === id);
    return known ?? this.#push(new ToolUse(id, name, args));
  }

  /** One step of our own request. */
  apply(s: Step): void {
    if (!this.busy && s.kind !== "final") return; // it ended, as the hall said on another way
    if (this.state === "sending" || this.state === "waiting") this.state = "running";
    switch (s.kind) {
      case "status":
        this.status = s.text ?? "";
        break;
      case "thinking":
        this.status = "";
        this.#think(s.text ?? "");
        break;
      case "delta":
        this.status = "";
        this.#speak(s.text ?? "");
        break;
      case "rethink":
        this.#rethink();
        break;
      case "interim":
        this.#interim(s.text ?? "");
        break;
      case "void":
        this.#void(s.text ?? "");
        break;
      case "tool_call":
        if (s.call) this.#tool(s.call.id, s.call.name, s.call.arguments).from = s.from ?? "";
        break;
      case "approval":
        this.#asked(s.asked);
        break;
      case "tool_result":
        this.#result(s);
        break;
      case "recall":
        if (s.recall) this.#recall([s.recall]);
        break;
      case "persona":
        if (s.deliberation) this.deliberate(s.deliberation);
        break;
      case "task":
        if (s.task) this.task = s.task;
        break;
      case "final":
        if (s.answer) this.finish(s.answer);
        break;
    }
  }

  #rethink(): void {
    const words = this.#lastWords();
    if (!words) return;
    this.blocks = [...this.blocks.slice(0, -1), new Thought(words.text)];
  }

  #interim(text: string): void {
    const words = this.#lastWords() ?? (text ? this.#push(new Words(text)) : undefined);
    if (!words) return;
    words.interim = true;
    if (text) words.text = text;
  }

  #void(why: string): void {
    if (this.#lastWords()) this.blocks = this.blocks.slice(0, -1);
    this.#push(new Note(voids[why] ?? `A round did not count: ${why}.`));
  }

  #asked(a: Approval | undefined): void {
    if (!a || this.blocks.some((b) => b.kind === "tool" && b.asked?.id === a.id)) return; // what is on record may come twice
    // Several calls of one tool may wait beside each other: each has its own question.
    const open = this.blocks.filter((b): b is ToolUse => b.kind === "tool" && b.name === a.tool && b.status === "running" && !b.asked);
    const args = JSON.stringify(a.arguments);
    (open.find((b) => JSON.stringify(b.args) === args) ?? open.at(-1) ?? this.#push(new ToolUse(a.id, a.tool, a.arguments))).asked = a;
  }

  #result(s: Step): void {
    const r = s.result;
    if (!r) return;
    const t = this.#tool(r.call_id, r.tool, undefined);
    t.status = r.status;
    t.text = r.text;
    t.ms = r.took_ns / 1e6;
    t.labels = r.labels;
    t.score = r.injection_score ?? 0;
    t.cut = r.cut ?? "";
    t.decision = r.decision;
    t.sent = r.sent ?? [];
  }

  #recall(list: Recall[]): void {
    const last = this.blocks.at(-1);
    const block = last?.kind === "recall" ? last : this.#push(new Recalled());
    block.list = [...block.list, ...list.filter((r) => r.entry)];
  }

  deliberate(d: Deliberation): void {
    const at = this.personas.findIndex((p) => p.persona === d.persona && p.round === d.round);
    this.personas = at < 0 ? [...this.personas, d] : this.personas.with(at, d);
  }

  /** One event of the bus about a turn that is not ours, or that we lost hold of. */
  watch(e: HallEvent): void {
    if (!shown(e) && e.subject !== "response.generation") return;
    const p = (e.payload ?? {}) as Record<string, unknown>;
    if (this.state === "waiting" || this.state === "sending") this.state = "running";
    if (e.subject === "response.delta") this.#speak(String(p["text"] ?? ""));
    else if (e.subject === "response.thinking") this.#think(String(p["text"] ?? ""));
    else if (e.subject.startsWith("tool.request.")) this.requested(e.payload as ToolRequested);
    else if (e.subject.startsWith("tool.result.")) this.returned(e.payload as ToolReturned);
    else if (e.subject === "approval.requested") this.#asked(e.payload as Approval);
    else if (e.subject === "committee.deliberation") this.deliberate(e.payload as Deliberation);
    else if (e.subject === "task.planned") this.task = e.payload as Task;
  }

  requested(r: ToolRequested): void {
    const t = this.#tool(r.call, r.tool, r.arguments);
    t.decision ??= r.decision;
  }

  returned(r: ToolReturned): void {
    const t = this.#tool(r.call, r.tool, undefined);
    t.status = r.status;
    t.ms ??= r.ms;
    t.labels = r.labels;
    t.score = r.score ?? 0;
    t.cut = r.cut ?? "";
    t.decision = r.decision;
    t.text ||= r.text ?? "";
  }

  /** The answer is there. */
  finish(a: Answer): void {
    if (!shown(a)) {
      this.other = a;
      return;
    }
    this.query = a.query_id;
    this.answer = a;
    this.problem = undefined;
    this.status = "";
    this.state = a.stop_reason === "interrupted" ? "interrupted" : "done";
    if (a.deliberations?.length) this.personas = a.deliberations;
    this.#settleThought();
    if (!this.blocks.length || this.late) this.#rebuild(a);
    else this.#close(a);
    this.late = false;
  }

  /** What was streamed stays; the last words become what was answered. What was recalled comes with a stream of our own only. */
  #close(a: Answer): void {
    const recalled = a.recalls.filter((r) => r.entry);
    if (recalled.length && !this.blocks.some((b) => b.kind === "recall")) {
      const r = new Recalled();
      r.list = recalled;
      this.blocks = [r, ...this.blocks];
    }
    const words = this.blocks.findLast((b): b is Words => b.kind === "words" && !b.interim);
    if (words) words.text = a.answer;
    else if (a.answer) this.#push(new Words(a.answer));
    for (const b of this.blocks) if (b.kind === "tool" && b.status === "running") this.#fill(b, a);
  }

  #fill(b: ToolUse, a: Answer): void {
    const c = a.tool_calls.find((t) => t.tool === b.name && JSON.stringify(t.args) === JSON.stringify(b.args));
    b.status = c?.status ?? "unavailable";
    b.text = c?.result ?? "";
    b.ms = c?.ms;
  }

  /** From the record: thinking, recalls, calls, answer. */
  #rebuild(a: Answer): void {
    const list: Block[] = [];
    if (a.thinking) list.push(new Thought(a.thinking, false));
    if (a.recalls.some((r) => r.entry)) {
      const r = new Recalled();
      r.list = a.recalls.filter((x) => x.entry);
      list.push(r);
    }
    a.tool_calls.forEach((c, i) => {
      const t = new ToolUse(`${a.query_id}-${i}`, c.tool, c.args);
      t.status = c.status;
      t.text = c.result;
      t.ms = c.ms;
      list.push(t);
    });
    if (a.answer) list.push(new Words(a.answer));
    this.blocks = list;
  }

  /** Adds to rebuilt calls what only the events know: decision, labels, score. */
  enrich(results: ToolReturned[]): void {
    const left = [...results];
    for (const b of this.blocks) {
      if (b.kind !== "tool" || b.decision) continue;
      const at = left.findIndex((r) => r.tool === b.name);
      const r = at >= 0 ? left.splice(at, 1)[0] : undefined;
      if (!r) continue;
      b.decision = r.decision;
      b.labels = r.labels;
      b.score = r.score ?? 0;
      b.cut = r.cut ?? "";
    }
  }

  /** It came to nothing. */
  fail(p: Problem): void {
    this.#settleThought();
    this.status = "";
    this.problem = p;
    this.state = p.code === "canceled" || p.code === "interrupted" || p.code === "unavailable" ? "interrupted" : "failed";
  }

  /** Takes over what the hall has on record about the turn. */
  sync(t: Turn): void {
    this.query = t.query_id;
    this.question = t.query;
    this.time = t.time;
    for (const a of t.answers ?? []) if (a !== this.answer) this.finish(a);
    if (this.answer) return;
    if (t.state === "interrupted") this.#settleThought();
    if (t.state === "waiting" || t.state === "running") this.problem = undefined; // the hall has it, whatever we heard
    if (!this.streamed || t.state === "interrupted") this.state = t.state;
  }
}
