import { get, pieces, post, put, remove, Trouble, troubleOf } from "../api/client";
import { shown, type Answer, type Critique, type Feedback, type HallEvent, type Judgement, type Overrides, type Pairing, type Problem, type QueryRequest, type Rewarded, type SessionDetail, type Step, type Task, type ToolReturned } from "../api/types";
import { framed } from "./frame";
import { recorded } from "./link";
import { keep, kept } from "./tab";
import { TurnView } from "./turn.svelte";

/** What goes with a question besides its words. */
export interface Asking {
  mode?: "chat" | "committee" | "task";
  model?: string;
  context?: string;
  override?: Overrides;
  retry?: string;
  rounds?: number;
}

/** What stands in a conversation's box. */
type Box = Pick<Conversation, "draft" | "aside" | "editing">;

const heldEvents = 1000;
const grace = 5000; // ms by which an answer's own stream may come behind the events

let made = 0;

/** Two texts below each other. */
export const joined = (a: string, b: string) => [a, b].filter((s) => s.trim()).join("\n\n");

/** One conversation: rebuilt from the record, kept up by events. */
export class Conversation {
  readonly id: string;
  fresh = $state(true); // the hall does not know it yet
  turns = $state.raw<TurnView[]>([]);
  detail = $state.raw<SessionDetail | undefined>(undefined);
  overrides = $state.raw<Overrides>({ level: "none" }); // in force, as the hall says
  once = $state.raw<Overrides | undefined>(undefined); // goes with the next question
  draft = $state(""); // of the next question
  mode = $state<"chat" | "committee" | "task">("chat"); // of its questions
  model = $state(""); // that answers them; the hall's own when empty
  files = $state.raw<{ name: string; text: string }[]>([]); // attached to it
  reading = Promise.resolve(); // files that are to be attached
  editing = $state(""); // the turn that it takes the place of
  aside = $state(""); // what stood in the box before that; it comes back
  trouble = $state.raw<Trouble | undefined>(undefined);
  /** What the hall told of compacting it, the oldest first. */
  compacted = $state.raw<HallEvent[]>([]);
  #early: HallEvent[] = []; // about turns that are not known yet
  #replaced = new Set<string>(); // turns that another one took the place of
  #offered = ""; // what the page put in the box last
  #enriched = new Set<string>(); // turns that were over when that was asked
  #loads = 0;
  #switched = 0;
  #kept = ""; // where its box is kept

  constructor(id: string, fresh: boolean) {
    this.id = id;
    this.fresh = fresh;
  }

