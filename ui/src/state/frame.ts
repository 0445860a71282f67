/**
 * Makes a function that runs another at once when that has rested for a frame,
 * and otherwise with the next frame: the first piece is quick, and many pieces
 * are drawn together. A hidden page draws less often.
 */
export function framed(run: () => void): () => void {
  let scheduled = false;
  let last = 0;
  const go = () => {
    if (!scheduled) return;
    scheduled = false;
    last = performance.now();
    run();
  };
  return () => {
    if (scheduled) return;
    scheduled = true;
    if (document.hidden) setTimeout(go, 200);
    else if (performance.now() - last > 16) queueMicrotask(go);
    else requestAnimationFrame(go);
  };
}
