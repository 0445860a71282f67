/** Small words for numbers, times and sizes. */
import { minute } from "../state/minute.svelte";

export function ms(n: number | undefined): string {
  if (n === undefined || !Number.isFinite(n)) return "";
  if (n < 1) return "<1 ms";
  if (n < 999.5) return `${Math.round(n)} ms`;
  if (n < 59_500) return `${(n / 1000).toFixed(n < 9_950 ? 1 : 0)} s`;
  const s = Math.round(n / 1000);
  return `${Math.floor(s / 60)} min ${s % 60} s`;
}

export const ns = (n: number | undefined): string => ms(n === undefined ? undefined : n / 1e6);

export function bytes(n: number): string {
  if (n < 1024) return `${n} ${n === 1 ? "byte" : "bytes"}`;
  const units = ["KB", "MB", "GB", "TB"];
  let i = -1;
  do {
    n /= 1024;
    i++;
  } while (n >= 1024 && i < units.length - 1);
  return `${n.toFixed(n < 10 ? 1 : 0)} ${units[i]}`;
}

const whole = new Intl.NumberFormat("en");
export const count = (n: number | undefined): string => (n === undefined ? "" : whole.format(Math.round(n)));
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Where a turn stands on the audit record: nothing where it is not there, and said where its end is missing. */
export function recordWords(first: number, last: number): string {
  if (!first) return "";
  if (!last) return `record from ${first}, without its end`;
  return first === last ? `record ${first}` : `record ${first}–${last}`;
}

/** How long ago, short. */
export function age(time: string | undefined): string {
  if (!time) return "";
  const s = Math.max(0, (minute.now - Date.parse(time)) / 1000);
  if (s < 45) return "now";
  if (s < 3600) return `${Math.round(s / 60)} min`;
  if (s < 86_400) return `${Math.round(s / 3600)} h`;
  if (s < 86_400 * 30) return `${Math.round(s / 86_400)} d`;
  return new Date(time).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

export const ago = (time: string | undefined): string => {
  const a = age(time);
  return a === "now" || a === "" || /\d{4}/.test(a) ? a : `${a} ago`;
};

export const clock = (time: string): string => new Date(time).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
export const moment = (time: string): string => new Date(time).toLocaleString();
/** The time of day, with the day where it is another than today. */
export const when = (time: string): string => (new Date(time).toDateString() === new Date(minute.now).toDateString() ? clock(time) : moment(time));

/** What a fact of the graph says, without when. */
export const claim = (f: { subject: string; relation: string; object: string }): string => `${f.subject} ${f.relation.replaceAll("_", " ")} ${f.object}`;

/** About how many tokens a text has; the hall counts exactly, at the end. */
export const tokens = (text: string): number => Math.ceil(text.length / 4);

// Line breaks and tabs stay.
// eslint-disable-next-line no-control-regex
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text with what is not seen, and what turns the direction of text around,
 * as JSON escapes it: a call is read as it will be made, and JSON stays the same.
 */
export const plainly = (s: string): string => s.replace(unseen, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** JSON for reading. */
export function pretty(v: unknown): string {
  if (v === undefined) return "";
  return typeof v === "string" ? v : plainly(JSON.stringify(v, null, 2));
}

/** JSON in one line, cut. */
export function brief(v: unknown, most = 120): string {
  if (v === undefined || v === null) return "";
  let s: string;
  if (typeof v === "object" && !Array.isArray(v)) {
    s = Object.entries(v as object).map(([k, x]) => `${k}: ${typeof x === "string" ? x : JSON.stringify(x)}`).join(", ");
  } else s = typeof v === "string" ? v : JSON.stringify(v);
  s = plainly(s.replace(/\s+/g, " "));
  return s.length > most ? `${s.slice(0, most - 1)}…` : s;
}

/** Hands something to the browser as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