  /** Takes back what stood in its box when this tab was loaded anew. */
  recall(): this {
    this.#kept = this.#place;
    Object.assign(this, kept<Box>(this.#kept));
    return this;
  }

  /** Keeps what stands in its box for when this tab is loaded anew. */
  keep(): void {
    const { draft, aside, editing } = this;
    if (this.#kept !== this.#place) keep(this.#kept);
    this.#kept = this.#place;
    keep(this.#kept, draft || aside ? { draft, aside, editing } : undefined);
  }

  /** The next new conversation has no id that outlasts a reload. */
  get #place(): string {
    return `draft.${this.fresh ? "new" : this.id}`;
  }

  get busy(): boolean {
    return this.turns.some((t) => t.busy);
  }

  /** Whether the hall has all that there is of it. */
  get idle(): boolean {
    return !this.busy && !this.draft && !this.aside && !this.files.length;
  }

  /** Loads or reloads what is on record; of loads under way the newest counts. */
  async load(): Promise<void> {
    if (this.fresh) return;
    const mine = ++this.#loads;
    try {
      const switched = this.#switched;
      const before = new Set(this.turns);
      const d = await get<SessionDetail>(`/sessions/${this.id}`);
      if (mine !== this.#loads) return;
      this.#take(d, before);
      if (d.overrides && switched === this.#switched) this.overrides = d.overrides; // what was switched meanwhile is newer
      this.trouble = undefined;
      void this.#judge();
      if (this.turns.some((t) => t.late)) void this.#catchUp();
    } catch (e) {
      if (mine === this.#loads) this.trouble = troubleOf(e);
    }
  }

  /** What came or went since the turns before is newer than the record that was read. */
  #take(d: SessionDetail, before: Set<TurnView>): void {
    this.detail = d;
    const known = new Map(this.turns.filter((t) => t.query).map((t) => [t.query, t]));
    const listed = [...(d.asked ?? []), ...(d.queue ?? [])].filter((t) => !this.#replaced.has(t.query_id));
    const next: TurnView[] = [];
    for (const t of listed) {
      let view = known.get(t.query_id);
      view ??= this.turns.find((v) => !v.query && v.question === t.query && !next.includes(v));
      if (!view) {
        view = new TurnView(t.query_id, t.query, t.time);
        view.late = t.state === "running";
      }
      if (!next.includes(view)) next.push(view);
      view.sync(t);
    }
    if (!listed.length) this.#fromMessages(d, next);
    for (const v of this.turns) if (!next.includes(v) && (v.busy || v.problem || !before.has(v))) next.push(v);
    this.turns = next;
    this.#release();
  }

  /** A hall that keeps no turns still has the messages. */
  #fromMessages(d: SessionDetail, next: TurnView[]): void {
    if (this.turns.length) {
      next.push(...this.turns);
      return;
    }
    for (const [i, m] of d.messages.entries()) {
      if (m.role === "user") {
        const v = new TurnView(`${this.id}-${i}`, m.content, d.updated);
        v.state = "done";
        next.push(v);
      } else if (m.role === "assistant" && m.content) next.at(-1)?.watch({ subject: "response.delta", payload: { text: m.content } } as HallEvent);
    }
    for (const v of next) v.state = "done";
  }

  async #judge(): Promise<void> {
    try {
      const list = await get<Judgement[]>(`/judgements?limit=1000&session_id=${this.id}`);
      for (const j of list) {
        const turn = this.find(j.query_id);
        if (!turn || !shown(j)) continue;
        turn.critique ??= j.critique;
        turn.pairing ??= j.pairing;
        if (j.reward && !turn.feedback && !turn.rated) turn.feedback = j.reward.feedback;
      }
    } catch {
      // Judgements are extra; a hall without them still talks.
    }
  }

  /** Adds what happened before the page was opened to turns under way. */
  async #catchUp(): Promise<void> {
    for (const e of await recorded(this.id, ["tool", "approval.requested", "task.planned"])) {
      const turn = e.query_id ? this.find(e.query_id) : undefined;
      if (turn?.late && turn.busy && /^(tool\.|approval\.requested|task\.planned)/.test(e.subject)) turn.watch(e);
    }
  }

  /** Fetches why calls of a turn and of those before it were allowed, once. */
  async enrich(turn: TurnView): Promise<void> {
    if (this.#enriched.has(turn.query)) return;
    for (const t of this.turns) if (!t.busy) this.#enriched.add(t.query);
    const byTurn = new Map<string, ToolReturned[]>();
    for (const e of await recorded(this.id, ["tool.result"])) {
      if (!e.query_id || !shown(e) || !e.subject.startsWith("tool.result.")) continue;
      byTurn.set(e.query_id, [...(byTurn.get(e.query_id) ?? []), e.payload as ToolReturned]);
    }
    for (const [query, list] of byTurn) this.find(query)?.enrich(list);
  }

  /** Fetches what was compacted before the page heard of events. */
  async compactions(): Promise<void> {
    if (this.fresh) return;
    for (const e of await recorded(this.id, ["session.compacted"])) this.#compacted(e);
  }

  #compacted(e: HallEvent): void {
    if (this.compacted.some((x) => x.id === e.id)) return;
    this.compacted = [...this.compacted, e].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
  }

  find(query: string): TurnView | undefined {
    return this.turns.findLast((t) => t.query === query);
  }

  /** Puts words in the box below what was written there. */
  offer(text: string): void {
    this.draft = this.draft === this.#offered ? text : joined(this.draft, text);
    this.#offered = text;
  }

  /** Puts a question in the box to be asked again; what was written there is put aside. */
  edit(t: TurnView): void {
    if (!t.query || !t.answer) {
      this.offer(t.question);
      return;
    }
    const begun = this.editing ? this.find(this.editing)?.question : undefined;
    if (this.draft !== begun) this.aside = joined(this.aside, this.draft);
    this.draft = t.question;
    this.editing = t.query;
  }

  /** Asks, and follows the answer. Throws when the hall did not take the question: all is as it was before then. */
  async ask(text: string, how: Asking = {}): Promise<void> {
    const turn = new TurnView(`own-${++made}`, text, new Date().toISOString());
    turn.streamed = true;
    turn.mode = how.mode ?? "chat";
    turn.attached = how.context ?? "";
    if (this.turns.some((t) => t.busy)) turn.state = "waiting";
    const { fresh, turns: before } = this;
    const kept = how.retry ? before.filter((t) => t.query !== how.retry) : before;
    if (how.retry) this.#replaced.add(how.retry); // a record that is on its way still has it
    this.turns = [...kept, turn];
    this.fresh = false;
    this.once = undefined;
    try {
      // It stays when this page goes: loading it anew does not stop the turn.
      await this.#follow(turn, { query: text, session_id: this.id, stay: true, ...how });
    } catch (e) {
      turn.streamed = false;
      const t = troubleOf(e);
      if (await this.#goesOn(turn, t, before)) return;
      if (how.retry && !turn.query) this.#replaced.delete(how.retry);
      if (!turn.taken && !turn.query) {
        this.turns = [...before, ...this.turns.filter((v) => v !== turn && !before.includes(v))];
        this.fresh = fresh;
        this.once ??= how.override;
        throw t;
      }
      this.#failed(turn, t);
    } finally {
      turn.streamed = false;
      if (this.overrides.once) void this.load(); // it was for this question
    }
  }

  #failed(turn: TurnView, t: Trouble): void {
    turn.fail({ code: t.code as Problem["code"], message: t.message, ...(t.remedy ? { remedy: t.remedy } : {}) });
  }

  /**
   * Whether the hall has a turn whose stream broke, or never began: events tell the rest then.
   * One without an id is known by its words, and by its place among those that have the same and no id yet.
   */
  async #goesOn(turn: TurnView, t: Trouble, before: TurnView[]): Promise<boolean> {
    if (t.code !== "unavailable" && t.code !== "interrupted") return false;
    const d = await get<SessionDetail>(`/sessions/${this.id}`).catch(() => undefined);
    const list = [...(d?.asked ?? []), ...(d?.queue ?? [])];
    const known = new Set([...before, ...this.turns].map((v) => v.query));
    const place = this.turns.filter((v) => v.busy && !v.query && v.question === turn.question).indexOf(turn);
    const now = turn.query ? list.find((x) => x.query_id === turn.query) : list.filter((x) => x.query === turn.question && !known.has(x.query_id))[place];
    if (!now || now.state === "interrupted") return false;
    turn.late = now.state !== "waiting";
    turn.sync(now);
    return true;
  }

  async #follow(turn: TurnView, r: QueryRequest): Promise<void> {
    let ended = false;
    const batch: Step[] = [];
    const flush = () => {
      for (const s of batch.splice(0)) turn.apply(s);
    };
    const soon = framed(flush);
    for await (const { name, data } of pieces("/query", r, () => (turn.taken = true))) {
      if (name === "error") {
        flush();
        throw new Trouble((data as { error: Problem }).error);
      }
      batch.push(data as Step);
      if (name === "final") {
        ended = true;
        flush();
      } else soon();
    }
    flush();
    if (!ended) throw new Trouble({ code: "interrupted", message: "the answer was cut off", remedy: "ask again" });
  }

  /** Ends a turn; what was done is kept. */
  async stop(turn: TurnView): Promise<void> {
    for (let tries = 0; tries < 20 && turn.busy; tries++) {
      const query = turn.query || (await this.#idOf(turn));
      if (query) return remove(`/query/${query}`);
      await new Promise((ok) => setTimeout(ok, 100)); // the hall is about to hear of it
    }
    if (turn.busy) throw new Trouble({ code: "unavailable", message: "the hall has not heard of this question yet", remedy: "try again in a moment" });
  }

  async #idOf(turn: TurnView): Promise<string> {
    const d = await get<SessionDetail>(`/sessions/${this.id}`).catch(() => undefined);
    const of = [...(d?.queue ?? []), ...(d?.asked ?? [])];
    return of.findLast((t) => t.query === turn.question && (t.state === "waiting" || t.state === "running"))?.query_id ?? "";
  }

  async rate(turn: TurnView, f: Omit<Feedback, "query_id">): Promise<void> {
    const { feedback: before, rated } = turn;
    turn.rated = true;
    turn.feedback = f.undo ? undefined : { query_id: turn.query, ...before, ...f };
    try {
      await post("/feedback", { ...(f.undo ? {} : { thumbs: turn.feedback?.thumbs, stars: turn.feedback?.stars, comment: turn.feedback?.comment }), ...f, query_id: turn.query });
    } catch (e) {
      turn.feedback = before;
      turn.rated = rated;
      throw e;
    }
  }

  async override(o: Overrides): Promise<Overrides> {
    const mine = ++this.#switched;
    const got = await put<Overrides>(`/sessions/${this.id}/overrides`, o);
    if (mine === this.#switched) {
      this.overrides = got; // it was not switched again meanwhile
      this.#switched++; // what was loaded until now may be older
    }
    return got;
  }

  /** Takes back what was switched, for the conversation and for its next question. */
  async normal(): Promise<void> {
    this.once = undefined;
    if (this.fresh) return;
    const now = await this.override({ level: "none" });
    if (now.level !== "none") await this.override({ level: "none", once: true });
  }

  /** An event of this conversation. */
  take(e: HallEvent): void {
    const query = e.query_id ?? "";
    if (e.subject === "query.received") {
      this.#received(e, query);
      return;
    }
    if (e.subject === "session.compacted") {
      this.#compacted(e);
      return;
    }
    if (e.subject === "session.changed") {
      void this.load();
      return;
    }
    const turn = query ? this.find(query) : undefined;
    if (!turn) {
      if (query) this.#hold(e);
      return;
    }
    switch (e.subject) {
      case "critique.result":
        if (shown(e.payload as Critique)) turn.critique = e.payload as Critique;
        return;
      case "pairwise.result":
        turn.pairing = e.payload as Pairing;
        return;
      case "task.finished":
        turn.task = e.payload as Task;
        return;
      case "reward.event":
        turn.feedback = (e.payload as Rewarded).feedback;
        turn.rated = true;
        return;
      case "response.generation": {
        const a = e.payload as Answer;
        if (!turn.streamed || !shown(a)) turn.finish(a);
        else setTimeout(() => this.#overdue(turn, a), grace);
        return;
      }
    }
    if (!turn.streamed && turn.busy) turn.watch(e);
  }

  /** The way of a turn's own stream may break unheard, as when a laptop sleeps: the events had its answer long ago. */
  #overdue(turn: TurnView, a: Answer): void {
    if (!turn.busy) return;
    turn.late = true; // of what it streamed, something may be missing
    turn.finish(a);
  }

  /** A turn may be heard of before it is known: words take a quicker way than the question, and a conversation takes a while to load. */
  #hold(e: HallEvent): void {
    this.#early.push(e);
    if (this.#early.length > heldEvents) this.#early.shift();
  }

  #release(): void {
    for (const e of this.#early.splice(0)) this.take(e);
  }

  #received(e: HallEvent, query: string): void {
    this.fresh = false;
    const { retry } = e.payload as { retry?: string };
    if (retry) {
      this.#replaced.add(retry);
      this.turns = this.turns.filter((t) => t.query !== retry); // it takes the place of that one
    }
    this.#begin(e, query);
    this.#release();
  }

  #begin(e: HallEvent, query: string): void {
    if (this.find(query)) return;
    const asked = String((e.payload as { query?: string }).query ?? "");
    const own = this.turns.find((t) => !t.query && t.question === asked);
    if (own) {
      own.query = query;
      if (own.busy) own.state = "running";
      return;
    }
    const turn = new TurnView(query, asked, e.time);
    turn.query = query;
    turn.state = "running";
    this.turns = [...this.turns, turn];
  }
}
