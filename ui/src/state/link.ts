import { watch, withParams } from "../api/client";
import type { HallEvent } from "../api/types";
import { framed } from "./frame";
import { lock } from "./lock.svelte";

/** How the page stands with the hall. */
export type LinkState = "connecting" | "live" | "lost";

interface Listener {
  state(s: LinkState): void;
  /** The stream is in place; whatever is loaded from now on misses nothing. */
  ready(): void;
  events(list: HallEvent[]): void;
}

const remembered = 20_000; // ids kept for telling a repeated event
const pause = 1000; // ms before the hall is tried again
const silence = 40_000; // ms after which a stream is dead: the hall's heart beats every 15 s

/**
 * Link holds the one stream of events. It is resumed after the last durable
 * event, also when nothing came for longer than a hall is silent: a way that
 * broke unheard stays open. What comes twice all the same is dropped here. Events are handed over
 * once a frame, the first words of an answer at once.
 */
export class Link {
  #running = false;
  #last = "";
  #ready = false;
  #seen = new Set<string>();
  #speaking = ""; // the query whose words came last
  #waiting: HallEvent[] = [];
  #soon = framed(() => this.#flush());
  #to: Listener;

  constructor(to: Listener) {
    this.#to = to;
    document.addEventListener("visibilitychange", () => this.#flush());
  }

  /** Follows the events until the hall asks for a token. */
  open(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#run().finally(() => (this.#running = false));
  }

  async #run(): Promise<void> {
    while (!lock.closed) {
      try {
        await this.#follow();
      } catch {
        // the state of the link says it
      }
      if (lock.closed) return;
      this.#to.state(this.#ready ? "lost" : "connecting");
      await new Promise((ok) => setTimeout(ok, pause));
    }
  }

  async #follow(): Promise<void> {
    const after = this.#last ? `&after=${encodeURIComponent(this.#last)}` : "";
    const end = new AbortController();
    let dead: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(dead);
      dead = setTimeout(() => end.abort(), silence);
    };
    heard();
    try {
      for await (const p of watch(`/events?mark=1${after}`, end.signal, heard)) {
        if (p.name === "mark") this.#mark();
        else this.#take(p.id, p.data as HallEvent);
      }
    } finally {
      clearTimeout(dead);
    }
  }

  #take(id: string, e: HallEvent): void {
    if (id) this.#last = id;
    if (e.id && e.seq) {
      if (this.#seen.has(e.id)) return;
      this.#seen.add(e.id);
      if (this.#seen.size > remembered) this.#forget();
    }
    this.#waiting.push(e);
    if (this.#firstWords(e)) this.#flush();
    else this.#soon();
  }

  /** The first words of an answer are waited for; they come just behind events that took this frame. */
  #firstWords(e: HallEvent): boolean {
    if (e.subject !== "response.delta" || e.query_id === this.#speaking || document.hidden) return false;
    this.#speaking = e.query_id ?? "";
    return true;
  }

  #forget(): void {
    let n = remembered / 2;
    for (const id of this.#seen) {
      if (n-- <= 0) break;
      this.#seen.delete(id);
    }
  }

  #flush(): void {
    if (!this.#waiting.length) return;
    const list = this.#waiting;
    this.#waiting = [];
    this.#to.events(list);
  }

  #mark(): void {
    this.#flush();
    this.#to.state("live");
    this.#ready = true;
    this.#to.ready();
  }
}

/** Reads what is on record about one conversation, up to now: of very much the newest. */
export async function recorded(session: string, subjects: string[] = [], most = 5000): Promise<HallEvent[]> {
  const list: HallEvent[] = [];
  const end = new AbortController();
  let dead: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(dead);
    dead = setTimeout(() => end.abort(), silence);
  };
  heard();
  try {
    for await (const p of watch(withParams("/events", { replay: true, mark: true, session, subjects: subjects.join(",") }), end.signal, heard)) {
      if (p.name === "mark") break;
      list.push(p.data as HallEvent);
      if (list.length >= 2 * most) list.splice(0, most);
    }
  } catch {
    // what came until then is shown
  } finally {
    clearTimeout(dead);
    end.abort();
  }
  return list.slice(-most);
}
