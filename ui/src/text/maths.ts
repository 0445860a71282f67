import type { TokenizerAndRendererExtension } from "marked";

function holder(tex: string, block: boolean): string {
  const safe = tex.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<span class="math${block ? " block" : ""}" data-tex="${safe}"${block ? ' data-block="1"' : ""}>${safe}</span>`;
}

// What opens or closes a formula is not in it. So no two tries read the same text, and reading takes as long as the text is.
const block = /(?:\$\$((?:(?!\$\$)[\s\S])+)\$\$|(?<!\\)\\\[((?:[^\\]|\\[^[\]])+)\\\])[ \t]*(?:\n|$)/;
const blockRule = new RegExp(`^ {0,3}${block.source}`);
// A dollar sign before a digit and a space after one are money, not maths.
const inlineRule = /^(?:\$\$([^\n]+?)\$\$|\\\(((?:[^\\\n]|\\[^()\n])+)\\\)|\$(?!\s)([^\n$]*?[^\s\\$])\$(?!\d))/;

/** $x$, $$x$$, \(x\) and \[x\] become holders that are filled when drawn. */
export const mathExtensions: TokenizerAndRendererExtension[] = [
  {
    name: "mathBlock",
    level: "block",
    start: (s) => s.search(block), // a paragraph is read anew from here: only for what is a formula
    tokenizer(src) {
      const m = blockRule.exec(src);
      return m ? { type: "mathBlock", raw: m[0], tex: (m[1] ?? m[2] ?? "").trim() } : undefined;
    },
    renderer: (t) => `<p>${holder(t["tex"] as string, true)}</p>`,
  },
  {
    name: "mathInline",
    level: "inline",
    start: (s) => s.search(/[$\\]/),
    tokenizer(src) {
      const m = inlineRule.exec(src);
      return m ? { type: "mathInline", raw: m[0], tex: (m[1] ?? m[2] ?? m[3] ?? "").trim() } : undefined;
    },
    renderer: (t) => holder(t["tex"] as string, false),
  },
];

/** Fills the holders under an element. The renderer is fetched when needed. */
export async function drawMaths(root: Element): Promise<void> {
  const holders = root.querySelectorAll<HTMLElement>(".math[data-tex]");
  if (!holders.length) return;
  const { draw } = await import("./mathml");
  for (const h of holders) {
    if (h.firstElementChild) continue;
    draw(h, h.dataset["tex"] ?? "", h.dataset["block"] === "1");
  }
}
