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

function request(method: string, path: string, body?: unknown, accept?: string, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  if (accept) headers["Accept"] = accept;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null });
}

/** One request, one JSON answer. */
export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let reply: Response;
  try {
    reply = await request(method, path, body, undefined, signal);
  } catch (e) {
    throw troubleOf(e);
  }
  if (!reply.ok && !(path === "/health" && reply.status === 503)) throw await refusal(reply);
  if (reply.status === 204) return undefined as T;
  return (await reply.json()) as T;
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body: unknown) => call<T>("POST", path, body);
export const put = <T>(path: string, body: unknown) => call<T>("PUT", path, body);
export const remove = <T>(path: string) => call<T>("DELETE", path);

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
  data: unknown;
}

/** Posts, and yields the events of the answer as they come. */
export async function* pieces(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<Piece> {
  let reply: Response;
  try {
    reply = await request("POST", path, body, "text/event-stream", signal);
  } catch (e) {
    throw troubleOf(e);
  }
  if (!reply.ok || !reply.body) throw await refusal(reply);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    yield* split(reader);
  } catch (e) {
    throw troubleOf(e);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function* split(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<Piece> {
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    let end: number;
    while ((end = rest.indexOf("\n\n")) >= 0) {
      const piece = parse(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (piece) yield piece;
    }
  }
}

function parse(block: string): Piece | null {
  let name = "message";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  return data ? { name, data: JSON.parse(data) } : null;
}
