import DOMPurify from "dompurify";
import { Marked, type Token, type Tokens, type TokensList } from "marked";
import { mathExtensions } from "./maths";

// Raw HTML in an answer is shown as text, but for these few tags without
// attributes. What is left goes through a sanitiser all the same.
const plainTag = /^<\/?(br|sub|sup|kbd|mark|details|summary)\s*\/?>$/i;
const safeLink = /^(https?:|mailto:)/i;
const safeImage = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;

export function escapeHTML(s: string): string {
  return s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

// A line that ends means a new one: models write addresses, verses and "Name: value" so.
const md = new Marked({ gfm: true, breaks: true });
md.use({
  extensions: mathExtensions,
  renderer: {
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return text.trim().split(/(<[^>]*>)/).map((part) => (plainTag.test(part) ? part.toLowerCase() : escapeHTML(part))).join("");
    },
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      if (!safeLink.test(href)) return text;
      return `<a href="${escapeHTML(href)}" target="_blank" rel="noopener noreferrer">${text}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      if (safeImage.test(href)) return `<img src="${escapeHTML(href)}" alt="${escapeHTML(text)}">`;
      // Loading it would tell its server that the answer was read.
      const label = `image, not loaded: ${text || href}`;
      return safeLink.test(href) ? `<a href="${escapeHTML(href)}" target="_blank" rel="noopener noreferrer">${escapeHTML(label)}</a>` : escapeHTML(label);
    },
    table(this: { parser: { parseInline(t: Token[]): string } }, t: Tokens.Table): string {
      const row = (cells: Tokens.TableCell[], tag: string) => `<tr>${cells.map((c) => `<${tag}>${this.parser.parseInline(c.tokens)}</${tag}>`).join("")}</tr>`;
      return `<div class="tablebox"><table><thead>${row(t.header, "th")}</thead><tbody>${t.rows.map((r) => row(r, "td")).join("")}</tbody></table></div>`;
    },
    checkbox({ checked }: Tokens.Checkbox): string {
      return checked ? "☑ " : "☐ ";
    },
  },
});

const rules = {
  ALLOWED_TAGS: ["a", "b", "blockquote", "br", "code", "del", "details", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "mark", "ol", "p", "pre", "s", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"],
  ALLOWED_ATTR: ["href", "target", "rel", "src", "alt", "start", "class", "data-tex", "data-block"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|data:image\/)/i,
  ADD_URI_SAFE_ATTR: ["target", "rel", "start", "data-tex", "data-block"], // no addresses
  ALLOW_DATA_ATTR: false,
};
const classes = new Set(["tablebox", "math", "block"]);

DOMPurify.addHook("uponSanitizeAttribute", (_node, data) => {
  if (data.attrName === "class") data.attrValue = data.attrValue.split(/\s+/).filter((c) => classes.has(c) || /^language-[\w+#-]+$/.test(c)).join(" ");
});

/** A piece of a text that is drawn on its own: code with its buttons, or HTML. */
export type Part = { kind: "code"; text: string; lang: string; done: boolean } | { kind: "html"; html: string };

// What a token becomes depends on the text's link definitions as well: they are not in it.
const cached = new Map<string, { defined: string; html: string }>();
const cacheSize = 400;

function html(token: Token, links: TokensList["links"], defined: string): string {
  const known = cached.get(token.raw);
  if (known?.defined === defined) return known.html;
  const list = Object.assign([token], { links });
  const out = DOMPurify.sanitize(md.parser(list), rules);
  if (cached.size >= cacheSize) cached.clear();
  cached.set(token.raw, { defined, html: out });
  return out;
}

// A line that opens so many lists and quotes in each other, as "1. 2. 3. …" does, means none of them.
const deep = /^([ \t]*\d{0,9})(?=(?:>[ \t]?|(?:[-*+]|\d{0,9}[.)])[ \t]+){100})/gm;

/**
 * Cuts a text into parts. While it grows, only the last part changes: the
 * others come out of the cache and their elements stay as they are.
 */
export function parts(text: string): Part[] {
  try {
    return cut(text.replace(deep, "$1\\"));
  } catch {
    // Nested deeper than can be read: shown as it was written.
    return [{ kind: "code", text, lang: "", done: true }];
  }
}

function cut(text: string): Part[] {
  const tokens = md.lexer(text);
  const defined = JSON.stringify(tokens.links);
  const out: Part[] = [];
  for (const t of tokens) {
    if (t.type === "space") continue;
    if (t.type === "code") out.push({ kind: "code", text: t.text as string, lang: ((t.lang as string | undefined) ?? "").split(/\s/)[0] ?? "", done: closed(t.raw) });
    else out.push({ kind: "html", html: html(t, tokens.links, defined) });
  }
  return out;
}

/** Whether a code block has its closing fence; an indented one needs none. */
function closed(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return !fence || raw.trimEnd().split("\n").length > 1 && raw.trimEnd().endsWith(fence);
}
