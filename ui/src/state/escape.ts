/** Closes with Escape, before anything else that would; returns how to stop listening. */
export function onEscape(close: () => void): () => void {
  const keys = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    close();
  };
  window.addEventListener("keydown", keys, true);
  return () => window.removeEventListener("keydown", keys, true);
}
