/** One line of a comparison. */
export interface Line {
  sign: " " | "+" | "-";
  text: string;
}

const most = 1500; // lines compared one by one; beyond that the old stand before the new

/** What changes from one text to another, line by line (longest common part). */
export function diff(before: string, after: string): Line[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (text: string): Line => ({ sign: " ", text });
  return [...a.slice(0, head).map(same), ...compared(a.slice(head, a.length - tail), b.slice(head, b.length - tail)), ...a.slice(a.length - tail).map(same)];
}

function compared(a: string[], b: string[]): Line[] {
  if (a.length > most || b.length > most) return [...a.map((text): Line => ({ sign: "-", text })), ...b.map((text): Line => ({ sign: "+", text }))];
  const w = b.length + 1;
  const best = new Uint16Array((a.length + 1) * w);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * w + j] = a[i] === b[j] ? best[(i + 1) * w + j + 1]! + 1 : Math.max(best[(i + 1) * w + j]!, best[i * w + j + 1]!);
    }
  }
  const out: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ sign: " ", text: a[i]! });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && best[(i + 1) * w + j]! >= best[i * w + j + 1]!)) out.push({ sign: "-", text: a[i++]! });
    else out.push({ sign: "+", text: b[j++]! });
  }
  return out;
}

/** Lines that are left out, as they are the same. */
export interface Fold {
  sign: "…";
  text: string;
  count: number;
}

const around = 3; // unchanged lines that stay beside a change

/** A comparison without what is far from any change. */
export function folded(lines: Line[]): (Line | Fold)[] {
  const out: (Line | Fold)[] = [];
  for (let i = 0; i < lines.length; ) {
    if (lines[i]!.sign !== " ") {
      out.push(lines[i++]!);
      continue;
    }
    let end = i;
    while (end < lines.length && lines[end]!.sign === " ") end++;
    const from = i === 0 ? i : i + around;
    const to = end === lines.length ? end : end - around;
    if (to - from < 2) out.push(...lines.slice(i, end));
    else out.push(...lines.slice(i, from), { sign: "…", text: "", count: to - from }, ...lines.slice(to, end));
    i = end;
  }
  return out;
}

/** What a call would do to a file. */
export interface Change {
  path: string;
  before: string;
  after: string;
  said: string[]; // the arguments that it tells all of
}

/** Calls that write a file carry the new text, those that change a piece of it also the old. */
export function changeOf(args: unknown): Change | undefined {
  if (!args || typeof args !== "object") return undefined;
  const a = args as Record<string, unknown>;
  const said: string[] = [];
  const word = (...names: string[]) => {
    const name = names.find((n) => typeof a[n] === "string");
    if (name) said.push(name);
    return name && (a[name] as string);
  };
  const after = word("content", "new_text", "new_string");
  const path = word("path", "file", "file_path");
  if (path === undefined || after === undefined) return undefined;
  const mode = word("mode");
  return { path: mode ? `${path} (${mode})` : path, before: word("old_text", "old_string") ?? "", after, said };
}
