import DOMPurify from "dompurify";
import temml from "temml";

// Styles come as attributes, which the page's policy forbids; the few that
// matter are put on by hand after sanitising.
const harmless = /^(?:[a-z-]+:[^;:()]*;?\s*)*$/;

/** Draws a formula as MathML. A mistake in it leaves the source as it was. */
export function draw(into: HTMLElement, tex: string, block: boolean): void {
  let markup: string;
  try {
    markup = temml.renderToString(tex, { displayMode: block, throwOnError: true, trust: false, maxExpand: 200, maxSize: [20, 200] });
  } catch {
    into.textContent = tex;
    return;
  }
  const clean = DOMPurify.sanitize(markup.replace(/ style="/g, ' data-look="'), {
    USE_PROFILES: { mathMl: true },
    ADD_ATTR: ["data-look"],
    ADD_URI_SAFE_ATTR: ["data-look"],
    FORBID_ATTR: ["style", "href"],
  });
  into.innerHTML = clean;
  for (const e of into.querySelectorAll<HTMLElement>("[data-look]")) {
    const look = e.dataset["look"] ?? "";
    if (harmless.test(look)) e.style.cssText = look;
    e.removeAttribute("data-look");
  }
}
