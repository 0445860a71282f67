import { lock } from "../state/lock.svelte";
import type { Problem } from "./types";

/** What the hall answered when it did not do what was asked. */
export class Trouble extends Error {
  readonly code: string;
  readonly remedy: string;
  readonly status: number;

  constructor(p: Partial<Problem>, status = 0) {
    super(p.message || "the hall gave no reason");
    this.code = p.code ?? "internal";
    this.remedy = p.remedy ?? "";
    this.status = status;
  }

  /** The hall has no such service, or is too old to know of it. */
  get absent(): boolean {
    return this.status === 501 || (this.status === 404 && this.message.startsWith("nothing is served"));
  }
}

/** Any error as a Trouble. */
export function troubleOf(e: unknown): Trouble {
  if (e instanceof Trouble) return e;
  if (e instanceof DOMException && e.name === "AbortError") return new Trouble({ code: "canceled", message: "stopped" });
  return new Trouble({ code: "unavailable", message: "the hall does not answer", remedy: "start it with: moothall up" });
}

async function refusal(reply: Response): Promise<Trouble> {
  try {
    const body = (await reply.json()) as { error?: Problem };
    return new Trouble(body.error ?? {}, reply.status);
  } catch {
    return new Trouble({ message: `the hall answered with status ${reply.status}` }, reply.status);
  }
}

interface Sending {
  body?: unknown;
  accept?: string;
  signal?: AbortSignal | undefined;
  token?: string;
  type?: string;
  taken?: (() => void) | undefined; // told when the hall begins to answer
  heard?: (() => void) | undefined; // told of whatever comes of a stream, its heartbeat too
}

async function request(method: string, path: string, o: Sending = {}): Promise<Response> {
  const headers: Record<string, string> = {};
  const token = o.token ?? lock.token;
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (o.accept) headers["Accept"] = o.accept;
  if (o.body !== undefined) headers["Content-Type"] = o.type ?? "application/json";
  const body = o.body === undefined ? null : typeof o.body === "string" ? o.body : JSON.stringify(o.body);
  const reply = await fetch(path, { method, headers, body, signal: o.signal ?? null });
  if (reply.status === 401 && o.token === undefined) lock.shut();
  return reply;
}

/** Whether a token opens the hall; throws when the hall cannot be asked. */
export async function tryToken(token: string): Promise<boolean> {
  let reply: Response;
  try {
    reply = await request("GET", "/sessions", { token });
  } catch (e) {
    throw troubleOf(e);
  }
  if (reply.status !== 401 && !reply.ok) throw await refusal(reply);
  return reply.ok;
}

/** One request, one JSON answer. */
export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const reply = await answered(method, path, { body, signal });
  if (reply.status === 204) return undefined as T;
  return (await reply.json()) as T;
}

async function answered(method: string, path: string, o: Sending): Promise<Response> {
  let reply: Response;
  try {
    reply = await request(method, path, o);
  } catch (e) {
    throw troubleOf(e);
  }
  if (!reply.ok && !(path === "/health" && reply.status === 503)) throw await refusal(reply);
  return reply;
}

/** Posts lines of JSON. */
export async function postLines<T>(path: string, lines: string): Promise<T> {
  return (await (await answered("POST", path, { body: lines, type: "application/x-ndjson" })).json()) as T;
}

/** Fetches a file; tells how far it is. */
export async function file(path: string, progress?: (bytes: number) => void): Promise<Blob> {
  const reply = await answered("GET", path, {});
  const parts: BlobPart[] = [];
  let n = 0;
  try {
    const reader = reply.body?.getReader();
    for (let got = await reader?.read(); got && !got.done; got = await reader?.read()) {
      parts.push(got.value as BlobPart);
      progress?.((n += got.value.length));
    }
  } catch (e) {
    throw troubleOf(e);
  }
  return new Blob(parts, { type: reply.headers.get("Content-Type") ?? "" });
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body: unknown) => call<T>("POST", path, body);
export const put = <T>(path: string, body: unknown) => call<T>("PUT", path, body);
export const remove = <T>(path: string) => call<T>("DELETE", path);

/**
 * A load of which only the newest counts: what an older one still brings is left out.
 * told gets the trouble that there was, or that there is none any more. It comes back with whether it counted.
 */
export function newest<A extends unknown[], T>(ask: (...a: A) => Promise<T>, take: (got: T) => void, told: (t: Trouble | undefined) => void): (...a: A) => Promise<boolean> {
  let last = 0;
  return async (...a) => {
    const mine = ++last;
    try {
      const got = await ask(...a);
      if (mine !== last) return false;
      take(got);
      told(undefined);
    } catch (e) {
      if (mine !== last) return false;
      told(troubleOf(e));
    }
    return true;
  };
}

/** A path with the parameters that have a value. */
export function withParams(path: string, params: Record<string, string | number | boolean | undefined>): string {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) {
    if (v !== undefined && v !== "" && v !== false) q.set(k, v === true ? "1" : String(v));
  }
  const s = q.toString();
  return s ? `${path}?${s}` : path;
}

/** One server-sent event of an answer that comes in pieces. */
export interface Piece {
  name: string;
  id: string;
  data: unknown;
}

/** Posts, and yields the events of the answer as they come; taken is told before the first. */
export function pieces(path: string, body: unknown, taken?: () => void): AsyncGenerator<Piece> {
  return stream("POST", path, { body, taken });
}

/** Yields the events of a stream as they come. */
export function watch(path: string, signal?: AbortSignal, heard?: () => void): AsyncGenerator<Piece> {
  return stream("GET", path, { signal, heard });
}

async function* stream(method: string, path: string, o: Sending): AsyncGenerator<Piece> {
  const reply = await answered(method, path, { ...o, accept: "text/event-stream" });
  if (!reply.body) throw await refusal(reply);
  o.taken?.();
  const reader = reply.body.getReader();
  try {
    yield* split(reader, o.heard);
  } catch (e) {
    throw troubleOf(e);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function* split(reader: ReadableStreamDefaultReader<Uint8Array>, heard?: () => void): AsyncGenerator<Piece> {
  const text = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard?.();
    rest += text.decode(value, { stream: true });
    let end: number;
    let at = 0;
    while ((end = rest.indexOf("\n\n", at)) >= 0) {
      const piece = parse(rest.slice(at, end));
      at = end + 2;
      if (piece) yield piece;
    }
    rest = rest.slice(at);
  }
}

function parse(block: string): Piece | null {
  let name = "message";
  let id = "";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
    else if (line.startsWith("id: ")) id = line.slice(4);
  }
  return data ? { name, id, data: JSON.parse(data) } : null;
}
