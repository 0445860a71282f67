import type { HallEvent } from "../api/types";
import { framed } from "./frame";

/** How the page stands with the hall. */
export type LinkState = "connecting" | "live" | "lost";

interface Listener {
  state(s: LinkState): void;
  /** The stream is in place; whatever is loaded from now on misses nothing. */
  ready(again: boolean): void;
  events(list: HallEvent[]): void;
}

const remembered = 20_000; // ids kept for telling a repeated event

/**
 * Link holds the one stream of events. The browser resumes it with the id of
 * the last durable event; what comes twice all the same is dropped here.
 * Events are handed over once a frame.
 */
export class Link {
  #source: EventSource | undefined;
  #last = "";
  #ready = false;
  #seen = new Set<string>();
  #waiting: HallEvent[] = [];
  #soon = framed(() => this.#flush());
  #to: Listener;

  constructor(to: Listener) {
    this.#to = to;
    document.addEventListener("visibilitychange", () => this.#flush());
  }

  open(): void {
    const after = this.#last ? `&after=${encodeURIComponent(this.#last)}` : "";
    const source = new EventSource(`/events?mark=1${after}`);
    this.#source = source;
    source.onmessage = (m) => this.#take(m);
    source.addEventListener("mark", () => this.#mark());
    source.onerror = () => this.#broken(source);
  }

  close(): void {
    this.#source?.close();
  }

  #take(m: MessageEvent<string>): void {
    if (m.lastEventId) this.#last = m.lastEventId;
    const e = JSON.parse(m.data) as HallEvent;
    if (e.id && e.seq) {
      if (this.#seen.has(e.id)) return;
      this.#seen.add(e.id);
      if (this.#seen.size > remembered) this.#forget();
    }
    this.#waiting.push(e);
    this.#soon();
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
    this.#to.ready(this.#ready);
    this.#ready = true;
  }

  #broken(source: EventSource): void {
    this.#to.state(this.#ready ? "lost" : "connecting");
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again
    setTimeout(() => source === this.#source && this.open(), 1000);
  }
}

/** Reads what is on record about one conversation, up to now. */
export function recorded(session: string, most = 5000): Promise<HallEvent[]> {
  return new Promise((resolve) => {
    const list: HallEvent[] = [];
    const source = new EventSource(`/events?replay=1&mark=1&session=${encodeURIComponent(session)}`);
    const end = () => {
      source.close();
      clearTimeout(late);
      resolve(list);
    };
    const late = setTimeout(end, 10_000);
    source.onmessage = (m) => {
      list.push(JSON.parse(m.data) as HallEvent);
      if (list.length >= most) end();
    };
    source.addEventListener("mark", end);
    source.onerror = end;
  });
}
