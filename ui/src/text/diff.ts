/** One line of a comparison. */
export interface Line {
  sign: " " | "+" | "-";
  text: string;
}

const most = 1500; // lines compared; beyond that only the new text is shown

/** What changes from one text to another, line by line (longest common part). */
export function diff(before: string, after: string): Line[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  if (a.length > most || b.length > most) return b.map((text) => ({ sign: "+", text }));
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

/** What a call would do to a file. */
export interface Change {
  path: string;
  before: string;
  after: string;
}

/** Calls that write a file carry the new text, those that change a piece of it also the old. */
export function changeOf(args: unknown): Change | undefined {
  if (!args || typeof args !== "object") return undefined;
  const a = args as Record<string, unknown>;
  const word = (...names: string[]) => names.map((n) => a[n]).find((v): v is string => typeof v === "string");
  const after = word("content", "new_text", "new_string");
  const path = word("path", "file", "file_path");
  if (path === undefined || after === undefined) return undefined;
  const mode = word("mode");
  return { path: mode ? `${path} (${mode})` : path, before: word("old_text", "old_string") ?? "", after };
}
