import { call, get, newest, post, remove, troubleOf, type Trouble } from "../api/client";
import type { Approval, ApprovalAnswer, HallEvent, Health, Session, Task } from "../api/types";
import { Conversation } from "./conversation.svelte";
import { Link, type LinkState } from "./link";
import { keep } from "./tab";

const shownEvents = 2000; // of the log; the record has them all
const heldConversations = 8;

/** A short message that goes by itself. */
export interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

/** An id for a new conversation. */
function newID(): string {
  const b = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
}

/** The one store. Everything on the page reads from here. */
class Hall {
  link = $state<LinkState>("connecting");
  health = $state.raw<Health | undefined>(undefined);
  sessions = $state.raw<Session[]>([]);
  loaded = $state(false);
  approvals = $state.raw<Approval[]>([]);
  tasks = $state.raw<Task[]>([]);
  events = $state.raw<HallEvent[]>([]);
  counted = $state(0);
  toasts = $state.raw<Toast[]>([]);
  /** Changes when something of the family happened; panels reload on it. */
  ticks = $state({ memory: 0, judge: 0, tasks: 0, hall: 0, tools: 0 });

  #open = new Map<string, Conversation>();
  #begun: Conversation | undefined;
  #listing: ReturnType<typeof setTimeout> | undefined;
  #toasted = 0;
  #link = new Link({
    state: (s) => (this.link = s),
    ready: () => void this.#ready(),
    events: (list) => this.#take(list),
  });

  start(): void {
    this.#link.open();
    void this.refreshHealth();
  }

  /** The person is back from elsewhere, where settings may have been changed: no event tells of that. */
  back(): void {
    this.ticks.hall++;
  }

  /** Loads what is shown anew, at the first mark too: what was loaded before it may have changed since, unheard. */
  async #ready(): Promise<void> {
    for (const c of this.#open.values()) void c.load();
    await Promise.all([this.refreshHealth(), this.refreshSessions(), this.refreshApprovals()]);
  }

  readonly refreshHealth = newest(
    () => get<Health>("/health"),
    (got) => (this.health = got),
    () => undefined, // the state of the link says it
  );

  readonly refreshSessions = newest(
    () => get<Session[]>("/sessions"),
    (got) => {
      this.sessions = got;
      this.loaded = true;
    },
    () => undefined, // shown again when the link is back
  );

  /** What is asked or answered while the list is on its way is newer than the list: it is read again then. What cannot be read takes nothing away. */
  async refreshApprovals(): Promise<void> {
    let known: Approval[];
    let got: Approval[] | undefined;
    do {
      known = this.approvals;
      got = await get<Approval[]>("/approvals").catch(() => undefined);
    } while (known !== this.approvals);
    if (got) this.approvals = got;
  }

  /** The conversation of an id, loaded when it is not held yet. */
  conversation(id: string): Conversation {
    let c = this.#open.get(id);
    if (!c) {
      c = new Conversation(id, false).recall();
      this.#hold(c);
      void c.load();
    }
    return c;
  }

  /** The conversation that the chat's next new one is: the same until the hall has its first question. */
  get begun(): Conversation {
    if (!this.#begun?.fresh) this.#begun = this.begin().recall();
    return this.#begun;
  }

  /** A conversation that begins with its first question. */
  begin(): Conversation {
    const c = new Conversation(newID(), true);
    this.#hold(c);
    return c;
  }

  #hold(c: Conversation): void {
    this.#open.set(c.id, c);
    for (const [id, old] of this.#open) {
      if (this.#open.size <= heldConversations) break;
      if (id !== c.id && old !== this.#begun && old.idle) this.#open.delete(id);
    }
  }

  async rename(id: string, title: string): Promise<void> {
    await this.#try(async () => {
      await call("PATCH", `/sessions/${id}`, { title });
      await this.refreshSessions();
    });
  }

  async forgetSession(id: string): Promise<void> {
    await this.#try(async () => {
      await remove(`/sessions/${id}`);
      this.#open.delete(id);
      keep(`draft.${id}`);
      await this.refreshSessions();
    });
  }

  async decide(a: Approval, answer: ApprovalAnswer, args?: unknown): Promise<void> {
    await this.#try(async () => {
      await post(`/approvals/${a.id}`, args === undefined ? { answer } : { answer, arguments: args });
      this.approvals = this.approvals.filter((x) => x.id !== a.id);
    });
  }

  /** Does something, and tells when it did not work. */
  async #try(f: () => Promise<void>): Promise<void> {
    try {
      await f();
    } catch (e) {
      this.complain(e);
    }
  }

  complain(e: unknown): Trouble {
    const t = troubleOf(e);
    this.say(t.remedy ? `${t.message} — ${t.remedy}` : t.message, true);
    return t;
  }

  say(text: string, bad = false): void {
    const id = ++this.#toasted;
    this.toasts = [...this.toasts.slice(-3), { id, text, bad }];
    setTimeout(() => this.dismiss(id), bad ? 9000 : 4000);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((t) => t.id !== id);
  }

  #take(list: HallEvent[]): void {
    const log: HallEvent[] = [];
    for (const e of list) {
      if (e.session_id) this.#open.get(e.session_id)?.take(e);
      this.#note(e);
      if (e.seq) log.push(e); // pieces of text are many, and are shown where they belong
    }
    this.counted += list.length;
    if (log.length) this.events = [...this.events, ...log].slice(-shownEvents);
  }

  #note(e: HallEvent): void {
    const s = e.subject;
    if (s === "approval.requested") {
      const a = e.payload as Approval;
      if (!this.approvals.some((x) => x.id === a.id)) this.approvals = [...this.approvals, a];
    } else if (s === "approval.decided") {
      const id = (e.payload as Approval).id;
      this.approvals = this.approvals.filter((x) => x.id !== id);
    } else if (s === "session.state" || s === "query.received" || s === "session.changed") this.#stateOf(e);
    else if (s.startsWith("memory.")) this.ticks.memory++;
    else if (s === "critique.result" || s === "pairwise.result" || s === "reward.event") this.ticks.judge++;
    else if (s.startsWith("task.")) this.ticks.tasks++;
    else if (s.startsWith("tool.")) this.ticks.tools++;
    else if (s === "hall.state") {
      this.ticks.hall++;
      void this.refreshHealth();
    }
  }

  #stateOf(e: HallEvent): void {
    const state = (e.payload as { state?: string } | undefined)?.state;
    if (state) this.sessions = this.sessions.map((x) => (x.id === e.session_id ? { ...x, state } : x));
    clearTimeout(this.#listing);
    this.#listing = setTimeout(() => void this.refreshSessions(), 250);
  }
}

export const hall = new Hall();
